// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <string>

#include "chrono/solver/ChConstraint.h"
#include "chrono/solver/ChSolverPSOR.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
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

void Solver::SetMaxIterations(int max_iterations) {
  ChIterativeSolver::SetMaxIterations(max_iterations);
  options_.solve.max_iterations = max_iterations;
}

double Solver::Solve(::chrono::ChSystemDescriptor& descriptor) {
  ++solves_;
  failure_.clear();
  bool solved = false;
  try {
    solved = TrySolve(descriptor);
  } catch (const std::exception& trouble) {
    failure_ = trouble.what();
  } catch (...) {
    failure_ = "an exception that does not say what it is";
  }
  if (!solved) FallBack(descriptor);
  return result_.energy.sum;
}

bool Solver::TrySolve(::chrono::ChSystemDescriptor& descriptor) {
  const Clock::time_point start = Clock::now();
  extractor_.Read(descriptor);
  read_seconds_ = SecondsSince(start);

  driver_.Solve(extractor_.problem(), options_.solve,
                m_warm_start ? &extractor_.warm_start() : nullptr, solution_, result_);
  if (!AllFinite(solution_.x) || !AllFinite(solution_.v)) {
    failure_ = "the solution is not finite";
    return false;
  }
  const Clock::time_point solved = Clock::now();
  extractor_.Write(solution_);
  write_seconds_ = SecondsSince(solved);
  return true;
}

void Solver::FallBack(::chrono::ChSystemDescriptor& descriptor) {
  ++fallbacks_;
  result_ = Result();
  result_.fallbacks = 1;
  ::chrono::ChVectorDynamic<> kept, velocities, multipliers;
  try {
    descriptor.UpdateCountsAndOffsets();
    descriptor.FromVariablesToVector(kept);
    if (descriptor.HasKRMBlocks()) {
      failure_ += "; Chrono's PSOR does not take stiffness blocks";
    } else {
      ::chrono::ChSolverPSOR stand_in;
      stand_in.SetMaxIterations(std::max(1, options_.solve.max_iterations));
      stand_in.EnableWarmStart(m_warm_start);
      stand_in.Solve(descriptor);
      descriptor.FromVariablesToVector(velocities);
      descriptor.FromConstraintsToVector(multipliers);
      if (velocities.allFinite() && multipliers.allFinite()) return;
      failure_ += "; nor has Chrono's PSOR a finite solution";
    }
  } catch (const std::exception& trouble) {
    failure_ += std::string("; Chrono's PSOR: ") + trouble.what();
  } catch (...) {
    failure_ += "; nor can Chrono's PSOR";
  }
  descriptor.FromVectorToVariables(kept);
  for (::chrono::ChConstraint* constraint : descriptor.GetConstraints()) {
    constraint->SetLagrangeMultiplier(0);
  }
}

}  // namespace nonsmooth::chrono
