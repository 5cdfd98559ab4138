// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Our solvers beside Bullet's sequential impulses and NNCG on the same rows of the same step: cost
// of an iteration, of the set-up, and time to equal error. Warm start off, one group of islands,
// two friction directions.
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bullet_plugin/extractor.h"
#include "common/solve/driver.h"
#include "demos/bullet/bullet_world.h"
#include "demos/harness/worlds.h"

namespace nonsmooth {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A scene in the middle of its motion.
class Scene {
 public:
  Scene(const demo::World& world, int steps) : world_(world, &solver_) {
    info().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (int i = 0; i < steps; ++i) world_.Step(world.dt);
    info().m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    info().m_splitImpulse = 0;  // a pass of its own, the same for all
    btDiscreteDynamicsWorld& bullet = world_.world();
    bullet.performDiscreteCollisionDetection();
    // What the start of a step does before the solver is called.
    bullet.applyGravity();
    for (int i = 0; i < bullet.getNumCollisionObjects(); ++i) {
      bodies.push_back(bullet.getCollisionObjectArray()[i]);
    }
    btDispatcher& dispatcher = *bullet.getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      manifolds.push_back(dispatcher.getManifoldByIndexInternal(i));
    }
  }

  btContactSolverInfo& info() { return world_.world().getSolverInfo(); }

  std::vector<btCollisionObject*> bodies;
  std::vector<btPersistentManifold*> manifolds;

 private:
  btSequentialImpulseConstraintSolver solver_;
  demo::BulletWorld world_;
};

/// One of Bullet's solvers, phase by phase.
template <class Base>
class Probe : public Base {
 public:
  void SetUp(Scene& scene) {
    this->m_tmpSolverContactConstraintPool.resizeNoInitialize(0);
    this->m_tmpSolverNonContactConstraintPool.resizeNoInitialize(0);
    this->m_tmpSolverContactFrictionConstraintPool.resizeNoInitialize(0);
    this->m_tmpSolverContactRollingFrictionConstraintPool.resizeNoInitialize(0);
    Base::solveGroupCacheFriendlySetup(
        scene.bodies.data(), static_cast<int>(scene.bodies.size()), scene.manifolds.data(),
        static_cast<int>(scene.manifolds.size()), nullptr, 0, scene.info(), nullptr);
  }

  /// Back to where SetUp() left it.
  void Rewind() {
    for (int i = 0; i < this->m_tmpSolverBodyPool.size(); ++i) {
      this->m_tmpSolverBodyPool[i].internalGetDeltaLinearVelocity().setZero();
      this->m_tmpSolverBodyPool[i].internalGetDeltaAngularVelocity().setZero();
    }
    for (btConstraintArray* pool : {&this->m_tmpSolverContactConstraintPool,
                                    &this->m_tmpSolverContactFrictionConstraintPool}) {
      for (int i = 0; i < pool->size(); ++i) (*pool)[i].m_appliedImpulse = 0;
    }
  }

  /// [s] of `iterations` iterations.
  double Iterate(Scene& scene, int iterations) {
    scene.info().m_numIterations = iterations;
    const Clock::time_point start = Clock::now();
    Base::solveGroupCacheFriendlyIterations(
        scene.bodies.data(), static_cast<int>(scene.bodies.size()), scene.manifolds.data(),
        static_cast<int>(scene.manifolds.size()), nullptr, 0, scene.info(), nullptr);
    return SecondsSince(start);
  }

  bullet::SolverPools Pools() {
    return {&this->m_tmpSolverBodyPool, &this->m_tmpSolverNonContactConstraintPool,
            &this->m_tmpSolverContactConstraintPool,
            &this->m_tmpSolverContactFrictionConstraintPool,
            &this->m_tmpSolverContactRollingFrictionConstraintPool};
  }
};

using Si = Probe<btSequentialImpulseConstraintSolver>;
using Nncg = Probe<btNNCGConstraintSolver>;

/// Energy error [J] of what a solver of Bullet's has left in its rows.
double ErrorOf(const bullet::Extractor& extractor) {
  const Problem& problem = extractor.problem();
  FeasibleSet set;
  set.Reset(problem, {LawKind::kNative, 0}, nullptr);
  std::vector<double> x, w(problem.rows());
  extractor.ReadImpulses(x);
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureEnergy(set, FreeEnergy(set), x.data(), w.data()).sum;
}

