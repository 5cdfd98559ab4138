// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "chrono/physics/ChBody.h"
#include "chrono/physics/ChPhysicsItem.h"
#include "chrono/solver/ChConstraintTwoGenericBoxed.h"

namespace nonsmooth::demo {

/// Drives b relative to a along or about an axis fixed to a, at a given speed and with a force that
/// is bounded: one boxed row. Chrono's own motors are as strong as it takes.
class BoundedMotor : public ::chrono::ChPhysicsItem {
 public:
  enum class Kind { kLinear, kRotation };

  /// Axis and point in world axes at the time of the call; `most` in N or N m.
  BoundedMotor(Kind kind, std::shared_ptr<::chrono::ChBody> a, std::shared_ptr<::chrono::ChBody> b,
               const ::chrono::ChVector3d& point, const ::chrono::ChVector3d& axis, double most);

  /// [m/s or rad/s] of b relative to a.
  void SetSpeed(double speed) { speed_ = speed; }

  /// Force or torque of the last step [N or N m].
  double reaction() const { return reaction_; }

  // Chrono's spelling.
  BoundedMotor* Clone() const override { return new BoundedMotor(*this); }
  unsigned int GetNumConstraintsBilateral() override { return 1; }
  void IntStateGatherReactions(unsigned int off_l, ::chrono::ChVectorDynamic<>& l) override;
  void IntStateScatterReactions(unsigned int off_l, const ::chrono::ChVectorDynamic<>& l) override;
  void IntLoadResidual_CqL(unsigned int off_l, ::chrono::ChVectorDynamic<>& r,
                           const ::chrono::ChVectorDynamic<>& l, double c) override;
  void IntLoadConstraint_Ct(unsigned int off, ::chrono::ChVectorDynamic<>& qc, double c,
                            double c_vel) override;
  void IntToDescriptor(unsigned int off_v, const ::chrono::ChStateDelta& v,
                       const ::chrono::ChVectorDynamic<>& r, unsigned int off_l,
                       const ::chrono::ChVectorDynamic<>& l,
                       const ::chrono::ChVectorDynamic<>& qc) override;
  void IntFromDescriptor(unsigned int off_v, ::chrono::ChStateDelta& v, unsigned int off_l,
                         ::chrono::ChVectorDynamic<>& l) override;
  void InjectConstraints(::chrono::ChSystemDescriptor& descriptor) override;
  void LoadConstraintJacobians() override;

 private:
  Kind kind_;
  std::shared_ptr<::chrono::ChBody> a_, b_;
  ::chrono::ChVector3d axis_in_a_, point_in_b_;
  double most_;
  double speed_ = 0;
  double reaction_ = 0;
  ::chrono::ChConstraintTwoGenericBoxed row_;
};

}  // namespace nonsmooth::demo
