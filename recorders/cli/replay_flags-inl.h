// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "recorders/cli/commands-inl.h"
#include "recorders/replay/replay.h"

namespace nonsmooth::cli {

/// The flags as they were given.
struct ReplayArguments {
  std::vector<std::string> files;
  std::vector<std::string> solvers{"auto"};
  std::vector<std::string> settings;
  std::string law = "native";
  std::string steps;
  int iterations = SolveOptions().max_iterations;
  double tolerance = 0;
  double relative_tolerance = SolveOptions().relative_tolerance;
  double deadline_ms = 0;
  std::string warm_start = "none";
  bool history = false;
  int jobs = 0;
  std::string json;
  std::string csv;
  std::string save;
  std::string save_fclib;
  std::string out_dir;  ///< results go there task by task instead
  std::string shard;
  int block = 16;
};

/// Flags of `replay`: what is solved how, here and in nonsmooth-mpi …
void AddSolveFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& arguments);

/// … where tasks leave their results; returns --out-dir …
CLI::Option* AddTaskFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& arguments);

/// … and what one process writes.
void AddOutputFlags(CLI::App* command, const std::shared_ptr<ReplayArguments>& arguments);

/// Throws UsageError for what makes no sense.
ReplayOptions MakeOptions(const ReplayArguments& arguments, const CLI::App& command);

/// Throws UsageError if an output other than --out-dir was asked for beside it.
void CheckOutDir(const ReplayArguments& arguments);

}  // namespace nonsmooth::cli
