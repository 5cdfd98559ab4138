// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/cone_newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "demos/scenes/scenes.h"
#include "tests/support/random.h"

namespace nonsmooth {
namespace {

using test::Random;

std::vector<double> Numbers(std::size_t count, Random& random) {
  std::vector<double> v(count);
  for (double& value : v) value = random.Uniform(-1, 1);
  return v;
}

/// Largest residual of the three equations of cone_newton.h, for a random right-hand side at a
/// random pair inside the cones. P = I.
double WorstResidual(const Problem& problem, const char* law) {
  FeasibleSet set;
  set.Reset(problem, ParseLaw(law), nullptr);
  ConeProgram program;
  program.Prepare(set);
  ConeNewton newton;
  newton.Prepare(set, program, 1e-12);
  Random random(3);
  std::vector<double> s = Numbers(program.components(), random);
  std::vector<double> z = Numbers(program.components(), random);
  for (const ConeProgram::Cone& cone : program.cones()) {
    s[cone.first] = z[cone.first] = 2;  // ‖s̄‖ < 1.5
  }
  EXPECT_TRUE(newton.Factorise(s, z, nullptr));
  std::vector<double> r_x = Numbers(program.rows(), random);
  for (int i = 0; i < program.rows(); ++i) {
    if (program.held(i)) r_x[i] = 0;
  }
  const std::vector<double> r_s = Numbers(program.components(), random);
  const std::vector<double> rho = Numbers(program.components(), random);
  ConeStep step;
  step.Resize(program);
  newton.Solve(&r_x, &r_s, rho, &step);

  double worst = 0;
  const auto meet = [&worst](double residual) { worst = std::max(worst, std::abs(residual)); };
  std::vector<double> slack(program.components());
  program.Slack(step.x.data(), true, slack.data());
  for (std::size_t i = 0; i < slack.size(); ++i) meet(slack[i] - step.s[i] + r_s[i]);
  for (std::size_t c = 0; c < program.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program.cones()[c];
    double a[kMostConeSize], b[kMostConeSize];
    newton.scaling(c).Apply(&step.z[cone.first], a);
    newton.scaling(c).ApplyInverse(&step.s[cone.first], b);
    for (int i = 0; i < cone.size; ++i) meet(a[i] + b[i] - rho[cone.first + i]);
  }
  std::vector<double> x(program.rows()), ax(program.rows()), gz(program.rows());
  for (int i = 0; i < program.rows(); ++i) x[i] = program.scale()[i] * step.x[i];
  OperatorWorkspace workspace;
  problem.dynamics().Multiply(x.data(), ax.data(), workspace);
  program.Transpose(step.z.data(), gz.data());
  for (int i = 0; i < program.rows(); ++i) {
    if (!program.held(i)) meet(program.scale()[i] * ax[i] - gz[i] + r_x[i]);
  }
  return worst;
}

// On a pile (solved on the velocities) and on a small stack (dense), with cones and with
// half-lines.
TEST(ConeNewton, StepSolvesItsEquations) {
  for (const char* law : {"ccp", "box", "coupled_box"}) {
    EXPECT_LE(WorstResidual(SpherePile(60, 4), law), 1e-8) << law;
    EXPECT_LE(WorstResidual(BoxStack(2), law), 1e-8) << law;
  }
}

// A pair outside of its cone cannot be scaled by.
TEST(ConeNewton, PairsOutsideAreRefused) {
  FeasibleSet set;
  const Problem problem = BoxStack(1);
  set.Reset(problem, ParseLaw("ccp"), nullptr);
  ConeProgram program;
  program.Prepare(set);
  ConeNewton newton;
  newton.Prepare(set, program, 1e-8);
  std::vector<double> s(program.components(), 0.0), z(program.components(), 0.0);
  EXPECT_FALSE(newton.Factorise(s, z, nullptr));
}

}  // namespace
}  // namespace nonsmooth
