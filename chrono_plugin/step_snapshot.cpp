// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/step_snapshot.h"

#include <algorithm>
#include <utility>

#include "chrono/physics/ChBody.h"
#include "chrono/physics/ChContactContainerNSC.h"
#include "chrono/physics/ChSystem.h"
#include "chrono_plugin/shapes.h"
#include "chrono_plugin/variable_reader-inl.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using ::chrono::ChBody;
using ::chrono::ChContactNSC;
using ::chrono::ChMatrix33;
using ::chrono::ChVector3d;

/// Protected members, read through a derived class that is never made.
struct OpenContact : ChContactNSC {
  static double Restitution(const ChContactNSC& contact) {
    return contact.*(&OpenContact::restitution);
  }
};
struct OpenContainer : ::chrono::ChContactContainerNSC {
  static const auto& Contacts(const ChContactContainerNSC& container) {
    return container.*(&OpenContainer::contacts);
  }
  static const auto& RollingContacts(const ChContactContainerNSC& container) {
    return container.*(&OpenContainer::contacts_rolling);
  }
};

std::array<double, 3> ToArray(const ChVector3d& v) { return {v.x(), v.y(), v.z()}; }

/// to ← R from, three components.
void Turn(const ChMatrix33<>& rotation, const double* from, double* to) {
  const ChVector3d turned = rotation * ChVector3d(from[0], from[1], from[2]);
  to[0] = turned.x();
  to[1] = turned.y();
  to[2] = turned.z();
}

/// R S Rᵀ, symmetric to the bit.
std::array<double, 9> TurnTensor(const ChMatrix33<>& rotation, const ChMatrix33<>& tensor) {
  const ChMatrix33<> turned = rotation * tensor * rotation.transpose();
  std::array<double, 9> result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result[3 * i + j] = 0.5 * (turned(i, j) + turned(j, i));
  }
  return result;
}

ChMatrix33<> RotationOf(const ChBody* body) {
  return body != nullptr ? body->GetRotMat() : ChMatrix33<>(1);
}

}  // namespace

StepInfo StepSnapshot::Info() const {
  StepInfo info;
  // Chrono counts a step when it begins it; assembling happens before the first.
  info.step = std::max<std::int64_t>(0, static_cast<std::int64_t>(system_->GetNumSteps()) - 1);
  info.solve = static_cast<int>(system_->GetSolverSolveCount());
  info.time = system_->GetChTime();
  info.h = system_->GetStep();
  info.gravity = ToArray(system_->GetGravitationalAcceleration());
  return info;
}

void StepSnapshot::Before(::chrono::ChSystemDescriptor& descriptor) {
  extractor_.Read(descriptor);
  FindBodies();
  ReadStates();
  ReadContacts();
  if (extractor_.packed()) {
    PoseInWorldAxes();
  } else {
    problem_ = extractor_.problem();
  }
}

void StepSnapshot::FindBodies() {
  const VariableReader& variables = extractor_.variables();
  body_of_.assign(extractor_.packed() ? variables.all().size() : 0, nullptr);
  active_.clear();
  for (const std::shared_ptr<ChBody>& body : system_->GetBodies()) {
    if (!body->IsActive() || !body->Variables().IsActive()) continue;
    active_.push_back(body.get());
    if (!extractor_.packed()) continue;
    const auto index = static_cast<std::size_t>(variables.IndexOf(body->Variables()));
    if (index < body_of_.size() && variables.all()[index] == &body->Variables()) {
      body_of_[index] = body.get();
    }
  }
}

void StepSnapshot::ReadStates() {
  const std::vector<ChBody*>& bodies = extractor_.packed() ? body_of_ : active_;
  states_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    states_[i] = BodyState();
    if (bodies[i] == nullptr) continue;
    ChBody& body = *bodies[i];
    states_[i].id = body.GetIdentifier();
    states_[i].mass = body.GetMass();
    states_[i].inertia = TurnTensor(body.GetRotMat(), body.GetInertia());
    states_[i].position = ToArray(body.GetPos());
    const ::chrono::ChQuaterniond& q = body.GetRot();
    states_[i].quaternion = {q.e0(), q.e1(), q.e2(), q.e3()};
  }
}

