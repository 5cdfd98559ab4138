// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Our solvers inside Chrono beside Chrono's own, on the same descriptors in the same run: cost of
// an iteration, of reading and writing the descriptor, and time to the same energy error.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "chrono/physics/ChSystemNSC.h"
#include "chrono/solver/ChIterativeSolverVI.h"
#include "chrono_plugin/solver.h"
#include "common/error/energy_error.h"
#include "demos/chrono/chrono_engine.h"

namespace nonsmooth {
namespace {

using Clock = std::chrono::steady_clock;
using ::chrono::ChSystemNSC;

constexpr int kFew = 10, kMany = 60;    // iterations, whose difference is free of preparation
constexpr double kEqualError = 1e-4;    // of the step's free energy
constexpr int kMostIterations = 20000;  // to get there
constexpr double kLongest = 4;          // [s] of a solve on the way there

const char* const kChronoSolvers[] = {"psor", "bb", "apgd", "admm"};

struct Scene {
  std::string name;
  demo::World (*make)(const demo::WorldOptions&);
  int bodies;
  int steps;  ///< until it has come to rest
};

const Scene kScenes[] = {{"wall", &demo::BrickWall, 30, 60},
                         {"spheres_1000", &demo::SpheresInBox, 1000, 120},
                         {"spheres_5000", &demo::SpheresInBox, 5000, 120}};

/// The scene at rest, made when it is first needed.
ChSystemNSC& System(const Scene& scene) {
  static std::map<std::string, std::unique_ptr<ChSystemNSC>> systems;
  std::unique_ptr<ChSystemNSC>& system = systems[scene.name];
  if (!system) {
    demo::WorldOptions options;
    options.bodies = scene.bodies;
    system = demo::BuildChronoSystem(scene.make(options));
    system->SetSolver(chrono_types::make_shared<chrono::Solver>());
    for (int k = 0; k < scene.steps; ++k) system->DoStepDynamics(0.01);
  }
  return *system;
}

double Seconds(::chrono::ChSolver& solver, ::chrono::ChSystemDescriptor& descriptor) {
  const Clock::time_point start = Clock::now();
  solver.Solve(descriptor);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

chrono::Options ColdOptions(const std::string& solver) {
  chrono::Options options;
  options.solver = solver;
  options.warm_start = false;
  options.solve.relative_tolerance = 0;
  return options;
}

/// The least of the times seen: what else runs on the machine only adds to them. Counters are made
/// of these; the column of times has the mean.
class Least {
 public:
  void Add(double seconds) { seconds_ = std::min(seconds_, seconds); }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
};

void ReportPerContact(benchmark::State& state, double contacts, double iterations,
                      const Least& time) {
  state.counters["contacts"] = contacts;
  state.counters["ns_per_contact_iteration"] = 1e9 * time.seconds() / (contacts * iterations);
}

void Ours(benchmark::State& state, const Scene& scene, const std::string& name) {
  ChSystemNSC& system = System(scene);
  chrono::Options options = ColdOptions(name);
  options.solve.max_iterations = kMany - kFew;
  options.solve.measure_every = kMany;
  chrono::Solver solver(options);
  Least time;
  for (auto _ : state) {
    solver.Solve(*system.GetSystemDescriptor());
    time.Add(solver.result().seconds.iterate);
    state.SetIterationTime(solver.result().seconds.iterate);
  }
  ReportPerContact(state, solver.problem().contacts(), kMany - kFew, time);
}

/// What (kMany − kFew) iterations add to a solve.
void Theirs(benchmark::State& state, const Scene& scene, const std::string& name) {
  ChSystemNSC& system = System(scene);
  const auto make = [&](int iterations) {
    auto solver = demo::MakeChronoSolver(name, iterations);
    solver->AsIterative()->EnableWarmStart(false);
    solver->AsIterative()->SetTolerance(0);
    solver->Setup(*system.GetSystemDescriptor(), true);
    return solver;
  };
  const bool slow = name == "admm";  // a factorisation every few iterations
  const auto few = make(slow ? 2 : kFew), many = make(slow ? 7 : kMany);
  double iterations = 0;
  Least short_time, long_time, difference;
  for (auto _ : state) {
    const double less = Seconds(*few, *system.GetSystemDescriptor());
    const double more = Seconds(*many, *system.GetSystemDescriptor());
    short_time.Add(less);
    long_time.Add(more);
    iterations = many->AsIterative()->GetIterations() - few->AsIterative()->GetIterations();
    state.SetIterationTime(std::max(1e-9, more - less));
  }
  difference.Add(long_time.seconds() - short_time.seconds());
  ReportPerContact(state, system.GetNumContacts(), iterations, difference);
}

/// Reading the descriptor and writing it, in sweeps of psor.
void ReadAndWrite(benchmark::State& state, const Scene& scene) {
  ChSystemNSC& system = System(scene);
  chrono::Options options = ColdOptions("psor");
  options.solve.max_iterations = kMany;
  options.solve.measure_every = kMany;
  chrono::Solver solver(options);
  Least read, write, sweep, both;
  for (auto _ : state) {
    solver.Solve(*system.GetSystemDescriptor());
    const double read_and_write = solver.read_seconds() + solver.write_seconds();
    read.Add(solver.read_seconds());
    write.Add(solver.write_seconds());
    both.Add(read_and_write);
    sweep.Add(solver.result().seconds.iterate / kMany);
    state.SetIterationTime(read_and_write);
  }
  state.counters["sweeps"] = both.seconds() / sweep.seconds();
  state.counters["read_us"] = 1e6 * read.seconds();
  state.counters["write_us"] = 1e6 * write.seconds();
  ReportPerContact(state, solver.problem().contacts(), 1, both);
}

/// Whole solves, reading and writing included, from zero to kEqualError.
void OursToError(benchmark::State& state, const Scene& scene, const std::string& name) {
  ChSystemNSC& system = System(scene);
  chrono::Options options = ColdOptions(name);
  options.solve.relative_tolerance = kEqualError;
  options.solve.max_iterations = kMostIterations;
  chrono::Solver solver(options);
  Least time;
  for (auto _ : state) {
    const double seconds = Seconds(solver, *system.GetSystemDescriptor());
    time.Add(seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["least_ms"] = 1e3 * time.seconds();
  state.counters["contacts"] = solver.problem().contacts();
  state.counters["iterations"] = solver.result().iterations;
  state.counters["relative_error"] = solver.result().energy.relative;
}

void TheirsToError(benchmark::State& state, const Scene& scene, const std::string& name) {
  ChSystemNSC& system = System(scene);
  ::chrono::ChSystemDescriptor& descriptor = *system.GetSystemDescriptor();
  chrono::Extractor extractor;
  extractor.Read(descriptor);
  const Problem& problem = extractor.problem();
  FeasibleSet set;
  set.Reset(problem, Law{LawKind::kNative, 0}, nullptr);
  const double free_energy = FreeEnergy(set);
  OperatorWorkspace workspace;
  std::vector<double> x, v, w(problem.rows());
  const auto error = [&] {
    extractor.ReadSolution(x, v);
    problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
    return MeasureEnergy(set, free_energy, x.data(), w.data()).relative;
  };
  // The least number of iterations that does it, to a fifth; measuring is not clocked.
  std::shared_ptr<::chrono::ChSolver> solver;
  int iterations = 10;
  double relative = 0, longest = 0;
  for (;; iterations += std::max(1, iterations / 5)) {
    iterations = std::min(iterations, kMostIterations);
    solver = demo::MakeChronoSolver(name, iterations);
    solver->AsIterative()->EnableWarmStart(false);
    solver->AsIterative()->SetTolerance(0);
    solver->Setup(descriptor, true);
    longest = Seconds(*solver, descriptor);
    relative = error();
    if (relative <= kEqualError || iterations == kMostIterations || longest > kLongest) break;
    if (iterations > 1000 && name != "psor") break;  // it has stalled
    if (iterations > 100 && name == "admm") break;
  }
  Least time;
  for (auto _ : state) {
    const double seconds = relative > kEqualError ? longest : Seconds(*solver, descriptor);
    time.Add(seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["least_ms"] = 1e3 * time.seconds();
  state.counters["contacts"] = problem.contacts();
  state.counters["iterations"] = solver->AsIterative()->GetIterations();
  state.counters["relative_error"] = relative;
  if (relative > kEqualError) state.SetLabel("did not get there");
}

void Register() {
  for (const Scene& scene : kScenes) {
    const auto add = [](const std::string& name, auto function) {
      benchmark::RegisterBenchmark(name.c_str(), function)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    };
    for (const char* name : {"psor", "nncg", "pjacobi", "apgd", "bb"}) {
      add("sweep/chrono/" + scene.name + "/" + name,
          [=](benchmark::State& state) { Ours(state, scene, name); });
    }
    for (const char* name : kChronoSolvers) {
      add("sweep/chrono/" + scene.name + "/engine_" + name,
          [=](benchmark::State& state) { Theirs(state, scene, name); });
    }
    add("extract/chrono/" + scene.name,
        [=](benchmark::State& state) { ReadAndWrite(state, scene); });
    for (const char* name : {"auto", "psor", "nncg", "apgd", "bb"}) {
      add("equal_error/chrono/" + scene.name + "/" + name,
          [=](benchmark::State& state) { OursToError(state, scene, name); });
    }
    for (const std::string name : kChronoSolvers) {
      if (name == "admm" && scene.bodies > 1000) continue;  // an iteration takes seconds
      add("equal_error/chrono/" + scene.name + "/engine_" + name,
          [=](benchmark::State& state) { TheirsToError(state, scene, name); });
    }
  }
}

const int registered = (Register(), 0);

}  // namespace
}  // namespace nonsmooth
