// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scene.h"

#include <cmath>

#include "chrono/collision/ChCollisionShapeSphere.h"
#include "chrono/physics/ChBodyEasy.h"

namespace nonsmooth::test {

chrono::Options Converged(const char* law, const char* solver) {
  chrono::Options options;
  options.solver = solver;
  options.solve.law = ParseLaw(law);
  options.solve.max_iterations = 20000;
  options.solve.relative_tolerance = 1e-26;
  options.solve.measure_every = 20;
  options.solve.stall_iterations = 400;
  return options;
}

Scene::Scene(const chrono::Options& options, double time_step)
    : step(time_step), solver(chrono_types::make_shared<chrono::Solver>(options)) {
  system.SetCollisionSystemType(::chrono::ChCollisionSystem::Type::BULLET);
  system.SetGravitationalAcceleration(ChVector3d(0, 0, -kGravity));
  system.SetSolver(solver);
  Material(0.5);
}

void Scene::Material(double friction, double restitution) {
  material = chrono_types::make_shared<::chrono::ChContactMaterialNSC>();
  material->SetFriction(static_cast<float>(friction));
  material->SetRestitution(static_cast<float>(restitution));
}

std::shared_ptr<ChBody> Scene::Ground() {
  auto ground = Box(ChVector3d(20, 20, 2), 1000, ChVector3d(0, 0, -1));
  ground->SetFixed(true);
  return ground;
}

std::shared_ptr<ChBody> Scene::Box(const ChVector3d& size, double mass,
                                   const ChVector3d& position) {
  const double density = mass / (size.x() * size.y() * size.z());
  auto body = chrono_types::make_shared<::chrono::ChBodyEasyBox>(
      size.x(), size.y(), size.z(), density, /*visualize=*/false, /*collide=*/true, material);
  body->SetPos(position);
  system.AddBody(body);
  return body;
}

std::shared_ptr<ChBody> Scene::Sphere(double radius, double mass, const ChVector3d& position) {
  const double density = mass / (4.0 / 3.0 * M_PI * radius * radius * radius);
  auto body = chrono_types::make_shared<::chrono::ChBodyEasySphere>(
      radius, density, /*visualize=*/false, /*collide=*/true, material);
  body->SetPos(position);
  system.AddBody(body);
  return body;
}

std::shared_ptr<ChBody> Scene::Sled(double mass, const ChVector3d& position) {
  auto body = chrono_types::make_shared<ChBody>();
  body->SetMass(mass);
  body->SetInertiaXX(ChVector3d(mass / 12, mass / 12, mass / 6));
  body->SetPos(position);
  for (double x : {-0.5, 0.5}) {
    for (double y : {-0.5, 0.5}) {
      auto foot =
          chrono_types::make_shared<::chrono::ChCollisionShapeSphere>(material, kFootRadius);
      body->AddCollisionShape(foot, ::chrono::ChFramed(ChVector3d(x, y, 0)));
    }
  }
  body->EnableCollision(true);
  system.AddBody(body);
  return body;
}

std::shared_ptr<ChBody> Scene::Point(double mass, double inertia, const ChVector3d& position) {
  auto body = chrono_types::make_shared<ChBody>();
  body->SetMass(mass);
  body->SetInertiaXX(ChVector3d(inertia, inertia, inertia));
  body->SetPos(position);
  system.AddBody(body);
  return body;
}

std::shared_ptr<ChBody> Scene::Frame() {
  auto body = Point(1, 1, ChVector3d(0, 0, 0));
  body->SetFixed(true);
  return body;
}

void Scene::Run(double seconds) {
  const long steps = std::lround(seconds / step);
  for (long k = 0; k < steps; ++k) Step();
}

ChVector3d Scene::ContactForce(ChBody* body) {
  system.GetContactContainer()->ComputeContactForces();
  return system.GetContactContainer()->GetContactableForce(body);
}

}  // namespace nonsmooth::test
