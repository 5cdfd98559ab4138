// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/chrono/bounded_motor.h"

#include <utility>

#include "chrono/physics/ChSystem.h"

namespace nonsmooth::demo {

using ::chrono::ChBody;
using ::chrono::ChVector3d;
using ::chrono::ChVectorDynamic;

BoundedMotor::BoundedMotor(Kind kind, std::shared_ptr<ChBody> a, std::shared_ptr<ChBody> b,
                           const ChVector3d& point, const ChVector3d& axis, double most)
    : kind_(kind),
      a_(std::move(a)),
      b_(std::move(b)),
      axis_in_a_(a_->TransformDirectionParentToLocal(axis)),
      point_in_b_(b_->TransformPointParentToLocal(point)),
      most_(most) {
  row_.SetVariables(&a_->Variables(), &b_->Variables());
}

void BoundedMotor::IntStateGatherReactions(unsigned int off_l, ChVectorDynamic<>& l) {
  l(off_l) = reaction_;
}

void BoundedMotor::IntStateScatterReactions(unsigned int off_l, const ChVectorDynamic<>& l) {
  reaction_ = l(off_l);
}

void BoundedMotor::IntLoadResidual_CqL(unsigned int off_l, ChVectorDynamic<>& r,
                                       const ChVectorDynamic<>& l, double c) {
  row_.AddJacobianTransposedTimesScalarInto(r, l(off_l) * c);
}

void BoundedMotor::IntLoadConstraint_Ct(unsigned int off, ChVectorDynamic<>& qc, double c,
                                        double /*c_vel*/) {
  qc(off) -= c * speed_;
}

void BoundedMotor::IntToDescriptor(unsigned int /*off_v*/, const ::chrono::ChStateDelta& /*v*/,
                                   const ChVectorDynamic<>& /*r*/, unsigned int off_l,
                                   const ChVectorDynamic<>& l, const ChVectorDynamic<>& qc) {
  const double most = most_ * GetSystem()->GetStep();
  row_.SetBoxedMinMax(-most, most);
  row_.SetLagrangeMultiplier(l(off_l));
  row_.SetRightHandSide(qc(off_l));
}

void BoundedMotor::IntFromDescriptor(unsigned int /*off_v*/, ::chrono::ChStateDelta& /*v*/,
                                     unsigned int off_l, ChVectorDynamic<>& l) {
  l(off_l) = row_.GetLagrangeMultiplier();
}

void BoundedMotor::InjectConstraints(::chrono::ChSystemDescriptor& descriptor) {
  descriptor.InsertConstraint(&row_);
}

void BoundedMotor::LoadConstraintJacobians() {
  const ChVector3d axis = a_->TransformDirectionLocalToParent(axis_in_a_);
  const ChVector3d point = b_->TransformPointLocalToParent(point_in_b_);
  const auto fill = [&](ChBody& body, double sign, ::chrono::ChRowVectorRef block) {
    // Angular components are in the body's own axes.
    ChVector3d angular = axis;
    if (kind_ == Kind::kLinear) angular = (point - body.GetPos()).Cross(axis);
    angular = sign * body.TransformDirectionParentToLocal(angular);
    for (int k = 0; k < 3; ++k) {
      block(k) = kind_ == Kind::kLinear ? sign * axis[k] : 0.0;
      block(3 + k) = angular[k];
    }
  };
  fill(*a_, -1, row_.Get_Cq_a());
  fill(*b_, 1, row_.Get_Cq_b());
}

}  // namespace nonsmooth::demo
