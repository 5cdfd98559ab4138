// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/preload/world.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btSimpleDynamicsWorld.h>
#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <typeinfo>
#include <utility>

#include "bullet_plugin/recording_solver.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

template <class Object>
std::string TypeName(const Object& object) {
  const char* const mangled = typeid(object).name();
  char* const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  std::string name = plain != nullptr ? plain : mangled;
  std::free(plain);
  return name;
}

/// The way to what a world keeps to itself.
template <class World>
struct Opened : World {
  static bool World::*owns_solver() { return &Opened::m_ownsConstraintSolver; }
};

struct OpenedMlcp : btMLCPSolver {
  static btMLCPSolverInterface* btMLCPSolver::*solver() { return &OpenedMlcp::m_solver; }
};

/// As World::setConstraintSolver() does, but a solver that the world owns stays alive and its own.
template <class World>
void PutSolver(World& world, btConstraintSolver* solver) {
  bool& owns = world.*Opened<World>::owns_solver();
  const bool owned = std::exchange(owns, false);
  world.World::setConstraintSolver(solver);
  owns = owned;
}

void PutSolver(btDynamicsWorld& world, btConstraintSolver* solver) {
  if (auto* discrete = dynamic_cast<btDiscreteDynamicsWorld*>(&world)) PutSolver(*discrete, solver);
  if (auto* simple = dynamic_cast<btSimpleDynamicsWorld*>(&world)) PutSolver(*simple, solver);
}

}  // namespace

class PreloadedWorld::StandIn {
 public:
  virtual ~StandIn() = default;
  virtual btConstraintSolver* solver() = 0;

  /// What the program may have set in its own solver, before a step; what the step has changed in
  /// there, after it.
  virtual void Before(btConstraintSolver& theirs) = 0;
  virtual void After(btConstraintSolver& theirs) = 0;

  virtual std::int64_t steps() const = 0;
  virtual double time() const = 0;
  virtual std::string report() const { return ""; }
};

namespace {

template <class Base>
class Watched : public PreloadedWorld::StandIn {
 public:
  template <class... Arguments>
  explicit Watched(Recording recording, Arguments&&... base)
      : solver_(new RecordingSolver<Base>(std::move(recording), std::forward<Arguments>(base)...)) {
  }

  btConstraintSolver* solver() override { return solver_.get(); }
  std::int64_t steps() const override { return solver_->steps(); }
  double time() const override { return solver_->time(); }

  void Before(btConstraintSolver& theirs) override {
    auto& from = static_cast<btSequentialImpulseConstraintSolver&>(theirs);
    Copy(from, *solver_);
    if constexpr (std::is_same_v<Base, btMLCPSolver>) {
      auto& mlcp = static_cast<btMLCPSolver&>(theirs);
      solver_->setMLCPSolver(mlcp.*OpenedMlcp::solver());
      solver_->setNumFallbacks(mlcp.getNumFallbacks());
    }
  }

  void After(btConstraintSolver& theirs) override {
    auto& to = static_cast<btSequentialImpulseConstraintSolver&>(theirs);
    Copy(*solver_, to);
    to.m_analyticsData = solver_->m_analyticsData;
    if constexpr (std::is_same_v<Base, btMLCPSolver>) {
      static_cast<btMLCPSolver&>(theirs).setNumFallbacks(solver_->getNumFallbacks());
    }
  }

  std::string report() const override {
    if constexpr (std::is_base_of_v<Solver, Base>) {
      return std::to_string(steps()) + " steps solved by " + std::string(solver_->info().name) +
             ", " + std::to_string(solver_->fallbacks()) + " groups left to Bullet's own";
    } else {
      return "";
    }
  }

 private:
  static void Copy(btSequentialImpulseConstraintSolver& from,
                   btSequentialImpulseConstraintSolver& to) {
    to.setRandSeed(from.getRandSeed());
    to.setConstraintRowSolverGeneric(from.getActiveConstraintRowSolverGeneric());
    to.setConstraintRowSolverLowerLimit(from.getActiveConstraintRowSolverLowerLimit());
  }

  std::unique_ptr<RecordingSolver<Base>> solver_;
};

/// What a step of ours leaves behind, whatever the engine or the program's callbacks throw.
class Exchanged {
 public:
  Exchanged(btDynamicsWorld& world, btConstraintSolver* theirs, PreloadedWorld::StandIn& ours)
      : world_(world), theirs_(theirs), ours_(ours) {
    ours_.Before(*theirs_);
    PutSolver(world_, ours_.solver());
  }
  ~Exchanged() {
    // A callback of the program's may have set another solver.
    if (world_.getConstraintSolver() != ours_.solver()) return;
    PutSolver(world_, theirs_);
    ours_.After(*theirs_);
  }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  btDynamicsWorld& world_;
  btConstraintSolver* theirs_;
  PreloadedWorld::StandIn& ours_;
};

}  // namespace

