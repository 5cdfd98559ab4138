// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "common/solve/solver_registry.h"
#include "demos/chrono/chrono_engine.h"

namespace nonsmooth::demo {
namespace {

struct Case {
  const char* name;
  MakeWorld make;
  const char* solver;
  int iterations;
  double dt;
  int steps;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

struct Scene {
  const char* name;
  MakeWorld make;
  int bodies;
};

void PrintTo(const Scene& scene, std::ostream* out) { *out << scene.name; }

class ChronoDemo : public testing::TestWithParam<Case> {};

// What each scene promises holds at its end, without a fallback.
TEST_P(ChronoDemo, Stands) {
  const Case& scene = GetParam();
  DemoOptions options;
  options.solver = scene.solver;
  options.iterations = scene.iterations;
  options.dt = scene.dt;
  options.steps = scene.steps;
  const World world = scene.make({});
  const DemoReport report = demo::Run(world, options, ChronoEngine());
  EXPECT_TRUE(report.stands) << report.standing;
  EXPECT_EQ(report.engine, "chrono");
  EXPECT_EQ(report.scene, world.name);
  EXPECT_EQ(report.fallbacks, 0);
}

// Chains and slender stacks of unequal masses take the method that is best at them and shorter
// steps; 30 spheres are enough of the shaker.
INSTANTIATE_TEST_SUITE_P(
    Scenes, ChronoDemo,
    testing::Values(Case{"brick_wall", &BrickWall, "psor", 300, 0.01, 200},
                    Case{"spheres_in_box", &SpheresInBox, "psor", 100, 0.01, 200},
                    Case{"log_pile", &LogPile, "psor", 300, 0.01, 100},
                    Case{"mass_ratio", &MassRatio, "nncg", 300, 0.01, 100},
                    Case{"chain", &Chain, "nncg", 1000, 0.001, 500},
                    Case{"gripper", &Gripper, "psor", 300, 0.01, 400},
                    Case{"slider_crank", &SliderCrank, "nncg", 300, 0.002, 1000}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ChronoDemos, ShakenSpheresStayInTheBox) {
  DemoOptions options;
  options.world.bodies = 30;
  const World world = Shaker(options.world);
  const DemoReport report = demo::Run(world, options, ChronoEngine());
  EXPECT_TRUE(report.stands);
  EXPECT_GT(report.kinetic_energy, 1e-6);  // shaken to the end
}

using SceneAndSolver = std::tuple<Scene, std::string>;
class EveryDemo : public testing::TestWithParam<SceneAndSolver> {};

// Every scene runs with every solver, small and shortly: no fallback, an error that is a number,
// and no more motion than free fall and the motors (less than 1 J so early) can have brought.
TEST_P(EveryDemo, RunsWithEverySolver) {
  const auto& [scene, solver] = GetParam();
  DemoOptions options;
  options.solver = solver;
  options.iterations = 100;
  options.steps = 20;
  options.world.bodies = scene.bodies;
  const World world = scene.make(options.world);
  const DemoReport report = demo::Run(world, options, ChronoEngine());
  EXPECT_EQ(report.solver, solver);
  EXPECT_EQ(report.fallbacks, 0);
  EXPECT_TRUE(std::isfinite(report.energy_error_max));
  const double speed = (9.81 + world.shake_acceleration) * report.dt * report.steps;
  double most = 1;
  for (const BodySpec& body : world.bodies) most += 0.5 * body.mass * speed * speed;
  EXPECT_LE(report.kinetic_energy, most);
}

std::vector<std::string> SolverNames() {
  std::vector<std::string> names;
  for (const SolverInfo& info : Solvers()) {
    if (info.Handles(LawKind::kCcp)) names.emplace_back(info.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, EveryDemo,
    testing::Combine(testing::Values(Scene{"brick_wall", &BrickWall, 5},
                                     Scene{"spheres_in_box", &SpheresInBox, 15},
                                     Scene{"log_pile", &LogPile, 10},
                                     Scene{"mass_ratio", &MassRatio, 3}, Scene{"chain", &Chain, 5},
                                     Scene{"gripper", &Gripper, 0}, Scene{"shaker", &Shaker, 30},
                                     Scene{"slider_crank", &SliderCrank, 0}),
                     testing::ValuesIn(SolverNames())),
    [](const auto& param) {
      return std::string(std::get<0>(param.param).name) + "_" + std::get<1>(param.param);
    });

// Chrono's own solvers run behind `engine:NAME` and are measured alike.
TEST(ChronoDemos, RunsChronosOwnSolvers) {
  for (const char* name :
       {"engine", "engine:psor", "engine:apgd", "engine:bb", "engine:admm", "engine:pjacobi"}) {
    DemoOptions options;
    options.solver = name;
    options.steps = 10;
    options.world.bodies = 5;
    const DemoReport report = demo::Run(BrickWall(options.world), options, ChronoEngine());
    EXPECT_EQ(report.solver, name);
    EXPECT_GT(report.energy_error_max, 0) << name;
  }
  DemoOptions options;
  options.solver = "engine:nobody";
  EXPECT_THROW(demo::Run(BrickWall({}), options, ChronoEngine()), std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth::demo
