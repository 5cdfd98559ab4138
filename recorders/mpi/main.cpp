// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "recorders/cli/replay_flags-inl.h"
#include "recorders/cli/task_progress.h"
#include "recorders/mpi/dispatch-inl.h"
#include "recorders/replay/provenance.h"

namespace nonsmooth::cli {
namespace {

/// What rank 0 finds out before anything is solved.
struct Preparation {
  TaskPlan plan;
  std::vector<Task> tasks;
  std::int64_t there = 0;
  std::string error;  ///< nothing can be done
};

Preparation Prepare(const ReplayArguments& arguments, const ReplayOptions& options) {
  Preparation prepared;
  try {
    const StepSolver check(options);
    prepared.plan = MakePlan(arguments.files, options, arguments.block);
    const ResultStore store(arguments.out_dir, prepared.plan);
    store.WritePlan();
    const std::vector<Task> all = TasksOf(prepared.plan);
    prepared.tasks = store.Unfinished(all);
    prepared.there = static_cast<std::int64_t>(all.size() - prepared.tasks.size());
  } catch (const std::exception& error) {
    prepared.error = error.what();
  }
  return prepared;
}

int Lead(MPI_Comm world, const ReplayArguments& arguments, const ReplayOptions& options) {
  const Preparation prepared = Prepare(arguments, options);
  // Not by the file: another machine may still see an older one.
  mpi::Broadcast(world, prepared.error.empty() ? PlanText(prepared.plan) : "");
  if (!prepared.error.empty()) {
    PrintError(prepared.error);
    return kFailed;
  }
  const ResultStore store(arguments.out_dir, prepared.plan);
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  const int side_by_side = mpi::WorkersBeside(world);
  std::string trouble;
  {
    TaskProgress bar;
    const auto show = [&bar](std::int64_t done, std::int64_t total) { bar.Show(done, total); };
    if (ranks == 1) {
      RunTasks(prepared.plan, store, prepared.tasks, side_by_side, show);
    } else {
      mpi::HandOut(world, prepared.plan, prepared.tasks, show, &trouble);
    }
  }
  int code = kOk;
  for (const PlannedFile& file : prepared.plan.files) {
    if (file.error.empty()) continue;
    PrintError(file.error);
    code = kFailed;
  }
  if (!trouble.empty()) {
    PrintError(trouble);
    return kFailed;
  }
  fmt::print(
      "{} ranks: {} tasks done, {} were there; 'nonsmooth merge {}' makes one file of them\n",
      ranks, prepared.tasks.size(), prepared.there, store.folder());
  return code;
}

int Follow(MPI_Comm world, const ReplayArguments& arguments) {
  const std::string text = mpi::Broadcast(world, "");
  if (text.empty()) return kFailed;
  const TaskPlan plan = ParsePlan("plan of rank 0", text);
  const ResultStore store(arguments.out_dir, plan);
  mpi::Work(world, plan, store, mpi::WorkersBeside(world));
  return kOk;
}

int Run(int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CLI::App app{
      "'nonsmooth replay --out-dir DIR' by all ranks of an MPI job: rank 0 hands out tasks, the\n"
      "others solve.",
      "nonsmooth-mpi"};
  app.set_version_flag("--version", "nonsmooth " + Version());
  app.require_subcommand(1);
  CLI::App* command = app.add_subcommand("replay", "Solve recorded steps again");
  const auto arguments = std::make_shared<ReplayArguments>();
  AddSolveFlags(command, arguments);
  AddTaskFlags(command, arguments)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (rank > 0) return error.get_exit_code() == 0 ? kOk : kUsage;
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  try {
    const ReplayOptions options = MakeOptions(*arguments, *command);
    return rank == 0 ? Lead(MPI_COMM_WORLD, *arguments, options)
                     : Follow(MPI_COMM_WORLD, *arguments);
  } catch (const UsageError& error) {
    if (rank == 0) PrintError(error.what());
    return kUsage;
  }
}

}  // namespace
}  // namespace nonsmooth::cli

int main(int argc, char** argv) {
  // Two threads of a worker may send and receive, one at a time.
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  int code = nonsmooth::cli::kFailed;
  if (provided < MPI_THREAD_SERIALIZED) {
    nonsmooth::cli::PrintError("this MPI was built without threads");
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  try {
    code = nonsmooth::cli::Run(argc, argv);
  } catch (const std::exception& error) {
    // One rank that goes alone would leave the others waiting.
    nonsmooth::cli::PrintError(error.what());
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
  return code;
}
