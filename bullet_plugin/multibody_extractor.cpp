// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/multibody_extractor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bullet_plugin/body_reader.h"
#include "bullet_plugin/identity.h"
#include "common/linalg/mass_root.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kBase = 6;

/// The nearest number of Bullet's type.
double Rounded(double value) { return static_cast<btScalar>(value); }

double Bound(btScalar limit) {
  if (limit >= SIMD_INFINITY) return kInfinity;
  if (limit <= -SIMD_INFINITY) return -kInfinity;
  return limit;
}

template <class Row>
bool Unbounded(const Row& row) {
  return row.m_lowerLimit <= -SIMD_INFINITY && row.m_upperLimit >= SIMD_INFINITY;
}

/// Six rows of R for a rigid body, linear before angular.
void AppendBody(const Body& body, CsrMatrix& root) {
  const MassRoot own = RootOf(body);
  const int first = root.rows;
  root.rows += kBase;
  root.columns += kBase;
  const auto add = [&](int column, double value) {
    if (value == 0) return;
    root.column.push_back(first + column);
    root.value.push_back(Rounded(value));
  };
  for (int i = 0; i < kBase; ++i) {
    if (i < 3) add(i, own.linear[i]);
    for (int j = 3; j <= i; ++j) add(j, own.angular[(i - 3) * (i - 2) / 2 + j - 3]);
    root.row_start.push_back(root.nonzeros());
  }
}

}  // namespace

/// What one side of a row has: entries of J from a variable on.
struct MultiBodyExtractor::Side {
  int first = -1;  ///< variable; −1: nothing moves
  int size = 0;
  const btScalar* entries = nullptr;  ///< of a tree
  const btVector3* linear = nullptr;  ///< of a rigid body
  const btVector3* angular = nullptr;

  double Entry(int k) const {
    if (entries != nullptr) return entries[k];
    return k < 3 ? (*linear)[k] : (*angular)[k - 3];
  }
};

void MultiBodyExtractor::Extract(const MultiBodyPools& pools, const btContactSolverInfo& info,
                                 bool with_keys) {
  pools_ = pools;
  with_keys_ = with_keys;
  problem_ = Problem();
  impulses_.clear();
  groups_.clear();
  lower_.clear();
  upper_.clear();
  system_.mass_root.Reset(0, 0);
  system_.jacobian.Reset(0, 0);
  system_.velocity.clear();
  system_.applied_impulse.clear();
  system_.bias.clear();
  system_.compliance.clear();
  AddBodies(info);
  FindTrees();
  AddRigidJoints();
  AddRigidContacts();
  AddJoints();
  AddContacts(info);
  system_.jacobian.rows = static_cast<int>(impulses_.size());
  system_.jacobian.columns = system_.mass_root.rows;
  constexpr bool kInFloat = sizeof(btScalar) == sizeof(float);
  if (dynamics_ != nullptr && dynamics_.use_count() == 1) {
    dynamics_->BecomeFromFreeBias(system_, kInFloat);
  } else {
    dynamics_ = ArticulatedDynamics::FromFreeBias(std::exchange(system_, {}), kInFloat);
  }
  free_velocity_.resize(dynamics_->velocity_size());
  dynamics_->FreeVelocity(free_velocity_.data());
  problem_ = Problem(dynamics_, groups_, lower_, upper_);
}

void MultiBodyExtractor::AddBodies(const btContactSolverInfo& info) {
  const int count = pools_.rigid.bodies->size();
  place_.assign(count, -1);
  bodies_.clear();
  for (int i = 0; i < count; ++i) {
    btSolverBody& from = (*pools_.rigid.bodies)[i];
    if (from.m_originalBody == nullptr) continue;
    const Body body = ReadBody(from, info);
    if (!body.movable()) continue;  // its velocity is in the rows' m_rhs
    place_[i] = system_.mass_root.rows;
    bodies_.push_back(&from);
    AppendBody(body, system_.mass_root);
    const auto append = [](const std::array<double, 6>& values, std::vector<double>& to) {
      to.insert(to.end(), values.begin(), values.end());
    };
    append(body.velocity, system_.velocity);
    append(body.applied_impulse, system_.applied_impulse);
  }
}

