// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// What islands and threads gain, and what large problems cost: docs/benchmarks_islands.md.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr int kIterations = 50;
constexpr int kBoxes = 10;  ///< of a tower

double Time(Driver& driver, const Problem& problem, const SolveOptions& options,
            const std::vector<double>* start, Solution& solution, Result& result) {
  const auto begun = Monitor::Clock::now();
  driver.Solve(problem, options, start, solution, result);
  return std::chrono::duration<double>(Monitor::Clock::now() - begun).count();
}

benchmark::internal::Benchmark* Add(const std::string& name,
                                    void (*run)(benchmark::State&, const Problem&, int),
                                    const std::shared_ptr<const Problem>& problem, int argument) {
  return benchmark::RegisterBenchmark(
             name.c_str(), [=](benchmark::State& state) { run(state, *problem, argument); })
      ->Unit(benchmark::kMicrosecond)
      ->UseManualTime();
}

/// Towers to a relative error of 10⁻⁸, at most 1,000 iterations; `islands` 0: as one problem.
void SolveTowers(benchmark::State& state, const Problem& problem, int islands) {
  Driver driver("nncg");
  SolveOptions options;
  options.islands = islands != 0;
  Solution solution;
  Result result;
  for (auto _ : state) {
    state.SetIterationTime(Time(driver, problem, options, nullptr, solution, result));
  }
  const double towers = problem.contacts() / (4.0 * kBoxes);
  state.counters["us_per_tower"] = benchmark::Counter(
      1e-6 * towers, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["iterations"] = result.iterations;
  state.counters["relative_error"] = result.energy.relative;
}

/// Towers that rest on their own solution, over one measurement of the same problem.
void SolveAtRest(benchmark::State& state, const Problem& problem, int islands) {
  Driver driver("nncg");
  SolveOptions options;
  options.max_iterations = 100000;
  options.relative_tolerance = 1e-10;
  Solution solved;
  Result result;
  driver.Solve(problem, options, nullptr, solved, result);
  options.relative_tolerance = 1e-8;
  options.islands = islands != 0;
  FeasibleSet set;
  OperatorWorkspace workspace;
  Solution solution;
  std::vector<double> w(problem.rows());
  std::vector<double> v(problem.dynamics().velocity_size());
  double measuring = 0;
  double solving = 0;
  for (auto _ : state) {
    const auto begun = Monitor::Clock::now();
    set.Reset(problem, options.law, solved.x.data());
    problem.dynamics().Evaluate(solved.x.data(), w.data(), v.data(), workspace);
    benchmark::DoNotOptimize(MeasureEnergy(set, 1, solved.x.data(), w.data()));
    measuring += std::chrono::duration<double>(Monitor::Clock::now() - begun).count();
    const double seconds = Time(driver, problem, options, &solved.x, solution, result);
    solving += seconds;
    state.SetIterationTime(seconds);
  }
  state.counters["measurements"] = solving / measuring;
  state.counters["iterations"] = result.iterations;
}

/// Fifty iterations of `nncg`, in turn on one thread and on `threads`: the shortest times over each
/// other, since whatever else runs on the machine takes a core from the second only.
void SolveOnThreads(benchmark::State& state, const Problem& problem, int threads) {
  Driver driver("nncg");
  SolveOptions options;
  options.max_iterations = kIterations;
  options.relative_tolerance = 0;
  options.measure_every = 10;
  Solution solution;
  Result result;
  double one = std::numeric_limits<double>::infinity();
  double many = one;
  for (auto _ : state) {
    options.threads = 1;
    one = std::min(one, Time(driver, problem, options, nullptr, solution, result));
    options.threads = threads;
    const double seconds = Time(driver, problem, options, nullptr, solution, result);
    many = std::min(many, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["times_faster"] = one / many;
  state.counters["islands"] = result.islands;
}

/// Ten sweeps of `psor`, and what the driver keeps for them.
void SolveLarge(benchmark::State& state, const Problem& problem, int /*unused*/) {
  SolveOptions options;
  options.max_iterations = 10;
  options.relative_tolerance = 0;
  options.measure_every = 10;
  double bytes = 0;
  double iterate = 0;
  for (auto _ : state) {
    // Large blocks are mapped, small ones are in arenas.
    const auto used = [] { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); };
    const double before = used();
    Driver driver("psor");
    Solution solution;
    Result result;
    const double seconds = Time(driver, problem, options, nullptr, solution, result);
    bytes = used() - before;
    iterate = result.seconds.iterate;
    state.SetIterationTime(seconds);
  }
  const double contacts = problem.contacts();
  state.counters["bytes_per_contact"] = bytes / contacts;
  state.counters["ns_per_contact_sweep"] = 1e9 * iterate / contacts / options.max_iterations;
  state.counters["ns_per_contact"] = benchmark::Counter(
      1e-9 * contacts, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Problems are made when their benchmark runs first: the large ones take their time.
void Register() {
  for (const int towers : {1, 10, 100, 1000}) {
    const auto problem = std::make_shared<const Problem>(Towers(towers, kBoxes));
    const std::string name = std::to_string(towers);
    Add("islands/" + name, SolveTowers, problem, 1);
    Add("islands/" + name + "/as_one", SolveTowers, problem, 0);
    Add("islands/" + name + "/at_rest", SolveAtRest, problem, 1);
    Add("islands/" + name + "/at_rest_as_one", SolveAtRest, problem, 0);
    if (towers == 100) Add("threads/towers_100/2", SolveOnThreads, problem, 2);
  }
  const auto pile = std::make_shared<const Problem>(SpherePile(50000));
  Add("threads/pile_50000/2", SolveOnThreads, pile, 2);
  for (const int contacts : {10000, 100000, 1000000}) {
    benchmark::RegisterBenchmark(
        ("large/" + std::to_string(contacts)).c_str(),
        [contacts](benchmark::State& state) { SolveLarge(state, SpherePile(contacts), 0); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  }
}

[[maybe_unused]] const bool registered = (Register(), true);

}  // namespace
}  // namespace nonsmooth
