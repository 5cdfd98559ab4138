// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <stdexcept>
#include <utility>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

bool Movable(const Body& body) { return body.inverse_mass[0] > 0; }

/// Inverse of a symmetric 3×3 matrix by cofactors.
std::array<double, 9> Invert(const std::array<double, 9>& m) {
  std::array<double, 9> c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[3 * j + i] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
    }
  }
  const double determinant = m[0] * c[0] + m[1] * c[3] + m[2] * c[6];
  for (double& value : c) value /= determinant;
  return c;
}

Problem WithDynamics(const Problem& problem, std::shared_ptr<const Dynamics> dynamics) {
  return Problem(std::move(dynamics), problem.groups(), problem.lower(), problem.upper());
}

}  // namespace

Problem AsSparse(const Problem& problem) {
  const auto& bodies = dynamic_cast<const TwoBodyDynamics&>(problem.dynamics());
  // Fixed bodies have no variables; their velocity goes into the bias.
  std::vector<int> column(bodies.bodies().size(), -1);
  SparseSystem system;
  std::vector<Triplet> mass;
  int columns = 0;
  for (std::size_t b = 0; b < bodies.bodies().size(); ++b) {
    const Body& body = bodies.bodies()[b];
    if (!Movable(body)) continue;
    column[b] = columns;
    const std::array<double, 9> inertia = Invert(body.inverse_inertia);
    for (int k = 0; k < 3; ++k) {
      mass.push_back({columns + k, columns + k, 1 / body.inverse_mass[k]});
      for (int l = 0; l < 3; ++l) {
        mass.push_back({columns + 3 + k, columns + 3 + l, inertia[3 * k + l]});
      }
    }
    system.velocity.insert(system.velocity.end(), body.velocity.begin(), body.velocity.end());
    system.applied_impulse.insert(system.applied_impulse.end(), body.applied_impulse.begin(),
                                  body.applied_impulse.end());
    columns += 6;
  }
  std::vector<Triplet> jacobian;
  for (int i = 0; i < problem.rows(); ++i) {
    const TwoBodyRow& row = bodies.body_rows()[i];
    double bias = row.bias;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0) continue;
      for (int k = 0; k < 6; ++k) {
        const double entry = row.jacobian[6 * side + k];
        if (column[body] >= 0) {
          jacobian.push_back({i, column[body] + k, entry});
        } else {
          bias += entry * bodies.bodies()[body].velocity[k];
        }
      }
    }
    system.bias.push_back(bias);
    system.compliance.push_back(row.compliance);
  }
  system.mass = FromTriplets("mass", columns, columns, mass);
  system.jacobian = FromTriplets("jacobian", problem.rows(), columns, jacobian);
  return WithDynamics(problem, std::make_shared<SparseDynamics>(std::move(system)));
}

Problem AsMatrix(const Problem& problem) {
  const Dynamics& dynamics = problem.dynamics();
  return WithDynamics(problem,
                      std::make_shared<MatrixDynamics>(dynamics.Assembled(), dynamics.bias()));
}

Problem AsUnsymmetricMatrix(const TestProblem& test, double asymmetry) {
  CsrMatrix a = test.problem.dynamics().Assembled();
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      if (a.column[k] > i) a.value[k] *= 1 + asymmetry;
    }
  }
  std::vector<double> b(test.w.size());
  Multiply(a, test.x.data(), b.data());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = test.w[i] - b[i];
  return WithDynamics(test.problem, std::make_shared<MatrixDynamics>(std::move(a), std::move(b)));
}

}  // namespace nonsmooth
