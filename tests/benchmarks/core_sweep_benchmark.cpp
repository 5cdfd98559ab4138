// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Cost of an iteration, of measuring the energy error, and of the memory a contact takes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "common/methods/sweep/batches/body_sweep.h"
#include "common/methods/sweep/batches/contact_kernel.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr int kIterations = 50;

int Contacts(const Problem& problem) {
  int contacts = 0;
  for (const RowGroup& group : problem.groups()) contacts += group.kind == GroupKind::kContact;
  return contacts;
}

void ReportPerContact(benchmark::State& state, double contacts, double iterations) {
  state.counters["contacts"] = contacts;
  state.counters["ns_per_contact_iteration"] = benchmark::Counter(
      1e-9 * contacts * iterations,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A solve of kIterations iterations without measuring in between, less its preparation and end:
/// what engines' own solvers do, which do not measure either.
void Iterate(benchmark::State& state, const std::string& solver, const Problem& problem, Law law) {
  Driver driver(solver);
  SolveOptions options;
  options.law = law;
  options.max_iterations = kIterations;
  options.measure_every = kIterations;
  options.relative_tolerance = 0;
  Solution solution;
  Result result;
  for (auto _ : state) {
    driver.Solve(problem, options, nullptr, solution, result);
    state.SetIterationTime(result.seconds.iterate);
  }
  ReportPerContact(state, Contacts(problem), kIterations);
  state.SetLabel(std::string(ToString(law.kind)) + ", " + KernelTarget());
}

/// Everything a solve does beside iterating, in sweeps.
void PrepareAndFinish(benchmark::State& state, const Problem& problem) {
  Driver driver("psor");
  SolveOptions options;
  options.max_iterations = kIterations;
  options.measure_every = kIterations;
  options.relative_tolerance = 0;
  Solution solution;
  Result result;
  double iterate = 0;
  double other = 0;
  for (auto _ : state) {
    driver.Solve(problem, options, nullptr, solution, result);
    iterate += result.seconds.iterate;
    other += result.seconds.prepare + result.seconds.finish;
    state.SetIterationTime(result.seconds.prepare + result.seconds.finish);
  }
  state.counters["sweeps"] = kIterations * other / iterate;
  ReportPerContact(state, Contacts(problem), 1);
}

/// The energy error of the iterate, in the layout of the sweep.
void MeasureEnergyInPlace(benchmark::State& state, const Problem& problem) {
  FeasibleSet set;
  set.Reset(problem, Law{LawKind::kNcp, 0}, nullptr);
  BodySweep sweep;
  sweep.Prepare(set);
  const std::vector<double> zero(problem.rows(), 0.0);
  sweep.Load(zero.data());
  for (auto _ : state) benchmark::DoNotOptimize(sweep.Energy());
  ReportPerContact(state, Contacts(problem), 1);
}

void BytesPerContact(benchmark::State& state, const Problem& problem) {
  FeasibleSet set;
  set.Reset(problem, Law{LawKind::kNcp, 0}, nullptr);
  BodySweep sweep;
  for (auto _ : state) sweep.Prepare(set);
  state.counters["bytes_per_contact"] =
      static_cast<double>(sizeof(ContactBatch)) / kBatch + 3 * sizeof(double);
  ReportPerContact(state, Contacts(problem), 1);
}

/// How far beyond its deadline a solve ends.
void Deadline(benchmark::State& state, const std::string& solver, const Problem& problem,
              int milliseconds) {
  Driver driver(solver);
  SolveOptions options;
  options.max_iterations = 1 << 20;
  options.deadline = milliseconds * 1e-3;
  options.relative_tolerance = 0;
  Solution solution;
  Result result;
  double worst = 0;
  double sum = 0;
  double iterations = 0;
  std::vector<double> overrun;
  for (auto _ : state) {
    const auto start = Monitor::Clock::now();
    driver.Solve(problem, options, nullptr, solution, result);
    const double seconds = std::chrono::duration<double>(Monitor::Clock::now() - start).count();
    overrun.push_back(seconds / options.deadline - 1);
    worst = std::max(worst, overrun.back());
    sum += overrun.back();
    iterations += result.iterations;
  }
  std::sort(overrun.begin(), overrun.end());
  const auto runs = static_cast<double>(overrun.size());
  state.counters["overrun_median_percent"] = 100 * overrun[overrun.size() / 2];
  state.counters["overrun_p99_percent"] = 100 * overrun[overrun.size() * 99 / 100];
  state.counters["overrun_max_percent"] = 100 * worst;
  state.counters["iterations"] = iterations / runs;
}

void Register() {
  for (const int contacts : {256, 5000, 50000}) {
    const auto pile = std::make_shared<const Problem>(SpherePile(contacts));
    const std::string scene = "pile_" + std::to_string(contacts);
    const auto add = [](const std::string& name, auto function) {
      return benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kMicrosecond);
    };
    for (const SolverInfo& solver : Solvers()) {
      const std::string name(solver.name);
      add("sweep/core/" + scene + "/" + name, [=](benchmark::State& state) {
        Iterate(state, name, *pile, {LawKind::kNcp, 0});
      })->UseManualTime();
    }
    for (const LawKind law : {LawKind::kCcp, LawKind::kCoupledBox, LawKind::kBox}) {
      add("sweep/core/" + scene + "/psor/" + std::string(ToString(law)),
          [=](benchmark::State& state) {
            Iterate(state, "psor", *pile, {law, 0});
          })
          ->UseManualTime();
    }
    add("energy/core/" + scene,
        [=](benchmark::State& state) { MeasureEnergyInPlace(state, *pile); });
    add("layout/core/" + scene, [=](benchmark::State& state) { BytesPerContact(state, *pile); });
    add("overhead/core/" + scene, [=](benchmark::State& state) {
      PrepareAndFinish(state, *pile);
    })->UseManualTime();
  }
  const auto pile = std::make_shared<const Problem>(SpherePile(10000));
  for (const char* solver : {"psor", "nncg", "apgd", "auto"}) {
    for (const int milliseconds : {1, 2, 5}) {
      const std::string name = "deadline/core/pile_10000/" + std::string(solver) + "/" +
                               std::to_string(milliseconds) + "ms";
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        Deadline(state, solver, *pile, milliseconds);
      })->Unit(benchmark::kMicrosecond);
    }
  }
}

const int registered = (Register(), 0);

}  // namespace
}  // namespace nonsmooth