void MultiBodyExtractor::AddTree(btMultiBody* body, int delta) {
  if (body == nullptr || tree_at_[delta] >= 0) return;
  tree_at_[delta] = static_cast<int>(trees_.size());
  const Tree tree{body, system_.mass_root.rows, TreeReader::Skipped(*body), TreeReader::Size(*body),
                  delta};
  trees_.push_back(tree);
  reader_.AppendRoot(*body, system_.mass_root);
  const btScalar* velocity = body->getVelocityVector() + tree.skipped;
  system_.velocity.insert(system_.velocity.end(), velocity, velocity + tree.size);
  // What forces do within the step is in the velocities already.
  system_.applied_impulse.resize(system_.velocity.size(), 0.0);
}

void MultiBodyExtractor::FindTrees() {
  trees_.clear();
  tree_at_.assign(pools_.data->m_deltaVelocities.size(), -1);
  for (const btMultiBodyConstraintArray* rows : {pools_.joints, pools_.contacts}) {
    for (int i = 0; i < rows->size(); ++i) {
      AddTree((*rows)[i].m_multiBodyA, (*rows)[i].m_deltaVelAindex);
      AddTree((*rows)[i].m_multiBodyB, (*rows)[i].m_deltaVelBindex);
    }
  }
}

MultiBodyExtractor::Side MultiBodyExtractor::SideOf(int solver_body, const btVector3& linear,
                                                    const btVector3& angular) const {
  Side side;
  if (solver_body < 0 || place_[solver_body] < 0) return side;
  side.first = place_[solver_body];
  side.size = kBase;
  side.linear = &linear;
  side.angular = &angular;
  return side;
}

MultiBodyExtractor::Side MultiBodyExtractor::SideOf(const btMultiBody* body, int delta,
                                                    int jacobian) const {
  Side side;
  if (body == nullptr) return side;
  const Tree& tree = trees_[tree_at_[delta]];
  side.first = tree.first;
  side.size = tree.size;
  if (tree.size > 0) side.entries = &pools_.data->m_jacobians[jacobian + tree.skipped];
  return side;
}

/// Ascending, as the matrix wants them; where both sides are one tree their entries are added.
void MultiBodyExtractor::AddEntries(const Side& a, const Side& b) {
  const auto add = [this](int column, double value) {
    if (value == 0) return;
    system_.jacobian.column.push_back(column);
    system_.jacobian.value.push_back(value);
  };
  if (a.first >= 0 && a.first == b.first) {
    for (int k = 0; k < a.size; ++k) add(a.first + k, Rounded(a.Entry(k) + b.Entry(k)));
    return;
  }
  const bool swap = b.first < a.first;
  for (const Side* side : {swap ? &b : &a, swap ? &a : &b}) {
    if (side->first < 0) continue;
    for (int k = 0; k < side->size; ++k) add(side->first + k, side->Entry(k));
  }
}

/// False for a row that is off: nothing moves along it, and Bullet leaves it alone.
template <class Row>
bool MultiBodyExtractor::BeginRow(const Row& row) {
  impulses_.push_back(&row.m_appliedImpulse);
  const btScalar d = row.m_jacDiagABInv;
  const bool on = d > 0 && std::isfinite(d);
  system_.bias.push_back(on ? -static_cast<double>(row.m_rhs) / d : 0.0);
  system_.compliance.push_back(on && row.m_cfm != 0 ? Rounded(static_cast<double>(row.m_cfm) / d)
                                                    : 0.0);
  return on;
}

void MultiBodyExtractor::AddRow(const btSolverConstraint& row) {
  if (BeginRow(row)) {
    AddEntries(SideOf(row.m_solverBodyIdA, row.m_contactNormal1, row.m_relpos1CrossNormal),
               SideOf(row.m_solverBodyIdB, row.m_contactNormal2, row.m_relpos2CrossNormal));
  }
  system_.jacobian.row_start.push_back(system_.jacobian.nonzeros());
}

void MultiBodyExtractor::AddRow(const btMultiBodySolverConstraint& row) {
  if (BeginRow(row)) {
    const Side a =
        row.m_multiBodyA != nullptr
            ? SideOf(row.m_multiBodyA, row.m_deltaVelAindex, row.m_jacAindex)
            : SideOf(row.m_solverBodyIdA, row.m_contactNormal1, row.m_relpos1CrossNormal);
    const Side b =
        row.m_multiBodyB != nullptr
            ? SideOf(row.m_multiBodyB, row.m_deltaVelBindex, row.m_jacBindex)
            : SideOf(row.m_solverBodyIdB, row.m_contactNormal2, row.m_relpos2CrossNormal);
    AddEntries(a, b);
  }
  system_.jacobian.row_start.push_back(system_.jacobian.nonzeros());
}

