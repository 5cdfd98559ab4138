// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../common/problem/articulated_dynamics.h"
#include "../common/problem/problem.h"
#include "../common/solver/result.h"
#include "multibody_pools.h"
#include "multibody_tree.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Reads all rows of a btMultiBodyConstraintSolver as one problem of ours, those between rigid
/// bodies and those on links, and writes impulses back into them.
///
/// Rows are read as in Extractor: with D = m_jacDiagABInv, in which Bullet's sor is, b is −m_rhs /
/// D and the compliance m_cfm / D. A row with D = 0 is off. The native law of contacts with a link
/// is `ncp` where Bullet bounds friction by a cone, otherwise `coupled_box`; of contacts between
/// rigid bodies it is `coupled_box`.
///
/// Deviations: Bullet bounds the cone in the metric of two weights, one for each direction; here
/// they have their mean. Where both sides of a row are one tree, Bullet leaves their coupling out
/// of D; here it is in A.
class MultiBodyExtractor {
 public:
  /// Throws std::invalid_argument, as Problem does, where a row is not a number, and where the mass
  /// matrix of a tree is not positive definite. Keys of groups are for those who keep the problem;
  /// without them they are 0. Memory is reused unless a copy of the last problem is still about.
  void Extract(const MultiBodyPools& pools, const btContactSolverInfo& info, bool with_keys);

  const Problem& problem() const { return problem_; }

  /// x ← m_appliedImpulse of every row.
  void ReadImpulses(std::vector<double>& x) const;

  /// v ← velocities as Bullet's write-back will set them, in our order.
  void ReadVelocities(std::vector<double>& v) const;

  /// m_appliedImpulse ← x, and the changes of bodies' and trees' velocities ← M⁻¹ Jᵀ x. Returns
  /// false, and changes nothing, if a number does not fit Bullet's type.
  bool Write(const Solution& solution) const;

  /// Trees that rows act on, in the order of their variables.
  struct Tree {
    btMultiBody* body;
    int first;    ///< variable
    int skipped;  ///< entries of Bullet's vectors before it
    int size;
    int delta;  ///< its place in m_deltaVelocities
  };
  const std::vector<Tree>& trees() const { return trees_; }

 private:
  struct Side;
  void AddBodies(const btContactSolverInfo& info);
  void AddTree(btMultiBody* body, int delta);
  void FindTrees();
  void AddRigidJoints();
  void AddRigidContacts();
  void AddJoints();
  void AddContacts(const btContactSolverInfo& info);
  template <class Row>
  bool BeginRow(const Row& row);
  void AddRow(const btSolverConstraint& row);
  void AddRow(const btMultiBodySolverConstraint& row);
  Side SideOf(int solver_body, const btVector3& linear, const btVector3& angular) const;
  Side SideOf(const btMultiBody* body, int delta, int jacobian) const;
  void AddEntries(const Side& a, const Side& b);
  template <class Row>
  void AddBounds(const Row& row);

  MultiBodyPools pools_;
  bool with_keys_ = false;
  TreeReader reader_;
  std::shared_ptr<ArticulatedDynamics> dynamics_;  ///< of problem_
  Problem problem_;
  std::vector<btSimdScalar*> impulses_;  ///< of every row of ours
  std::vector<int> place_;               ///< first variable of every solver body; −1: none
  std::vector<btSolverBody*> bodies_;    ///< those that have variables
  std::vector<Tree> trees_;
  std::vector<int> tree_at_;  ///< of a place in m_deltaVelocities
  std::vector<double> free_velocity_;

  ArticulatedSystem system_;
  std::vector<RowGroup> groups_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
