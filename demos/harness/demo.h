// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "demos/harness/demo_options.h"
#include "demos/harness/demo_report.h"
#include "demos/harness/worlds.h"

namespace nonsmooth::demo {

/// A world built in some engine, with the solver and the recorder that the options ask for.
class Simulation {
 public:
  virtual ~Simulation() = default;

  /// One time step of `dt` seconds.
  virtual StepSample Step(double dt) = 0;

  /// Of all bodies, in the order of World::bodies.
  virtual std::vector<Pose> Poses() const = 0;

  /// [J] of all bodies.
  virtual double KineticEnergy() const = 0;

  /// Ends the recording. Empty, or what went wrong with it.
  virtual std::string Finish() = 0;
};

/// An engine: its name as in a capture, and how to build a world in it. May throw
/// std::invalid_argument for what the engine or the solver cannot do.
struct Engine {
  std::string name;
  std::unique_ptr<Simulation> (*build)(const World& world, const DemoOptions& options);
  int iterations = 50;  ///< where --iterations is not given
};

/// Runs the world and prints the report: the whole of a demo's main(). Returns the exit code: 0
/// whether or not the thing still stands, 1 if the recording or the report failed, 2 for a mistake
/// on the command line.
int Main(int argc, char** argv, MakeWorld make_world, const Engine& engine);

/// The same without a command line and without printing; for tests.
DemoReport Run(const World& world, const DemoOptions& options, const Engine& engine);

}  // namespace nonsmooth::demo
