// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../problem/law.h"

namespace nonsmooth {

/// A field that is an enumeration, whose values 0, 1, … have names.
struct Choice {
  void* value = nullptr;
  int (*get)(const void* value) = nullptr;
  void (*set)(void* value, int index) = nullptr;
  std::vector<std::string_view> names;

  int index() const { return get(value); }
};

template <class Enum>
Choice MakeChoice(Enum* value, std::vector<std::string_view> names) {
  return {value, [](const void* v) { return static_cast<int>(*static_cast<const Enum*>(v)); },
          [](void* v, int index) { *static_cast<Enum*>(v) = static_cast<Enum>(index); },
          std::move(names)};
}

/// One field of an options struct. Every struct lists its fields once; validation, the command
/// line, capture files and help texts all read that list.
struct OptionField {
  std::string_view name;
  std::string_view unit;  ///< "-" if none
  std::string_view help;  ///< meaning, and why the default is what it is
  std::variant<bool*, int*, double*, Law*, Choice> value;
  double min = 0;  ///< of a number, inclusive unless `open`
  double max = 0;
  bool open = false;  ///< the bounds themselves are not allowed
};

using OptionFields = std::vector<OptionField>;

/// Throws std::invalid_argument "<where>.<field> = <value> violates <rule>" for the first field
/// that is NaN or out of its range.
void Validate(std::string_view where, const OptionFields& fields);

/// Sets a field from text. Throws std::invalid_argument naming the field, the text and what would
/// do; an unknown name is answered with the names there are.
void Set(std::string_view where, const OptionFields& fields, std::string_view name,
         std::string_view text);

/// Gives the fields of one object the values of those of another of the same kind.
void CopyValues(const OptionFields& from, const OptionFields& to);

/// The value as text that Set() reads back to the same bits.
std::string ValueText(const OptionField& field);

/// "0 < relaxation < 2", as help and error messages show it.
std::string RangeText(const OptionField& field);

}  // namespace nonsmooth