void StepSnapshot::ReadContacts() {
  contacts_.clear();
  keys_.clear();
  const auto container =
      std::dynamic_pointer_cast<::chrono::ChContactContainerNSC>(system_->GetContactContainer());
  if (!container) return;
  const std::vector<RowGroup>& groups = extractor_.problem().groups();
  std::vector<int> contact_of_row(extractor_.problem().rows(), -1);
  int count = 0;
  for (const RowGroup& group : groups) {
    if (group.kind == GroupKind::kContact) contact_of_row[group.first_row] = count++;
  }
  contacts_.resize(count);
  keys_.assign(count, 0);
  int found = 0;
  const auto body_index = [&](::chrono::ChContactable* object) {
    auto* body = dynamic_cast<ChBody*>(object->GetPhysicsItem());
    if (body == nullptr || !body->Variables().IsActive() || !extractor_.packed()) return -1;
    return extractor_.variables().IndexOf(body->Variables());
  };
  const auto read = [&](ChContactNSC& contact) {
    const unsigned row = contact.GetConstraintNx()->GetOffset();
    if (row >= contact_of_row.size() || contact_of_row[row] < 0 ||
        extractor_.constraint(static_cast<int>(row)) != contact.GetConstraintNx()) {
      return;
    }
    const int index = contact_of_row[row];
    ContactGeometry geometry;
    geometry.pair = {body_index(contact.GetObjA()), body_index(contact.GetObjB())};
    // On b, where Chrono puts the origin of the contact's axes.
    geometry.point = ToArray(contact.GetContactP2());
    const ChMatrix33<>& plane = contact.GetContactPlane();
    geometry.normal = {plane(0, 0), plane(1, 0), plane(2, 0)};
    geometry.tangents = {plane(0, 1), plane(1, 1), plane(2, 1),
                         plane(0, 2), plane(1, 2), plane(2, 2)};
    geometry.gap = contact.GetContactDistance();
    geometry.restitution = OpenContact::Restitution(contact);
    if (system_->GetStep() > 0) {
      geometry.cohesion = extractor_.cohesion(static_cast<int>(row)) / system_->GetStep();
    }
    contacts_[index] = geometry;
    // Contacts of one pair of bodies keep their order from step to step, mostly.
    const auto id = [](::chrono::ChContactable* object) {
      return static_cast<std::uint64_t>(object->GetPhysicsItem()->GetIdentifier());
    };
    keys_[index] = (id(contact.GetObjA()) << 32) | (id(contact.GetObjB()) & 0xffffffffu);
    ++found;
  };
  for (ChContactNSC* contact : OpenContainer::Contacts(*container)) read(*contact);
  for (ChContactNSC* contact : OpenContainer::RollingContacts(*container)) read(*contact);
  // Contacts of another container: their geometry is not known, so none is.
  if (found != count) contacts_.clear();
}

void StepSnapshot::PoseInWorldAxes() {
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(extractor_.problem().dynamics());
  std::vector<Body> bodies = dynamics.bodies();
  std::vector<TwoBodyRow> rows = dynamics.body_rows();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& body = bodies[i];
    ::chrono::ChVariables& variables = *extractor_.variables().all()[i];
    const int first = extractor_.variables().FirstVelocity(static_cast<int>(i), true) % 6;
    const ChMatrix33<> rotation = RotationOf(body_of_[i]);
    // h F = f − M v, still in the body's axes.
    const ::chrono::ChVectorRef v = variables.State();
    double impulse[6], velocity[6] = {}, momentum[6] = {};
    variables.AddMassTimesVector(Eigen::Map<::chrono::ChVectorDynamic<>>(momentum, v.size()), v);
    std::copy_n(body.applied_impulse.begin(), 6, impulse);
    for (int k = 0; k < static_cast<int>(v.size()); ++k) {
      impulse[first + k] -= momentum[k];
      velocity[first + k] = v(k);
    }
    std::copy_n(impulse, 3, body.applied_impulse.begin());
    Turn(rotation, impulse + 3, body.applied_impulse.data() + 3);
    std::copy_n(velocity, 3, body.velocity.begin());
    Turn(rotation, velocity + 3, body.velocity.data() + 3);
    ChMatrix33<> inverse;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) inverse(a, b) = body.inverse_inertia[3 * a + b];
    }
    body.inverse_inertia = TurnTensor(rotation, inverse);
  }
  for (TwoBodyRow& row : rows) {
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0) continue;
      double* angular = row.jacobian.data() + 6 * side + 3;
      const double local[3] = {angular[0], angular[1], angular[2]};
      Turn(RotationOf(body_of_[body]), local, angular);
    }
  }
  std::vector<RowGroup> groups = extractor_.problem().groups();
  std::size_t contact = 0;
  for (RowGroup& group : groups) {
    if (group.kind == GroupKind::kContact && contact < keys_.size()) group.key = keys_[contact++];
  }
  problem_ = Problem(std::make_shared<TwoBodyDynamics>(std::move(bodies), std::move(rows)),
                     std::move(groups), extractor_.problem().lower(), extractor_.problem().upper());
}

std::vector<BodyShape> StepSnapshot::NewShapes() {
  std::vector<BodyShape> shapes;
  for (const std::shared_ptr<ChBody>& body : system_->GetBodies()) {
    if (!shaped_.insert(body->GetIdentifier()).second) continue;
    std::vector<BodyShape> own = ShapesOf(*body);
    shapes.insert(shapes.end(), own.begin(), own.end());
  }
  return shapes;
}

void StepSnapshot::After(CapturedStep& step) {
  step.problem = problem_;
  step.bodies = states_;
  step.contacts = contacts_;
  step.violation.clear();
  step.x0 = extractor_.warm_start();
  extractor_.ReadSolution(step.x, step.v);
  step.w.clear();
  for (std::size_t i = 0; i < body_of_.size(); ++i) {
    double* angular = step.v.data() + 6 * i + 3;
    const double local[3] = {angular[0], angular[1], angular[2]};
    // The stepper moves bodies after the solve: these are still the axes of the problem.
    Turn(RotationOf(body_of_[i]), local, angular);
  }
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