PreloadedWorld::PreloadedWorld(int number, btDynamicsWorld& world)
    : world_(world), run_(number, TypeName(world)) {
  run_.set_report([this] { return stand_in_ != nullptr ? stand_in_->report() : ""; });
}

PreloadedWorld::~PreloadedWorld() { run_.Close(); }

int PreloadedWorld::Step(int (*step)(void*), void* call) {
  if (stepping_ || left_alone_) return step(call);
  btConstraintSolver* const theirs = world_.getConstraintSolver();
  StandIn* const ours = theirs != nullptr ? StandInFor(theirs) : nullptr;
  if (ours == nullptr) return step(call);
  struct Stepping {
    bool& flag;
    ~Stepping() { flag = false; }
  } const stepping{stepping_};
  stepping_ = true;
  const Exchanged exchanged(world_, theirs, *ours);
  return step(call);
}

PreloadedWorld::StandIn* PreloadedWorld::StandInFor(btConstraintSolver* theirs) {
  if (theirs == theirs_) return stand_in_.get();
  try {
    std::unique_ptr<StandIn> made = Make(*theirs);
    stand_in_ = std::move(made);
    theirs_ = theirs;
  } catch (const std::exception& error) {
    stand_in_ = nullptr;
    left_alone_ = true;
    run_.Tell(std::string("is left alone: ") + error.what());
  }
  return stand_in_.get();
}

std::string PreloadedWorld::WhyNot(const btConstraintSolver& theirs) const {
  const bool bullets = typeid(theirs) == typeid(btSequentialImpulseConstraintSolver) ||
                       typeid(theirs) == typeid(btNNCGConstraintSolver) ||
                       typeid(theirs) == typeid(btMLCPSolver);
  if (bullets) return "";
  return "is left alone: its solver is a " + TypeName(theirs) +
         ", and only btSequentialImpulseConstraintSolver, btNNCGConstraintSolver and btMLCPSolver "
         "can be stood in for";
}

std::unique_ptr<PreloadedWorld::StandIn> PreloadedWorld::Make(btConstraintSolver& theirs) {
  if (const std::string why = WhyNot(theirs); !why.empty()) {
    run_.Tell(why);
    return nullptr;
  }
  Recording recording(run_.Record(MakeCaptureInfo("")));
  if (stand_in_ != nullptr) {
    recording.first_step = stand_in_->steps();
    recording.first_time = stand_in_->time();
  }
  const RunSettings& settings = Run::Instance().settings();
  if (const std::string name = settings.Get("solver"); !name.empty()) {
    auto ours = std::make_unique<Watched<Solver>>(recording, name, SolverOptions(settings));
    settings.Apply("option", static_cast<Solver*>(ours->solver())->solver_options());
    return ours;
  }
  if (typeid(theirs) == typeid(btNNCGConstraintSolver)) {
    return std::make_unique<Watched<btNNCGConstraintSolver>>(recording);
  }
  if (typeid(theirs) == typeid(btMLCPSolver)) {
    auto* solver = static_cast<btMLCPSolver&>(theirs).*OpenedMlcp::solver();
    return std::make_unique<Watched<btMLCPSolver>>(recording, solver);
  }
  return std::make_unique<Watched<btSequentialImpulseConstraintSolver>>(recording);
}

Options PreloadedWorld::SolverOptions(const RunSettings& settings) {
  Options options;
  if (!FindSolver(settings.Get("solver")).Handles(options.solve.law.kind)) {
    options.solve.law.kind = LawKind::kNative;
  }
  if (const std::string law = settings.Get("law"); !law.empty()) options.solve.law = ParseLaw(law);
  settings.Apply("solve", Fields(options.solve));
  if (!settings.Get("solve.max_iterations").empty()) {
    options.budget = options.iterations_of_world = false;
  }
  settings.Apply(
      "bullet",
      {{"budget", "-", "as much work as Bullet's iterations, or 5 % of the step", &options.budget},
       {"correct_positions", "-", "penetrations are a problem of their own",
        &options.correct_positions},
       {"iterations_of_world", "-", "as many as the world says", &options.iterations_of_world},
       {"warm_start_friction", "-", "start from last step's friction",
        &options.warm_start_friction},
       {"warm_start_joints", "-", "start from last step's joints", &options.warm_start_joints}});
  options.on_trouble = [this](const std::string& message) { run_.Tell(message); };
  return options;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
