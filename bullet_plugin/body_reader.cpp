// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/body_reader.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

void Copy(const btVector3& from, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

/// I e in world axes: the angular impulse behind a change e of the angular velocity.
btVector3 AngularImpulse(const btRigidBody& body, const btVector3& e) {
  const btMatrix3x3& basis = body.getWorldTransform().getBasis();
  btVector3 local = e * basis;
  const btVector3& inverse = body.getInvInertiaDiagLocal();
  for (int k = 0; k < 3; ++k) local[k] = inverse[k] > 0 ? local[k] / inverse[k] : btScalar(0);
  return basis * local;
}

}  // namespace

Body ReadBody(const btSolverBody& from, const btContactSolverInfo& info) {
  Body body;
  const btRigidBody& rigid = *from.m_originalBody;
  Copy(from.m_linearVelocity, body.velocity.data());
  Copy(from.m_angularVelocity, body.velocity.data() + 3);
  const btMatrix3x3& inertia = rigid.getInvInertiaTensorWorld();
  for (int i = 0; i < 3; ++i) {
    body.inverse_mass[i] = from.m_invMass[i] * from.m_linearFactor[i];
    for (int j = 0; j <= i; ++j) {
      const btScalar value = from.m_angularFactor[i] * inertia[i][j] * from.m_angularFactor[j];
      body.inverse_inertia[3 * i + j] = value;
      body.inverse_inertia[3 * j + i] = value;
    }
  }
  Copy(rigid.getTotalForce() * info.m_timeStep, body.applied_impulse.data());
  // Gyroscopic terms are only known as the change of velocity they make.
  Copy(AngularImpulse(rigid, from.m_externalTorqueImpulse), body.applied_impulse.data() + 3);
  return body;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
