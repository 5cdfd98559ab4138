// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "demos/outcomes/outcome_run.h"

namespace nonsmooth::demo {
namespace {

nlohmann::ordered_json ToJson(const OutcomeResult& r) {
  nlohmann::ordered_json json{
      {"scene", r.scene},         {"engine", r.engine}, {"solver", r.solver},
      {"seeds", r.seeds},         {"passes", r.passes}, {"passed", r.passed()},
      {"measure", nullptr},  // JSON has no infinity
      {"limit", r.limit},         {"what", r.what},     {"unit", r.unit},
      {"ms_median", r.ms_median}, {"ms_p99", r.ms_p99}, {"error", nullptr},
      {"fallbacks", r.fallbacks}};
  if (std::isfinite(r.measure)) json["measure"] = r.measure;
  if (std::isfinite(r.error)) json["error"] = r.error;
  return json;
}

void PrintHeader() {
  fmt::print("{:<12}{:<15}{:<26}{:>7}{:>12}{:>11} {:<5}{:>11}{:>10}{:>10}{:>10}\n", "scene",
             "engine", "solver", "passed", "measure", "limit", "", "ms median", "ms p99", "error J",
             "fallbacks");
}

void Print(const OutcomeResult& r) {
  fmt::print("{:<12}{:<15}{:<26}{:>7}{:>12.4g}{:>11.4g} {:<5}{:>11.4f}{:>10.4f}{:>10.1e}{:>10}\n",
             r.scene, r.engine, r.solver, fmt::format("{}/{}", r.passes, r.seeds), r.measure,
             r.limit, r.unit, r.ms_median, r.ms_p99, r.error, r.fallbacks);
  std::fflush(stdout);
}

/// The outcomes whose names start with one of `scenes`; all for none.
std::vector<Outcome> Chosen(const std::vector<std::string>& scenes) {
  std::vector<Outcome> chosen;
  std::vector<bool> used(scenes.size(), false);
  for (Outcome& outcome : Outcomes()) {
    bool wanted = scenes.empty();
    const std::string& name = outcome.world.name;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
      // "S1" is S1 10 and S1 100, not S10.
      const std::size_t size = scenes[i].size();
      if (name.compare(0, size, scenes[i]) != 0) continue;
      if (name.size() > size && name[size] != ' ') continue;
      wanted = used[i] = true;
    }
    if (wanted) chosen.push_back(std::move(outcome));
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    if (!used[i]) throw std::invalid_argument("there is no scene " + scenes[i]);
  }
  return chosen;
}

void WriteJson(const std::string& path, const nlohmann::ordered_json& results) {
  const std::string text = nlohmann::ordered_json{{"results", results}}.dump(2) + "\n";
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int OutcomesMain(int argc, char** argv, const Engine& engine) {
  CLI::App app("Published hard scenes in " + engine.name + ", with a verdict for each solver.");
  std::vector<std::string> scenes, solvers{"engine", "auto"};
  int seeds = 3;
  std::string json;
  bool no_header = false;
  app.add_option("--scenes", scenes, "S1, S1 100, … ; all unless given")->delimiter(',');
  app.add_option("--solver", solvers,
                 "engine[:NAME] or a solver of ours, each with any of :LAW :itN (iterations) :subN "
                 "(substeps) :tolX (relative tolerance) :dlX (deadline [ms]) :2d (both friction "
                 "directions); what is not given is the engine's or the plugin's default")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seeds", seeds, "placements, each up to 10 um off along each axis")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", json, "write the results into this file; -: standard output, no table");
  app.add_flag("--no-header", no_header, "the table without its first line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    std::vector<SolverChoice> choices;
    for (const std::string& solver : solvers) choices.push_back(ParseSolverChoice(solver));
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    if (json != "-" && !no_header) PrintHeader();
    for (const Outcome& outcome : Chosen(scenes)) {
      for (const SolverChoice& choice : choices) {
        const OutcomeResult result = RunOutcome(outcome, engine, choice, seeds);
        if (json != "-") Print(result);
        results.push_back(ToJson(result));
      }
    }
    if (!json.empty()) WriteJson(json, results);
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