void CountContacts(benchmark::State& state, int contacts, int iterations) {
  state.counters["contacts"] = contacts;
  state.counters["ns_per_contact_iteration"] = benchmark::Counter(
      1e-9 * contacts * iterations,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

constexpr int kIterations = 50;

template <class Solver>
void SweepBullet(benchmark::State& state, Scene& scene) {
  Solver solver;
  solver.SetUp(scene);
  for (auto _ : state) {
    solver.Rewind();
    state.SetIterationTime(solver.Iterate(scene, kIterations));
  }
  CountContacts(state, solver.Pools().contacts->size(), kIterations);
}

void SweepOurs(benchmark::State& state, Scene& scene, const std::string& name, LawKind law) {
  Si rows;
  rows.SetUp(scene);
  bullet::Extractor extractor;
  extractor.Extract(rows.Pools(), scene.info(), false);
  Driver driver(name);
  SolveOptions options;
  options.law = {law, 0};
  options.max_iterations = kIterations;
  options.measure_every = kIterations;
  options.relative_tolerance = 0;
  Solution solution;
  Result result;
  for (auto _ : state) {
    driver.Solve(extractor.problem(), options, nullptr, solution, result);
    state.SetIterationTime(result.seconds.iterate);
  }
  CountContacts(state, extractor.problem().contacts(), kIterations);
}

/// Bullet's rows from manifolds, which every solver needs.
void SetUpBullet(benchmark::State& state, Scene& scene) {
  Si solver;
  for (auto _ : state) solver.SetUp(scene);
  CountContacts(state, solver.Pools().contacts->size(), 1);
}

/// What ours need beside it: reading the rows, laying them out, measuring, writing back.
void SetUpOurs(benchmark::State& state, Scene& scene) {
  Si rows;
  rows.SetUp(scene);
  bullet::Extractor extractor;
  Driver driver("psor");
  SolveOptions options;
  options.max_iterations = 0;
  options.relative_tolerance = 0;
  Solution solution;
  Result result;
  double extract = 0, solve = 0;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    extractor.Extract(rows.Pools(), scene.info(), false);
    extract += SecondsSince(start);
    driver.Solve(extractor.problem(), options, nullptr, solution, result);
    solve += result.seconds.total();
    extractor.Write(solution);
  }
  const double runs = static_cast<double>(state.iterations());
  state.counters["extract_us"] = 1e6 * extract / runs;
  state.counters["prepare_and_finish_us"] = 1e6 * solve / runs;
  CountContacts(state, extractor.problem().contacts(), 1);
}

/// Time of Bullet's solver for `iterations`, and of ours until the error is no larger: everything
/// from Bullet's rows to Bullet's rows.
void TimeToError(benchmark::State& state, Scene& scene, const std::string& name, int iterations) {
  Si bullets;
  bullets.SetUp(scene);
  bullet::Extractor extractor;
  extractor.Extract(bullets.Pools(), scene.info(), false);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    bullets.Rewind();
    times.push_back(bullets.Iterate(scene, iterations));
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  const double si_seconds = times[4], error = ErrorOf(extractor);
  bullets.Rewind();

  Driver driver(name);
  SolveOptions options;
  options.energy_tolerance = error;
  options.relative_tolerance = 0;
  options.max_iterations = 20000;
  options.measure_every = std::max(2, iterations / 10);
  Solution solution;
  Result result;
  double seconds = 0;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    extractor.Extract(bullets.Pools(), scene.info(), false);
    driver.Solve(extractor.problem(), options, nullptr, solution, result);
    extractor.Write(solution);
    const double taken = SecondsSince(start);
    seconds += taken;
    state.SetIterationTime(taken);
    state.PauseTiming();
    bullets.Rewind();
    state.ResumeTiming();
  }
  state.counters["si_us"] = 1e6 * si_seconds;
  state.counters["si_error_J"] = error;
  state.counters["iterations"] = result.iterations;
  state.counters["speed_up"] = si_seconds * static_cast<double>(state.iterations()) / seconds;
  if (result.status != Status::kConverged) state.SetLabel("not reached");
}

void Add(const std::string& name, const std::function<void(benchmark::State&)>& run, bool manual) {
  auto* added = benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
  if (manual) added->UseManualTime();
}

void Register() {
  struct Named {
    std::string name;
    demo::World world;
    int steps;
  };
  const std::vector<Named> scenes{{"wall", demo::BrickWall({}), 60},
                                  {"spheres_1000", demo::SpheresInBox({1000, 1}), 120},
                                  {"spheres_5000", demo::SpheresInBox({5000, 1}), 120}};
  for (const Named& named : scenes) {
    // Made when first asked for: 5000 spheres take seconds to settle.
    const auto made = std::make_shared<std::unique_ptr<Scene>>();
    const auto scene = [made, named]() -> Scene& {
      if (*made == nullptr) *made = std::make_unique<Scene>(named.world, named.steps);
      return **made;
    };
    const std::string sweep = "sweep/bullet/" + named.name + "/";
    Add(
        sweep + "si", [=](auto& state) { SweepBullet<Si>(state, scene()); }, true);
    Add(
        sweep + "nncg", [=](auto& state) { SweepBullet<Nncg>(state, scene()); }, true);
    // Those whose iterations are sweeps over the contacts.
    for (const std::string name : {"psor", "nncg", "pjacobi", "apgd", "bb"}) {
      // Bullet's NNCG has the plain name.
      const std::string shown = name == "nncg" ? "our_nncg" : name;
      Add(
          sweep + shown, [=](auto& state) { SweepOurs(state, scene(), name, LawKind::kNative); },
          true);
    }
    Add(
        sweep + "psor_ncp", [=](auto& state) { SweepOurs(state, scene(), "psor", LawKind::kNcp); },
        true);
    Add(
        "setup/bullet/" + named.name + "/si", [=](auto& state) { SetUpBullet(state, scene()); },
        false);
    Add(
        "setup/bullet/" + named.name + "/ours", [=](auto& state) { SetUpOurs(state, scene()); },
        false);
    for (const int iterations : {10, 50, 200}) {
      for (const char* solver : {"psor", "nncg", "apgd", "bb"}) {
        Add(
            "time_to_error/bullet/" + named.name + "/" + solver + "/" + std::to_string(iterations),
            [=](auto& state) { TimeToError(state, scene(), solver, iterations); }, true);
      }
    }
  }
}

const bool kRegistered = [] {
  Register();
  return true;
}();

}  // namespace
}  // namespace nonsmooth
