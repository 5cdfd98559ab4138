// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <vector>

#include "../common/problem/csr_matrix.h"
#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Reads the mass matrix of a btMultiBody where it stands: composite rigid bodies, R. Featherstone,
/// "Rigid Body Dynamics Algorithms", Sect. 6.2, in double precision whatever Bullet's is. Variables
/// stand as Bullet has them: angular and linear velocity of the base in world axes, unless it does
/// not move, then the joints' in the order of the links.
class TreeReader {
 public:
  /// Leading entries of Bullet's velocities and Jacobians that are none of ours: 6 or 0. Bullet
  /// fills them for a base that does not move, too, and gives it no response.
  static int Skipped(const btMultiBody& body) { return body.isBaseStaticOrKinematic() ? 6 : 0; }

  /// Number of variables.
  static int Size(const btMultiBody& body) { return 6 - Skipped(body) + body.getNumDofs(); }

  /// Appends R with M⁻¹ = R Rᵀ as Size() rows of a block of its own, rounded to Bullet's type.
  /// Throws std::invalid_argument if M is not positive definite, as of links without mass.
  void AppendRoot(const btMultiBody& body, CsrMatrix& root);

 private:
  struct Vector {
    double x[3];
  };
  /// Velocity of the body point at the origin, which is the base's centre of mass.
  struct Motion {
    Vector angular;
    Vector linear;
  };
  /// About the origin, in world axes.
  struct Inertia {
    double mass = 0;
    double moment[3] = {0, 0, 0};          ///< mass times place
    double about[6] = {0, 0, 0, 0, 0, 0};  ///< 00, 10, 11, 20, 21, 22
  };
  void Place(const btMultiBody& body);
  void AddInertia(int k, double mass, const btVector3& inertia);
  void AddUp(const btMultiBody& body);
  Motion Force(const Inertia& inertia, const Motion& motion) const;

  std::vector<double> turn_;   ///< 9 of every link and, first, of the base: link to world
  std::vector<double> place_;  ///< 3
  std::vector<Inertia> inertia_;
  std::vector<Motion> axis_;  ///< of every joint velocity
  std::vector<double> mass_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
