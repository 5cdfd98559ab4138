// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/same_as_chrono.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "chrono/solver/ChSystemDescriptor.h"
#include "chrono_plugin/extractor.h"

namespace nonsmooth::test {
namespace {

/// A and b as Chrono's own matrices give them, Z = [H Cqᵀ; Cq −cfm] and (f, −b).
struct Dense {
  explicit Dense(::chrono::ChSystemDescriptor& descriptor) {
    ::chrono::ChSparseMatrix z;
    ::chrono::ChVectorDynamic<> right;
    descriptor.BuildSystemMatrix(&z, &right);
    const auto n = static_cast<Eigen::Index>(descriptor.CountActiveVariables());
    const Eigen::Index m = z.rows() - n;
    const Eigen::MatrixXd full(z);
    const Eigen::MatrixXd jacobian = full.bottomLeftCorner(m, n);
    const Eigen::MatrixXd response =
        full.topLeftCorner(n, n).lu().solve(jacobian.transpose().eval());
    a = jacobian * response - full.bottomRightCorner(m, m);
    free = full.topLeftCorner(n, n).lu().solve(right.head(n));
    b = jacobian * free - right.tail(m);
  }
  Eigen::MatrixXd a;
  Eigen::VectorXd b, free;
};

}  // namespace

void ExpectSameAsChrono(::chrono::ChSystemDescriptor& descriptor, bool packed) {
  chrono::Extractor extractor;
  extractor.Read(descriptor);
  EXPECT_EQ(extractor.packed(), packed);
  const Dense dense(descriptor);
  const Problem& problem = extractor.problem();
  ASSERT_EQ(problem.rows(), dense.a.rows());
  ASSERT_GT(problem.rows(), 0);
  OperatorWorkspace workspace;
  std::vector<double> unit(problem.rows()), column(problem.rows());
  for (int j = 0; j < problem.rows(); ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    problem.dynamics().Multiply(unit.data(), column.data(), workspace);
    for (int i = 0; i < problem.rows(); ++i) {
      ASSERT_NEAR(column[i], dense.a(i, j), 1e-9 * dense.a.cwiseAbs().maxCoeff());
    }
  }
  std::vector<double> free(problem.dynamics().velocity_size());
  problem.dynamics().FreeVelocity(free.data());
  const double scale = 1e-9 * (1 + dense.free.cwiseAbs().maxCoeff());
  for (int i = 0; i < problem.rows(); ++i) {
    ASSERT_NEAR(problem.dynamics().bias()[i], dense.b(i), scale + 1e-9 * std::abs(dense.b(i)));
  }
  const chrono::VariableReader& variables = extractor.variables();
  ASSERT_EQ(variables.velocities(), dense.free.size());
  for (std::size_t i = 0; i < variables.all().size(); ++i) {
    const int ours = variables.FirstVelocity(static_cast<int>(i), packed);
    const int chronos = variables.FirstVelocity(static_cast<int>(i), /*packed=*/false);
    for (int k = 0; k < static_cast<int>(variables.all()[i]->GetDOF()); ++k) {
      ASSERT_NEAR(free[ours + k], dense.free(chronos + k), scale) << "variable " << i;
    }
  }
}

}  // namespace nonsmooth::test
