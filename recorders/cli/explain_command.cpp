// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "common/solve/solver_registry.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/cli/progress_bar.h"
#include "recorders/explain/explanation.h"
#include "recorders/interchange/problem_source.h"
#include "recorders/replay/step_solver.h"

namespace nonsmooth::cli {
namespace {

/// The flags as they were given.
struct ExplainArguments {
  std::string file;
  std::int64_t step = -1;
  std::string solver;
  std::vector<std::string> trials;
  std::string law = "native";
  double deadline_ms = 1e3 * ExplainOptions().trial_deadline;
  int worst = ExplainOptions().worst;
  bool json = false;
};

/// The step where the recorded solution is off most; the first one if there are none.
std::int64_t WorstStep(const ProblemSource& source, const ExplainOptions& options) {
  ReplayOptions replay;
  replay.solve = options.solve;
  replay.warm_start = StartFrom::kCaptured;
  StepSolver solver(replay);
  ProgressBar bar;
  std::int64_t worst = 0;
  double most = -1;
  for (std::int64_t k = 0; k < source.steps(); ++k) {
    ReplayRecord record;
    solver.MeasureEngine(source.Read(k).step, &record);
    const double error = record.errors.energy.sum;
    if (!record.solver.empty() && (error > most || (std::isnan(error) && most < HUGE_VAL))) {
      worst = k;
      most = std::isnan(error) ? HUGE_VAL : error;
    }
    bar.Show(k + 1, source.steps());
  }
  return worst;
}

int RunExplain(const ExplainArguments& arguments) {
  ExplainOptions options;
  options.solver = arguments.solver;
  options.trials = arguments.trials;
  options.trial_deadline = 1e-3 * arguments.deadline_ms;
  options.worst = arguments.worst;
  try {
    options.solve.law = ParseLaw(arguments.law);
    if (!options.solver.empty() && options.solver != kEngineName) FindSolver(options.solver);
    for (const std::string& name : options.trials) FindSolver(name);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const std::unique_ptr<ProblemSource> source = OpenSource(arguments.file);
  if (source->steps() == 0) {
    PrintError(arguments.file + ": there is no step to explain");
    return kFailed;
  }
  if (arguments.step >= source->steps()) {
    throw UsageError(fmt::format("--step {}: {} has steps 0 to {}", arguments.step, arguments.file,
                                 source->steps() - 1));
  }
  const std::int64_t index = arguments.step >= 0 ? arguments.step : WorstStep(*source, options);
  const SourceStep read = source->Read(index);
  for (const std::string& remark : read.remarks) PrintWarning(arguments.file + ": " + remark);
  const Explanation explanation = Explain(read.step, index, options);
  if (arguments.json) {
    fmt::print("{}\n", ExplanationJson(explanation));
  } else {
    fmt::print("{}: {}", arguments.file, ExplanationText(explanation));
  }
  return kOk;
}

}  // namespace

void AddExplain(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("explain", "Say why a step is hard, where it is wrong, and what helps");
  auto a = std::make_shared<ExplainArguments>();
  command->add_option("FILE", a->file, "A capture or another file of problems")->required();
  command
      ->add_option("--step", a->step,
                   "The step, counted from 0; default: where the recorded\nsolution is off most")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 62))
      ->option_text("K");
  command->add_option("--solver", a->solver, "Whose solution, default engine: the recorded one")
      ->option_text("NAME");
  command->add_option("--try", a->trials, "Solvers to try on it; default: all that suit its size")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command->add_option("--law", a->law, "Friction law, default native: as recorded")
      ->option_text("LAW");
  command
      ->add_option("--deadline-ms", a->deadline_ms,
                   fmt::format("Most time of each trial [ms], default {:g}", a->deadline_ms))
      ->check(CLI::PositiveNumber)
      ->option_text("T");
  command
      ->add_option("--worst", a->worst,
                   fmt::format("Contacts and joints to list, default {}", a->worst))
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([&action, a] { action = [a] { return RunExplain(*a); }; });
}

}  // namespace nonsmooth::cli
