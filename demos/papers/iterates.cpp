// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/iterates.h"

#include <cmath>

#include "demos/bullet/bullet_engine.h"
#include "recorders/capture/capture_reader.h"

namespace nonsmooth::papers {

std::vector<CapturedStep> Capture(const demo::World& world, const demo::DemoOptions& options,
                                  const std::string& file) {
  demo::DemoOptions recorded = options;
  recorded.capture = file;
  demo::Run(world, recorded, demo::BulletEngine());
  const CaptureReader reader(file);
  std::vector<CapturedStep> steps(static_cast<std::size_t>(reader.steps()));
  for (std::size_t i = 0; i < steps.size(); ++i)
    reader.Read(static_cast<std::int64_t>(i), steps[i]);
  return steps;
}

Result FollowIterates(Driver& driver, const Problem& problem, SolveOptions options,
                      const SeeIterate& see) {
  FeasibleSet set;
  set.Reset(problem, options.law, nullptr);
  std::vector<double> w(static_cast<std::size_t>(problem.rows()));
  OperatorWorkspace workspace;
  const Observer observer = [&](const IterationRecord& record, const double* x) {
    problem.dynamics().ConstraintVelocity(x, w.data(), workspace);
    see(record.iteration, set, x, w.data());
  };
  options.measure_every = 1;
  options.islands = false;  // the iterates of the whole problem are what is looked at
  Solution solution;
  Result result;
  driver.Solve(problem, options, nullptr, solution, result, &observer);
  return result;
}

Driver GaussSeidelDriver() {
  Driver driver("psor");
  Set("psor", driver.Options(), "momentum", "0");
  Set("psor", driver.Options(), "in_order", "true");
  return driver;
}

Spread SpreadOf(const std::vector<double>& values) {
  Spread spread;
  const double count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  for (const double value : values)
    spread.deviation += (value - spread.mean) * (value - spread.mean);
  spread.deviation = count > 1 ? std::sqrt(spread.deviation / (count - 1)) : 0;
  return spread;
}

}  // namespace nonsmooth::papers
