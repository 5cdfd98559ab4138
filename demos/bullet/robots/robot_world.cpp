// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/bullet/robots/robot_world.h"

#include <algorithm>

namespace nonsmooth::demo {
namespace {

Pose PoseOf(const btTransform& transform) {
  Pose pose;
  for (int k = 0; k < 3; ++k) pose.position[k] = transform.getOrigin()[k];
  const btQuaternion turn = transform.getRotation();
  pose.rotation = {turn.w(), turn.x(), turn.y(), turn.z()};
  return pose;
}

btVector3 InertiaOf(btCollisionShape* shape, btScalar mass) {
  btVector3 inertia(0, 0, 0);
  if (shape != nullptr) {
    shape->calculateLocalInertia(mass, inertia);
  } else {
    btSphereShape(btScalar(0.05)).calculateLocalInertia(mass, inertia);
  }
  return inertia;
}

void SetUpJoint(btMultiBody& tree, int i, const LinkSpec& link, const btVector3& parent_centre) {
  const btVector3 inertia = InertiaOf(link.shape, link.mass);
  const btQuaternion aligned = btQuaternion::getIdentity();
  const btVector3 to_pivot = link.pivot - parent_centre;
  const btVector3 to_centre = link.centre - link.pivot;
  switch (link.joint) {
    case TreeJoint::kFixed:
      tree.setupFixed(i, link.mass, inertia, link.parent, aligned, to_pivot, to_centre);
      break;
    case TreeJoint::kRevolute:
      tree.setupRevolute(i, link.mass, inertia, link.parent, aligned, link.axis, to_pivot,
                         to_centre, /*disableParentCollision=*/true);
      break;
    case TreeJoint::kPrismatic:
      tree.setupPrismatic(i, link.mass, inertia, link.parent, aligned, link.axis, to_pivot,
                          to_centre, /*disableParentCollision=*/true);
      break;
    case TreeJoint::kSpherical:
      tree.setupSpherical(i, link.mass, inertia, link.parent, aligned, to_pivot, to_centre,
                          /*disableParentCollision=*/true);
      break;
  }
}

}  // namespace

RobotWorld::RobotWorld(btMultiBodyConstraintSolver* solver)
    : world_(std::make_unique<btMultiBodyDynamicsWorld>(&dispatcher_, &broadphase_, solver,
                                                        &configuration_)) {
  world_->setGravity(btVector3(0, 0, btScalar(-9.81)));
}

RobotWorld::~RobotWorld() {
  for (const auto& constraint : constraints_) world_->removeMultiBodyConstraint(constraint.get());
  for (const auto& joint : joints_) world_->removeConstraint(joint.get());
  for (const auto& collider : colliders_) world_->removeCollisionObject(collider.get());
  for (const auto& tree : trees_) world_->removeMultiBody(tree.get());
  for (const auto& body : bodies_) world_->removeRigidBody(body.get());
}

btRigidBody& RobotWorld::AddBody(btCollisionShape* shape, btScalar mass, const btVector3& position,
                                 btScalar friction) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shape->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo setup(mass, nullptr, shape, inertia);
  setup.m_startWorldTransform.setOrigin(position);
  setup.m_friction = friction;
  bodies_.push_back(std::make_unique<btRigidBody>(setup));
  bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
  world_->addRigidBody(bodies_.back().get());
  return *bodies_.back();
}

btRigidBody& RobotWorld::AddGround(btScalar friction) {
  return AddBody(Make<btBoxShape>(btVector3(100, 100, 1)), 0, btVector3(0, 0, -1), friction);
}

btMultiBody& RobotWorld::AddTree(const TreeSpec& spec) {
  const int links = static_cast<int>(spec.links.size());
  trees_.push_back(std::make_unique<btMultiBody>(links, spec.mass, InertiaOf(spec.shape, spec.mass),
                                                 spec.fixed_base, /*canSleep=*/false));
  btMultiBody& tree = *trees_.back();
  tree.setBasePos(spec.centre);
  tree.setWorldToBaseRot(btQuaternion::getIdentity());
  for (int i = 0; i < links; ++i) {
    const int parent = spec.links[i].parent;
    SetUpJoint(tree, i, spec.links[i], parent < 0 ? spec.centre : spec.links[parent].centre);
  }
  tree.finalizeMultiDof();
  tree.setLinearDamping(0);
  tree.setAngularDamping(0);
  tree.setHasSelfCollision(spec.self_collision);
  world_->addMultiBody(&tree);
  if (spec.shape != nullptr) AddCollider(tree, -1, spec.shape, spec.friction);
  for (int i = 0; i < links; ++i) {
    AddCollider(tree, i, spec.links[i].shape, spec.links[i].friction);
  }
  Place(tree);
  return tree;
}

