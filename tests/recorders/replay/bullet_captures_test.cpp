// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures made with Bullet, solved again without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "recorders/capture/capture_reader.h"

namespace nonsmooth {
namespace {

struct BulletFile {
  const char* scene;
  ScalarType scalar;
  const char* solver;
  bool joints;
  bool contacts;
};

void PrintTo(const BulletFile& file, std::ostream* out) { *out << file.scene; }

class BulletCapture : public testing::TestWithParam<BulletFile> {
 protected:
  static CaptureReader Open() {
    return CaptureReader(std::string(NONSMOOTH_TEST_DATA "/bullet/") + GetParam().scene + ".h5");
  }
};

// The file is whole, says where it comes from, and holds what its scene promises.
TEST_P(BulletCapture, IsValid) {
  const CaptureReader reader = Open();
  EXPECT_TRUE(ValidateCapture(reader.path()).empty());
  EXPECT_EQ(reader.info().engine, "bullet");
  EXPECT_EQ(reader.info().engine_version, "3.24");
  EXPECT_EQ(reader.info().scene, GetParam().scene);
  EXPECT_EQ(reader.info().scalar, GetParam().scalar);
  ASSERT_GT(reader.steps(), 0);
  const StepSummary summary = reader.Summary(reader.steps() - 1);
  EXPECT_EQ(summary.form, DynamicsForm::kTwoBody);
  EXPECT_EQ(summary.constraints > 0, GetParam().joints);
  EXPECT_EQ(summary.contacts > 0, GetParam().contacts);
  const CapturedStep step = reader.Read(reader.steps() - 1);
  EXPECT_EQ(step.info.solver, GetParam().solver);
  EXPECT_GT(step.info.iterations, 0);
  EXPECT_EQ(static_cast<int>(step.contacts.size()), step.problem.contacts());
}

// Bullet's velocities follow from the problem in the file and Bullet's impulses, up to the rounding
// of its iterations: v⁺ = v_free + M⁻¹ Jᵀ x.
TEST_P(BulletCapture, HoldsTheSolutionThatBelongsToItsProblem) {
  const CaptureReader reader = Open();
  const double rounding = GetParam().scalar == ScalarType::kFloat32 ? 2e-4 : 1e-9;
  OperatorWorkspace workspace;
  for (std::int64_t k = 0; k < reader.steps(); ++k) {
    const CapturedStep step = reader.Read(k);
    std::vector<double> w(step.x.size()), v(step.v.size());
    step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
    for (std::size_t i = 0; i < v.size(); ++i) {
      EXPECT_NEAR(v[i], step.v[i], rounding * std::max(1.0, std::abs(v[i]))) << "step " << k;
    }
  }
}

// Every step can be solved again from the captured start, under Bullet's law and under Coulomb's,
// at least as well as it was.
TEST_P(BulletCapture, IsSolvedAgain) {
  const CaptureReader reader = Open();
  Driver driver("nncg");
  SolveOptions options;
  options.max_iterations = 3000;
  options.measure_every = 5;
  // A thousand kilogrammes on one each: the slowest of all for a first-order method.
  const double enough = std::string(GetParam().scene) == "mass_ratio" ? 1e-2 : 1e-3;
  Solution solution;
  Result result;
  for (std::int64_t k = 0; k < reader.steps(); ++k) {
    const CapturedStep step = reader.Read(k);
    options.law = Law{LawKind::kNative, 0};
    driver.Solve(step.problem, options, &step.x0, solution, result);
    EXPECT_TRUE(result.converged() || result.energy.sum <= step.measures.energy_error)
        << "step " << k << ": " << result.energy.sum << " J, recorded "
        << step.measures.energy_error << " J";
    EXPECT_LT(result.energy.relative, enough) << "step " << k;
    options.law = Law{LawKind::kNcp, 0};
    driver.Solve(step.problem, options, &step.x0, solution, result);
    EXPECT_LT(result.energy.relative, enough) << "step " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, BulletCapture,
    testing::Values(
        BulletFile{"brick_wall", ScalarType::kFloat32, "sequential_impulse", false, true},
        BulletFile{"spheres_in_box", ScalarType::kFloat32, "nncg", false, true},
        BulletFile{"log_pile", ScalarType::kFloat32, "sequential_impulse", false, true},
        BulletFile{"mass_ratio", ScalarType::kFloat64, "sequential_impulse", false, true},
        BulletFile{"chain", ScalarType::kFloat64, "sequential_impulse", true, false},
        BulletFile{"gripper", ScalarType::kFloat64, "psor", true, true}),
    [](const auto& param) { return std::string(param.param.scene); });

}  // namespace
}  // namespace nonsmooth
