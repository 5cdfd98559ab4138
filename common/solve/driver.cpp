// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/driver.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/solve/island_results.h"
#include "common/solve/island_team.h"
#include "common/solve/measurement.h"
#include "common/solve/single_solve.h"
#include "common/util/check.h"

namespace nonsmooth {

struct Driver::Workspace {
  explicit Workspace(std::unique_ptr<Solver> solver) : single(std::move(solver)) {}

  FeasibleSet set;
  Islands islands;
  int count = 0;                          ///< of islands; 1: the problem is solved as a whole
  std::vector<EnergyError> start_energy;  ///< of each
  Measurement measurement;
  SingleSolve single;
  IslandTeam team;
};

Driver::Driver(std::string_view solver_name)
    : Driver(FindSolver(solver_name), FindSolver(solver_name).make()) {}

Driver::Driver(const SolverInfo& info, std::unique_ptr<Solver> solver)
    : info_(info), workspace_(std::make_unique<Workspace>(std::move(solver))) {
  solver_fields_ = Options();
  checked_options_ = std::make_unique<SolveOptions>();
  option_fields_ = Fields(*checked_options_);
}

Driver::~Driver() = default;
Driver::Driver(Driver&&) noexcept = default;
Driver& Driver::operator=(Driver&&) noexcept = default;

OptionFields Driver::Options() { return workspace_->single.solver().Options(); }

OptionFields Driver::Tuning() { return workspace_->single.solver().Tuning(); }

void Driver::Check(const Problem& problem, const SolveOptions& options,
                   const std::vector<double>* warm_start) {
  *checked_options_ = options;
  Validate("options", option_fields_);
  Validate(info_.name, solver_fields_);
  const auto refuse = [this](LawKind law) {
    std::string known;
    for (LawKind kind : info_.laws) known += " " + std::string(ToString(kind));
    Require(false, "solver ", info_.name, " does not handle law ", ToString(law), "; it handles",
            known);
  };
  if (options.law.kind == LawKind::kNative) {
    LawKind handled = LawKind::kNative;  // what was asked for last: contacts are mostly alike
    for (const RowGroup& group : problem.groups()) {
      if (group.kind != GroupKind::kContact || group.law.kind == handled) continue;
      if (!info_.Handles(group.law.kind)) refuse(group.law.kind);
      handled = group.law.kind;
    }
  } else {
    Require(HasValidFacets(options.law), "options.law = pyramid with ", options.law.facets,
            " facets, expected ", kFewestFacets, " to ", kMostFacets);
    if (!info_.Handles(options.law.kind)) refuse(options.law.kind);
  }
  if (warm_start == nullptr) return;
  RequireSize("solve", "warm_start", warm_start->size(), static_cast<std::size_t>(problem.rows()));
  for (std::size_t i = 0; i < warm_start->size(); ++i) {
    Require(std::isfinite((*warm_start)[i]), "solve: warm_start[", i, "] = ", (*warm_start)[i],
            " is not finite");
  }
}

/// Where a problem that is solved as a whole starts. True: w and v of the solution belong to its x.
bool Driver::ChooseStart(const Problem& problem, const std::vector<double>* warm_start,
                         Solution& solution) {
  Workspace& own = *workspace_;
  own.start_energy.assign(1, EnergyError());
  EnergyError& energy = own.start_energy[0];
  energy.sum = energy.free_energy = own.measurement.FreeEnergyOf(own.set);
  if (warm_start != nullptr && energy.free_energy > 0) {
    solution.x = *warm_start;
    own.measurement.Evaluate(problem, solution);
    const EnergyError warm = own.measurement.Measure(own.set, energy.free_energy, solution);
    if (warm.sum < energy.free_energy) {  // a NaN is not
      energy = warm;
      return true;
    }
  }
  solution.x.assign(problem.rows(), 0.0);
  return false;
}

/// The same for each of several islands. w and v belong to x in any case, since islands that are
/// done at once are not looked at again.
void Driver::ChooseStarts(const Problem& problem, const std::vector<double>* warm_start,
                          Solution& solution) {
  Workspace& own = *workspace_;
  own.measurement.FreeEnergies(own.set, own.islands, own.start_energy);
  if (warm_start == nullptr) {
    solution.x.assign(problem.rows(), 0.0);
    solution.w = problem.dynamics().bias();
    solution.v.resize(problem.dynamics().velocity_size());
    problem.dynamics().FreeVelocity(solution.v.data());
    own.measurement.Measure(own.set, own.islands, solution, own.start_energy);
    return;
  }
  solution.x = *warm_start;
  own.measurement.Evaluate(problem, solution);
  own.measurement.Measure(own.set, own.islands, solution, own.start_energy);
  bool dropped = false;
  for (int island = 0; island < own.count; ++island) {
    const EnergyError& energy = own.start_energy[island];
    if (energy.sum < energy.free_energy) continue;  // a NaN is not
    for (int g : own.islands.groups(island)) {
      const RowGroup& group = problem.groups()[g];
      for (int i = group.first_row; i < group.first_row + group.size; ++i) {
        dropped = dropped || solution.x[i] != 0;
        solution.x[i] = 0;
      }
    }
  }
  if (!dropped) return;
  own.measurement.Evaluate(problem, solution);
  own.measurement.Measure(own.set, own.islands, solution, own.start_energy);
}

void Driver::Combine(const SolveOptions& options, Result& result) {
  Workspace& own = *workspace_;
  SumUp(own.team.results(), result);
  if (result.energy.sum <=
      std::max(options.energy_tolerance, options.relative_tolerance * result.energy.free_energy)) {
    result.status = Status::kConverged;
  }
  if (options.history) MergeHistories(own.team.results(), result.history);
  result.islands = own.count;
  const int worst = WorstOf(own.team.results());
  const Result& of_worst = own.team.results()[worst];
  result.worst = {own.islands.groups(worst)[0], own.islands.rows(worst), of_worst.status,
                  of_worst.iterations, of_worst.energy.sum};
  result.remark = of_worst.remark;
}

void Driver::Solve(const Problem& problem, const SolveOptions& options,
                   const std::vector<double>* warm_start, Solution& solution, Result& result,
                   const Observer* observer) {
  const Monitor::Clock::time_point start = Monitor::Clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(Monitor::Clock::now() - start).count();
  };
  result.Clear();
  Check(problem, options, warm_start);
  if (problem.rows() == 0) {
    solution.x.clear();
    solution.w.clear();
    solution.v.resize(problem.shared_dynamics() ? problem.dynamics().velocity_size() : 0);
    if (problem.shared_dynamics()) problem.dynamics().FreeVelocity(solution.v.data());
    result.status = Status::kConverged;
    return;
  }
  Workspace& own = *workspace_;
  own.measurement.UseThreads(ThreadCount(options.threads));
  own.set.Reset(problem, options.law, warm_start != nullptr ? warm_start->data() : nullptr);
  own.count = 1;
  if (options.islands && problem.groups().size() > 1) {
    own.islands.Find(problem);
    own.count = own.islands.count();
  }
  const bool whole = own.count == 1;
  bool evaluated = false;
  if (whole) {
    evaluated = ChooseStart(problem, warm_start, solution);
  } else {
    ChooseStarts(problem, warm_start, solution);
  }
  const double before = seconds();
  if (whole) {
    const EnergyError& energy = own.start_energy[0];
    const double scale = std::max(energy.free_energy, LeastScale(problem));
    const bool dropped = warm_start != nullptr && !evaluated && energy.free_energy > 0;
    own.single.Solve({&own.set, options, start, energy, scale, evaluated, observer,
                      dropped ? warm_start : nullptr},
                     solution, result);
    result.islands = 1;
    result.worst = {0, problem.rows(), result.status, result.iterations, result.energy.sum};
  } else {
    own.team.Solve(
        {&problem, &own.islands, options, warm_start, &own.start_energy, start, observer},
        own.single, info_.make, solution);
    Combine(options, result);
    // What was done at the same time is shared out over the time that it took.
    const double spent = result.seconds.total();
    const double share = spent > 0 ? (seconds() - before) / spent : 0;
    result.seconds.prepare *= share;
    result.seconds.iterate *= share;
    result.seconds.finish *= share;
  }
  result.seconds.prepare += before;
}

Result Driver::Solve(const Problem& problem, const SolveOptions& options, Solution& solution) {
  Result result;
  Solve(problem, options, nullptr, solution, result);
  return result;
}

}  // namespace nonsmooth
