// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The demos: they stand, with every solver and law, and their captures are valid and solve again.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string>

#include "common/solver/driver.h"
#include "common/solver/solver_registry.h"
#include "demos/bullet/bullet_engine.h"
#include "recorders/capture_reader.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::demo {
namespace {

struct Case {
  const char* name;
  MakeWorld make;
  const char* solver;
  int iterations;  ///< that let it stand
  int steps;       ///< of a short run
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class BulletDemo : public testing::TestWithParam<Case> {
 protected:
  /// A capture's name that no other test has.
  static std::string TemporaryCapture() {
    return (std::filesystem::path(testing::TempDir()) /
            ("nonsmooth_demo" + std::to_string(sizeof(btScalar)) + "_" + GetParam().name + ".h5"))
        .string();
  }
};

// What each scene promises holds at its end, without a fallback.
TEST_P(BulletDemo, Stands) {
  DemoOptions options;
  options.solver = GetParam().solver;
  options.iterations = GetParam().iterations;
  const World world = GetParam().make({});
  const DemoReport report = demo::Run(world, options, BulletEngine());
  EXPECT_TRUE(report.stands) << report.standing;
  EXPECT_EQ(report.scene, world.name);
  EXPECT_EQ(report.engine, sizeof(btScalar) == sizeof(float) ? "bullet" : "bullet_float64");
  EXPECT_EQ(report.fallbacks, 0);
}

// Every registered solver runs every scene under every law it handles, a short while: no fallback,
// numbers that are numbers, and nothing far inside something else. What it cannot handle is
// refused.
TEST_P(BulletDemo, RunsWithEverySolverAndLaw) {
  for (const SolverInfo& info : Solvers()) {
    for (const char* text : {"native", "box", "coupled_box", "pyramid:8", "ccp", "ncp"}) {
      DemoOptions options;
      options.solver = info.name;
      options.law = ParseLaw(text);
      options.steps = GetParam().steps;
      options.iterations = 30;
      const std::string what = options.solver + " " + text;
      const LawKind needed =
          options.law.kind == LawKind::kNative ? LawKind::kCoupledBox : options.law.kind;
      if (!info.Handles(needed)) {
        EXPECT_THROW(demo::Run(GetParam().make({}), options, BulletEngine()), std::invalid_argument)
            << what;
        continue;
      }
      const DemoReport report = demo::Run(GetParam().make({}), options, BulletEngine());
      EXPECT_EQ(report.fallbacks, 0) << what;
      EXPECT_TRUE(std::isfinite(report.energy_error_max)) << what;
      EXPECT_TRUE(std::isfinite(report.kinetic_energy)) << what;
      EXPECT_LT(report.penetration_max, 0.25) << what;  // half a cube of the mass ratio's
      EXPECT_EQ(report.law, text);
    }
  }
}

// Bullet's own solvers run behind `engine` and `engine:NAME` and are measured alike; another name
// is refused.
TEST_P(BulletDemo, RunsWithBulletsSolvers) {
  for (const char* name : {"engine", "engine:si", "engine:nncg", "engine:dantzig"}) {
    DemoOptions options;
    options.solver = name;
    options.steps = GetParam().steps / 4;
    // Pivoting takes a dense matrix: a small scene is enough of it.
    if (options.engine_solver() == "dantzig") options.world.bodies = 3;
    const DemoReport report = demo::Run(GetParam().make(options.world), options, BulletEngine());
    EXPECT_EQ(report.solver, name);
    EXPECT_TRUE(std::isfinite(report.energy_error_max)) << name;
    EXPECT_TRUE(std::isfinite(report.kinetic_energy)) << name;
  }
  DemoOptions options;
  options.solver = "engine:nobody";
  EXPECT_THROW(demo::Run(GetParam().make({}), options, BulletEngine()), std::invalid_argument);
}

// A capture of the scene, by Bullet's solver and by ours, is valid, says where it comes from, and
// its last step is solved again at least as well as it was.
TEST_P(BulletDemo, IsCapturedAndSolvedAgain) {
  for (const char* solver : {"engine", "psor"}) {
    DemoOptions options;
    options.solver = solver;
    options.steps = GetParam().steps;
    options.capture = TemporaryCapture();
    demo::Run(GetParam().make({}), options, BulletEngine());
    for (const CaptureFinding& finding : ValidateCapture(options.capture)) {
      ADD_FAILURE() << finding.object << " step " << finding.step << ": " << finding.what;
    }
    const CaptureReader reader(options.capture);
    EXPECT_EQ(reader.info().engine, "bullet");
    EXPECT_EQ(reader.info().scene, GetParam().name);
    ASSERT_GT(reader.steps(), 0);
    const CapturedStep step = reader.Read(reader.steps() - 1);
    EXPECT_EQ(step.info.solver, options.engine() ? "sequential_impulse" : "psor");
    Driver driver("nncg");
    SolveOptions solve;
    solve.max_iterations = 2000;
    solve.measure_every = 5;
    Solution solution;
    Result result;
    driver.Solve(step.problem, solve, &step.x0, solution, result);
    EXPECT_TRUE(result.converged() || result.energy.sum <= step.measures.energy_error)
        << result.energy.sum << " J, recorded " << step.measures.energy_error << " J";
    std::filesystem::remove(options.capture);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, BulletDemo,
                         testing::Values(Case{"brick_wall", &BrickWall, "psor", 50, 20},
                                         Case{"spheres_in_box", &SpheresInBox, "psor", 50, 60},
                                         Case{"log_pile", &LogPile, "psor", 50, 40},
                                         Case{"mass_ratio", &MassRatio, "nncg", 1000, 20},
                                         Case{"chain", &Chain, "psor", 200, 20},
                                         Case{"gripper", &Gripper, "psor", 100, 60}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace nonsmooth::demo
