// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Captured steps solved by the pivoting solvers.
#include <gtest/gtest.h>

#include <string>

#include "common/solve/driver.h"
#include "recorders/capture/capture_reader.h"

namespace nonsmooth {
namespace {

class PivotingCaptures : public testing::TestWithParam<const char*> {
 protected:
  /// Every step of the file, from the captured start, to 1e-10 of its free energy and by pivoting
  /// alone.
  static void ExpectSolved(const std::string& file, const Law& law) {
    const CaptureReader reader(NONSMOOTH_TEST_DATA "/" + file);
    Driver driver(GetParam());
    SolveOptions options;
    options.law = law;
    options.max_iterations = 20000;
    options.relative_tolerance = 1e-10;
    Solution solution;
    Result result;
    for (std::int64_t k = 0; k < reader.steps(); ++k) {
      const CapturedStep step = reader.Read(k);
      driver.Solve(step.problem, options, &step.x0, solution, result);
      EXPECT_EQ(result.status, Status::kConverged)
          << file << ", step " << k << ": " << result.energy.relative << ", " << result.remark;
      // Where something stands in it is named.
      EXPECT_EQ(result.fallbacks > 0, result.remark.find("with coupled_") != std::string::npos)
          << file << ", step " << k << ": " << result.remark;
    }
  }
};

// Bullet's own Dantzig gives steps like this to Gauss–Seidel. Here it is solved as Bullet posed it,
// with friction bounded by the normal impulse of the same step.
TEST_P(PivotingCaptures, BulletsBrickWallIsSolved) {
  ExpectSolved("bullet/brick_wall.h5", {LawKind::kNative, 0});
}

TEST_P(PivotingCaptures, BulletsOtherScenesAreSolved) {
  for (const std::string scene : {"log_pile", "mass_ratio", "chain", "spheres_in_box", "gripper"}) {
    ExpectSolved("bullet/" + scene + ".h5", {LawKind::kCoupledBox, 0});
  }
}

// Chrono's cone is another law; its contacts are solved with frozen bounds and with moving ones.
TEST_P(PivotingCaptures, ChronosBrickWallIsSolved) {
  ExpectSolved("chrono/brick_wall.h5", {LawKind::kBox, 0});
  ExpectSolved("chrono/brick_wall.h5", {LawKind::kCoupledBox, 0});
}

INSTANTIATE_TEST_SUITE_P(Solvers, PivotingCaptures,
                         testing::Values("lemke", "murty", "dantzig", "bpp"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace nonsmooth
