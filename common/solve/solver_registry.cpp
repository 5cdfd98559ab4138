// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/solver_registry.h"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "common/methods/exact/exact.h"
#include "common/methods/gradient/apgd.h"
#include "common/methods/gradient/bb.h"
#include "common/methods/gradient/extragradient.h"
#include "common/methods/interior/ip.h"
#include "common/methods/krylov/minres.h"
#include "common/methods/krylov/pgs_sm.h"
#include "common/methods/newton/alart_curnier.h"
#include "common/methods/newton/fischer_newton.h"
#include "common/methods/newton/minmap_newton.h"
#include "common/methods/pivoting/bpp.h"
#include "common/methods/pivoting/dantzig.h"
#include "common/methods/pivoting/lemke.h"
#include "common/methods/pivoting/murty.h"
#include "common/methods/splitting/admm.h"
#include "common/methods/splitting/staggered.h"
#include "common/methods/sweep/nncg.h"
#include "common/methods/sweep/nsgs.h"
#include "common/methods/sweep/pjacobi.h"
#include "common/methods/sweep/prox.h"
#include "common/methods/sweep/psor.h"
#include "common/solve/auto_solver.h"

namespace nonsmooth {
namespace {

template <class T>
std::unique_ptr<Solver> Make() {
  return std::make_unique<T>();
}

constexpr std::initializer_list<LawKind> kAllLaws{LawKind::kBox, LawKind::kCoupledBox,
                                                  LawKind::kPyramid, LawKind::kCcp, LawKind::kNcp};
/// What has constant bounds, or bounds from a normal.
constexpr std::initializer_list<LawKind> kBoxedLaws{LawKind::kBox, LawKind::kCoupledBox};

/// What can be stated row by row, polygons included.
constexpr std::initializer_list<LawKind> kRowLaws{LawKind::kBox, LawKind::kCoupledBox,
                                                  LawKind::kPyramid};

constexpr std::initializer_list<LawKind> kConeLaws{LawKind::kCcp, LawKind::kNcp};
constexpr std::initializer_list<LawKind> kCoulombLaws{LawKind::kBox, LawKind::kCoupledBox,
                                                      LawKind::kPyramid, LawKind::kNcp};

}  // namespace

bool SolverInfo::Handles(LawKind law) const {
  return std::find(laws.begin(), laws.end(), law) != laws.end();
}

const std::vector<SolverInfo>& Solvers() {
  static const std::vector<SolverInfo> solvers{
      {"auto", "chooses among the others, and changes where the error does not fall fast enough",
       "docs/solvers.md", kAllLaws, Make<AutoSolver>},
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
      {"lemke", "complementary pivoting with the lexicographic rule on the LCP with facets",
       "Cottle, Pang, Stone, The Linear Complementarity Problem, Algorithms 4.4.5 and 4.9.1",
       kRowLaws, Make<LemkeSolver>},
      {"murty", "principal pivoting by least index, always ends",
       "Murty, Note on a Bard-type scheme for solving the complementarity problem, 1974",
       kBoxedLaws, Make<MurtySolver>},
      {"dantzig", "principal pivoting row by row with an incremental factorisation",
       "Baraff, Fast contact force computation for nonpenetrating rigid bodies, 1994", kBoxedLaws,
       Make<DantzigSolver>},
      {"bpp", "block principal pivoting with sparse Cholesky, guarded against cycling",
       "Judice, Pires, A block principal pivoting algorithm for large-scale LCPs, 1994", kBoxedLaws,
       Make<BppSolver>},
      {"alart_curnier", "semismooth Newton on the cone, reduced direct systems, proximal term",
       "Alart, Curnier, A mixed formulation for frictional contact problems, 1991", kAllLaws,
       Make<AlartCurnierSolver>},
      {"fischer_newton", "semismooth Newton on Fischer and Burmeister's function, row by row",
       "Fischer, A special Newton-type optimization method, 1992", kRowLaws,
       Make<FischerNewtonSolver>},
      {"minmap_newton", "semismooth Newton on the minimum map, row by row",
       "Pang, Newton's method for B-differentiable equations, 1990", kRowLaws,
       Make<MinmapNewtonSolver>},
      {"nsgs", "nonsmooth Gauss-Seidel, contact by contact, each cone problem solved exactly",
       "Jean, The non-smooth contact dynamics method, 1999; Acary et al., INRIA RR-9118, 2018",
       kConeLaws, Make<NsgsSolver>},
      {"admm", "alternating directions, one factorisation, adaptive penalty",
       "Tasora et al., Solving variational inequalities by ADMM, 2021; Carpentier et al., 2024",
       kAllLaws, Make<AdmmSolver>},
      {"extragradient", "Korpelevich's extragradient with Khobotov's step rule, slow and safe",
       "Korpelevich, The extragradient method, 1976; Acary et al., INRIA RR-9118, 2018", kAllLaws,
       Make<ExtragradientSolver>},
      {"prox", "fixed point of prox functions, normal and friction in turn, with r-factors",
       "Lu et al., A framework for problem standardization and algorithm comparison", kCoulombLaws,
       Make<ProxSolver>},
      {"ip", "primal-dual interior point with Nesterov-Todd scaling, sparse factorisation",
       "Mangoni, Tasora, Solving unilateral contact problems using an interior point method",
       kAllLaws, Make<IpSolver>},
      {"exact", "interior point on the law itself, then proximal Newton, on velocities",
       "docs/solvers.md", kAllLaws, Make<ExactSolver>},
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
