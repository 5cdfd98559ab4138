// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/harness/demo.h"

#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <stdexcept>

namespace nonsmooth::demo {
namespace {

void WriteJson(const DemoOptions& options, const DemoReport& report) {
  if (options.json.empty()) return;
  if (options.json == "-") {
    fmt::print("{}", ToJson(report));
    return;
  }
  std::ofstream file(options.json);
  file << ToJson(report);
  file.close();
  if (!file) throw std::runtime_error(options.json + ": cannot be written");
}

}  // namespace

DemoReport Run(const World& world, const DemoOptions& options, const Engine& engine) {
  DemoReport report;
  report.scene = world.name;
  report.engine = engine.name;
  report.solver = options.solver;
  report.law = options.law ? ToString(*options.law) : "default";
  report.iterations = options.iterations.value_or(0);
  report.steps = options.steps > 0 ? options.steps : world.steps;
  report.dt = options.dt > 0 ? options.dt : world.dt;

  const std::unique_ptr<Simulation> simulation = engine.build(world, options);
  std::vector<StepSample> samples;
  samples.reserve(static_cast<std::size_t>(report.steps));
  for (int step = 0; step < report.steps; ++step) samples.push_back(simulation->Step(report.dt));

  Summarise(samples, report);
  report.kinetic_energy = simulation->KineticEnergy();
  report.stands = world.stands(world, simulation->Poses());
  report.standing = world.standing;
  const std::string trouble = simulation->Finish();
  if (!trouble.empty()) throw std::runtime_error(trouble);
  return report;
}

int Main(int argc, char** argv, MakeWorld make_world, const Engine& engine) {
  DemoOptions options;
  options.iterations = engine.iterations;
  const std::string title = make_world({}).title;
  if (const std::optional<int> code = ParseOptions(argc, argv, title, options)) return *code;
  try {
    const DemoReport report = Run(make_world(options.world), options, engine);
    if (!options.quiet) fmt::print("{}", ToText(report));
    WriteJson(options, report);
    return 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace nonsmooth::demo
