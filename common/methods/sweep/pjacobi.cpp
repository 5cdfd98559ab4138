// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/pjacobi.h"

#include <algorithm>
#include <cmath>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;  // some ten microseconds

/// leftᵀ M_body⁻¹ right.
double Couple(const Body& body, const double* left, const double* right) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += left[i] * body.inverse_mass[i] * right[i];
    for (int j = 0; j < 3; ++j) sum += left[3 + i] * body.inverse_inertia[3 * i + j] * right[3 + j];
  }
  return sum;
}

/// The 6-block of `row` on `body`, null if it has none there.
const double* BlockOn(const TwoBodyRow& row, int body) {
  if (row.body_a == body) return row.jacobian.data();
  return row.body_b == body ? row.jacobian.data() + 6 : nullptr;
}

/// Calls visit(body) once for every body that the group touches.
template <class Visit>
void ForEachBody(const std::vector<TwoBodyRow>& rows, const RowGroup& group, const Visit& visit) {
  int seen[2 * kMostGroupRows];
  int count = 0;
  for (int i = group.first_row; i < group.first_row + group.size; ++i) {
    for (int body : {rows[i].body_a, rows[i].body_b}) {
      if (body < 0 || std::find(seen, seen + count, body) != seen + count) continue;
      seen[count++] = body;
      visit(body);
    }
  }
}

/// Largest row sum of |D^-½ B D^-½|, an upper bound of its eigenvalues.
double LargestRowSum(const double* block, int size, const double* weight) {
  double largest = 0;
  for (int i = 0; i < size; ++i) {
    if (weight[i] == 0) continue;
    double sum = 0;
    for (int j = 0; j < size; ++j) {
      if (weight[j] > 0) sum += std::abs(block[i * size + j]) / std::sqrt(weight[i] * weight[j]);
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

void SplitMasses(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
                 std::vector<int>& groups_on_body, std::vector<double>& scale) {
  const std::vector<TwoBodyRow>& rows = dynamics.body_rows();
  const std::vector<RowGroup>& groups = set.problem().groups();
  groups_on_body.assign(dynamics.bodies().size(), 0);
  for (const RowGroup& group : groups) {
    ForEachBody(rows, group, [&](int body) { ++groups_on_body[body]; });
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const RowGroup& group = groups[g];
    double block[kMostGroupRows * kMostGroupRows] = {};
    for (int i = 0; i < group.size; ++i) {
      block[i * group.size + i] = rows[group.first_row + i].compliance;
    }
    ForEachBody(rows, group, [&](int body) {
      for (int i = 0; i < group.size; ++i) {
        for (int j = 0; j < group.size; ++j) {
          const double* left = BlockOn(rows[group.first_row + i], body);
          const double* right = BlockOn(rows[group.first_row + j], body);
          if (left == nullptr || right == nullptr) continue;
          block[i * group.size + j] +=
              groups_on_body[body] * Couple(dynamics.bodies()[body], left, right);
        }
      }
    });
    scale[g] = LargestRowSum(block, group.size, set.weights().data() + group.first_row);
  }
}

void SumRows(const FeasibleSet& set, const CsrMatrix& a, std::vector<double>& scale) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  const std::vector<double>& weight = set.weights();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double largest = 0;
    for (int i = groups[g].first_row; i < groups[g].first_row + groups[g].size; ++i) {
      if (weight[i] == 0) continue;
      double sum = 0;
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        const double other = weight[a.column[k]];
        if (other > 0) sum += std::abs(a.value[k]) / std::sqrt(weight[i] * other);
      }
      largest = std::max(largest, sum);
    }
    scale[g] = largest;
  }
}

}  // namespace

OptionFields PjacobiSolver::Options() {
  return {
      {"relaxation", "-", "factor on every step; 1 is safe for convex laws", &options_.relaxation,
       0, 2, true},
  };
}

void PjacobiSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  w_.resize(set.weights().size());
  scale_.resize(set.problem().groups().size());
  const Dynamics& dynamics = set.problem().dynamics();
  if (const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&dynamics)) {
    SplitMasses(set, *bodies, groups_on_body_, scale_);
  } else {
    SumRows(set, dynamics.Assembled(), scale_);
  }
}

void PjacobiSolver::Sweep(std::vector<double>& x, Monitor& monitor) const {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return;
    const int first = groups[g].first_row;
    const double* a = set_->weights().data() + first;
    double w[kMostGroupRows];
    std::copy_n(w_.begin() + first, groups[g].size, w);
    set_->AddShift(g, w);
    for (int i = 0; i < groups[g].size; ++i) {
      if (a[i] > 0) x[first + i] -= options_.relaxation * w[i] / (scale_[g] * a[i]);
    }
    set_->Project(g, x.data() + first);
  }
}

void PjacobiSolver::Run(std::vector<double>& x, Monitor& monitor) {
  const Dynamics& dynamics = set_->problem().dynamics();
  dynamics.ConstraintVelocity(x.data(), w_.data(), workspace_);
  while (monitor.Continue(x.data(), w_.data())) {
    Sweep(x, monitor);
    dynamics.ConstraintVelocity(x.data(), w_.data(), workspace_);
  }
}

}  // namespace nonsmooth
