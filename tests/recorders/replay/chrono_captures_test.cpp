// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures made with Chrono, solved again without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "common/error/energy_error.h"
#include "common/solve/driver.h"
#include "recorders/capture/capture_reader.h"

namespace nonsmooth {
namespace {

class ChronoCapture : public testing::TestWithParam<const char*> {
 protected:
  static CaptureReader Open() {
    return CaptureReader(std::string(NONSMOOTH_TEST_DATA "/chrono/") + GetParam() + ".h5");
  }
};

// The file is whole, says where it comes from, and holds what its scene promises.
TEST_P(ChronoCapture, IsValid) {
  const CaptureReader reader = Open();
  EXPECT_TRUE(ValidateCapture(reader.path()).empty());
  EXPECT_EQ(reader.info().engine, "chrono");
  EXPECT_EQ(reader.info().engine_version, "10.0.0");
  EXPECT_EQ(reader.info().scene, GetParam());
  EXPECT_EQ(reader.info().scalar, ScalarType::kFloat64);
  ASSERT_GT(reader.steps(), 0);
  const StepSummary summary = reader.Summary(reader.steps() - 1);
  EXPECT_EQ(summary.form, DynamicsForm::kTwoBody);
  EXPECT_GT(summary.rows, 0);
  const bool jointed = std::string(GetParam()) == "chain" || std::string(GetParam()) == "gripper" ||
                       std::string(GetParam()) == "slider_crank";
  EXPECT_EQ(summary.constraints > 0, jointed);
  EXPECT_EQ(summary.contacts > 0, std::string(GetParam()) != "chain");
}

// Chrono's velocities follow from the problem in the file and Chrono's multipliers:
// v⁺ = v_free + M⁻¹ Jᵀ x.
TEST_P(ChronoCapture, HoldsTheSolutionThatBelongsToItsProblem) {
  const CaptureReader reader = Open();
  OperatorWorkspace workspace;
  for (std::int64_t k = 0; k < reader.steps(); ++k) {
    const CapturedStep step = reader.Read(k);
    std::vector<double> w(step.x.size()), v(step.v.size());
    step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], step.v[i], 1e-9) << "step " << k;
  }
}

// Every step can be solved again from the captured start, under Chrono's law and under Coulomb's,
// at least as well as it was.
TEST_P(ChronoCapture, IsSolvedAgain) {
  const CaptureReader reader = Open();
  Driver driver("nncg");
  SolveOptions options;
  options.max_iterations = 3000;
  options.measure_every = 5;
  // A thousand kilogrammes on one each: the slowest of all for a first-order method.
  const double enough = std::string(GetParam()) == "mass_ratio" ? 1e-2 : 1e-3;
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

INSTANTIATE_TEST_SUITE_P(Scenes, ChronoCapture,
                         testing::Values("brick_wall", "spheres_in_box", "log_pile", "mass_ratio",
                                         "chain", "gripper", "shaker", "slider_crank"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace nonsmooth
