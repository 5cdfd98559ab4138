// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/outcomes/outcome_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace nonsmooth::demo {
namespace {

/// A world that has flown apart is not worth stepping on, and engines choke on it.
bool BlownUp(const std::vector<Pose>& poses) {
  constexpr double kAway = 1e4;  // [m]
  for (const Pose& pose : poses) {
    for (const double x : pose.position) {
      if (!(std::abs(x) <= kAway)) return true;
    }
  }
  return false;
}

}  // namespace

OutcomeResult RunOutcome(const Outcome& outcome, const Engine& engine, const SolverChoice& choice,
                         int seeds) {
  OutcomeResult result;
  result.scene = outcome.world.name;
  result.engine = engine.name;
  result.solver = choice.text;
  result.seeds = seeds;
  result.what = outcome.what;
  result.unit = outcome.unit;
  result.limit = outcome.limit;
  std::vector<double> milliseconds, errors;
  for (int seed = 1; seed <= seeds; ++seed) {
    const World world = Displaced(outcome.world, static_cast<unsigned>(seed));
    const std::unique_ptr<Simulation> simulation = engine.build(world, choice.options);
    Trace trace{simulation->Poses()};
    bool whole = true;
    for (int frame = 0; frame < world.steps && whole; ++frame) {
      double seconds = 0;
      for (int substep = 0; substep < choice.substeps; ++substep) {
        const StepSample sample = simulation->Step(world.dt / choice.substeps);
        seconds += sample.solver_seconds;
        errors.push_back(sample.energy_error);
        result.fallbacks += sample.fallbacks;
      }
      milliseconds.push_back(1e3 * seconds);
      trace.push_back(simulation->Poses());
      whole = !BlownUp(trace.back());
    }
    const double measure =
        whole ? outcome.measure(world, trace) : std::numeric_limits<double>::infinity();
    if (measure <= outcome.limit) ++result.passes;
    // Written so that what is not a number counts as the worst.
    if (!(measure <= result.measure)) result.measure = std::isnan(measure) ? HUGE_VAL : measure;
  }
  result.ms_median = Quantile(milliseconds, 0.5);
  result.ms_p99 = Quantile(milliseconds, 0.99);
  result.error = Quantile(errors, 0.5);
  return result;
}

}  // namespace nonsmooth::demo
