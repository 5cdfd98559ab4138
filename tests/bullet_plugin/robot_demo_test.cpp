// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The robots: they stand, by Bullet's solver and by ours, and their captures are valid and solve
// again.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "common/solve/driver.h"
#include "demos/bullet/robots/robots.h"
#include "recorders/capture/capture_reader.h"

namespace nonsmooth::demo {
namespace {

struct Case {
  const char* name;
  MakeWorld make;
  int steps;  ///< of a short run
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class RobotDemo : public testing::TestWithParam<Case> {};

// What each scene promises holds at its end, without a fallback.
TEST_P(RobotDemo, Stands) {
  for (const char* solver : {"engine", "psor"}) {
    DemoOptions options;
    options.solver = solver;
    const World world = GetParam().make({});
    const DemoReport report = demo::Run(world, options, RobotEngine());
    EXPECT_TRUE(report.stands) << solver << ": " << report.standing;
    EXPECT_EQ(report.scene, GetParam().name);
    EXPECT_EQ(report.fallbacks, 0) << solver;
  }
}

// Bullet's other solver runs as well, and another name is refused.
TEST_P(RobotDemo, RunsWithBulletsSolvers) {
  DemoOptions options;
  options.solver = "engine:dantzig";
  options.steps = GetParam().steps / 4;
  const DemoReport report = demo::Run(GetParam().make({}), options, RobotEngine());
  EXPECT_TRUE(std::isfinite(report.kinetic_energy));
  options.solver = "engine:nobody";
  EXPECT_THROW(demo::Run(GetParam().make({}), options, RobotEngine()), std::invalid_argument);
}

// A capture by Bullet's solver and by ours is valid, articulated, and its last step is solved again
// at least as well as it was.
TEST_P(RobotDemo, IsCapturedAndSolvedAgain) {
  for (const char* solver : {"engine", "psor"}) {
    DemoOptions options;
    options.solver = solver;
    options.steps = GetParam().steps;
    options.capture =
        (std::filesystem::path(testing::TempDir()) /
         ("nonsmooth_robot" + std::to_string(sizeof(btScalar)) + "_" + GetParam().name + ".h5"))
            .string();
    demo::Run(GetParam().make({}), options, RobotEngine());
    for (const CaptureFinding& finding : ValidateCapture(options.capture)) {
      ADD_FAILURE() << finding.object << " step " << finding.step << ": " << finding.what;
    }
    const CaptureReader reader(options.capture);
    EXPECT_EQ(reader.info().scene, GetParam().name);
    ASSERT_GT(reader.steps(), 0);
    const CapturedStep step = reader.Read(reader.steps() - 1);
    EXPECT_EQ(reader.Summary(reader.steps() - 1).form, DynamicsForm::kArticulated);
    EXPECT_FALSE(step.bodies.empty());
    Driver driver("auto");
    SolveOptions solve;
    solve.max_iterations = 2000;
    Solution solution;
    const Result result = driver.Solve(step.problem, solve, solution);
    EXPECT_TRUE(result.converged() || result.energy.sum <= step.measures.energy_error)
        << result.energy.sum << " J, recorded " << step.measures.energy_error << " J";
    std::filesystem::remove(options.capture);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RobotDemo,
                         testing::Values(Case{"arm", Arm, 120}, Case{"quadruped", Quadruped, 300},
                                         Case{"robot_gripper", RobotGripper, 200},
                                         Case{"robot_chain", RobotChain, 1300},
                                         Case{"ragdolls", Ragdolls, 150}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace nonsmooth::demo
