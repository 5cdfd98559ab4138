// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "common/methods/exact/interior_kernel.h"
#include "common/methods/exact/resolvent_kernel.h"
#include "common/methods/exact/velocity_system.h"
#include "common/solve/driver.h"
#include "common/solve/step_cost.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

Problem Scene(const std::string& name, int size) {
  if (name == "wall") return BrickWall();
  if (name == "pile") return SpherePile(size);
  if (name == "towers") return Towers(size / 48, 12);
  return Chain(size, 100);
}

/// exact/<scene>/<law>/<size>: a whole solve from zero to 1e-8, and what it is in sweeps of psor
/// measured in the same run; `predicted` is StepCost's ratio.
void ExactSolve(benchmark::State& state, const char* scene, const char* law) {
  const Problem problem = Scene(scene, static_cast<int>(state.range(0)));
  SolveOptions options;
  options.law = ParseLaw(law);
  Driver driver("exact"), sweeps("psor");
  Solution solution;
  Result result, swept;
  SolveOptions hundred = options;
  hundred.max_iterations = 100;
  hundred.measure_every = 100;
  hundred.relative_tolerance = 0;
  hundred.energy_tolerance = 1e-300;
  double best = 1e9, best_swept = 1e9;
  for (auto step : state) {
    static_cast<void>(step);
    driver.Solve(problem, options, nullptr, solution, result);
    best = std::min(best, result.seconds.total());
    state.PauseTiming();
    sweeps.Solve(problem, hundred, nullptr, solution, swept);
    best_swept = std::min(best_swept, swept.seconds.total());
    state.ResumeTiming();
  }
  const StepCost cost = StepCostPredictor().Predict(problem);
  state.counters["iterations"] = result.iterations;
  state.counters["converged"] = result.converged() ? 1 : 0;
  state.counters["contacts"] = problem.contacts();
  state.counters["best_ms"] = 1e3 * best;
  state.counters["us_iteration"] = 1e6 * result.seconds.iterate / std::max(1, result.iterations);
  state.counters["of_100_sweeps"] = best / best_swept;
  state.counters["predicted"] =
      (cost.exact_setup + result.iterations * cost.exact_iteration) / (100 * cost.sweep);
}
#define NONSMOOTH_EXACT(scene, law)                          \
  BENCHMARK_CAPTURE(ExactSolve, scene##_##law, #scene, #law) \
      ->Name("exact/" #scene "/" #law)                       \
      ->Unit(benchmark::kMillisecond)
NONSMOOTH_EXACT(wall, ccp)->Arg(184);
NONSMOOTH_EXACT(wall, ncp)->Arg(184);
NONSMOOTH_EXACT(wall, coupled_box)->Arg(184);
NONSMOOTH_EXACT(pile, ncp)->Arg(300)->Arg(3000)->Arg(10000);
NONSMOOTH_EXACT(towers, ncp)->Arg(96)->Arg(960)->Arg(2976);
NONSMOOTH_EXACT(chain, ncp)->Arg(100)->Arg(1000)->Arg(3000);
#undef NONSMOOTH_EXACT

/// The pieces of an iteration on the wall, one by one.
class ExactPieces : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& /*state*/) override {
    problem_ = BrickWall();
    set_.Reset(problem_, ParseLaw("ncp"), nullptr);
    layout_.Build(set_, system_.Keys(set_));
    system_.Prepare(layout_);
    x_.assign(layout_.size(), 0.1);
    q_.assign(layout_.size(), 0.0);
    delta_.assign(layout_.size(), 0.0);
    soft_.assign(layout_.size(), 1e-3);
    matrix_.assign(layout_.matrix_size(), 0.0);
    resolvent_.bias = layout_.bias().data();
    resolvent_.compliance = layout_.compliance().data();
    resolvent_.coefficient = layout_.coefficient().data();
    resolvent_.lower = layout_.lower().data();
    resolvent_.upper = layout_.upper().data();
    resolvent_.shift = layout_.shift().data();
    resolvent_.soft = soft_.data();
    resolvent_.centre = x_.data();
    resolvent_.velocity = q_.data();
    resolvent_.x = delta_.data();
    resolvent_.matrix = matrix_.data();
    Resolve();
  }
  void Resolve() {
    for (const UnitFamily& family : layout_.families()) {
      nonsmooth::Resolve(family, layout_, resolvent_);
    }
  }

 protected:
  Problem problem_;
  FeasibleSet set_;
  UnitLayout layout_;
  VelocitySystem system_;
  Resolvent resolvent_;
  AlignedVector x_, q_, delta_, soft_, matrix_;
};

BENCHMARK_F(ExactPieces, Layout)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    layout_.Build(set_, system_.Keys(set_));
    system_.Prepare(layout_);
  }
}
BENCHMARK_F(ExactPieces, Resolvent)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    Resolve();
  }
}
BENCHMARK_F(ExactPieces, AssemblyAndFactorisation)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(system_.Factorise(matrix_.data(), false));
  }
}
BENCHMARK_F(ExactPieces, AssemblyAndSymmetricFactorisation)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(system_.Factorise(matrix_.data(), true));
  }
}
BENCHMARK_F(ExactPieces, Solve)(benchmark::State& state) {
  system_.Factorise(matrix_.data(), false);
  for (auto step : state) {
    static_cast<void>(step);
    system_.Solve(x_.data(), delta_.data(), q_.data());
  }
}
BENCHMARK_F(ExactPieces, ProductWithA)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    system_.Multiply(x_.data(), q_.data());
  }
}
BENCHMARK_F(ExactPieces, Energy)(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    for (const UnitFamily& family : layout_.families()) {
      benchmark::DoNotOptimize(UnitEnergy(family, layout_, x_.data(), q_.data()));
    }
  }
}

/// What a prediction of StepCost takes where the pattern has stayed.
void PredictCost(benchmark::State& state) {
  const Problem problem = BrickWall();
  StepCostPredictor predictor;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(predictor.Predict(problem));
  }
}
BENCHMARK(PredictCost)->Name("exact/predict/wall");

}  // namespace
}  // namespace nonsmooth
