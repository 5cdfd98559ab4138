// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Siconos' solvers and one of ours on the same FCLIB files, in the same run, to the same error.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "common/error/fclib_error.h"
#include "common/solve/driver.h"
#include "recorders/interchange/problem_source.h"
#include "recorders/replay/text_table.h"
#include "tests/benchmarks/guarded_run.h"
#include "tests/benchmarks/siconos_solve.h"

namespace nonsmooth::benchmark {
namespace {

constexpr SiconosMethod kMethods[] = {SiconosMethod::kNsgs, SiconosMethod::kNsnAc,
                                      SiconosMethod::kNsnFb, SiconosMethod::kAdmm};
constexpr int kMostDenseRows = 600;
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Settings {
  std::vector<std::string> files;
  std::string solver;
  double tolerance = 1e-8;
  double energy = 1e-10;  ///< first relative energy tolerance of ours
  int repetitions = 7;
  double limit = 10;  ///< [s] of a solver on a file, all repetitions
  std::string storage = "best";
};

/// What a solver made of a file.
struct Outcome {
  double seconds = kNever;  ///< median; infinite: not solved
  double error = kNever;    ///< FCLIB's, of what it returned
  RunEnd end = RunEnd::kReturned;
  std::string detail;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double FclibErrorOf(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureFclib(problem, x.data(), w.data()).relative;
}

Problem ReadProblem(const std::string& path) { return OpenSource(path)->Read(0).step.problem; }

/// As its own reader of FCLIB files makes them, or whatever turns out to be fastest: somebody who
/// knows Siconos well would find that out.
std::vector<SiconosStorage> Storages(const Problem& problem, SiconosMethod method,
                                     const Settings& settings) {
  if (settings.storage == "file") return {SiconosStorage::kSparse};
  std::vector<SiconosStorage> storages;
  const bool nsgs = method == SiconosMethod::kNsgs;
  storages.push_back(nsgs ? SiconosStorage::kBlocks : SiconosStorage::kSparse);
  if (problem.rows() <= kMostDenseRows) storages.push_back(SiconosStorage::kDense);
  return storages;
}

Outcome RunSiconos(const Problem& problem, SiconosMethod method, const Settings& settings) {
  const std::vector<SiconosStorage> storages = Storages(problem, method, settings);
  Outcome best;
  for (SiconosStorage storage : storages) {
    const GuardedRun run = RunGuarded(settings.limit, [&] {
      const std::vector<SiconosRun> runs = SolveWithSiconos(
          problem, method, storage, settings.tolerance, settings.repetitions, 0.5 * settings.limit);
      std::vector<double> seconds;
      bool converged = true;
      for (const SiconosRun& one : runs) {
        seconds.push_back(one.seconds);
        converged = converged && one.converged;
      }
      const double error = FclibErrorOf(problem, runs.back().reactions);
      return std::vector<double>{converged ? Median(seconds) : kNever, error};
    });
    const bool returned = run.end == RunEnd::kReturned && run.numbers.size() == 2;
    const double seconds = returned ? run.numbers[0] : kNever;
    if (seconds < best.seconds || (storage == storages.front() && best.seconds == kNever)) {
      best.seconds = seconds;
      best.error = returned ? run.numbers[1] : kNever;
      best.end = run.end;
    }
  }
  return best;
}

/// Our solvers stop by the energy error. It is tightened by tens until FCLIB's error is met, and
/// the solve that meets it is the one that counts. Every repetition gets a problem just read, as
/// an engine's step would be; the driver is kept, as an engine keeps it.
Outcome RunOurs(const std::string& path, const Settings& settings) {
  enum : std::size_t { kSeconds, kError, kTolerance, kIterations, kNumbers };
  const GuardedRun run = RunGuarded(4 * settings.limit, [&] {
    Driver driver(settings.solver);
    SolveOptions options;
    options.law = {LawKind::kNcp, 0};
    options.max_iterations = 1000000;
    options.deadline = settings.limit;
    Solution solution;
    Result result;
    double error = kNever;
    double used = 0;
    for (options.relative_tolerance = settings.energy;
         options.relative_tolerance > 1e-32 && used < settings.limit;
         options.relative_tolerance *= 0.1) {
      const Problem problem = ReadProblem(path);
      driver.Solve(problem, options, nullptr, solution, result);
      used += result.seconds.total();
      error = FclibErrorOf(problem, solution.x);
      if (error <= settings.tolerance || !result.converged()) break;
    }
    if (error > settings.tolerance) {
      return std::vector<double>{kNever, error, options.relative_tolerance,
                                 static_cast<double>(result.iterations)};
    }
    std::vector<double> seconds;
    used = 0;
    for (int k = 0; k < settings.repetitions && used < settings.limit; ++k) {
      const Problem problem = ReadProblem(path);
      driver.Solve(problem, options, nullptr, solution, result);
      seconds.push_back(result.seconds.total());
      used += seconds.back();
    }
    return std::vector<double>{Median(seconds), error, options.relative_tolerance,
                               static_cast<double>(result.iterations)};
  });
  Outcome outcome;
  outcome.end = run.end;
  if (run.end != RunEnd::kReturned || run.numbers.size() != kNumbers) return outcome;
  outcome.seconds = run.numbers[kSeconds];
  outcome.error = run.numbers[kError];
  outcome.detail = fmt::format("{:.0e}, {:.0f}", run.numbers[kTolerance], run.numbers[kIterations]);
  return outcome;
}

std::string Text(const Outcome& outcome, double tolerance) {
  if (std::isfinite(outcome.seconds)) {
    // It is content; FCLIB's measure is not.
    return fmt::format("{:.3g}{}", 1e3 * outcome.seconds,
                       outcome.error > 1.001 * tolerance ? "*" : "");
  }
  switch (outcome.end) {
    case RunEnd::kReturned:
      return "fails";
    case RunEnd::kOutOfTime:
      return "too slow";
    case RunEnd::kCrashed:
      return "crashes";
  }
  return "";
}

/// Siconos gets A and b of a global problem; ours gets it as it is.
void AddFile(const std::string& path, const Settings& settings, TextTable* table, int* solved,
             int* not_slower, double* worst) {
  const Problem problem = ReadProblem(path);
  if (!SiconosTakes(problem)) {
    table->AddHeading(path + ": rows that Siconos' local contact problems do not have");
    return;
  }
  std::vector<std::string> cells{std::filesystem::path(path).stem().string(),
                                 std::to_string(problem.contacts())};
  double best = kNever;
  for (SiconosMethod method : kMethods) {
    const Outcome theirs = RunSiconos(problem, method, settings);
    cells.push_back(Text(theirs, settings.tolerance));
    best = std::min(best, theirs.seconds);
  }
  const Outcome ours = RunOurs(path, settings);
  const double ratio = ours.seconds / best;
  cells.push_back(std::isfinite(best) ? fmt::format("{:.3g}", 1e3 * best) : "-");
  cells.push_back(Text(ours, settings.tolerance));
  cells.push_back(std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-");
  cells.push_back(std::isfinite(ours.error) ? fmt::format("{:.1e}", ours.error) : "-");
  cells.push_back(ours.detail);
  table->AddRow(cells);
  if (!std::isfinite(ours.seconds)) return;
  ++*solved;
  if (ours.seconds <= best) ++*not_slower;
  if (std::isfinite(ratio)) *worst = std::max(*worst, ratio);
}

int Run(int argc, char** argv) {
  Settings settings;
  const auto registered = [](std::string_view name) {
    const auto& all = Solvers();
    return std::any_of(all.begin(), all.end(),
                       [name](const SolverInfo& info) { return info.name == name; });
  };
  settings.solver = registered("auto") ? "auto" : "nncg";
  CLI::App app{"Times Siconos' contact solvers and one of ours on FCLIB files", "siconos_compare"};
  app.add_option("FILE", settings.files, "FCLIB problems, local or global")->required();
  app.add_option("--solver", settings.solver, "Ours, default " + settings.solver);
  app.add_option("--tolerance", settings.tolerance, "FCLIB's error to be reached, default 1e-8")
      ->check(CLI::PositiveNumber);
  app.add_option("--energy", settings.energy,
                 "Relative energy tolerance that ours begins with, default 1e-10; it is tightened\n"
                 "by tens until FCLIB's error is met, and the solve that meets it counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--repetitions", settings.repetitions, "Of which the median counts, default 7")
      ->check(CLI::Range(1, 1000));
  app.add_option("--limit", settings.limit, "Most seconds of a solver on a file, default 10")
      ->check(CLI::PositiveNumber);
  app.add_option("--storage", settings.storage,
                 "How Siconos gets its matrix. best (default): blocks or sparse, and dense up to\n"
                 "200 contacts, whichever is faster; file: sparse, as its reader of FCLIB has it")
      ->check(CLI::IsMember({"best", "file"}));
  CLI11_PARSE(app, argc, argv);
  try {
    FindSolver(settings.solver);
    using Align = TextTable::Align;
    std::vector<TextTable::Column> columns{{"ms", Align::kLeft}, {"contacts", Align::kRight}};
    for (SiconosMethod method : kMethods) columns.push_back({ToString(method), Align::kRight});
    for (const std::string& title : {std::string("best"), settings.solver, std::string("ratio"),
                                     std::string("error"), std::string("energy, iterations")}) {
      columns.push_back({title, Align::kRight});
    }
    TextTable table(columns);
    int solved = 0;
    int not_slower = 0;
    double worst = 0;
    for (const std::string& path : settings.files) {
      fmt::print(stderr, "{}\n", path);
      AddFile(path, settings, &table, &solved, &not_slower, &worst);
    }
    fmt::print(
        "{}\n{} of {} solved by {} to an FCLIB error of {:g}; {} not slower than Siconos' best of "
        "{}, at most {:.2f} times slower\n"
        "Siconos' matrices: {}; medians of {} solves; * content with an error above that; energy: "
        "relative energy\n"
        "tolerance that FCLIB's error took\n",
        table.Text(), solved, settings.files.size(), settings.solver, settings.tolerance,
        not_slower, std::size(kMethods), worst, settings.storage, settings.repetitions);
  } catch (const std::exception& error) {
    fmt::print(stderr, "siconos_compare: error: {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nonsmooth::benchmark

int main(int argc, char** argv) { return nonsmooth::benchmark::Run(argc, argv); }
