// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/extractor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "bullet_plugin/body_reader.h"
#include "bullet_plugin/identity.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The nearest number of Bullet's type.
double Rounded(double value) { return static_cast<btScalar>(value); }

void Copy(const btVector3& from, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

/// Bullet's bounds: anything at or beyond SIMD_INFINITY means none.
double Bound(btScalar limit) {
  if (limit >= SIMD_INFINITY) return kInfinity;
  if (limit <= -SIMD_INFINITY) return -kInfinity;
  return limit;
}

bool Unbounded(const btSolverConstraint& row) {
  return row.m_lowerLimit <= -SIMD_INFINITY && row.m_upperLimit >= SIMD_INFINITY;
}

/// Bullet clamps an impulse that an infinite m_rhs asks for, as of a limit at SIMD_INFINITY: the
/// row stays at the bound towards which it is driven. A row without that bound is left as it is.
void PinInfiniteRow(TwoBodyRow& row, double& lower, double& upper) {
  if (std::abs(row.bias) <= std::numeric_limits<btScalar>::max()) return;
  const double bound = row.bias > 0 ? lower : upper;
  if (!std::isfinite(bound) || std::isnan(row.bias)) return;
  lower = upper = bound;
  row.bias = 0;
}

/// See the second deviation in the header.
double TorsionalCoefficient(const btSolverConstraint& row, double normal_estimate) {
  return Rounded(row.m_friction / std::max(1.0, normal_estimate));
}

/// True if these are numbers of Bullet's type.
bool Fits(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double x) { return std::isfinite(static_cast<btScalar>(x)); });
}

}  // namespace

void Extractor::Extract(const SolverPools& pools, const btContactSolverInfo& info, bool with_keys) {
  pools_ = pools;
  with_keys_ = with_keys;
  problem_ = Problem();
  if (const auto former = dynamics_.Take()) former->TakeApart(&bodies_, &body_rows_);
  const int rows = pools.joints->size() + pools.contacts->size() + pools.friction->size() +
                   pools.rolling->size();
  rows_.clear();
  rows_.reserve(rows);
  body_rows_.resize(rows);  // written to in place: clearing them first would take as long
  lower_.resize(rows);      // read for joints only
  upper_.resize(rows);
  groups_.clear();
  groups_.reserve(pools.joints->size() + pools.contacts->size());
  AddBodies(info);
  AddJoints();
  AddContacts();
  auto dynamics = TwoBodyDynamics::FromFreeBias(std::move(bodies_), std::move(body_rows_),
                                                sizeof(btScalar) == sizeof(float));
  problem_ = Problem(dynamics_.Share(std::move(dynamics)), std::move(groups_), std::move(lower_),
                     std::move(upper_));
}

void Extractor::AddBodies(const btContactSolverInfo& info) {
  const int count = pools_.bodies->size();
  body_index_.resize(count);
  bodies_.clear();
  bodies_.reserve(count);
  solver_bodies_.clear();
  free_velocity_.resize(6 * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    btSolverBody& from = (*pools_.bodies)[i];
    body_index_[i] = from.m_originalBody != nullptr ? static_cast<int>(bodies_.size()) : -1;
    if (from.m_originalBody == nullptr) continue;
    const Body& body = bodies_.emplace_back(ReadBody(from, info));
    solver_bodies_.push_back(&from);
    double* v = free_velocity_.data() + 6 * (bodies_.size() - 1);
    for (int k = 0; k < 3; ++k) {
      const double* inertia = body.inverse_inertia.data() + 3 * k;
      const double* impulse = body.applied_impulse.data();
      v[k] = body.velocity[k] + body.inverse_mass[k] * impulse[k];
      v[3 + k] = body.velocity[3 + k] + inertia[0] * impulse[3] + inertia[1] * impulse[4] +
                 inertia[2] * impulse[5];
    }
  }
}

void Extractor::AddRow(btSolverConstraint& from) {
  rows_.push_back(&from);
  TwoBodyRow& row = body_rows_[rows_.size() - 1];
  row.compliance = 0;
  // Bullet's normals point from B to A, ours from a to b.
  row.body_a = body_index_[from.m_solverBodyIdB];
  row.body_b = body_index_[from.m_solverBodyIdA];
  const btScalar d = from.m_jacDiagABInv;
  // Without an inverse effective mass nothing moves along the row, and Bullet leaves it alone.
  if (!(d > 0) || !std::isfinite(d)) {
    row = TwoBodyRow();
    return;
  }
  if (row.body_a >= 0) {
    Copy(from.m_contactNormal2, row.jacobian.data());
    Copy(from.m_relpos2CrossNormal, row.jacobian.data() + 3);
  } else {
    std::fill_n(row.jacobian.begin(), 6, 0.0);
  }
  if (row.body_b >= 0) {
    Copy(from.m_contactNormal1, row.jacobian.data() + 6);
    Copy(from.m_relpos1CrossNormal, row.jacobian.data() + 9);
  } else {
    std::fill_n(row.jacobian.begin() + 6, 6, 0.0);
  }
  row.bias = -static_cast<double>(from.m_rhs) / d;
  if (from.m_cfm != 0) row.compliance = Rounded(static_cast<double>(from.m_cfm) / d);
}

