// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/position_correction.h"

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "common/solve/step_budget.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

/// [s] In which a penetration is led to 1/e, if Bullet's ERP is not slower: 1/12 of it in a step of
/// 1/60 s. A card house of five storeys stood with 0.02 to 0.08 of it in a step; with Bullet's 0.2
/// it was thrown over.
constexpr double kGentle = 0.2;

/// Penetrations below this share of the bodies' size are not worth a solve: a micrometre of a cube
/// of one metre.
constexpr double kNegligible = 1e-6;

/// Of the correction's energy: a hundredth of its way. What is left is corrected next time.
constexpr double kRoughly = 1e-4;

/// Of what a step may cost.
constexpr double kShareOfBudget = 0.5;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// [m] The longest lever of a contact's normal: the size of the bodies, as far as a row knows it.
double Lever(const TwoBodyRow& row) {
  double square = 0;
  for (const int block : {0, 6}) {
    const double* j = row.jacobian.data() + block + 3;
    square = std::max(square, j[0] * j[0] + j[1] * j[1] + j[2] * j[2]);
  }
  return std::sqrt(square);
}

}  // namespace

PositionCorrection::PositionCorrection() : solver_("auto") {}

bool PositionCorrection::Pose(const Extractor& step, const Solution& solution,
                              const btContactSolverInfo& info, bool exact) {
  const Problem& problem = step.problem();
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(problem.dynamics());
  const double rate = 1 / static_cast<double>(info.m_timeStep);
  rows_.clear();
  groups_.clear();
  // Where impulses are only nearly right bodies sink a little with every step: Bullet's share keeps
  // up with that.
  const double gentle = exact ? std::min(1.0, info.m_timeStep / (kGentle * info.m_erp2)) : 1;
  double deepest = 0, lever = 0;
  for (RowGroup group : problem.groups()) {
    const int first = group.first_row;
    if (group.kind == GroupKind::kBox) continue;  // limits and motors go on at the next step
    double target = 0;
    if (group.kind == GroupKind::kContact) {
      const btSolverConstraint& normal = *step.rows()[first];
      const auto& point = *static_cast<const btManifoldPoint*>(normal.m_originalContactPoint);
      const double distance = static_cast<double>(point.getDistance()) + info.m_linearSlop;
      const double w = solution.w[first];
      const double d = normal.m_jacDiagABInv;
      if (distance > 0 || !(d > 0)) {
        target = -(rate * std::max(distance, 0.0) + std::max(0.0, w));
      } else {
        target = std::max(0.0, gentle * normal.m_rhsPenetration / d - std::max(0.0, w));
      }
      deepest = std::max(deepest, target / rate);
      lever = std::max(lever, Lever(dynamics.body_rows()[first]));
      group.spinning = group.rolling = 0;
      group.size = 1 + group.tangents;
    }
    group.first_row = static_cast<int>(rows_.size());
    for (int i = 0; i < group.size; ++i) {
      TwoBodyRow row = dynamics.body_rows()[first + i];
      row.bias = i == 0 ? -target : 0;
      row.compliance = 0;
      rows_.push_back(row);
    }
    groups_.push_back(group);
  }
  if (!(deepest > kNegligible * lever)) return false;
  bodies_ = dynamics.bodies();
  for (Body& body : bodies_) body.velocity = body.applied_impulse = {};
  lower_.assign(rows_.size(), -kInfinity);
  upper_.assign(rows_.size(), kInfinity);
  problem_ = Problem(TwoBodyDynamics::FromFreeBias(std::move(bodies_), std::move(rows_), false),
                     std::move(groups_), std::move(lower_), std::move(upper_));
  return true;
}

bool PositionCorrection::Solve(const Extractor& step, const Solution& solution,
                               const btContactSolverInfo& info, const Law& law, bool exact) {
  result_ = Result();
  if (!Pose(step, solution, info, exact)) return true;
  SolveOptions options;
  options.law = law;
  options.relative_tolerance = kRoughly;
  options.measure_every = 5;
  const double budget =
      kShareOfBudget * StepBudget(problem_.rows(), info.m_numIterations, info.m_timeStep);
  solver_.Solve(problem_, options, budget, nullptr, push_, result_);
  if (result_.status == Status::kNumericalFailure) return false;
  return step.WritePush(push_);
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
