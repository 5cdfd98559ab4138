// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <benchmark/benchmark.h>

#include <vector>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

/// Iterations that `ip` takes to a relative energy error of 1e-8 on balls in a box, after Mangoni
/// and Tasora's Table 1: contacts, and friction in percent.
void IpIterations(benchmark::State& state) {
  const Problem pile = SpherePile(static_cast<int>(state.range(0)));
  std::vector<RowGroup> groups = pile.groups();
  for (RowGroup& group : groups) group.friction = 0.01 * static_cast<double>(state.range(1));
  const Problem problem(pile.shared_dynamics(), groups, pile.lower(), pile.upper());
  Driver driver("ip");
  SolveOptions options;
  options.law = ParseLaw("ccp");
  Solution solution;
  Result result;
  for (auto step : state) {
    static_cast<void>(step);
    driver.Solve(problem, options, nullptr, solution, result);
  }
  state.counters["iterations"] = result.iterations;
  state.counters["relative_error"] = result.energy.relative;
}
BENCHMARK(IpIterations)
    ->ArgsProduct({{100, 300, 1000, 3000, 10000}, {0, 50}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace nonsmooth
