// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/recording.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <exception>
#include <utility>

#include "bullet_plugin/identity.h"
#include "bullet_plugin/shapes.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

void Copy(const btVector3& from, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

BodyState StateOf(const btRigidBody& body) {
  BodyState state;
  state.id = ObjectId(&body);
  state.mass = body.getInvMass() > 0 ? 1.0 / body.getInvMass() : 0.0;
  const btTransform& pose = body.getWorldTransform();
  Copy(pose.getOrigin(), state.position.data());
  const btQuaternion turn = pose.getRotation();
  state.quaternion = {turn.w(), turn.x(), turn.y(), turn.z()};
  const btMatrix3x3& basis = pose.getBasis();
  const btVector3& inverse = body.getInvInertiaDiagLocal();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        if (inverse[k] > 0) state.inertia[3 * i + j] += basis[i][k] * basis[j][k] / inverse[k];
      }
    }
  }
  return state;
}

/// The direction of a friction row; one of its bodies may be the fixed one, without a block.
btVector3 DirectionOf(const btSolverConstraint& row) {
  return row.m_contactNormal1.isZero() ? -row.m_contactNormal2 : row.m_contactNormal1;
}

}  // namespace

CaptureInfo MakeCaptureInfo(const std::string& scene) {
  CaptureInfo info;
  info.engine = "bullet";
  info.engine_version = std::string(EngineVersion());
  info.scalar = sizeof(btScalar) == sizeof(float) ? ScalarType::kFloat32 : ScalarType::kFloat64;
  info.scene = scene;
  return info;
}

Tape::Tape(Recording recording)
    : recording_(std::move(recording)),
      recorder_(recording_.recorder),
      step_(recording_.first_step),
      time_(recording_.first_time) {
  if (recorder_ == nullptr && !recording_.path.empty()) {
    recorder_ = std::make_shared<Recorder>(recording_.path, MakeCaptureInfo(recording_.scene),
                                           recording_.options);
  }
}

void Tape::BeginStep() {
  current_ = StepResult();
  current_.step = step_;
}

void Tape::EndStep(double h) {
  measured_ = current_;
  ++step_;
  time_ += h;
}

void Tape::LookAt(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                  int manifold_count) {
  if (recorder_ == nullptr) return;
  try {
    std::vector<BodyShape> shapes;
    for (int i = 0; i < body_count; ++i) AddShapes(bodies[i], shapes);
    // What stands still is among nobody's bodies, but touched by somebody.
    for (int i = 0; i < manifold_count; ++i) {
      AddShapes(manifolds[i]->getBody0(), shapes);
      AddShapes(manifolds[i]->getBody1(), shapes);
    }
    if (!shapes.empty()) recorder_->AddShapes(std::move(shapes));
  } catch (const std::exception&) {
    // Shapes that are no numbers: those who look at the capture see a box instead.
  }
}

void Tape::AddShapes(const btCollisionObject* object, std::vector<BodyShape>& shapes) {
  if (object == nullptr || !seen_.insert(ObjectId(object)).second) return;
  std::vector<BodyShape> own = ShapesOf(*object);
  shapes.insert(shapes.end(), own.begin(), own.end());
}

void Tape::AfterSetup(const SolverPools& pools, const btContactSolverInfo& info) {
  extracted_ = false;
  unread_.clear();
  if (!Active()) return;
  try {
    extractor_.Extract(pools, info, recorder_ != nullptr);
    extractor_.ReadImpulses(x0_);
    extracted_ = true;
  } catch (const std::exception& trouble) {
    // Rows that are no numbers: the simulation has broken down, and a capture cannot hold it.
    unread_ = trouble.what();
  }
}

StepInfo Tape::MakeInfo(const SolverPools& pools, const btContactSolverInfo& info) const {
  StepInfo step;
  step.step = step_;
  step.island = current_.groups - 1;
  step.time = time_;
  step.h = info.m_timeStep;
  for (int i = 0; i < pools.bodies->size(); ++i) {
    const btRigidBody* body = (*pools.bodies)[i].m_originalBody;
    if (body == nullptr || body->getInvMass() == 0) continue;
    Copy(body->getGravity(), step.gravity.data());
    break;
  }
  return step;
}

void Tape::Skip(const StepInfo& step) {
  ++skipped_;
  try {
    if (recorder_ != nullptr) recorder_->Drop(step, unread_);
  } catch (...) {
    // A listener that throws, or no memory for a message: the count is right all the same.
  }
}

void Tape::AfterSolve(const SolverPools& pools, const btContactSolverInfo& info, const char* solver,
                      int iterations, double seconds) {
  const int rows = pools.joints->size() + pools.contacts->size();
  if (rows == 0) return;
  ++current_.groups;
  current_.solve_seconds += seconds;
  if (iterations > 0) current_.iterations += iterations;
  StepInfo step = MakeInfo(pools, info);
  if (!extracted_) {
    if (Active()) Skip(step);
    return;
  }
  try {
    const Problem& problem = extractor_.problem();
    EnergyError energy;
    if (recording_.measure) {
      extractor_.ReadImpulses(x_);
      w_.resize(x_.size());
      set_.Reset(problem, recording_.measure_law, x0_.data());
      problem.dynamics().ConstraintVelocity(x_.data(), w_.data(), workspace_);
      energy = MeasureEnergy(set_, FreeEnergy(set_), x_.data(), w_.data());
    }
    current_.Add(problem.rows(), problem.contacts(), energy);
    if (recorder_ == nullptr) return;
    step.solver = solver;
    step.iterations = iterations;
    step.seconds = seconds;
    if (Recorder::Slot slot = recorder_->Begin(step)) {
      Fill(pools, *slot);
      recorder_->Submit(std::move(slot));
    }
  } catch (...) {
    // A recording never stops a simulation; the recorder counts what it does not get.
    ++skipped_;
  }
}

void Tape::Fill(const SolverPools& pools, CapturedStep& step) const {
  step.problem = extractor_.problem();
  step.x0 = x0_;
  extractor_.ReadImpulses(step.x);
  extractor_.ReadVelocities(step.v);
  step.bodies.clear();
  for (int i = 0; i < pools.bodies->size(); ++i) {
    if (extractor_.body(i) >= 0) step.bodies.push_back(StateOf(*(*pools.bodies)[i].m_originalBody));
  }
  step.contacts.clear();
  const btConstraintArray& contacts = *pools.contacts;
  for (int c = 0; c < contacts.size(); ++c) {
    const btSolverConstraint& row = contacts[c];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    ContactGeometry& contact = step.contacts.emplace_back();
    contact.pair = {extractor_.body(row.m_solverBodyIdB), extractor_.body(row.m_solverBodyIdA)};
    Copy(point.getPositionWorldOnB(), contact.point.data());
    Copy(point.m_normalWorldOnB, contact.normal.data());
    const int end =
        c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : pools.friction->size();
    for (int i = row.m_frictionIndex, k = 0; i < end && k < 2; ++i, ++k) {
      Copy(DirectionOf((*pools.friction)[i]), contact.tangents.data() + 3 * k);
    }
    contact.gap = point.getDistance();
    contact.restitution = point.m_combinedRestitution;
  }
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
