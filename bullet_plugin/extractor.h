// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../common/problem/problem.h"
#include "../common/problem/two_body_dynamics.h"
#include "../common/solver/result.h"
#include "../common/util/reclaimer.h"
#include "solver_pools.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Reads Bullet's rows as a problem of ours, and writes impulses back into them.
///
/// Bullet's row with D = m_jacDiagABInv relaxes x ← Π(x + m_rhs − m_cfm x − D J Δv), where Δv is
/// what all impulses so far have done to the velocities. Divided by D this is x − w D with
///
///     w = J Δv + (m_cfm / D) x − m_rhs / D = A x + b,   Δv = M⁻¹ Jᵀ x.
///
/// So the compliance is m_cfm / D and b is −m_rhs / D: stabilisation, restitution and motors
/// included, whatever D is. b is stored as b₀ + J v_free, with the velocities Bullet has.
///
/// A contact is one group of its normal, one or two friction rows and up to three torsional ones,
/// native law `coupled_box`. The rows of a joint stay in their order; those with infinite bounds
/// are equalities. In float32 every number of the problem is a float.
///
/// Deviations, both where Bullet's own A is not symmetric or its law not one of ours:
/// - angular factors act as F I⁻¹ F, on torque and on response; Bullet has F² I⁻¹. The same for
///   isotropic factors, and for factors 0 and 1 in axes of the inertia.
/// - Bullet bounds rolling and spinning friction by μ min(x_n, 1 N s). The coefficient is
///   μ min(1, 1 N s / x̄_n) with the normal impulse x̄_n of the last step instead.
class Extractor {
 public:
  /// Throws std::invalid_argument, as Problem does, where a row is not a number. Keys of groups are
  /// for those who keep the problem; without them they are 0. Memory is reused unless a copy of the
  /// last problem is still about.
  void Extract(const SolverPools& pools, const btContactSolverInfo& info, bool with_keys);

  const Problem& problem() const { return problem_; }

  /// The row of Bullet's that stands behind each of ours.
  const std::vector<btSolverConstraint*>& rows() const { return rows_; }

  /// x ← m_appliedImpulse of every row.
  void ReadImpulses(std::vector<double>& x) const;

  /// v ← velocities as Bullet's write-back will set them, in our order.
  void ReadVelocities(std::vector<double>& v) const;

  /// m_appliedImpulse ← x, and the bodies' delta velocities ← M⁻¹ Jᵀ x. Returns false, and changes
  /// nothing, if a number does not fit Bullet's type.
  bool Write(const Solution& solution) const;

  /// The bodies' push and turn velocities, which last for one step, ← the velocities of `push`;
  /// likewise.
  bool WritePush(const Solution& push) const;

  /// Index of a solver body in the problem's list, −1 for the fixed one.
  int body(int solver_body) const { return body_index_[solver_body]; }

 private:
  void AddBodies(const btContactSolverInfo& info);
  void AddJoints();
  void AddContacts();
  void AddRow(btSolverConstraint& from);

  SolverPools pools_;
  bool with_keys_ = false;
  Reclaimer<TwoBodyDynamics> dynamics_;  ///< of problem_ and its copies
  Problem problem_;
  std::vector<btSolverConstraint*> rows_;
  std::vector<int> body_index_;               ///< of every solver body
  std::vector<btSolverBody*> solver_bodies_;  ///< of every body of the problem
  std::vector<double> free_velocity_;

  std::vector<Body> bodies_;
  std::vector<TwoBodyRow> body_rows_;
  std::vector<RowGroup> groups_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
