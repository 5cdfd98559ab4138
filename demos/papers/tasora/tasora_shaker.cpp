// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/tasora/tasora_shaker.h"

#include <utility>

#include "bullet_plugin/solver.h"
#include "demos/bullet/bullet_world.h"
#include "demos/harness/worlds.h"

namespace nonsmooth::papers {
namespace {

bullet::Options OptionsOf(const ShakerOptions& options) {
  bullet::Options ours;
  ours.solve.law = {LawKind::kNcp, 0};
  ours.solve.max_iterations = options.iterations;
  ours.solve.relative_tolerance = 1e-12;
  ours.solve.measure_every = options.iterations;
  ours.iterations_of_world = false;
  return ours;
}

/// Bullet's margins are lengths: made for bodies of a metre, they let each of these spheres see a
/// hundred others. In decimetres they suit; relative errors do not change.
constexpr double kUnit = 0.1;  // [m]

void Rescale(demo::World& world) {
  for (double& g : world.gravity) g /= kUnit;
  world.shake_acceleration /= kUnit;
  for (demo::BodySpec& body : world.bodies) {
    for (int c = 0; c < 3; ++c) {
      body.size[c] /= kUnit;
      body.pose.position[c] /= kUnit;
      body.velocity[c] /= kUnit;
    }
  }
}

/// Keeps the problems it solves, when asked to.
class KeepingSolver final : public bullet::Solver {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  explicit KeepingSolver(const bullet::Options& options) : Solver("psor", options) {}

  /// The largest problem of the step begun with this.
  void Keep(std::vector<Problem>* problems) {
    problems_ = problems;
    if (problems_ != nullptr) problems_->emplace_back();
  }

 protected:
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    if (problems_ != nullptr) {
      bullet::Extractor extractor;
      extractor.Extract(
          {&m_tmpSolverBodyPool, &m_tmpSolverNonContactConstraintPool,
           &m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
           &m_tmpSolverContactRollingFrictionConstraintPool},
          info, true);
      if (extractor.problem().rows() > problems_->back().rows())
        problems_->back() = extractor.problem();
    }
    return Solver::solveGroupCacheFriendlyIterations(bodies, body_count, manifolds, manifold_count,
                                                     constraints, constraint_count, info, drawer);
  }

 private:
  std::vector<Problem>* problems_ = nullptr;
};

}  // namespace

ShakerRun RunShaker(const ShakerOptions& options) {
  demo::WorldOptions scene;
  scene.bodies = options.spheres;
  demo::World world = demo::Shaker(scene);
  const auto stands = world.stands;
  const demo::BodySpec& wall = world.bodies[1];  // the one on the left, behind the floor
  const double half_width = -wall.pose.position[0] - 0.5 * wall.size[0];
  Rescale(world);
  if (!options.friction) {
    for (demo::BodySpec& body : world.bodies) body.friction = 0;
  }
  if (!options.shaken) world.shake_acceleration = 0;
  KeepingSolver solver(OptionsOf(options));
  Set("psor", solver.solver_options(), "momentum", "0");  // the paper has none
  demo::BulletWorld bullet(world, &solver);
  ShakerRun run;
  run.half_width = half_width;
  for (int i = 0; i < options.steps; ++i) {
    const demo::Vec3 gravity = demo::GravityAt(world, i * world.dt);
    bullet.world().setGravity({gravity[0], gravity[1], gravity[2]});
    solver.Keep(i + options.kept >= options.steps ? &run.problems : nullptr);
    bullet.Step(world.dt);
    const bullet::StepResult& result = solver.result();
    run.steps.push_back({(i + 1) * world.dt, result.contacts, result.solve_seconds,
                         RelativeEnergy(result.energy_error, result.free_energy)});
  }
  std::vector<demo::Pose> poses = bullet.Poses();
  for (demo::Pose& pose : poses) {
    for (double& c : pose.position) c *= kUnit;
  }
  run.inside = stands(world, poses);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].mass == 0) continue;
    run.centres.push_back(poses[i].position);
    run.radius = kUnit * world.bodies[i].size[0];
  }
  return run;
}

}  // namespace nonsmooth::papers
