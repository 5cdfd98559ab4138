// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "demos/papers/glocker/woodpecker.h"

namespace {

using namespace nonsmooth::papers;

struct Options {
  double dt = 1e-5;
  double seconds = 1.25;
  std::string solver = "lemke";
  std::string json;
  std::string csv;
  bool quiet = false;
};

void Write(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

std::string Motion(const std::vector<WoodpeckerStep>& steps) {
  std::string text = "time_s,y_m,phi_M_rad,phi_S_rad,v_m_s,omega_M_rad_s,omega_S_rad_s\n";
  for (const WoodpeckerStep& step : steps) {
    const WoodpeckerState& s = step.after;
    text += fmt::format("{},{},{},{},{},{},{}\n", s.time, s.q[0], s.q[1], s.q[2], s.u[0], s.u[1],
                        s.u[2]);
  }
  return text;
}

int Run(const Options& options) {
  const WoodpeckerParameters parameters;
  PlanarSolver solver(options.solver);
  const std::vector<WoodpeckerStep> steps =
      Simulate(parameters, WoodpeckerState(), options.dt, options.seconds, solver);
  const std::vector<WoodpeckerCycle> cycles = Cycles(steps);
  if (cycles.size() < 2) throw std::runtime_error("fewer than two whole cycles: --seconds is less");
  const WoodpeckerCycle mean = MeanCycle(cycles);
  int contacts = 0;
  for (const WoodpeckerStep& step : steps) contacts = std::max(contacts, step.closed);
  const auto count = cycles.size() - 1;
  if (!options.quiet && options.json != "-" && options.csv != "-") {
    fmt::print("woodpecker, {}, dt {} s, mean of {} cycles after the first\n", options.solver,
               options.dt, count);
    fmt::print("period      {:.5f} s\ndrop        {:.3f} mm per cycle\n", mean.period,
               1e3 * mean.drop);
    fmt::print("dissipated  {:.4f} mJ per cycle: beak {:.4f}, lower edge {:.4f}, upper {:.4f}\n",
               1e3 * (mean.loss[0] + mean.loss[1] + mean.loss[2]), 1e3 * mean.loss[kBeak],
               1e3 * mean.loss[kLowerSleeve], 1e3 * mean.loss[kUpperSleeve]);
    fmt::print("largest LCP {} variables\n", 3 * contacts);
  }
  if (!options.json.empty())
    Write(options.json,
          fmt::format("{{\n  \"period\": {},\n  \"drop\": {},\n  \"cycles\": {},\n  \"dt\": {},\n"
                      "  \"solver\": \"{}\",\n  \"largest_lcp\": {}\n}}\n",
                      mean.period, mean.drop, count, options.dt, options.solver, 3 * contacts));
  if (!options.csv.empty()) Write(options.csv, Motion(steps));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "The woodpecker toy of Glocker and Studer: Moreau's midpoint rule, Table I, the 3k LCP"};
  Options options;
  app.add_option("--dt", options.dt, "step [s]")
      ->check(CLI::Range(1e-7, 1e-3))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "how long [s]; a cycle takes 0.146")
      ->check(CLI::Range(0.3, 100.0))
      ->capture_default_str();
  app.add_option("--solver", options.solver, "of the LCP")
      ->check(CLI::IsMember(PlanarSolver::Names()))
      ->capture_default_str();
  app.add_option("--json", options.json,
                 "file for period [s] and drop [m per cycle]; -: standard output");
  app.add_option("--csv", options.csv, "file for the motion, step by step; -: standard output");
  app.add_flag("--quiet", options.quiet, "no report in words");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return Run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "woodpecker: {}\n", error.what());
    return 1;
  }
}
