// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/benchmarks/siconos_solve.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <chrono>

namespace nonsmooth::benchmark {
namespace {

constexpr int kDimension = 3;

int Id(SiconosMethod method) {
  switch (method) {
    case SiconosMethod::kNsgs:
      return SICONOS_FRICTION_3D_NSGS;
    case SiconosMethod::kNsnAc:
      return SICONOS_FRICTION_3D_NSN_AC;
    case SiconosMethod::kNsnFb:
      return SICONOS_FRICTION_3D_NSN_FB;
    case SiconosMethod::kAdmm:
      return SICONOS_FRICTION_3D_ADMM;
  }
  return 0;
}

/// Enough for whoever converges at all; the time limit ends the others.
int MostIterations(SiconosMethod method) {
  switch (method) {
    case SiconosMethod::kNsgs:
      return 1000000;
    case SiconosMethod::kNsnAc:
    case SiconosMethod::kNsnFb:
      return 5000;
    case SiconosMethod::kAdmm:
      return 100000;
  }
  return 0;
}

/// Left to the end of the process: every run has one of its own.
NumericsMatrix* MakeMatrix(const CsrMatrix& a, SiconosStorage storage) {
  if (storage == SiconosStorage::kDense) {
    NumericsMatrix* dense = NM_create(NM_DENSE, a.rows, a.columns);
    std::fill(dense->matrix0, dense->matrix0 + a.rows * a.columns, 0.0);
    for (int i = 0; i < a.rows; ++i) {
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        dense->matrix0[i + a.rows * a.column[k]] = a.value[k];  // by columns
      }
    }
    return dense;
  }
  NumericsMatrix* sparse = NM_create(NM_SPARSE, a.rows, a.columns);
  NM_triplet_alloc(sparse, a.nonzeros());
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      NM_entry(sparse, i, a.column[k], a.value[k]);
    }
  }
  if (storage == SiconosStorage::kSparse) return sparse;
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, a.rows, a.columns);
  SBM_from_csparse(kDimension, NM_csc(sparse), blocks->matrix1);
  return blocks;
}

}  // namespace

const char* ToString(SiconosMethod method) {
  switch (method) {
    case SiconosMethod::kNsgs:
      return "NSGS";
    case SiconosMethod::kNsnAc:
      return "NSN_AC";
    case SiconosMethod::kNsnFb:
      return "NSN_FB";
    case SiconosMethod::kAdmm:
      return "ADMM";
  }
  return "unknown";
}

bool SiconosTakes(const Problem& problem) {
  return std::all_of(problem.groups().begin(), problem.groups().end(), [](const RowGroup& group) {
    return group.kind == GroupKind::kContact && group.tangents == 2 && group.size == kDimension;
  });
}

std::vector<SiconosRun> SolveWithSiconos(const Problem& problem, SiconosMethod method,
                                         SiconosStorage storage, double tolerance, int repetitions,
                                         double seconds_budget) {
  using Clock = std::chrono::steady_clock;
  const int n = problem.rows();
  std::vector<double> q = problem.dynamics().bias();
  std::vector<double> mu;
  for (const RowGroup& group : problem.groups()) mu.push_back(group.friction);
  FrictionContactProblem theirs{};
  theirs.dimension = kDimension;
  theirs.numberOfContacts = static_cast<int>(mu.size());
  theirs.M = MakeMatrix(problem.dynamics().Assembled(), storage);
  theirs.q = q.data();
  theirs.mu = mu.data();
  std::vector<SiconosRun> runs;
  double used = 0;
  for (int k = 0; k < repetitions && used < seconds_budget; ++k) {
    SolverOptions* options = solver_options_create(Id(method));
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = MostIterations(method);
    SiconosRun run;
    run.reactions.assign(n, 0.0);
    std::vector<double> velocities(n, 0.0);
    const Clock::time_point start = Clock::now();
    const int info = fc3d_driver(&theirs, run.reactions.data(), velocities.data(), options);
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    run.converged = info == 0;
    used += run.seconds;
    runs.push_back(std::move(run));
    solver_options_delete(options);
  }
  return runs;
}

}  // namespace nonsmooth::benchmark
