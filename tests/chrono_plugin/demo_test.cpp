// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <stdexcept>

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