void Extractor::AddJoints() {
  btConstraintArray& joints = *pools_.joints;
  for (int i = 0; i < joints.size();) {
    const bool free = Unbounded(joints[i]);
    RowGroup group;
    group.kind = free ? GroupKind::kEquality : GroupKind::kBox;
    group.first_row = static_cast<int>(rows_.size());
    const void* joint = joints[i].m_originalContactPoint;
    if (with_keys_) group.key = JointKey(*static_cast<const btTypedConstraint*>(joint));
    while (i < joints.size() && group.size < kMostGroupRows &&
           joints[i].m_originalContactPoint == joint && Unbounded(joints[i]) == free) {
      lower_[rows_.size()] = Bound(joints[i].m_lowerLimit);
      upper_[rows_.size()] = Bound(joints[i].m_upperLimit);
      AddRow(joints[i]);
      PinInfiniteRow(body_rows_[rows_.size() - 1], lower_[rows_.size() - 1],
                     upper_[rows_.size() - 1]);
      ++group.size;
      ++i;
    }
    groups_.push_back(group);
  }
}

void Extractor::AddContacts() {
  btConstraintArray& contacts = *pools_.contacts;
  btConstraintArray& friction = *pools_.friction;
  btConstraintArray& rolling = *pools_.rolling;
  int torsional = 0;
  for (int c = 0; c < contacts.size(); ++c) {
    btSolverConstraint& normal = contacts[c];
    const auto& point = *static_cast<const btManifoldPoint*>(normal.m_originalContactPoint);
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.first_row = static_cast<int>(rows_.size());
    group.law = {LawKind::kCoupledBox, 0};
    if (with_keys_) {
      group.key = ContactKey((*pools_.bodies)[normal.m_solverBodyIdA],
                             (*pools_.bodies)[normal.m_solverBodyIdB], point);
    }
    AddRow(normal);
    const int end = c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : friction.size();
    for (int i = normal.m_frictionIndex; i < end; ++i) {
      group.friction = friction[i].m_friction;
      AddRow(friction[i]);
      ++group.tangents;
    }
    for (int k = 0; torsional < rolling.size() && rolling[torsional].m_frictionIndex == c;
         ++torsional, ++k) {
      // The point is far away in memory, and most contacts need nothing from it.
      const double estimate = point.m_appliedImpulse > 0 ? point.m_appliedImpulse : normal.m_rhs;
      const double coefficient = TorsionalCoefficient(rolling[torsional], estimate);
      (k == 0 ? group.spinning_friction : group.rolling_friction) = coefficient;
      ++(k == 0 ? group.spinning : group.rolling);
      AddRow(rolling[torsional]);
    }
    group.size = static_cast<int>(rows_.size()) - group.first_row;
    groups_.push_back(group);
  }
}

void Extractor::ReadImpulses(std::vector<double>& x) const {
  x.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    x[i] = static_cast<btScalar>(rows_[i]->m_appliedImpulse);
  }
}

void Extractor::ReadVelocities(std::vector<double>& v) const {
  v.resize(6 * solver_bodies_.size());
  for (std::size_t i = 0; i < solver_bodies_.size(); ++i) {
    const btSolverBody& body = *solver_bodies_[i];
    Copy(body.m_linearVelocity + body.m_deltaLinearVelocity + body.m_externalForceImpulse,
         v.data() + 6 * i);
    Copy(body.m_angularVelocity + body.m_deltaAngularVelocity + body.m_externalTorqueImpulse,
         v.data() + 6 * i + 3);
  }
}

bool Extractor::Write(const Solution& solution) const {
  if (!Fits(solution.x) || !Fits(solution.v)) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->m_appliedImpulse = static_cast<btScalar>(solution.x[i]);
  }
  for (std::size_t i = 0; i < solver_bodies_.size(); ++i) {
    btSolverBody& body = *solver_bodies_[i];
    const double* v = solution.v.data() + 6 * i;
    const double* from = free_velocity_.data() + 6 * i;
    for (int k = 0; k < 3; ++k) {
      body.m_deltaLinearVelocity[k] = static_cast<btScalar>(v[k] - from[k]);
      body.m_deltaAngularVelocity[k] = static_cast<btScalar>(v[3 + k] - from[3 + k]);
    }
  }
  return true;
}

bool Extractor::WritePush(const Solution& push) const {
  if (!Fits(push.v)) return false;
  for (std::size_t i = 0; i < solver_bodies_.size(); ++i) {
    btSolverBody& body = *solver_bodies_[i];
    const double* v = push.v.data() + 6 * i;
    for (int k = 0; k < 3; ++k) {
      body.m_pushVelocity[k] = static_cast<btScalar>(v[k]);
      body.m_turnVelocity[k] = static_cast<btScalar>(v[3 + k]);
    }
  }
  return true;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
