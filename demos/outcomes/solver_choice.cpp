// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/outcomes/solver_choice.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "common/solve/solver_registry.h"
#include "common/util/check.h"

namespace nonsmooth::demo {
namespace {

/// The number after `key` in `part`, if that is what it is.
bool ReadNumber(const std::string& part, const std::string& key, double& number) {
  if (part.size() <= key.size() || part.compare(0, key.size(), key) != 0) return false;
  char* end = nullptr;
  const double read = std::strtod(part.c_str() + key.size(), &end);
  if (*end != '\0' || !(read > 0)) return false;
  number = read;
  return true;
}

Law ReadLaw(const std::string& part, const std::string& text) {
  const std::string pyramid = "pyramid";
  const bool sides = part.size() > pyramid.size() && part.compare(0, pyramid.size(), pyramid) == 0;
  try {
    return ParseLaw(sides ? pyramid + ":" + part.substr(pyramid.size()) : part);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument("solver " + text + ": '" + part +
                                "' is none of a law, itN, subN, tolX, dlX, 2d");
  }
}

}  // namespace

SolverChoice ParseSolverChoice(const std::string& text) {
  SolverChoice choice;
  choice.text = text;
  DemoOptions& options = choice.options;
  options.law.reset();
  options.iterations.reset();
  options.two_friction_directions = false;

  std::istringstream parts(text);
  std::string part;
  std::getline(parts, options.solver, ':');
  if (!options.engine()) FindSolver(options.solver);
  while (std::getline(parts, part, ':')) {
    double number = 0;
    if (part == "2d") {
      options.two_friction_directions = true;
    } else if (ReadNumber(part, "it", number)) {
      options.iterations = static_cast<int>(number);
    } else if (ReadNumber(part, "sub", number)) {
      choice.substeps = static_cast<int>(number);
    } else if (ReadNumber(part, "tol", number)) {
      options.relative_tolerance = number;
    } else if (ReadNumber(part, "dl", number)) {
      options.deadline_ms = number;
    } else if (options.engine()) {
      options.solver = "engine:" + part;
    } else {
      options.law = ReadLaw(part, text);
    }
  }
  return choice;
}

}  // namespace nonsmooth::demo
