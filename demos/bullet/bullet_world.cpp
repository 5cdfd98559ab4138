// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/bullet/bullet_world.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth::demo {
namespace {

btVector3 Convert(const Vec3& v) {
  return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])};
}

std::unique_ptr<btCollisionShape> MakeShape(const BodySpec& spec) {
  const btVector3 size = Convert(spec.size);
  switch (spec.shape) {
    case ShapeKind::kSphere:
      return std::make_unique<btSphereShape>(size[0]);
    case ShapeKind::kCylinder:
      return std::make_unique<btCylinderShape>(btVector3(size[0], size[1] / 2, size[0]));
    case ShapeKind::kCapsule:
      return std::make_unique<btCapsuleShape>(size[0], size[1]);
    case ShapeKind::kHull: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vec3& point : spec.points) hull->addPoint(Convert(point), false);
      hull->recalcLocalAabb();
      // Bullet puts the margin around a hull; its default of 40 mm would be seen.
      hull->setMargin(static_cast<btScalar>(0.001));
      return hull;
    }
    default:
      return std::make_unique<btBoxShape>(size / 2);
  }
}

/// A frame at `point` whose x axis is `axis`, in world axes.
btTransform FrameAlong(const Vec3& point, const Vec3& axis) {
  const btVector3 x = Convert(axis).normalized();
  btVector3 y, z;
  btPlaneSpace1(x, y, z);
  btTransform frame;
  frame.setOrigin(Convert(point));
  frame.setBasis(btMatrix3x3(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]));
  return frame;
}

btScalar LimitOf(double limit) {
  return static_cast<btScalar>(std::isfinite(limit) ? limit : std::copysign(1e6, limit));
}

std::unique_ptr<btTypedConstraint> MakeJoint(const JointSpec& spec, btRigidBody& a,
                                             btRigidBody& b) {
  const btTransform frame = FrameAlong(spec.point, spec.axis);
  const btTransform in_a = a.getWorldTransform().inverse() * frame;
  const btTransform in_b = b.getWorldTransform().inverse() * frame;
  switch (spec.kind) {
    case JointKind::kSlider: {
      auto slider = std::make_unique<btSliderConstraint>(a, b, in_a, in_b, true);
      slider->setLowerLinLimit(LimitOf(spec.lower));
      slider->setUpperLinLimit(LimitOf(spec.upper));
      slider->setLowerAngLimit(0);
      slider->setUpperAngLimit(0);
      slider->setPoweredLinMotor(spec.motor_most > 0);
      slider->setMaxLinMotorForce(static_cast<btScalar>(spec.motor_most));
      return slider;
    }
    case JointKind::kHinge: {
      // Bullet's hinge turns about the frame's z.
      btTransform turned;
      turned.setIdentity();
      turned.getBasis().setValue(0, 0, 1, 1, 0, 0, 0, 1, 0);
      auto hinge = std::make_unique<btHingeConstraint>(a, b, in_a * turned, in_b * turned);
      if (std::isfinite(spec.lower) || std::isfinite(spec.upper)) {
        hinge->setLimit(LimitOf(spec.lower), LimitOf(spec.upper));
      }
      return hinge;
    }
    default:
      return std::make_unique<btPoint2PointConstraint>(a, b, in_a.getOrigin(), in_b.getOrigin());
  }
}

/// Lets the motor of a joint run at `speed` with its most force.
void SetMotor(btTypedConstraint& joint, const JointSpec& spec, double speed, double dt) {
  if (spec.kind == JointKind::kSlider) {
    static_cast<btSliderConstraint&>(joint).setTargetLinMotorVelocity(static_cast<btScalar>(speed));
  } else if (spec.kind == JointKind::kHinge) {
    static_cast<btHingeConstraint&>(joint).enableAngularMotor(
        true, static_cast<btScalar>(speed), static_cast<btScalar>(spec.motor_most * dt));
  }
}

}  // namespace

BulletWorld::BulletWorld(const World& world, btConstraintSolver* solver) {
  world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver,
                                                     &configuration_);
  world_->setGravity(Convert(world.gravity));
  for (const BodySpec& body : world.bodies) Add(body);
  for (const JointSpec& joint : world.joints) Add(joint);
}

BulletWorld::~BulletWorld() {
  for (const auto& joint : joints_) world_->removeConstraint(joint.get());
  for (const auto& body : bodies_) world_->removeRigidBody(body.get());
}

void BulletWorld::Add(const BodySpec& spec) {
  shapes_.push_back(MakeShape(spec));
  const auto mass = static_cast<btScalar>(spec.mass);
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo setup(mass, nullptr, shapes_.back().get(), inertia);
  setup.m_startWorldTransform.setOrigin(Convert(spec.pose.position));
  const Quaternion& q = spec.pose.rotation;
  setup.m_startWorldTransform.setRotation(
      btQuaternion(static_cast<btScalar>(q[1]), static_cast<btScalar>(q[2]),
                   static_cast<btScalar>(q[3]), static_cast<btScalar>(q[0])));
  // Bullet multiplies the coefficients of the two bodies.
  setup.m_friction = static_cast<btScalar>(std::sqrt(spec.friction));
  setup.m_restitution = static_cast<btScalar>(std::sqrt(spec.restitution));
  bodies_.push_back(std::make_unique<btRigidBody>(setup));
  bodies_.back()->setLinearVelocity(Convert(spec.velocity));
  bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
  world_->addRigidBody(bodies_.back().get());
  if (spec.force != Vec3{}) pushed_.emplace_back(bodies_.back().get(), Convert(spec.force));
}

void BulletWorld::Add(const JointSpec& spec) {
  joints_.push_back(MakeJoint(spec, *bodies_[spec.body_a], *bodies_[spec.body_b]));
  world_->addConstraint(joints_.back().get(), !spec.collide);
  if (spec.motor_most > 0) motors_.emplace_back(joints_.back().get(), spec);
}

void BulletWorld::Step(double dt) {
  for (const auto& [joint, spec] : motors_) {
    SetMotor(*joint, spec, time_ >= spec.motor_start ? spec.motor_speed : 0, dt);
  }
  for (const auto& [body, force] : pushed_) body->applyCentralForce(force);
  world_->stepSimulation(static_cast<btScalar>(dt), 0);
  time_ += dt;
}

std::vector<Pose> BulletWorld::Poses() const {
  std::vector<Pose> poses;
  for (const auto& body : bodies_) {
    const btVector3& at = body->getWorldTransform().getOrigin();
    const btQuaternion turn = body->getWorldTransform().getRotation();
    poses.push_back({{at.x(), at.y(), at.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}});
  }
  return poses;
}

double BulletWorld::KineticEnergy() const {
  double energy = 0;
  for (const auto& body : bodies_) {
    if (body->getInvMass() == 0) continue;
    energy += 0.5 * body->getLinearVelocity().length2() / body->getInvMass();
    const btVector3 spin = body->getAngularVelocity() * body->getWorldTransform().getBasis();
    for (int k = 0; k < 3; ++k) {
      const double inverse = body->getInvInertiaDiagLocal()[k];
      if (inverse > 0) energy += 0.5 * spin[k] * spin[k] / inverse;
    }
  }
  return energy;
}

double BulletWorld::DeepestPenetration() const {
  double deepest = 0;
  for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
    for (int j = 0; j < manifold.getNumContacts(); ++j) {
      deepest = std::max(deepest, -static_cast<double>(manifold.getContactPoint(j).getDistance()));
    }
  }
  return deepest;
}

}  // namespace nonsmooth::demo
