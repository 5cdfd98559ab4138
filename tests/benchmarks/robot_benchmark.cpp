// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots: the very rows that a btMultiBodyConstraintSolver is about to iterate on, solved by it and
// by ours in turn. A world moves on as Bullet's solver says.
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "bullet_plugin/multibody_extractor.h"
#include "common/error/energy_error.h"
#include "common/solve/driver.h"
#include "demos/bullet/robots/robots.h"

namespace nonsmooth::demo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kIterations = 50, kRepeats = 5, kEvery = 20;

/// Sums over the steps that were looked at.
struct Totals {
  int steps = 0;
  double rows = 0;
  double bullet = 0;  ///< [s] of Bullet's iterations
  double bullet_error = 0;
  double read = 0;                         ///< [s] to read Bullet's rows as a problem
  std::map<std::string, double> to_error;  ///< [s] to Bullet's error, with reading and writing
  std::map<std::string, int> missed;       ///< steps in which that error was not reached
  double sweeps = 0;                       ///< [s] of as many iterations of psor
  double exact = 0;                        ///< [s] of `exact` alone to 1e-8
  int exact_missed = 0;
};

template <class Function>
double Fastest(const Function& function) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const Clock::time_point start = Clock::now();
    function();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

double ErrorOf(const Problem& problem, const std::vector<double>& x) {
  FeasibleSet set;
  set.Reset(problem, {LawKind::kNative, 0}, nullptr);
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureEnergy(set, FreeEnergy(set), x.data(), w.data()).sum;
}

template <class Base>
class SideBySide : public Base {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();
  template <class... Arguments>
  explicit SideBySide(Arguments... arguments) : Base(arguments...) {
    this->m_tmpMultiBodyConstraints = nullptr;
    this->m_tmpNumMultiBodyConstraints = 0;
    for (const char* name : {"psor", "nncg", "exact", "auto"}) drivers_.emplace_back(name);
  }
  const Totals& totals() const { return totals_; }

 protected:
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    const auto iterate = [&] {
      return Base::solveGroupCacheFriendlyIterations(bodies, body_count, manifolds, manifold_count,
                                                     constraints, constraint_count, info, drawer);
    };
    const int contacts = this->m_multiBodyNormalContactConstraints.size();
    if (contacts == 0 || groups_++ % kEvery != 0) return iterate();
    bullet::MultiBodyPools pools;
    pools.rigid = {&this->m_tmpSolverBodyPool, &this->m_tmpSolverNonContactConstraintPool,
                   &this->m_tmpSolverContactConstraintPool,
                   &this->m_tmpSolverContactFrictionConstraintPool,
                   &this->m_tmpSolverContactRollingFrictionConstraintPool};
    pools.joints = &this->m_multiBodyNonContactConstraints;
    pools.contacts = &this->m_multiBodyNormalContactConstraints;
    pools.friction = &this->m_multiBodyFrictionContactConstraints;
    pools.rolling = &this->m_multiBodyTorsionalFrictionContactConstraints;
    pools.spinning = &this->m_multiBodySpinningFrictionContactConstraints;
    pools.data = &this->m_data;

    extractor_.Extract(pools, info, false);
    Solution start;
    start.x.assign(extractor_.problem().rows(), 0.0);
    start.v.resize(extractor_.problem().dynamics().velocity_size());
    extractor_.problem().dynamics().FreeVelocity(start.v.data());
    ++totals_.steps;
    totals_.rows += extractor_.problem().rows();
    totals_.bullet += Fastest([&] {
      extractor_.Write(start);
      iterate();
    });
    std::vector<double> x;
    extractor_.ReadImpulses(x);
    const double error = ErrorOf(extractor_.problem(), x);
    totals_.bullet_error += error;
    totals_.read += Fastest([&] { extractor_.Extract(pools, info, false); });
    for (Driver& driver : drivers_) SolveTo(error, driver, pools, info);
    MeasureAlone();
    extractor_.Write(start);
    return iterate();
  }

 private:
  void SolveTo(double error, Driver& driver, const bullet::MultiBodyPools& pools,
               const btContactSolverInfo& info) {
    SolveOptions options;
    options.relative_tolerance = 1e-14;
    options.energy_tolerance = error;
    options.measure_every = 5;
    options.max_iterations = 1000;
    const std::string name(driver.info().name);
    totals_.to_error[name] += Fastest([&] {
      extractor_.Extract(pools, info, false);
      driver.Solve(extractor_.problem(), options, nullptr, solution_, result_);
      extractor_.Write(solution_);
    });
    if (!result_.converged()) ++totals_.missed[name];
  }

  void MeasureAlone() {
    SolveOptions options;
    options.relative_tolerance = 0;
    options.measure_every = 1000;
    options.max_iterations = kIterations;
    const Problem& problem = extractor_.problem();
    totals_.sweeps +=
        Fastest([&] { drivers_[0].Solve(problem, options, nullptr, solution_, result_); });
    options.relative_tolerance = 1e-8;
    options.max_iterations = 1000;
    options.measure_every = 1;
    totals_.exact +=
        Fastest([&] { drivers_[2].Solve(problem, options, nullptr, solution_, result_); });
    if (!result_.converged()) ++totals_.exact_missed;
  }

  std::vector<Driver> drivers_;
  bullet::MultiBodyExtractor extractor_;
  Solution solution_;
  Result result_;
  Totals totals_;
  int groups_ = 0;
};

