// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/chrono/chrono_world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "chrono/collision/ChCollisionShapes.h"
#include "chrono/physics/ChContactMaterialNSC.h"
#include "chrono/physics/ChLinkLock.h"

namespace nonsmooth::demo {
namespace {

using ::chrono::ChBody;
using ::chrono::ChFramed;
using ::chrono::ChSystemNSC;
using ::chrono::ChVector3d;

/// Solid of constant density: principal moments per mass.
ChVector3d Inertia(const BodySpec& body) {
  const Vec3& s = body.size;
  if (body.shape == ShapeKind::kSphere) {
    const double i = 0.4 * s[0] * s[0];
    return {i, i, i};
  }
  if (body.shape == ShapeKind::kCylinder) {
    const double across = (3 * s[0] * s[0] + s[1] * s[1]) / 12;
    return {across, 0.5 * s[0] * s[0], across};
  }
  if (body.shape == ShapeKind::kCapsule) {
    // A cylinder and a ball cut in two, by their share of the volume.
    const double r = s[0], l = s[1];
    const double ball = 4 * r / (4 * r + 3 * l), rod = 1 - ball;
    const double across =
        rod * (3 * r * r + l * l) / 12 + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    return {across, rod * 0.5 * r * r + ball * 0.4 * r * r, across};
  }
  return {(s[1] * s[1] + s[2] * s[2]) / 12, (s[0] * s[0] + s[2] * s[2]) / 12,
          (s[0] * s[0] + s[1] * s[1]) / 12};
}

void AddShape(const BodySpec& spec, ChBody& body) {
  auto material = chrono_types::make_shared<::chrono::ChContactMaterialNSC>();
  material->SetFriction(static_cast<float>(spec.friction));
  material->SetRestitution(static_cast<float>(spec.restitution));
  const Vec3& s = spec.size;
  const ChFramed upright(ChVector3d(), ::chrono::QuatFromAngleX(::chrono::CH_PI_2));
  switch (spec.shape) {
    case ShapeKind::kBox:
      body.AddCollisionShape(
          chrono_types::make_shared<::chrono::ChCollisionShapeBox>(material, s[0], s[1], s[2]));
      break;
    case ShapeKind::kSphere:
      body.AddCollisionShape(
          chrono_types::make_shared<::chrono::ChCollisionShapeSphere>(material, s[0]));
      break;
    case ShapeKind::kCylinder:  // Chrono's stands along z
      body.AddCollisionShape(
          chrono_types::make_shared<::chrono::ChCollisionShapeCylinder>(material, s[0], s[1]),
          upright);
      break;
    case ShapeKind::kCapsule:  // likewise
      body.AddCollisionShape(
          chrono_types::make_shared<::chrono::ChCollisionShapeCapsule>(material, s[0], s[1]),
          upright);
      break;
    case ShapeKind::kHull: {
      std::vector<ChVector3d> points;
      for (const Vec3& point : spec.points) points.push_back(ToChrono(point));
      body.AddCollisionShape(
          chrono_types::make_shared<::chrono::ChCollisionShapeConvexHull>(material, points));
      break;
    }
  }
}

std::shared_ptr<ChBody> MakeBody(const BodySpec& spec) {
  auto body = chrono_types::make_shared<ChBody>();
  const double mass = spec.mass > 0 ? spec.mass : 1.0;
  body->SetMass(mass);
  body->SetInertiaXX(mass * Inertia(spec));
  body->SetFixed(spec.mass == 0);
  body->SetPos(ToChrono(spec.pose.position));
  const Quaternion& q = spec.pose.rotation;
  body->SetRot(::chrono::ChQuaterniond(q[0], q[1], q[2], q[3]));
  body->SetPosDt(ToChrono(spec.velocity));
  AddShape(spec, *body);
  if (spec.force != Vec3{}) {
    body->AccumulateForce(body->AddAccumulator(), ToChrono(spec.force), body->GetPos(), false);
  }
  body->EnableCollision(true);
  return body;
}

/// Keeps bodies that are joined from touching each other.
class KeepApart : public ::chrono::ChCollisionSystem::BroadphaseCallback {
 public:
  void Add(const ChBody* a, const ChBody* b) { pairs_.insert(std::minmax(Model(a), Model(b))); }
  bool OnBroadphase(::chrono::ChCollisionModel* a, ::chrono::ChCollisionModel* b) override {
    return pairs_.count(std::minmax<const ::chrono::ChCollisionModel*>(a, b)) == 0;
  }

