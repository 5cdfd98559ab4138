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

int RowsOf(const SolverPools& pools) { return pools.joints->size() + pools.contacts->size(); }

int RowsOf(const MultiBodyPools& pools) {
  return RowsOf(pools.rigid) + pools.joints->size() + pools.contacts->size();
}

/// Of the first body that knows.
btVector3 GravityOf(const SolverPools& pools) {
  for (int i = 0; i < pools.bodies->size(); ++i) {
    const btRigidBody* body = (*pools.bodies)[i].m_originalBody;
    if (body != nullptr && body->getInvMass() != 0) return body->getGravity();
  }
  return {0, 0, 0};
}

btVector3 GravityOf(const MultiBodyPools& pools) { return GravityOf(pools.rigid); }

}  // namespace

CaptureInfo MakeCaptureInfo(const std::string& scene) {
  CaptureInfo info;
  info.engine = "bullet";
  info.engine_version = std::string(EngineVersion());
  info.scalar = sizeof(btScalar) == sizeof(float) ? ScalarType::kFloat32 : ScalarType::kFloat64;
  info.scene = scene;
  return info;
}

template <class Rows, class Pools>
BasicTape<Rows, Pools>::BasicTape(Recording recording)
    : recording_(std::move(recording)),
      recorder_(recording_.recorder),
      step_(recording_.first_step),
      time_(recording_.first_time) {
  if (recorder_ == nullptr && !recording_.path.empty()) {
    recorder_ = std::make_shared<Recorder>(recording_.path, MakeCaptureInfo(recording_.scene),
                                           recording_.options);
  }
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::BeginStep() {
  current_ = StepResult();
  current_.step = step_;
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::EndStep(double h) {
  measured_ = current_;
  ++step_;
  time_ += h;
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::LookAt(btCollisionObject** bodies, int body_count,
                                    btPersistentManifold** manifolds, int manifold_count) {
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

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::AddShapes(const btCollisionObject* object,
                                       std::vector<BodyShape>& shapes) {
  if (object == nullptr || !seen_.insert(ObjectId(object)).second) return;
  std::vector<BodyShape> own = ShapesOf(*object);
  shapes.insert(shapes.end(), own.begin(), own.end());
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::AfterSetup(const Pools& pools, const btContactSolverInfo& info) {
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

template <class Rows, class Pools>
StepInfo BasicTape<Rows, Pools>::MakeInfo(const Pools& pools,
                                          const btContactSolverInfo& info) const {
  StepInfo step;
  step.step = step_;
  step.island = current_.groups - 1;
  step.time = time_;
  step.h = info.m_timeStep;
  Copy(GravityOf(pools), step.gravity.data());
  return step;
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::Skip(const StepInfo& step) {
  ++skipped_;
  try {
    if (recorder_ != nullptr) recorder_->Drop(step, unread_);
  } catch (...) {
    // A listener that throws, or no memory for a message: the count is right all the same.
  }
}

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::AfterSolve(const Pools& pools, const btContactSolverInfo& info,
                                        const char* solver, int iterations, double seconds) {
  if (RowsOf(pools) == 0) return;
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

template <class Rows, class Pools>
void BasicTape<Rows, Pools>::Fill(const Pools& pools, CapturedStep& step) const {
  step.problem = extractor_.problem();
  step.x0 = x0_;
  extractor_.ReadImpulses(step.x);
  extractor_.ReadVelocities(step.v);
  FillStates(extractor_, pools, step);
}

template class BasicTape<Extractor, SolverPools>;
template class BasicTape<MultiBodyExtractor, MultiBodyPools>;

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