/// Bounds of the row just added. Bullet clamps an impulse that an infinite m_rhs asks for: the row
/// stays at the bound towards which it is driven.
template <class Row>
void MultiBodyExtractor::AddBounds(const Row& row) {
  lower_.resize(impulses_.size(), 0.0);
  upper_.resize(impulses_.size(), 0.0);
  double& lower = lower_.back();
  double& upper = upper_.back();
  lower = Bound(row.m_lowerLimit);
  upper = Bound(row.m_upperLimit);
  double& bias = system_.bias.back();
  if (std::isnan(bias) || std::abs(bias) <= std::numeric_limits<btScalar>::max()) return;
  const double bound = bias > 0 ? lower : upper;
  if (!std::isfinite(bound)) return;
  lower = upper = bound;
  bias = 0;
}

void MultiBodyExtractor::AddRigidJoints() {
  const btConstraintArray& joints = *pools_.rigid.joints;
  for (int i = 0; i < joints.size();) {
    const bool free = Unbounded(joints[i]);
    RowGroup group;
    group.kind = free ? GroupKind::kEquality : GroupKind::kBox;
    group.first_row = static_cast<int>(impulses_.size());
    const void* joint = joints[i].m_originalContactPoint;
    if (with_keys_) group.key = JointKey(*static_cast<const btTypedConstraint*>(joint));
    for (; i < joints.size() && group.size < kMostGroupRows &&
           joints[i].m_originalContactPoint == joint && Unbounded(joints[i]) == free;
         ++i, ++group.size) {
      AddRow(joints[i]);
      AddBounds(joints[i]);
    }
    groups_.push_back(group);
  }
}

void MultiBodyExtractor::AddRigidContacts() {
  const btConstraintArray& contacts = *pools_.rigid.contacts;
  const btConstraintArray& friction = *pools_.rigid.friction;
  const btConstraintArray& rolling = *pools_.rigid.rolling;
  int torsional = 0;
  for (int c = 0; c < contacts.size(); ++c) {
    const btSolverConstraint& normal = contacts[c];
    const auto& point = *static_cast<const btManifoldPoint*>(normal.m_originalContactPoint);
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.first_row = static_cast<int>(impulses_.size());
    group.law = {LawKind::kCoupledBox, 0};
    if (with_keys_) {
      group.key = ContactKey((*pools_.rigid.bodies)[normal.m_solverBodyIdA],
                             (*pools_.rigid.bodies)[normal.m_solverBodyIdB], point);
    }
    AddRow(normal);
    const int end = c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : friction.size();
    for (int i = normal.m_frictionIndex; i < end; ++i, ++group.tangents) {
      group.friction = friction[i].m_friction;
      AddRow(friction[i]);
    }
    for (int k = 0; torsional < rolling.size() && rolling[torsional].m_frictionIndex == c;
         ++torsional, ++k) {
      // As in Extractor: Bullet bounds these by μ min(x_n, 1 N s).
      const double estimate = point.m_appliedImpulse > 0 ? point.m_appliedImpulse : normal.m_rhs;
      const double coefficient = Rounded(rolling[torsional].m_friction / std::max(1.0, estimate));
      (k == 0 ? group.spinning_friction : group.rolling_friction) = coefficient;
      ++(k == 0 ? group.spinning : group.rolling);
      AddRow(rolling[torsional]);
    }
    group.size = static_cast<int>(impulses_.size()) - group.first_row;
    groups_.push_back(group);
  }
}

void MultiBodyExtractor::AddJoints() {
  const btMultiBodyConstraintArray& joints = *pools_.joints;
  for (int i = 0; i < joints.size();) {
    const bool free = Unbounded(joints[i]);
    RowGroup group;
    group.kind = free ? GroupKind::kEquality : GroupKind::kBox;
    group.first_row = static_cast<int>(impulses_.size());
    const btMultiBodyConstraint* joint = joints[i].m_orgConstraint;
    if (with_keys_) group.key = JointKey(joints[i]);
    for (; i < joints.size() && group.size < kMostGroupRows && joints[i].m_orgConstraint == joint &&
           Unbounded(joints[i]) == free;
         ++i, ++group.size) {
      AddRow(joints[i]);
      AddBounds(joints[i]);
    }
    groups_.push_back(group);
  }
}

