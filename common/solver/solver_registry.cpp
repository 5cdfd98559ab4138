// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/solver_registry.h"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "common/solvers/apgd.h"
#include "common/solvers/bb.h"
#include "common/solvers/minres.h"
#include "common/solvers/nncg.h"
#include "common/solvers/pgs_sm.h"
#include "common/solvers/pjacobi.h"
#include "common/solvers/psor.h"
#include "common/solvers/staggered.h"

namespace nonsmooth {
namespace {

template <class T>
std::unique_ptr<Solver> Make() {
  return std::make_unique<T>();
}

constexpr std::initializer_list<LawKind> kAllLaws{LawKind::kBox, LawKind::kCoupledBox,
                                                  LawKind::kPyramid, LawKind::kCcp, LawKind::kNcp};

}  // namespace

bool SolverInfo::Handles(LawKind law) const {
  return std::find(laws.begin(), laws.end(), law) != laws.end();
}

const std::vector<SolverInfo>& Solvers() {
  static const std::vector<SolverInfo> solvers{
      {"psor", "projected successive over-relaxation, matrix-free Gauss-Seidel sweeps",
       "Tasora, An iterative fixed-point method for solving large complementarity problems",
       kAllLaws, Make<PsorSolver>},
      {"nncg", "nonsmooth nonlinear conjugate gradient over Gauss-Seidel sweeps",
       "Silcowitz-Hansen et al., A nonsmooth nonlinear conjugate gradient method, 2010", kAllLaws,
       Make<NncgSolver>},
      {"pjacobi", "projected Jacobi with split masses, all contacts at once",
       "Tonge et al., Mass splitting for jitter-free parallel rigid body simulation, 2012",
       kAllLaws, Make<PjacobiSolver>},
      {"apgd", "Nesterov's accelerated projected gradient with adaptive restart",
       "Mazhar et al., Using Nesterov's method to accelerate multibody dynamics, 2015", kAllLaws,
       Make<ApgdSolver>},
      {"bb", "spectral projected gradient with Barzilai-Borwein steps",
       "Birgin et al., Nonmonotone spectral projected gradient methods on convex sets, 2000",
       kAllLaws, Make<BbSolver>},
      {"pgs_sm", "Gauss-Seidel sweeps with subspace minimisation over what they leave free",
       "Morales et al., Fast solution of symmetric linear complementarity problems, 2008", kAllLaws,
       Make<PgsSmSolver>},
      {"minres", "projected MINRES: gradient projection and Krylov steps on faces; joints at once",
       "Heyn et al., Using Krylov subspace and spectral methods, 2013", kAllLaws,
       Make<MinresSolver>},
      {"staggered",
       "normal and frictional impulses in turn, each a convex projection",
       "Kaufman et al., Staggered projections for frictional contact, 2008",
       {LawKind::kBox, LawKind::kCoupledBox, LawKind::kPyramid, LawKind::kNcp},
       Make<StaggeredSolver>},
  };
  return solvers;
}

const SolverInfo& FindSolver(std::string_view name) {
  std::string known;
  for (const SolverInfo& solver : Solvers()) {
    if (solver.name == name) return solver;
    known += (known.empty() ? "" : ", ") + std::string(solver.name);
  }
  throw std::invalid_argument("solver '" + std::string(name) + "' is not one of " + known);
}

}  // namespace nonsmooth
