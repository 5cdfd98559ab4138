// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/explain/joint_rank.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// Of the largest eigenvalue. A redundant row of single precision leaves the square of its
/// rounding, 1e-14.
constexpr double kZero = 1e-10;
constexpr double kInvolved = 1e-3;  ///< squared share of a group in what is missing

double Compliance(const Dynamics& dynamics, int row) {
  if (const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&dynamics)) {
    return bodies->body_rows()[row].compliance;
  }
  const auto* sparse = dynamic_cast<const SparseDynamics*>(&dynamics);
  return sparse != nullptr && !sparse->system().compliance.empty()
             ? sparse->system().compliance[row]
             : 0.0;
}

/// Sets of joint rows that are coupled in A.
std::vector<std::vector<int>> Components(const CsrMatrix& a, const std::vector<int>& group_of) {
  std::vector<int> root(group_of.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int row) {
    while (root[row] != row) row = root[row] = root[root[row]];
    return row;
  };
  const auto is_joint = [&group_of](int row) { return group_of[row] >= 0; };
  for (int row = 0; row < a.rows; ++row) {
    if (!is_joint(row)) continue;
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
      if (is_joint(a.column[k]) && a.value[k] != 0) root[find(row)] = find(a.column[k]);
    }
  }
  std::map<int, std::vector<int>> sets;
  for (int row = 0; row < a.rows; ++row) {
    if (is_joint(row)) sets[find(row)].push_back(row);
  }
  std::vector<std::vector<int>> components;
  for (auto& [first, rows] : sets) components.push_back(std::move(rows));
  return components;
}

/// A of some rows, scaled to a unit diagonal, without compliance.
Eigen::MatrixXd ScaledBlock(const Dynamics& dynamics, const std::vector<int>& rows) {
  const CsrMatrix& a = dynamics.Assembled();
  const auto n = static_cast<Eigen::Index>(rows.size());
  const std::vector<double>& d = dynamics.diagonal();
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    if (!(d[row] > 0)) continue;
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
      const auto at = std::lower_bound(rows.begin(), rows.end(), a.column[k]);
      if (at == rows.end() || *at != a.column[k] || !(d[*at] > 0)) continue;
      block(i, at - rows.begin()) += a.value[k] / std::sqrt(d[row] * d[*at]);
    }
    block(i, i) -= Compliance(dynamics, row) / d[row];
  }
  return block;
}

}  // namespace

JointRank RankOfJoints(const Problem& problem) {
  JointRank result;
  result.computed = true;
  std::vector<int> group_of(static_cast<std::size_t>(problem.rows()), -1);
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const RowGroup& group = problem.groups()[g];
    if (group.kind != GroupKind::kEquality) continue;
    for (int i = 0; i < group.size; ++i) group_of[group.first_row + i] = static_cast<int>(g);
    result.rows += group.size;
  }
  if (result.rows == 0) return result;
  const Dynamics& dynamics = problem.dynamics();
  std::map<int, double> involved;
  for (const std::vector<int>& rows : Components(dynamics.Assembled(), group_of)) {
    if (static_cast<int>(rows.size()) > kMostCoupledRows) {
      result.computed = false;
      continue;
    }
    Eigen::VectorXd bias(static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index i = 0; i < bias.size(); ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      const double d = dynamics.diagonal()[row];
      bias[i] = d > 0 ? dynamics.bias()[row] / std::sqrt(d) : 0;
      result.compliant = result.compliant || Compliance(dynamics, row) > 0;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(ScaledBlock(dynamics, rows));
    const double largest = eigen.eigenvalues().maxCoeff();
    for (Eigen::Index k = 0; k < bias.size(); ++k) {
      if (eigen.eigenvalues()[k] > kZero * largest) {
        ++result.rank;
        continue;
      }
      const auto vector = eigen.eigenvectors().col(k);
      result.contradiction += 0.5 * std::pow(vector.dot(bias), 2);
      for (Eigen::Index i = 0; i < bias.size(); ++i) {
        involved[group_of[rows[static_cast<std::size_t>(i)]]] += vector[i] * vector[i];
      }
    }
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [group, share] : involved) {
    if (share > kInvolved) order.emplace_back(-share, group);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [share, group] : order) result.redundant.push_back(group);
  return result;
}

}  // namespace nonsmooth