void MultiBodyExtractor::AddContacts(const btContactSolverInfo& info) {
  const bool cone = ConeFriction(info);
  const btMultiBodyConstraintArray& friction = *pools_.friction;
  const btMultiBodyConstraintArray& rolling = *pools_.rolling;
  const btMultiBodyConstraintArray& spinning = *pools_.spinning;
  int sliding_row = 0;
  int rolling_row = 0;
  int spinning_row = 0;
  for (int c = 0; c < pools_.contacts->size(); ++c) {
    const btMultiBodySolverConstraint& normal = (*pools_.contacts)[c];
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.first_row = static_cast<int>(impulses_.size());
    group.law = {cone ? LawKind::kNcp : LawKind::kCoupledBox, 0};
    if (with_keys_) group.key = ContactKey(normal, *pools_.rigid.bodies);
    AddRow(normal);
    const auto of_contact = [c](const btMultiBodyConstraintArray& rows, int i) {
      return i < rows.size() && rows[i].m_frictionIndex == c;
    };
    const int first = sliding_row;
    for (; of_contact(friction, sliding_row); ++sliding_row) {
      if (IsTorsional(friction[sliding_row])) continue;
      group.friction = friction[sliding_row].m_friction;
      AddRow(friction[sliding_row]);
      ++group.tangents;
    }
    for (; of_contact(spinning, spinning_row); ++spinning_row) {
      if (!cone) continue;  // Bullet does not look at it
      group.spinning_friction = spinning[spinning_row].m_friction;
      AddRow(spinning[spinning_row]);
      ++group.spinning;
    }
    const auto add_rolling = [&](const btMultiBodySolverConstraint& row) {
      group.rolling_friction = row.m_friction;
      AddRow(row);
      ++group.rolling;
    };
    for (int i = first; i < sliding_row; ++i) {
      if (IsTorsional(friction[i])) add_rolling(friction[i]);
    }
    for (; of_contact(rolling, rolling_row); ++rolling_row) add_rolling(rolling[rolling_row]);
    group.size = static_cast<int>(impulses_.size()) - group.first_row;
    groups_.push_back(group);
  }
  lower_.resize(impulses_.size(), 0.0);
  upper_.resize(impulses_.size(), 0.0);
}

void MultiBodyExtractor::ReadImpulses(std::vector<double>& x) const {
  x.resize(impulses_.size());
  for (std::size_t i = 0; i < impulses_.size(); ++i) x[i] = static_cast<btScalar>(*impulses_[i]);
}

void MultiBodyExtractor::ReadVelocities(std::vector<double>& v) const {
  v.resize(free_velocity_.size());
  std::size_t at = 0;
  for (const btSolverBody* body : bodies_) {
    const btVector3 linear =
        body->m_linearVelocity + body->m_deltaLinearVelocity + body->m_externalForceImpulse;
    const btVector3 angular =
        body->m_angularVelocity + body->m_deltaAngularVelocity + body->m_externalTorqueImpulse;
    for (int k = 0; k < 3; ++k) v[at++] = linear[k];
    for (int k = 0; k < 3; ++k) v[at++] = angular[k];
  }
  for (const Tree& tree : trees_) {
    for (int k = 0; k < tree.size; ++k) {
      const int entry = tree.skipped + k;
      v[at++] = tree.body->getVelocityVector()[entry] +
                pools_.data->m_deltaVelocities[tree.delta + entry];
    }
  }
}

bool MultiBodyExtractor::Write(const Solution& solution) const {
  for (const std::vector<double>* values : {&solution.x, &solution.v}) {
    for (const double value : *values) {
      if (!std::isfinite(static_cast<btScalar>(value))) return false;
    }
  }
  for (std::size_t i = 0; i < impulses_.size(); ++i) {
    *impulses_[i] = static_cast<btScalar>(solution.x[i]);
  }
  const double* v = solution.v.data();
  const double* from = free_velocity_.data();
  for (btSolverBody* body : bodies_) {
    for (int k = 0; k < 3; ++k) {
      body->m_deltaLinearVelocity[k] = static_cast<btScalar>(v[k] - from[k]);
      body->m_deltaAngularVelocity[k] = static_cast<btScalar>(v[3 + k] - from[3 + k]);
    }
    v += kBase;
    from += kBase;
  }
  for (const Tree& tree : trees_) {
    btScalar* delta = &pools_.data->m_deltaVelocities[tree.delta];
    // Bullet's own warm start is in the tree already, and in `delta`: what is added is the rest.
    tree.body->applyDeltaVeeMultiDof2(delta, -1);
    for (int k = 0; k < tree.size; ++k) {
      delta[tree.skipped + k] = static_cast<btScalar>(v[k] - from[k]);
    }
    tree.body->applyDeltaVeeMultiDof2(delta, 1);
    v += tree.size;
    from += tree.size;
  }
  return true;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