void RobotWorld::Place(btMultiBody& tree) {
  btAlignedObjectArray<btQuaternion> turns;
  btAlignedObjectArray<btVector3> origins;
  tree.forwardKinematics(turns, origins);
  tree.updateCollisionObjectWorldTransforms(turns, origins);
}

void RobotWorld::AddCollider(btMultiBody& tree, int link, btCollisionShape* shape,
                             btScalar friction) {
  colliders_.push_back(std::make_unique<btMultiBodyLinkCollider>(&tree, link));
  btMultiBodyLinkCollider& collider = *colliders_.back();
  // Bullet finds the constraints of a link by the island of its collider: all have one.
  collider.setCollisionShape(shape != nullptr ? shape
                                              : Make<btSphereShape>(static_cast<btScalar>(0.05)));
  collider.setFriction(friction);
  collider.setActivationState(DISABLE_DEACTIVATION);
  const bool fixed = link < 0 && tree.hasFixedBase();
  if (fixed) collider.setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
  const int touches = shape == nullptr ? 0 : btBroadphaseProxy::AllFilter;
  world_->addCollisionObject(
      &collider, fixed ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter,
      fixed ? touches & ~btBroadphaseProxy::StaticFilter : touches);
  if (link < 0) {
    tree.setBaseCollider(&collider);
  } else {
    tree.getLink(link).m_collider = &collider;
  }
}

btMultiBodyJointMotor& RobotWorld::AddServo(btMultiBody& tree, int link, btScalar position,
                                            btScalar most, btScalar dt) {
  auto& motor = Add(new btMultiBodyJointMotor(&tree, link, 0, most * dt));
  motor.setPositionTarget(position, btScalar(0.2));
  motor.setVelocityTarget(0, 1);
  return motor;
}

std::vector<Pose> RobotWorld::Poses() const {
  std::vector<Pose> poses;
  for (const auto& body : bodies_) poses.push_back(PoseOf(body->getWorldTransform()));
  for (const auto& tree : trees_) {
    poses.push_back(PoseOf(tree->getBaseWorldTransform()));
    for (int i = 0; i < tree->getNumLinks(); ++i) {
      poses.push_back(PoseOf(tree->getLink(i).m_cachedWorldTransform));
    }
  }
  return poses;
}

double RobotWorld::KineticEnergy() const {
  double energy = 0;
  for (const auto& body : bodies_) {
    if (body->getInvMass() == 0) continue;
    const btVector3 angular = body->getAngularVelocity() * body->getWorldTransform().getBasis();
    const btVector3 inverse = body->getInvInertiaDiagLocal();
    energy += 0.5 * body->getLinearVelocity().length2() / body->getInvMass();
    for (int k = 0; k < 3; ++k) energy += 0.5 * angular[k] * angular[k] / inverse[k];
  }
  for (const auto& tree : trees_) {
    std::vector<btVector3> omega(tree->getNumLinks() + 1), velocity(tree->getNumLinks() + 1);
    tree->compTreeLinkVelocities(omega.data(), velocity.data());
    for (int i = tree->hasFixedBase() ? 1 : 0; i <= tree->getNumLinks(); ++i) {
      const btScalar mass = i == 0 ? tree->getBaseMass() : tree->getLinkMass(i - 1);
      const btVector3 inertia = i == 0 ? tree->getBaseInertia() : tree->getLinkInertia(i - 1);
      energy += 0.5 * mass * velocity[i].length2() + 0.5 * omega[i].dot(inertia * omega[i]);
    }
  }
  return energy;
}

double RobotWorld::DeepestPenetration() {
  double depth = 0;
  for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
    const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      depth = std::max(depth, -static_cast<double>(manifold->getContactPoint(k).getDistance()));
    }
  }
  return depth;
}

}  // namespace nonsmooth::demo