 private:
  static const ::chrono::ChCollisionModel* Model(const ChBody* body) {
    return body->GetCollisionModel().get();
  }
  std::set<std::pair<const ::chrono::ChCollisionModel*, const ::chrono::ChCollisionModel*>> pairs_;
};

void SetLimits(::chrono::ChLinkLimit& limit, const JointSpec& joint) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (joint.lower == -infinity && joint.upper == infinity) return;
  limit.SetActive(true);
  limit.SetMin(std::max(joint.lower, -1e9));
  limit.SetMax(std::min(joint.upper, 1e9));
}

/// z of the link's frame along the joint's axis: about which hinges turn, along which sliders go.
ChFramed FrameOf(const JointSpec& joint) {
  ::chrono::ChMatrix33<> axes;
  axes.SetFromAxisZ(ToChrono(joint.axis));
  return ChFramed(ToChrono(joint.point), axes);
}

void AddJoint(ChSystemNSC& system, const JointSpec& joint,
              const std::vector<std::shared_ptr<ChBody>>& bodies, std::vector<Motor>& motors) {
  const auto& a = bodies[joint.body_a];
  const auto& b = bodies[joint.body_b];
  std::shared_ptr<::chrono::ChLinkLock> link;
  if (joint.kind == JointKind::kBall) {
    link = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  } else if (joint.kind == JointKind::kHinge) {
    link = chrono_types::make_shared<::chrono::ChLinkLockRevolute>();
    SetLimits(link->LimitRz(), joint);
  } else {
    link = chrono_types::make_shared<::chrono::ChLinkLockPrismatic>();
    SetLimits(link->LimitZ(), joint);
  }
  link->Initialize(b, a, FrameOf(joint));
  system.AddLink(link);
  if (joint.motor_most <= 0) return;
  const auto kind = joint.kind == JointKind::kSlider ? BoundedMotor::Kind::kLinear
                                                     : BoundedMotor::Kind::kRotation;
  auto item = chrono_types::make_shared<BoundedMotor>(kind, a, b, ToChrono(joint.point),
                                                      ToChrono(joint.axis), joint.motor_most);
  system.Add(item);
  motors.push_back({item, joint.motor_speed, joint.motor_start});
}

/// [m] Contacts are found from so far apart: what bodies may travel in a step or two, but little
/// beside their size.
double Envelope(const World& world) {
  double envelope = 0.005;
  for (const BodySpec& body : world.bodies) {
    if (body.mass > 0) envelope = std::min(envelope, 0.1 * body.size[0]);
  }
  return envelope;
}

/// Chrono takes the smaller of two coefficients; a scene means their geometric mean.
class GeometricMean : public ::chrono::ChContactMaterialCompositionStrategy {
 public:
  float CombineFriction(float a, float b) const override { return std::sqrt(a * b); }
};

}  // namespace

std::unique_ptr<ChSystemNSC> BuildSystem(const World& world, std::vector<Motor>& motors) {
  auto system = std::make_unique<ChSystemNSC>();
  // After the system, whose constructor sets these too.
  ::chrono::ChCollisionModel::SetDefaultSuggestedEnvelope(Envelope(world));
  ::chrono::ChCollisionModel::SetDefaultSuggestedMargin(0.5 * Envelope(world));
  system->SetCollisionSystemType(::chrono::ChCollisionSystem::Type::BULLET);
  system->SetMaterialCompositionStrategy(std::make_unique<GeometricMean>());
  system->SetGravitationalAcceleration(ToChrono(world.gravity));
  std::vector<std::shared_ptr<ChBody>> bodies;
  for (const BodySpec& spec : world.bodies) {
    bodies.push_back(MakeBody(spec));
    system->AddBody(bodies.back());
  }
  auto keep_apart = std::make_shared<KeepApart>();
  for (const JointSpec& joint : world.joints) {
    AddJoint(*system, joint, bodies, motors);
    if (!joint.collide) keep_apart->Add(bodies[joint.body_a].get(), bodies[joint.body_b].get());
  }
  system->GetCollisionSystem()->RegisterBroadphaseCallback(keep_apart);
  return system;
}

}  // namespace nonsmooth::demo
