// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/option_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace nonsmooth {
namespace {

std::string QualifiedName(std::string_view where, std::string_view name) {
  return fmt::format("{}.{}", where, name);
}

bool InRange(const OptionField& field, double value) {
  if (std::isnan(value)) return false;
  return field.open ? value > field.min && value < field.max
                    : value >= field.min && value <= field.max;
}

}  // namespace

std::string RangeText(const OptionField& field) {
  if (std::holds_alternative<bool*>(field.value)) return "true or false";
  if (std::holds_alternative<Law*>(field.value)) {
    return "native, box, coupled_box, pyramid:K, ccp or ncp";
  }
  if (const auto* choice = std::get_if<Choice>(&field.value)) {
    return fmt::format("{}", fmt::join(choice->names, ", "));
  }
  const char* relation = field.open ? "<" : "<=";
  return fmt::format("{} {} {} {} {}", field.min, relation, field.name, relation, field.max);
}

std::string ValueText(const OptionField& field) {
  struct Visitor {
    std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const int* value) const { return fmt::format("{}", *value); }
    std::string operator()(const double* value) const { return fmt::format("{}", *value); }
    std::string operator()(const Law* value) const { return ToString(*value); }
    std::string operator()(const Choice& choice) const {
      return std::string(choice.names[choice.index()]);
    }
  };
  return std::visit(Visitor(), field.value);
}

void Validate(std::string_view where, const OptionFields& fields) {
  for (const OptionField& field : fields) {
    bool valid = true;
    if (const auto* number = std::get_if<int*>(&field.value)) valid = InRange(field, **number);
    if (const auto* number = std::get_if<double*>(&field.value)) valid = InRange(field, **number);
    if (!valid) {
      throw std::invalid_argument(fmt::format("{} = {} violates {}",
                                              QualifiedName(where, field.name), ValueText(field),
                                              RangeText(field)));
    }
  }
}

void Set(std::string_view where, const OptionFields& fields, std::string_view name,
         std::string_view text) {
  std::string known;
  for (const OptionField& field : fields) {
    if (field.name != name) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", field.name);
      continue;
    }
    bool read = false;
    const char* const end = text.data() + text.size();
    if (const auto* flag = std::get_if<bool*>(&field.value)) {
      read = text == "true" || text == "false" || text == "1" || text == "0";
      if (read) **flag = text == "true" || text == "1";
    } else if (const auto* integer = std::get_if<int*>(&field.value)) {
      int value = 0;
      const auto result = std::from_chars(text.data(), end, value);
      read = result.ec == std::errc() && result.ptr == end && InRange(field, value);
      if (read) **integer = value;
    } else if (const auto* number = std::get_if<double*>(&field.value)) {
      double value = 0;
      const auto result = std::from_chars(text.data(), end, value);
      read = result.ec == std::errc() && result.ptr == end && InRange(field, value);
      if (read) **number = value;
    } else if (const auto* choice = std::get_if<Choice>(&field.value)) {
      const auto found = std::find(choice->names.begin(), choice->names.end(), text);
      read = found != choice->names.end();
      if (read) choice->set(choice->value, static_cast<int>(found - choice->names.begin()));
    } else {
      try {
        *std::get<Law*>(field.value) = ParseLaw(text);
        read = true;
      } catch (const std::invalid_argument&) {
        // Answered below, with the name of the field.
      }
    }
    if (!read) {
      throw std::invalid_argument(
          fmt::format("{}: '{}' is not {}", QualifiedName(where, name), text, RangeText(field)));
    }
    return;
  }
  throw std::invalid_argument(fmt::format("{} has no option '{}'; it has: {}", where, name,
                                          known.empty() ? "none" : known));
}

void CopyValues(const OptionFields& from, const OptionFields& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (const auto* choice = std::get_if<Choice>(&from[i].value)) {
      const Choice& target = std::get<Choice>(to[i].value);
      target.set(target.value, choice->index());
    } else if (auto* const* flag = std::get_if<bool*>(&from[i].value)) {
      *std::get<bool*>(to[i].value) = **flag;
    } else if (auto* const* integer = std::get_if<int*>(&from[i].value)) {
      *std::get<int*>(to[i].value) = **integer;
    } else if (auto* const* number = std::get_if<double*>(&from[i].value)) {
      *std::get<double*>(to[i].value) = **number;
    } else {
      *std::get<Law*>(to[i].value) = *std::get<Law*>(from[i].value);
    }
  }
}

}  // namespace nonsmooth