/// Five legs of six joints each, thirty in all, on box-shaped feet: twenty contacts.
class PentapodRobot final : public Robot {
 public:
  void Build(RobotWorld& world, double dt) override {
    const auto point = [](double x, double y, double z) {
      return btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y),
                       static_cast<btScalar>(z));
    };
    world.AddGround();
    TreeSpec spec;
    spec.centre = point(0, 0, 0.64);
    spec.mass = 20;
    for (int leg = 0; leg < 5; ++leg) {
      const double angle = leg * 2 * 3.14159265358979 / 5;
      const double x = 0.5 * std::cos(angle), y = 0.5 * std::sin(angle);
      for (int joint = 0; joint < 6; ++joint) {
        LinkSpec link;
        link.parent = joint == 0 ? -1 : static_cast<int>(spec.links.size()) - 1;
        link.axis = joint % 3 == 0   ? point(0, 0, 1)
                    : joint % 3 == 1 ? point(1, 0, 0)
                                     : point(0, 1, 0);
        link.pivot = point(x, y, 0.64 - 0.1 * joint);
        link.centre = point(x, y, 0.59 - 0.1 * joint);
        link.mass = static_cast<btScalar>(0.5);
        if (joint == 5) {
          link.centre = point(x, y, 0.04);
          link.shape = world.Make<btBoxShape>(point(0.08, 0.08, 0.0401));
        }
        spec.links.push_back(link);
      }
    }
    btMultiBody& tree = world.AddTree(spec);
    for (int i = 0; i < 30; ++i) world.AddServo(tree, i, 0, 100, static_cast<btScalar>(dt));
  }
};

std::unique_ptr<Robot> MakeNamed(const std::string& name) {
  return name == "pentapod" ? std::make_unique<PentapodRobot>() : MakeRobot(name);
}

template <class Solver>
void RunRobot(benchmark::State& state, const std::string& name, double dt, int steps,
              Solver* solver) {
  for (auto _ : state) {
    RobotWorld world(solver);
    world.info().m_numIterations = kIterations;
    const std::unique_ptr<Robot> robot = MakeNamed(name);
    robot->Build(world, dt);
    for (int i = 0; i < steps; ++i) {
      robot->Drive(world, i * dt);
      world.Step(static_cast<btScalar>(dt));
    }
  }
  const Totals& totals = solver->totals();
  if (totals.steps == 0) return;
  const double per_step = 1e6 / totals.steps;
  state.counters["rows"] = totals.rows / totals.steps;
  state.counters["bullet_us"] = totals.bullet * per_step;
  state.counters["bullet_error_J"] = totals.bullet_error / totals.steps;
  state.counters["bullet_ns_row"] = 1e9 * totals.bullet / (kIterations * totals.rows);
  state.counters["psor_ns_row"] = 1e9 * totals.sweeps / (kIterations * totals.rows);
  state.counters["read_us"] = totals.read * per_step;
  for (const auto& [solver_name, seconds] : totals.to_error) {
    state.counters[solver_name + "_ratio"] = totals.bullet / seconds;
  }
  for (const auto& [solver_name, count] : totals.missed) {
    state.counters[solver_name + "_missed"] = static_cast<double>(count) / totals.steps;
  }
  state.counters["exact_us"] = totals.exact * per_step;
  state.counters["exact_missed"] = static_cast<double>(totals.exact_missed) / totals.steps;
}

const bool kRegistered = [] {
  struct Scene {
    const char* name;
    double dt;
    int steps;
  };
  for (const Scene& scene :
       {Scene{"arm", 1.0 / 240, 960}, Scene{"quadruped", 1.0 / 240, 960},
        Scene{"robot_gripper", 1.0 / 500, 2000}, Scene{"robot_chain", 1.0 / 1000, 3000},
        Scene{"ragdolls", 1.0 / 240, 960}, Scene{"pentapod", 1.0 / 240, 480}}) {
    const std::string name = std::string("robots/") + scene.name;
    benchmark::RegisterBenchmark((name + "/si").c_str(),
                                 [scene](benchmark::State& state) {
                                   SideBySide<btMultiBodyConstraintSolver> solver;
                                   RunRobot(state, scene.name, scene.dt, scene.steps, &solver);
                                 })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    benchmark::RegisterBenchmark((name + "/dantzig").c_str(),
                                 [scene](benchmark::State& state) {
                                   btDantzigSolver dantzig;
                                   SideBySide<btMultiBodyMLCPConstraintSolver> solver(
                                       static_cast<btMLCPSolverInterface*>(&dantzig));
                                   RunRobot(state, scene.name, scene.dt, scene.steps, &solver);
                                 })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
  return true;
}();

}  // namespace
}  // namespace nonsmooth::demo
