// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "common/linalg/mass_root.h"
#include "common/problem/articulated_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// S of a tree, unit lower triangular, some entries zero: generalised velocities are q̇ = S v.
double Mixing(int i, int j) { return i == j ? 1.0 : 0.25 * ((7 * i + 3 * j) % 5 - 2); }

/// The entries of one tree, from `values`, solved for Sᵀ y = values: what J and impulses become.
void SolveTransposed(std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  for (int k = n - 1; k >= 0; --k) {
    for (int m = k + 1; m < n; ++m) values[k] -= Mixing(m, k) * values[m];
  }
}

double RootEntry(const MassRoot& root, int i, int j) {
  if (i < 3) return i == j ? root.linear[i] : 0.0;
  if (j < 3 || j > i) return 0.0;
  return root.angular[(i - 3) * (i - 2) / 2 + j - 3];
}

}  // namespace

Problem AsTrees(const Problem& problem, int bodies_per_tree) {
  const auto& packed = dynamic_cast<const TwoBodyDynamics&>(problem.dynamics());
  std::vector<int> movable;
  std::vector<int> place(packed.bodies().size(), -1);
  for (std::size_t b = 0; b < packed.bodies().size(); ++b) {
    if (!packed.bodies()[b].movable()) continue;
    place[b] = static_cast<int>(movable.size());
    movable.push_back(static_cast<int>(b));
  }
  const int bodies = static_cast<int>(movable.size());
  ArticulatedSystem system;
  std::vector<Triplet> root, jacobian;
  std::vector<double> row_values(6 * movable.size());
  for (int first = 0; first < bodies; first += bodies_per_tree) {
    const int size = 6 * std::min(bodies_per_tree, bodies - first);
    std::vector<double> impulse;
    for (int i = 0; i < size; ++i) {
      double velocity = 0;
      for (int j = 0; j <= i; ++j) {
        const Body& body = packed.bodies()[movable[first + j / 6]];
        velocity += Mixing(i, j) * body.velocity[j % 6];
        double entry = 0;  // of S R
        for (int k = j; k <= i && k < j - j % 6 + 6; ++k) {
          entry += Mixing(i, k) * RootEntry(RootOf(body), k % 6, j % 6);
        }
        if (entry != 0) root.push_back({6 * first + i, 6 * first + j, entry});
      }
      system.velocity.push_back(velocity);
      impulse.push_back(packed.bodies()[movable[first + i / 6]].applied_impulse[i % 6]);
    }
    SolveTransposed(impulse);
    system.applied_impulse.insert(system.applied_impulse.end(), impulse.begin(), impulse.end());
  }
  for (int i = 0; i < problem.rows(); ++i) {
    const TwoBodyRow& row = packed.body_rows()[i];
    std::fill(row_values.begin(), row_values.end(), 0.0);
    double bias = row.bias;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0) continue;
      for (int k = 0; k < 6; ++k) {
        const double entry = row.jacobian[6 * side + k];
        if (place[body] >= 0) {
          row_values[6 * place[body] + k] = entry;
        } else {
          bias += entry * packed.bodies()[body].velocity[k];
        }
      }
    }
    for (int first = 0; first < bodies; first += bodies_per_tree) {
      const int last = std::min(first + bodies_per_tree, bodies);
      std::vector<double> tree(row_values.begin() + 6 * first, row_values.begin() + 6 * last);
      SolveTransposed(tree);
      for (std::size_t k = 0; k < tree.size(); ++k) {
        if (tree[k] != 0) jacobian.push_back({i, 6 * first + static_cast<int>(k), tree[k]});
      }
    }
    system.bias.push_back(bias);
    system.compliance.push_back(row.compliance);
  }
  system.mass_root = FromTriplets("mass root", 6 * bodies, 6 * bodies, std::move(root));
  system.jacobian = FromTriplets("jacobian", problem.rows(), 6 * bodies, std::move(jacobian));
  return Problem(std::make_shared<ArticulatedDynamics>(std::move(system)), problem.groups(),
                 problem.lower(), problem.upper());
}

}  // namespace nonsmooth
