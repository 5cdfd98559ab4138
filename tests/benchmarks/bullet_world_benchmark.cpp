// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What a solver does to a world at rest in the long run, Bullet's own beside ours: five seconds,
// the last of which is measured. Warm start and everything else as Bullet has it by default.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "demos/bullet/bullet_engine.h"

namespace nonsmooth::demo {
namespace {

constexpr int kSteps = 300, kMeasured = 60;

/// Ten cubes of 1 kg upon each other.
World Stack() {
  World world = MassRatio({10, 1});
  for (BodySpec& body : world.bodies) body.mass = std::min(body.mass, 1.0);
  return world;
}

double FurthestFrom(const std::vector<Pose>& before, const std::vector<Pose>& now) {
  double furthest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = now[i].position[k] - before[i].position[k];
      square += d * d;
    }
    furthest = std::max(furthest, std::sqrt(square));
  }
  return furthest;
}

void RunWorld(benchmark::State& state, const World& world, const std::string& solver,
              const std::string& law, int iterations) {
  DemoOptions options;
  options.solver = solver;
  options.law = ParseLaw(law);
  options.iterations = iterations;
  const Engine engine = BulletEngine();
  for (auto _ : state) {
    const std::unique_ptr<Simulation> simulation = engine.build(world, options);
    const std::vector<Pose> start = simulation->Poses();
    std::vector<double> seconds, errors;
    double kinetic = 0, penetration = 0;
    int fallbacks = 0;
    for (int i = 0; i < kSteps; ++i) {
      const StepSample sample = simulation->Step(world.dt);
      fallbacks += sample.fallbacks;
      seconds.push_back(sample.solver_seconds);
      if (i < kSteps - kMeasured) continue;
      errors.push_back(sample.energy_error);
      kinetic += simulation->KineticEnergy() / kMeasured;
      penetration = std::max(penetration, sample.penetration);
    }
    state.counters["solver_us"] = 1e6 * Quantile(seconds, 0.5);
    state.counters["error_J"] = Quantile(errors, 0.5);
    state.counters["kinetic_J"] = kinetic;
    state.counters["penetration_mm"] = 1e3 * penetration;
    state.counters["moved_mm"] = 1e3 * FurthestFrom(start, simulation->Poses());
    state.counters["stands"] = world.stands(world, simulation->Poses()) ? 1 : 0;
    state.counters["fallbacks"] = fallbacks;
  }
}

const bool kRegistered = [] {
  struct Named {
    const char* name;
    World world;
  };
  struct Shown {
    const char* name;
    const char* solver;
    const char* law;
  };
  for (const Named& scene : {Named{"stack", Stack()}, Named{"mass_ratio", MassRatio({})},
                             Named{"wall", BrickWall({})}}) {
    for (const Shown& shown :
         {Shown{"si", "engine:si", "native"}, Shown{"nncg", "engine:nncg", "native"},
          Shown{"psor", "psor", "native"}, Shown{"our_nncg", "nncg", "native"},
          Shown{"apgd", "apgd", "native"}, Shown{"bb", "bb", "native"},
          Shown{"our_nncg_ncp", "nncg", "ncp"}, Shown{"bb_ncp", "bb", "ncp"}}) {
      for (const int iterations : {10, 50, 200}) {
        const std::string name = std::string("world/bullet/") + scene.name + "/" + shown.name +
                                 "/" + std::to_string(iterations);
        benchmark::RegisterBenchmark(
            name.c_str(),
            [world = scene.world, shown, iterations](benchmark::State& state) {
              RunWorld(state, world, shown.solver, shown.law, iterations);
            })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace nonsmooth::demo
