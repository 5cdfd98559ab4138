// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the fitted numbers of the solvers are worth: each of Solver::Tuning() at half, once and one
// and a half times its default, on every problem of the files given. Prints a Markdown table.
//
//     tuning_sweep [--solver NAME]... [--steps N] file.h5...
//
// Counted are problems solved to 1e-8 within kIterations, the mean (geometric) ratio of iterations
// on those that both solve, and of the errors after kFew iterations. Counts, no times: the result
// is the same on a busy machine.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth {
namespace {

constexpr int kIterations = 1000;
constexpr int kFew = 20;

struct Posed {
  Problem problem;
  std::vector<double> start;
};

struct Outcome {
  bool solved = false;
  int iterations = 0;
  double early = 0;  ///< relative error after kFew iterations
};

std::vector<Posed> ReadAll(const std::vector<std::string>& paths, int steps_of_each) {
  std::vector<Posed> all;
  for (const std::string& path : paths) {
    const auto source = OpenSource(path);
    const std::int64_t count = std::min<std::int64_t>(source->steps(), steps_of_each);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t step = count > 1 ? k * (source->steps() - 1) / (count - 1) : 0;
      const SourceStep read = source->Read(step);
      if (read.step.problem.rows() > 0) all.push_back({read.step.problem, read.step.x0});
    }
  }
  return all;
}

/// As posed where the solver can, or under the first law that it handles.
Law LawFor(const SolverInfo& info, const Problem& problem) {
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact && !info.Handles(group.law.kind)) {
      return {info.laws.front(), 8};
    }
  }
  return {LawKind::kNative, 0};
}

std::vector<Outcome> SolveAll(Driver& driver, const std::vector<Posed>& problems) {
  std::vector<Outcome> outcomes;
  Solution solution;
  Result result;
  for (const Posed& posed : problems) {
    SolveOptions options;
    options.law = LawFor(driver.info(), posed.problem);
    options.max_iterations = kIterations;
    const std::vector<double>* start = posed.start.empty() ? nullptr : &posed.start;
    Outcome outcome;
    const Observer early = [&](const IterationRecord& record, const double*) {
      const double relative = record.energy / std::max(1e-300, result.energy.free_energy);
      if (record.iteration <= kFew && (record.iteration == 0 || relative < outcome.early)) {
        outcome.early = relative;
      }
    };
    driver.Solve(posed.problem, options, start, solution, result, &early);
    outcome.solved = result.converged();
    outcome.iterations = result.iterations;
    outcomes.push_back(outcome);
  }
  return outcomes;
}

/// Geometric means over the problems where both have something to compare; 1 where none has.
struct Comparison {
  int solved = 0;
  double iterations = 1;
  double early = 1;
};

Comparison Compare(const std::vector<Outcome>& varied, const std::vector<Outcome>& standard) {
  Comparison c;
  double log_iterations = 0, log_early = 0;
  int counted = 0, judged = 0;
  for (std::size_t i = 0; i < varied.size(); ++i) {
    c.solved += varied[i].solved ? 1 : 0;
    if (varied[i].solved && standard[i].solved && standard[i].iterations > 0) {
      log_iterations +=
          std::log(std::max(1, varied[i].iterations) / double(standard[i].iterations));
      ++counted;
    }
    // What is solved by then says nothing about the way.
    if (varied[i].early > 1e-14 && standard[i].early > 1e-14) {
      log_early += std::log(varied[i].early / standard[i].early);
      ++judged;
    }
  }
  if (counted > 0) c.iterations = std::exp(log_iterations / counted);
  if (judged > 0) c.early = std::exp(log_early / judged);
  return c;
}

/// Half or one and a half of the default, whole and different where it is an integer, in range.
bool Vary(const OptionField& field, double factor) {
  if (auto* const* integer = std::get_if<int*>(&field.value)) {
    const double value =
        std::clamp(factor < 1 ? std::floor(factor * **integer) : std::ceil(factor * **integer),
                   field.min, field.max);
    const bool differs = static_cast<int>(value) != **integer;
    **integer = static_cast<int>(value);
    return differs;
  }
  if (auto* const* number = std::get_if<double*>(&field.value)) {
    const double value = std::clamp(factor * **number, field.min, field.max);
    const bool differs = value != **number;
    **number = value;
    return differs;
  }
  return false;
}

void Sweep(const SolverInfo& info, const std::vector<Posed>& problems) {
  Driver standard_driver(info.name);
  const std::size_t count = standard_driver.Tuning().size();
  if (count == 0) return;
  const std::vector<Outcome> standard = SolveAll(standard_driver, problems);
  const int solved = Compare(standard, standard).solved;
  for (std::size_t k = 0; k < count; ++k) {
    const OptionField shown = standard_driver.Tuning()[k];
    std::printf("| `%s` | `%s` | %s |", std::string(info.name).c_str(),
                std::string(shown.name).c_str(), ValueText(shown).c_str());
    for (const double factor : {0.5, 1.5}) {
      Driver driver(info.name);
      const OptionFields fields = driver.Tuning();
      if (!Vary(fields[k], factor)) {
        std::printf(" – |");
        continue;
      }
      const Comparison c = Compare(SolveAll(driver, problems), standard);
      if (c.solved == solved && c.iterations == 1 && c.early == 1) {
        std::printf(" the same |");
      } else {
        std::printf(" %+d, × %.2f, × %.2f |", c.solved - solved, c.iterations, c.early);
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

int Main(const std::vector<std::string>& arguments) {
  std::vector<std::string> names, paths;
  int steps = 6;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--solver" && i + 1 < arguments.size()) {
      names.push_back(arguments[++i]);
    } else if (arguments[i] == "--steps" && i + 1 < arguments.size()) {
      steps = std::max(1, std::atoi(arguments[++i].c_str()));
    } else {
      paths.push_back(arguments[i]);
    }
  }
  if (paths.empty()) {
    std::fprintf(stderr, "tuning_sweep [--solver NAME]... [--steps N] file...\n");
    return 2;
  }
  const std::vector<Posed> problems = ReadAll(paths, steps);
  std::printf("%zu problems\n\n", problems.size());
  std::printf(
      "| solver | number | default | half: solved, iterations, error after %d | "
      "one and a half |\n|---|---|---|---|---|\n",
      kFew);
  for (const SolverInfo& info : Solvers()) {
    if (names.empty() || std::find(names.begin(), names.end(), info.name) != names.end()) {
      Sweep(info, problems);
    }
  }
  return 0;
}

}  // namespace
}  // namespace nonsmooth

int main(int argc, char** argv) {
  try {
    return nonsmooth::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuning_sweep: %s\n", error.what());
    return 1;
  }
}
