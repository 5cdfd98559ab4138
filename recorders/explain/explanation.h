// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../replay/replay.h"
#include "../report/contact_state.h"
#include "condition.h"
#include "joint_rank.h"
#include "load_path.h"

namespace nonsmooth {

struct ExplainOptions {
  /// Whose solution is explained; empty: the engine's, or that of `auto` where the file has none.
  std::string solver;
  SolveOptions solve;

  /// Solvers that are tried; empty: those worth trying at this size.
  std::vector<std::string> trials;

  /// [s] of each trial. What takes longer is no help in a simulation.
  double trial_deadline = 0.5;
  int worst = 5;  ///< contacts and joints that are listed
};

/// A contact or joint that is off.
struct ExplainedGroup {
  int group = 0;
  std::string name;    ///< "contact 12", counted among all groups of the step
  std::string bodies;  ///< "body 3 and body 7", by the engine's identifiers
  GroupState state = GroupState::kOpen;
  double impulse = 0;  ///< [N s] normal impulse; size of a joint's
  double joules = 0;
  double share = 0;  ///< of the step's error
};

/// One solver on this step.
struct Trial {
  std::string solver;
  std::string status;
  int iterations = 0;
  double seconds = 0;
  double joules = 0;
  bool solved = false;                   ///< within the tolerance
  std::vector<IterationRecord> history;  ///< if ExplainOptions::solve asks for it
};

/// Why a step is hard, and what helps.
struct Explanation {
  std::int64_t step = 0;  ///< index in the file
  StepInfo info;
  std::string solver;  ///< whose solution this is about
  std::string law;
  int contacts = 0;
  int joints = 0;  ///< groups that are no contacts
  int rows = 0;
  bool has_solution = false;
  double joules = 0;
  double relative = 0;
  double free_energy = 0;
  int iterations = -1;
  double seconds = 0;
  int sticking = 0;
  int sliding = 0;
  int open = 0;
  std::vector<ExplainedGroup> worst;
  JointRank joint_rank;
  std::vector<std::string> redundant_joints;  ///< by name
  LoadPath load;
  std::string heavy;  ///< bodies of the load path by name
  std::string light;
  Condition condition;
  std::vector<Trial> trials;  ///< the fastest of those that solve it first
  std::string advice;
};

/// Looks at step `index` of a file. Throws std::invalid_argument for unknown solvers; a trial that
/// fails is a trial that failed.
Explanation Explain(const CapturedStep& step, std::int64_t index, const ExplainOptions& options);

/// For a terminal.
std::string ExplanationText(const Explanation& explanation);

/// For the page and for scripts.
std::string ExplanationJson(const Explanation& explanation);

/// One paragraph, from the rest of the explanation.
std::string AdviceFor(const Explanation& explanation);

}  // namespace nonsmooth
