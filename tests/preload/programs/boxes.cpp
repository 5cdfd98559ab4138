// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// A program that uses Bullet and knows nothing of Nonsmooth. Prints where its boxes are in the
/// end, every bit of it. As a plugin it is opened by host.cpp.
#include <btBulletDynamicsCommon.h>
#include <sys/wait.h>
#include <unistd.h>

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Dynamics/btSimpleDynamicsWorld.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSteps = 60;
constexpr int kBoxes = 4;

class OwnSolver : public btSequentialImpulseConstraintSolver {};

/// A tower of boxes, the upper ones heavier, and a ball on a string.
class Tower {
 public:
  explicit Tower(btConstraintSolver* solver, double height = 0.01) {
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver,
                                                       &configuration_);
    // The order of rows then depends on the state of the solver's random numbers.
    world_->getSolverInfo().m_solverMode |= SOLVER_RANDMIZE_ORDER;
    Add(0, &slab_, -1);
    for (int i = 0; i < kBoxes; ++i) Add(1 << (2 * i), &cube_, 0.5 + i * (1 + height));
    btRigidBody& ball = Add(1, &ball_, 1);
    ball.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(5, 0, 3)));
    string_ = std::make_unique<btPoint2PointConstraint>(ball, btVector3(-1, 0, 1));
    world_->addConstraint(string_.get());
  }
  ~Tower() {
    world_->removeConstraint(string_.get());
    for (const auto& body : bodies_) world_->removeRigidBody(body.get());
  }

  btDiscreteDynamicsWorld& world() { return *world_; }
  void Step(int steps = kSteps) {
    for (int i = 0; i < steps; ++i) world_->stepSimulation(btScalar(1) / 60, 0);
  }
  void Print() const {
    for (const auto& body : bodies_) {
      const btVector3 place = body->getWorldTransform().getOrigin();
      std::printf("%a %a %a\n", double(place.x()), double(place.y()), double(place.z()));
    }
    std::fflush(stdout);
  }

 private:
  btRigidBody& Add(double mass, btCollisionShape* shape, double z) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    bodies_.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape, inertia));
    bodies_.back()->setWorldTransform(
        btTransform(btQuaternion::getIdentity(), btVector3(0, 0, btScalar(z))));
    world_->setGravity(btVector3(0, 0, btScalar(-9.81)));
    world_->addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btBoxShape slab_{btVector3(20, 20, 1)};
  btBoxShape cube_{btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5))};
  btSphereShape ball_{btScalar(0.5)};
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::unique_ptr<btPoint2PointConstraint> string_;
};

void RunWith(btConstraintSolver* solver) {
  Tower tower(solver);
  tower.Step();
  tower.Print();
}

void RunThreads() {
  Tower one(nullptr, 0.01);
  Tower other(nullptr, 0.02);
  std::thread thread([&one] { one.Step(); });
  other.Step();
  thread.join();
  one.Print();
  other.Print();
}

void RunFork(btConstraintSolver* solver) {
  Tower tower(solver);
  tower.Step(kSteps / 2);
  const pid_t child = fork();
  tower.Step(kSteps / 2);
  tower.Print();
  if (child == 0) std::exit(0);
  waitpid(child, nullptr, 0);
}

/// Leaves a step by an exception, and goes on.
void RunThrow(btConstraintSolver* solver) {
  Tower tower(solver);
  tower.world().setInternalTickCallback([](btDynamicsWorld*, btScalar) {
    static int calls = 0;
    if (++calls == 3) throw std::runtime_error("a callback");
  });
  for (int i = 0; i < kSteps; ++i) {
    try {
      tower.Step(1);
    } catch (const std::runtime_error&) {
      std::printf("thrown, solver %s\n",
                  tower.world().getConstraintSolver() == solver ? "ours" : "another");
    }
  }
  tower.Print();
}

void RunExchange() {
  btSequentialImpulseConstraintSolver first;
  btNNCGConstraintSolver second;
  Tower tower(&first);
  tower.Step(kSteps / 2);
  tower.world().setConstraintSolver(&second);
  tower.Step(kSteps / 2);
  tower.Print();
}

int Run(const std::string& mode) {
  btSequentialImpulseConstraintSolver solver;
  if (mode == "plain") RunWith(&solver);
  if (mode == "owned") RunWith(nullptr);
  if (mode == "threads") RunThreads();
  if (mode == "fork") RunFork(&solver);
  if (mode == "throw") RunThrow(&solver);
  if (mode == "exchange") RunExchange();
  if (mode == "nncg") {
    btNNCGConstraintSolver nncg;
    RunWith(&nncg);
  }
  if (mode == "mlcp") {
    btDantzigSolver dantzig;
    btMLCPSolver mlcp(&dantzig);
    RunWith(&mlcp);
  }
  if (mode == "own") {
    OwnSolver own;
    RunWith(&own);
  }
  if (mode == "again") {
    for (int i = 0; i < 3; ++i) RunWith(&solver);
  }
  if (mode == "code") {
    RunWith(&solver);
    return 42;
  }
  if (mode == "kill") {
    Tower tower(&solver);
    tower.Step();
    usleep(200'000);  // the recorder writes every few milliseconds
    std::raise(SIGKILL);
  }
  return 0;
}

}  // namespace

#ifdef NONSMOOTH_AS_PLUGIN
extern "C" int RunBoxes(const char* mode) { return Run(mode); }
#else
int main(int argc, char** argv) { return Run(argc > 1 ? argv[1] : "plain"); }
#endif
