// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "chrono/solver/ChConstraint.h"
#include "chrono/solver/ChSolverADMM.h"
#include "chrono/solver/ChSolverPSOR.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

Solver::Solver(const Options& options)
    : ChIterativeSolver(options.solve.max_iterations, options.solve.relative_tolerance,
                        /*use_precond=*/true, options.warm_start),
      options_(options),
      tolerance_(options.solve.relative_tolerance),
      driver_(options.solver) {
  Validate("options", Fields(options_.solve));
  // In a simulation the next step goes on where this one has ended: sweeps are the better bargain
  // for longer than in a single problem (docs/benchmarks_chrono.md).
  if (options_.solver == "auto") {
    Set("auto", driver_.Options(), "few_iterations", std::to_string(kStepIterations));
  }
  for (const auto& [name, value] : options_.solver_options) {
    Set(options_.solver, driver_.Options(), name, value);
  }
  Validate(options_.solver, driver_.Options());
  const LawKind law =
      options_.solve.law.kind == LawKind::kNative ? LawKind::kCcp : options_.solve.law.kind;
  Require(driver_.info().Handles(law), "solver ", options_.solver, " does not handle law ",
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

  driver_.Solve(extractor_.problem(), options_.solve,
                m_warm_start ? &extractor_.warm_start() : nullptr, solution_, result_);
  if (result_.status == Status::kNumericalFailure || !AllFinite(solution_.x) ||
      !AllFinite(solution_.v)) {
    why = options_.solver + " broke down numerically";
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
