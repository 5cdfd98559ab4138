// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/mlcp_solver.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "common/problem/matrix_dynamics.h"
#include "common/util/check.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double Bound(btScalar limit) {
  if (limit >= SIMD_INFINITY) return kInfinity;
  if (limit <= -SIMD_INFINITY) return -kInfinity;
  return limit;
}

}  // namespace

MlcpSolver::MlcpSolver(std::string_view solver_name, SolveOptions options, bool iterations_of_world)
    : driver_(solver_name), options_(options), iterations_of_world_(iterations_of_world) {
  Validate("options", Fields(options));
  const LawKind kind = options.law.kind;
  const LawKind needed = kind == LawKind::kNative ? LawKind::kCoupledBox : kind;
  Require(driver_.info().Handles(needed), "solver ", driver_.info().name, " does not handle law ",
          ToString(needed), kind == LawKind::kNative ? ", which is native to Bullet" : "");
}

bool MlcpSolver::Fail(std::string why) {
  ++fallbacks_;
  trouble_ = "nonsmooth::bullet::MlcpSolver: " + std::move(why);
  return false;
}

Problem MlcpSolver::MakeProblem(const btMatrixXu& a, const btVectorXu& b, const btVectorXu& lower,
                                const btVectorXu& upper,
                                const btAlignedObjectArray<int>& limit_dependency) {
  const int rows = a.rows();
  std::vector<std::vector<int>> dependents(rows);
  for (int i = 0; i < rows; ++i) {
    const int normal = limit_dependency[i];
    Require(normal < rows && normal != i, "row ", i, " depends on row ", normal, " of ", rows);
    if (normal >= 0) dependents[normal].push_back(i);
  }
  // Bullet has all normals before all friction rows; a contact of ours stands together.
  std::vector<RowGroup> groups;
  order_.clear();
  std::vector<double> low, high;
  for (int i = 0; i < rows; ++i) {
    if (limit_dependency[i] >= 0) continue;
    RowGroup group;
    group.first_row = static_cast<int>(order_.size());
    group.size = 1 + static_cast<int>(dependents[i].size());
    if (dependents[i].empty()) {
      const bool free = Bound(lower[i]) == -kInfinity && Bound(upper[i]) == kInfinity;
      group.kind = free ? GroupKind::kEquality : GroupKind::kBox;
    } else {
      Require(lower[i] == 0 && group.size <= 3, "row ", i, " is no contact: ", group.size - 1,
              " rows depend on it, and it is bounded by ", lower[i]);
      group.kind = GroupKind::kContact;
      group.tangents = group.size - 1;
      group.friction = std::abs(upper[dependents[i].front()]);
      group.law = {LawKind::kCoupledBox, 0};
    }
    groups.push_back(group);
    order_.push_back(i);
    order_.insert(order_.end(), dependents[i].begin(), dependents[i].end());
  }
  Require(static_cast<int>(order_.size()) == rows, "a friction row depends on a friction row");
  place_.resize(rows);
  for (int k = 0; k < rows; ++k) place_[order_[k]] = k;

  CsrMatrix matrix{rows, rows, {0}, {}, {}};
  std::vector<double> bias(rows);
  std::vector<std::pair<int, double>> entries;
  for (int k = 0; k < rows; ++k) {
    const int i = order_[k];
    bias[k] = -static_cast<double>(b[i]);
    low.push_back(Bound(lower[i]));
    high.push_back(Bound(upper[i]));
    entries.clear();
    for (int j = 0; j < rows; ++j) {
      if (a(i, j) != 0) entries.emplace_back(place_[j], a(i, j));
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [column, value] : entries) {
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    }
    matrix.row_start.push_back(matrix.nonzeros());
  }
  return Problem(std::make_shared<MatrixDynamics>(std::move(matrix), std::move(bias)),
                 std::move(groups), std::move(low), std::move(high));
}

bool MlcpSolver::solveMLCP(const btMatrixXu& a, const btVectorXu& b, btVectorXu& x,
                           const btVectorXu& lower, const btVectorXu& upper,
                           const btAlignedObjectArray<int>& limit_dependency, int iterations,
                           bool /*use_sparsity*/) {
  const int rows = a.rows();
  if (rows == 0) return true;
  try {
    const Problem problem = MakeProblem(a, b, lower, upper, limit_dependency);
    x0_.resize(rows);
    for (int k = 0; k < rows; ++k) x0_[k] = x[order_[k]];
    SolveOptions options = options_;
    if (iterations_of_world_) options.max_iterations = iterations;
    driver_.Solve(problem, options, &x0_, solution_, solve_);
  } catch (const std::exception& error) {
    return Fail(error.what());
  } catch (...) {
    return Fail("unknown exception");
  }
  if (solve_.status == Status::kNumericalFailure) return Fail("the solver broke down numerically");
  for (const double value : solution_.x) {
    if (!std::isfinite(static_cast<btScalar>(value))) return Fail("an impulse is not finite");
  }
  for (int k = 0; k < rows; ++k) x[order_[k]] = static_cast<btScalar>(solution_.x[k]);
  return true;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
