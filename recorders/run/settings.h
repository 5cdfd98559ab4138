// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "../../common/solver/option_field.h"

namespace nonsmooth {

/// What is to be done with the worlds of a program that is run as it is, by `nonsmooth run` or with
/// libnonsmooth_run.so preloaded. All of it is text by name, so that command line, environment and
/// file are read alike:
///
///     capture         file name; %p is the process, %n the world; without it nothing is recorded
///     solver          a registered solver; without it the engine's own solves
///     law             as in the plugin's options
///     solve.NAME      of SolveOptions
///     option.NAME     of the solver's own
///     record.NAME     of RecorderOptions
///     bullet.NAME, chrono.NAME   of that plugin's options
///     quiet           1: says nothing when a world is done
class RunSettings {
 public:
  /// From the file named by NONSMOOTH_CONFIG, one `name = value` a line, `#` begins a comment; then
  /// from NONSMOOTH_SET, `name=value` separated by white space; then from NONSMOOTH_CAPTURE,
  /// NONSMOOTH_SOLVER, NONSMOOTH_LAW and NONSMOOTH_QUIET. What comes later
  /// counts. Throws std::invalid_argument for what cannot be understood, and checks as Check()
  /// does.
  static RunSettings FromEnvironment();

  /// Replaces what was set under that name. Throws std::invalid_argument if there is no such name.
  void Set(const std::string& name, const std::string& value);

  /// "name=value", or with spaces around it. `where` is for the message.
  void SetLine(std::string_view where, std::string_view line);

  /// Throws std::invalid_argument for a solver, a law, or an option that does not exist or is out
  /// of its range; what only the engine's plugin knows is left to it.
  void Check() const;

  /// Empty if it was not set.
  std::string Get(const std::string& name) const;

  /// Sets all fields that are set under `group`, such as "solve".
  void Apply(const std::string& group, const OptionFields& fields) const;

  bool empty() const { return values_.empty(); }
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace nonsmooth
