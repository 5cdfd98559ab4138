// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// A small simulation that records every step's problem: something to replay. The files in
// tests/data were made by it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <stdexcept>
#include <string>

#include "common/solve/driver.h"
#include "common/solver/warm_start.h"
#include "demos/record/ball_world.h"
#include "recorders/recording/recorder.h"

namespace nonsmooth {
namespace {

struct Arguments {
  std::string out;
  std::string scene = "balls";
  std::string law = "ncp";
  std::string solver = "psor";
  int steps = 60;
  int balls = 12;
  int iterations = 30;
  bool float32 = false;
};

/// Balls of three sizes falling into a box; a heavy one comes last, on top.
BallWorld Balls(const Arguments& arguments, BallWorldOptions options) {
  options.half_width = 0.25;
  BallWorld world(options);
  const double radii[] = {0.06, 0.08, 0.05};
  for (int k = 0; k < arguments.balls; ++k) {
    const double radius = radii[k % 3];
    const bool last = k == arguments.balls - 1;
    const double density = last ? 7800 : 1000;
    const double mass = density * 4.18879 * radius * radius * radius;
    const double x = 0.09 * ((k * 7) % 5 - 2);
    const double y = 0.08 * ((k * 3) % 5 - 2);
    const int ball = world.AddBall(mass, radius, {x, y, 0.1 + 0.1 * k});
    world.velocity(ball) = {0.5 - 0.1 * (k % 7), 0.1 * (k % 4), -1, 0, 0, 2.0 * (k % 2)};
  }
  return world;
}

/// A chain hung up on the world that swings down and drags over the ground.
BallWorld Chain(const Arguments& arguments, const BallWorldOptions& options) {
  BallWorld world(options);
  const double link = 0.1;
  const double height = 0.55 * link * arguments.balls;
  int previous = -1;
  for (int k = 0; k < arguments.balls; ++k) {
    const double x = link * (k + 1);
    const bool last = k == arguments.balls - 1;
    const int ball = world.AddBall(last ? 5 : 0.5, last ? 0.08 : 0.04, {x, 0, height});
    world.AddJoint(previous, ball, {x - link, 0, height});
    previous = ball;
  }
  return world;
}

/// A ball that a motor turns on the spot, and balls that roll past and into it, with rolling and
/// spinning friction.
BallWorld Rolling(const Arguments& arguments, BallWorldOptions options) {
  options.rolling_friction = 0.002;
  options.spinning_friction = 0.001;
  BallWorld world(options);
  const int hub = world.AddBall(2, 0.1, {0, 0, 0.1});
  world.AddMotor(hub, 20, 0.5);
  for (int k = 1; k < arguments.balls; ++k) {
    const int ball = world.AddBall(0.5, 0.05, {0.4 + 0.12 * k, 0.02 * (k % 3 - 1), 0.05});
    world.velocity(ball) = {-2, 0, 0, 0, -40, 0};
  }
  return world;
}

BallWorld MakeWorld(const Arguments& arguments) {
  BallWorldOptions options;
  options.law = ParseLaw(arguments.law);
  if (options.law.kind == LawKind::kNative) {
    throw std::invalid_argument("law 'native' is what this program is asked to choose");
  }
  options.float32 = arguments.float32;
  if (arguments.scene == "chain") return Chain(arguments, options);
  return arguments.scene == "rolling" ? Rolling(arguments, options) : Balls(arguments, options);
}

int Run(const Arguments& arguments) {
  BallWorld world = MakeWorld(arguments);
  Driver driver(arguments.solver);
  SolveOptions options;
  options.max_iterations = arguments.iterations;
  options.relative_tolerance = 1e-10;
  CaptureInfo info;
  info.engine = "ball_world";
  info.scene = arguments.scene;
  info.scalar = arguments.float32 ? ScalarType::kFloat32 : ScalarType::kFloat64;
  Recorder recorder(arguments.out, info);
  WarmStart warm_start;
  Solution solution;
  Result result;
  int contacts = 0;
  for (int k = 0; k < arguments.steps; ++k) {
    CapturedStep step = world.Pose();
    if (step.problem.rows() == 0) {
      world.Advance({});
      continue;
    }
    warm_start.Load(step.problem, step.x0);
    driver.Solve(step.problem, options, &step.x0, solution, result);
    warm_start.Store(step.problem, solution.x);
    world.Advance(solution.v);
    contacts = std::max(contacts, step.problem.contacts());

    step.info.solver = arguments.solver;
    step.info.iterations = result.iterations;
    step.info.seconds = result.seconds.total();
    step.x = solution.x;
    step.w = solution.w;
    step.v = solution.v;
    recorder.Record(step);
  }
  recorder.Close();
  const RecorderStatus status = recorder.status();
  if (!status.trouble.empty()) throw std::runtime_error(status.trouble);
  fmt::print("{}: {} of {} steps had contacts or joints, at most {} contacts\n", arguments.out,
             status.written, arguments.steps, contacts);
  return 0;
}

}  // namespace
}  // namespace nonsmooth

int main(int argc, char** argv) {
  nonsmooth::Arguments arguments;
  CLI::App app("Simulates a few balls and records the contact problem of every step");
  app.add_option("OUT", arguments.out, "capture to write, e.g. balls.h5")->required();
  app.add_option("--scene", arguments.scene, "balls, chain or rolling")
      ->check(CLI::IsMember({"balls", "chain", "rolling"}))
      ->capture_default_str();
  app.add_option("--steps", arguments.steps, "time steps of 0.01 s")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--balls", arguments.balls, "number of balls")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--law", arguments.law, "friction law of the contacts")->capture_default_str();
  app.add_option("--solver", arguments.solver, "that steps the simulation")->capture_default_str();
  app.add_option("--iterations", arguments.iterations, "of that solver, at most")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_flag("--float32", arguments.float32, "pose and store everything in single precision");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return nonsmooth::Run(arguments);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "record: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "record: {}\n", error.what());
    return 1;
  }
}
