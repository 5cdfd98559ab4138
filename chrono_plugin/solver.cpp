// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "chrono/solver/ChConstraint.h"
#include "chrono/solver/ChSolverADMM.h"
#include "chrono/solver/ChSolverPSOR.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "common/solve/step_budget.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Solver::Solver(const Options& options)
    : ChIterativeSolver(options.solve.max_iterations, options.solve.relative_tolerance,
                        /*use_precond=*/true, options.warm_start),
      options_(options),
      tolerance_(options.solve.relative_tolerance),
      solver_(options.solver) {
  Validate("options", Fields(options_.solve));
  Require(options_.duration > 0, "options.duration = ", options_.duration, ", expected above 0 s");
  for (const auto& [name, value] : options_.solver_options) {
    Set(options_.solver, solver_.driver().Options(), name, value);
  }
  Validate(options_.solver, solver_.driver().Options());
  const LawKind law =
      options_.solve.law.kind == LawKind::kNative ? LawKind::kCcp : options_.solve.law.kind;
  Require(solver_.driver().info().Handles(law), "solver ", options_.solver, " does not handle law ",
          ToString(law));
}

Solver::~Solver() = default;

void Solver::TakeChronosSettings() {
  // SetTolerance() and EnableWarmStart() are not virtual: what they have set is found afterwards.
  if (m_tolerance != tolerance_) options_.solve.relative_tolerance = m_tolerance;
  m_tolerance = tolerance_ = options_.solve.relative_tolerance;
  options_.warm_start = m_warm_start;
}

const Options& Solver::options() {
  TakeChronosSettings();
  return options_;
}

SolveOptions& Solver::solve_options() {
  TakeChronosSettings();
  return options_.solve;
}

void Solver::SetMaxIterations(int max_iterations) {
  ChIterativeSolver::SetMaxIterations(max_iterations);
  options_.solve.max_iterations = max_iterations;
  options_.budget = false;
}

double Solver::Budget() const {
  const bool timed = options_.solve.deadline < std::numeric_limits<double>::infinity();
  if (!options_.budget || timed) return std::numeric_limits<double>::infinity();
  return StepBudget(extractor_.problem().rows(), kEngineIterations, options_.duration);
}

SolveOptions Solver::StepOptions() const {
  SolveOptions options = options_.solve;
  if (options.relative_tolerance == 0)
    options.relative_tolerance = StepTolerance(options_.duration);
  return options;
}

double Solver::Solve(::chrono::ChSystemDescriptor& descriptor) {
  ++solves_;
  TakeChronosSettings();
  bool solved = false;
  std::string why = "an exception that does not say what it is";
  try {
    solved = TrySolve(descriptor, why);
  } catch (const std::exception& trouble) {
    why = trouble.what();
  } catch (...) {
  }
  if (!solved) FallBack(descriptor, std::move(why));
  return result_.energy.sum;
}

bool Solver::TrySolve(::chrono::ChSystemDescriptor& descriptor, std::string& why) {
  const Clock::time_point start = Clock::now();
  extractor_.Read(descriptor);
  read_seconds_ = SecondsSince(start);

  solver_.Solve(extractor_.problem(), StepOptions(), Budget(),
                m_warm_start ? &extractor_.warm_start() : nullptr, solution_, result_);
  if (result_.status == Status::kNumericalFailure) {
    why = options_.solver + " " + std::string(solver_.trouble());
    return false;
  }
  const Clock::time_point solved = Clock::now();
  extractor_.Write(solution_);
  write_seconds_ = SecondsSince(solved);
  return true;
}

void Solver::Say(bool& said, const std::string& message) {
  if (std::exchange(said, true)) return;
  // Chrono's frames are above: whatever a listener throws ends here.
  try {
    if (options_.on_trouble) {
      options_.on_trouble(message);
    } else {
      std::fprintf(stderr, "%s\n", message.c_str());
    }
  } catch (...) {
  }
}

bool Solver::StandIn(::chrono::ChSystemDescriptor& descriptor) {
  std::shared_ptr<::chrono::ChSolver> solver = options_.stand_in;
  if (solver == nullptr) {
    std::shared_ptr<::chrono::ChIterativeSolverVI> chronos;
    if (descriptor.HasKRMBlocks()) {
      chronos = chrono_types::make_shared<::chrono::ChSolverADMM>();
    } else {
      chronos = chrono_types::make_shared<::chrono::ChSolverPSOR>();
    }
    chronos->SetMaxIterations(std::max(1, options_.solve.max_iterations));
    chronos->EnableWarmStart(m_warm_start);
    solver = chronos;
  }
  if (!solver->Setup(descriptor, /*analyze=*/true)) return false;
  solver->Solve(descriptor);
  ::chrono::ChVectorDynamic<> velocities, multipliers;
  descriptor.FromVariablesToVector(velocities);
  descriptor.FromConstraintsToVector(multipliers);
  return velocities.allFinite() && multipliers.allFinite();
}

void Solver::FallBack(::chrono::ChSystemDescriptor& descriptor, std::string why) {
  ++fallbacks_;
  result_ = Result();
  result_.fallbacks = 1;
  trouble_ = std::move(why);
  Say(said_fallback_, "nonsmooth::chrono::Solver: a step is left to the stand-in: " + trouble_);
  ::chrono::ChVectorDynamic<> kept;
  descriptor.UpdateCountsAndOffsets();
  descriptor.FromVariablesToVector(kept);
  try {
    if (StandIn(descriptor)) return;
    trouble_ += "; nor has the stand-in a finite solution";
  } catch (const std::exception& trouble) {
    trouble_ += std::string("; the stand-in: ") + trouble.what();
  } catch (...) {
    trouble_ += "; nor can the stand-in";
  }
  descriptor.FromVectorToVariables(kept);
  for (::chrono::ChConstraint* constraint : descriptor.GetConstraints()) {
    constraint->SetLagrangeMultiplier(0);
  }
  Say(said_standstill_, "nonsmooth::chrono::Solver: velocities stay as they were in a step that " +
                            std::string("nobody can solve: ") + trouble_);
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
