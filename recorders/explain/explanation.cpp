// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/solve/solver_registry.h"
#include "recorders/replay/step_solver.h"
#include "recorders/report/group_place.h"

namespace nonsmooth {
namespace {

/// Beyond these, methods that factorise or pivot need memory that nobody has.
constexpr int kMostRowsToFactorise = 20000;
constexpr int kMostRowsToPivot = 3000;

std::string BodyName(const CapturedStep& step, int body) {
  if (body < 0) return "the world";
  const auto index = static_cast<std::size_t>(body);
  return fmt::format("body {}", index < step.bodies.size() ? step.bodies[index].id : body);
}

std::string GroupName(const Problem& problem, int group) {
  const bool contact = problem.groups()[group].kind == GroupKind::kContact;
  return fmt::format("{} {}", contact ? "contact" : "joint", group);
}

std::vector<std::string> WorthTrying(const Problem& problem) {
  std::vector<std::string> names;
  for (const SolverInfo& info : Solvers()) {
    const std::string name(info.name);
    const auto is_one_of = [&name](const std::vector<std::string>& some) {
      return std::find(some.begin(), some.end(), name) != some.end();
    };
    const bool pivots = is_one_of({"lemke", "murty", "dantzig", "bpp"});
    const bool sweeps = is_one_of({"auto", "psor", "nncg", "pjacobi", "apgd", "bb", "nsgs"});
    if (pivots && problem.rows() > kMostRowsToPivot) continue;
    if (!sweeps && problem.rows() > kMostRowsToFactorise) continue;
    names.push_back(name);
  }
  return names;
}

/// Records of the engine and of all trials, with solutions.
std::vector<ReplayRecord> Solve(const CapturedStep& step, const ExplainOptions& options) {
  ReplayOptions replay;
  replay.solve = options.solve;
  replay.solve.deadline = std::min(replay.solve.deadline, options.trial_deadline);
  replay.solvers = options.trials.empty() ? WorthTrying(step.problem) : options.trials;
  const auto known = [&replay](const std::string& name) {
    return std::find(replay.solvers.begin(), replay.solvers.end(), name) != replay.solvers.end();
  };
  if (!options.solver.empty() && options.solver != kEngineName && !known(options.solver)) {
    replay.solvers.push_back(options.solver);
  }
  replay.skip_unsuitable = true;
  replay.warm_start = StartFrom::kCaptured;
  replay.keep_solutions = true;
  StepSolver solver(replay);
  std::vector<ReplayRecord> records(1 + replay.solvers.size());
  solver.MeasureEngine(step, &records[0]);
  for (std::size_t s = 0; s < replay.solvers.size(); ++s) {
    ReplayRecord& record = records[1 + s];
    solver.Solve(static_cast<int>(s), step, &record);
    // A first solve also pays for its memory; a simulation does not.
    constexpr double kQuick = 0.05;
    if (record.solver.empty() || !(record.total_seconds < kQuick)) continue;
    ReplayRecord again;
    solver.Solve(static_cast<int>(s), step, &again);
    if (again.total_seconds < record.total_seconds) record = std::move(again);
  }
  return records;
}

void AddTrials(const std::vector<ReplayRecord>& records, Explanation* explanation) {
  for (const ReplayRecord& record : records) {
    if (record.solver.empty() || record.solver == kEngineName) continue;
    const bool ran = record.status != ToString(Status::kNotRun);
    explanation->trials.push_back({record.solver, record.status, record.iterations,
                                   ran ? record.total_seconds : kUnknown,
                                   ran ? record.errors.energy.sum : kUnknown,
                                   record.status == ToString(Status::kConverged), record.history});
  }
  std::stable_sort(explanation->trials.begin(), explanation->trials.end(),
                   [](const Trial& a, const Trial& b) {
                     if (a.solved != b.solved) return a.solved;
                     if (a.solved) return a.seconds < b.seconds;
                     return std::isnan(b.joules) ? !std::isnan(a.joules) : a.joules < b.joules;
                   });
}

void AddGroups(const CapturedStep& step, const ReplayRecord& record, const ExplainOptions& options,
               Explanation* explanation) {
  const Problem& problem = step.problem;
  const Solution& solution = record.solution;
  const bool frozen = step.x0.size() == static_cast<std::size_t>(problem.rows());
  FeasibleSet set;
  set.Reset(problem, options.solve.law, frozen ? step.x0.data() : nullptr);
  std::vector<double> joules(static_cast<std::size_t>(problem.rows()));
  MeasureEnergy(set, FreeEnergy(set), solution.x.data(), solution.w.data(), joules.data());
  const std::vector<GroupState> states = StatesOf(set, solution.x.data(), solution.w.data());
  std::vector<ExplainedGroup> groups;
  int contact = 0;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    const GroupPlace place = PlaceOf(step, g, contact);
    contact += group.kind == GroupKind::kContact ? 1 : 0;
    ExplainedGroup entry;
    entry.group = g;
    entry.name = GroupName(problem, g);
    entry.bodies = BodyName(step, place.bodies[0]) + " and " + BodyName(step, place.bodies[1]);
    entry.state = states[g];
    double square = 0;
    for (int row = group.first_row; row < group.first_row + group.size; ++row) {
      entry.joules += joules[row];
      square += solution.x[row] * solution.x[row];
    }
    entry.impulse =
        group.kind == GroupKind::kContact ? solution.x[group.first_row] : std::sqrt(square);
    entry.share = explanation->joules > 0 ? entry.joules / explanation->joules : 0;
    explanation->sticking += entry.state == GroupState::kSticking ? 1 : 0;
    explanation->sliding += entry.state == GroupState::kSliding ? 1 : 0;
    explanation->open += entry.state == GroupState::kOpen ? 1 : 0;
    groups.push_back(std::move(entry));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ExplainedGroup& a, const ExplainedGroup& b) {
                     return a.joules > b.joules || (std::isnan(a.joules) && !std::isnan(b.joules));
                   });
  groups.resize(std::min(groups.size(), static_cast<std::size_t>(std::max(0, options.worst))));
  explanation->worst = std::move(groups);
}

}  // namespace

