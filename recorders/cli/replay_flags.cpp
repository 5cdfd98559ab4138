// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/replay_flags-inl.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "common/solve/solver_registry.h"
#include "recorders/cli/step_range.h"
#include "recorders/tasks/machine.h"

namespace nonsmooth::cli {
namespace {

std::vector<std::string> SolverNames(const std::vector<std::string>& given, bool* all) {
  std::vector<std::string> names;
  for (const std::string& name : given) {
    if (name == "all") {
      *all = true;
      for (const SolverInfo& info : Solvers()) names.emplace_back(info.name);
    } else {
      FindSolver(name);
      names.push_back(name);
    }
  }
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) {
      distinct.push_back(name);
    }
  }
  return distinct;
}

SolverSetting ParseSetting(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::size_t equals = text.find('=');
  if (dot == std::string::npos || equals == std::string::npos || dot > equals) {
    throw UsageError("--option '" + text + "' is not SOLVER.NAME=VALUE");
  }
  return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
}

}  // namespace

ReplayOptions MakeOptions(const ReplayArguments& arguments, const CLI::App& command) {
  ReplayOptions options;
  try {
    options.solvers = SolverNames(arguments.solvers, &options.skip_unsuitable);
    options.solve.law = ParseLaw(arguments.law);
    for (const std::string& text : arguments.settings) {
      options.settings.push_back(ParseSetting(text));
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  options.solve.max_iterations = arguments.iterations;
  if (command.count("--tolerance") > 0) {
    options.solve.energy_tolerance = arguments.tolerance;
    options.solve.relative_tolerance = 0;
  } else {
    options.solve.relative_tolerance = arguments.relative_tolerance;
  }
  if (command.count("--deadline-ms") > 0) options.solve.deadline = 1e-3 * arguments.deadline_ms;
  options.solve.history = arguments.history;
  if (!arguments.steps.empty()) {
    const StepRange range = ParseStepRange(arguments.steps);
    options.first_step = range.first;
    options.last_step = range.last;
    options.stride = range.stride;
  }
  static const std::map<std::string, StartFrom> kWarmStarts{{"none", StartFrom::kNone},
                                                            {"captured", StartFrom::kCaptured},
                                                            {"previous", StartFrom::kPrevious}};
  options.warm_start = kWarmStarts.at(arguments.warm_start);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = arguments.jobs > 0          ? arguments.jobs
                 : arguments.out_dir.empty() ? cores
                                             : PhysicalCores();
  options.keep_solutions = !arguments.save.empty();
  options.fclib_directory = arguments.save_fclib;
  return options;
}

void CheckOutDir(const ReplayArguments& arguments) {
  for (const auto& [flag, value] : {std::pair{"--json", &arguments.json},
                                    {"--csv", &arguments.csv},
                                    {"--save", &arguments.save},
                                    {"--save-fclib", &arguments.save_fclib}}) {
    if (!value->empty()) {
      throw UsageError(
          fmt::format("{} goes without --out-dir: 'nonsmooth merge' makes one file of "
                      "what is in the folder",
                      flag));
    }
  }
}

void AddSolveFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& a) {
  command->add_option("FILE", a->files, "Captures, FCLIB files, files of Lu et al.'s interface")
      ->required()
      ->option_text("...");
  command
      ->add_option("--solver", a->solvers,
                   "Solvers to run ('nonsmooth solvers' lists them),\n"
                   "or 'all': every one that handles the law; default auto")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      ->add_option("--option", a->settings,
                   "An option of one solver, e.g. psor.relaxation=1.2;\nmay be given repeatedly")
      ->allow_extra_args(false)
      ->option_text("SOLVER.NAME=VALUE");
  command
      ->add_option("--law", a->law,
                   "Friction law: native (as recorded, the default), box,\n"
                   "coupled_box, pyramid:K, ccp or ncp")
      ->option_text("LAW");
  command
      ->add_option("--steps", a->steps,
                   "Steps A to B-1 of each file, counted from 0; also A:, :B,\n"
                   "A:B:K for every K-th, and A alone")
      ->option_text("A:B");
  command
      ->add_option("--iterations", a->iterations,
                   fmt::format("Most iterations of a solve, default {}", a->iterations))
      ->check(CLI::Range(0, 1000000000))
      ->option_text("N");
  CLI::Option* joules = command->add_option(
      "--tolerance", a->tolerance, "Solved below this energy error [J]; instead of the next");
  joules->check(CLI::NonNegativeNumber)->option_text("JOULES");
  command
      ->add_option("--relative-tolerance", a->relative_tolerance,
                   fmt::format("Solved below this multiple of the step's free energy,\ndefault {}",
                               a->relative_tolerance))
      ->check(CLI::NonNegativeNumber)
      ->excludes(joules)
      ->option_text("R");
  command
      ->add_option("--deadline-ms", a->deadline_ms,
                   "Most time of a solve [ms], wall clock; default: none")
      ->check(CLI::PositiveNumber)
      ->option_text("T");
  command
      ->add_option("--warm-start", a->warm_start,
                   "none (default): from zero; captured: from what the file\n"
                   "has; previous: from the same solver's step before, matched\n"
                   "by contact identity")
      ->check(CLI::IsMember({"none", "captured", "previous"}))
      ->option_text("FROM");
  command->add_flag("--history", a->history,
                    "Keep the energy error of every iteration, for --json,\n--save and --out-dir");
}

void AddOutputFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& a) {
  command
      ->add_option("--jobs", a->jobs,
                   "Threads, default: one a core, with --out-dir one a physical\n"
                   "core. Results do not depend on it, times do: compare those\n"
                   "with --jobs 1")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  command->add_option("--json", a->json, "Write everything as JSON; - is standard output")
      ->option_text("OUT");
  command->add_option("--csv", a->csv, "Write one line a solve as CSV; - is standard output")
      ->option_text("OUT");
  command->add_option("--save", a->save, "Write results and solutions to an HDF5 file")
      ->option_text("OUT.h5");
  command
      ->add_option("--save-fclib", a->save_fclib,
                   "Write each problem with each solution as an FCLIB file\ninto this folder")
      ->option_text("DIR");
}

CLI::Option* AddTaskFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& a) {
  CLI::Option* out_dir =
      command->add_option("--out-dir", a->out_dir,
                          "Write the result of each task (a file, a block of steps, a\n"
                          "solver) into this folder, and skip those that are there;\n"
                          "'nonsmooth merge DIR' makes one file of them");
  out_dir->option_text("DIR");
  command->add_option("--block", a->block, fmt::format("Steps of a task, default {}", a->block))
      ->check(CLI::Range(1, 1000000))
      ->needs(out_dir)
      ->option_text("N");
  return out_dir;
}

}  // namespace nonsmooth::cli