Explanation Explain(const CapturedStep& step, std::int64_t index, const ExplainOptions& options) {
  Explanation explanation;
  explanation.step = index;
  explanation.info = step.info;
  explanation.contacts = step.problem.contacts();
  explanation.rows = step.problem.rows();
  explanation.joints = static_cast<int>(step.problem.groups().size()) - explanation.contacts;
  if (explanation.rows == 0) {
    explanation.advice = AdviceFor(explanation);
    return explanation;
  }
  const std::vector<ReplayRecord> records = Solve(step, options);
  AddTrials(records, &explanation);
  const auto find = [&records](const std::string& name) {
    return std::find_if(records.begin(), records.end(),
                        [&name](const ReplayRecord& record) { return record.solver == name; });
  };
  auto shown = find(options.solver.empty() ? std::string(kEngineName) : options.solver);
  if (shown == records.end() && options.solver.empty()) shown = find("auto");
  const auto rows = static_cast<std::size_t>(explanation.rows);
  explanation.solver = options.solver.empty() ? kEngineName : options.solver;
  if (shown != records.end() && shown->solution.x.size() == rows) {
    explanation.has_solution = true;
    explanation.solver = shown->solver;
    explanation.law = shown->law;
    explanation.joules = shown->errors.energy.sum;
    explanation.free_energy = shown->errors.energy.free_energy;
    explanation.relative = shown->errors.energy.relative;
    explanation.iterations = shown->iterations;
    explanation.seconds = shown->total_seconds;
    AddGroups(step, *shown, options, &explanation);
    explanation.load = LoadPathOf(step, shown->solution.x);
    explanation.heavy = BodyName(step, explanation.load.heavy);
    explanation.light = BodyName(step, explanation.load.light);
  }
  explanation.joint_rank = RankOfJoints(step.problem);
  for (int group : explanation.joint_rank.redundant) {
    explanation.redundant_joints.push_back(GroupName(step.problem, group));
  }
  explanation.condition = ConditionOf(step.problem);
  explanation.advice = AdviceFor(explanation);
  return explanation;
}

}  // namespace nonsmooth
