// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/splitting/staggered.h"

namespace nonsmooth {

OptionFields StaggeredSolver::Options() {
  return {
      {"stage_fraction", "-",
       "a projection ends where its energy error is this fraction of the step's",
       &options_.stage_fraction, 1e-12, 1},
      {"stage_iterations", "iterations", "most products with A in one projection",
       &options_.stage_iterations, 1, 1e6},
      {"face_iterations", "iterations", "most steps of MINRES before bounds are looked at again",
       &options_.face_iterations, 1, 1e6},
  };
}

OptionFields StaggeredSolver::Tuning() {
  OptionFields fields = krylov_.Tuning();
  fields.insert(fields.end(), {
                                  {"search_steps", "-", "Gradient steps between two Krylov phases",
                                   &tuning_.search_steps, 1, 1000},
                                  {"face_reduction", "-",
                                   "A face is left where its residual has fallen to this fraction",
                                   &tuning_.face_reduction, 1e-12, 1},
                              });
  return fields;
}

void StaggeredSolver::Prepare(const FeasibleSet& set) { krylov_.Prepare(set); }

bool StaggeredSolver::Project(StageKind kind, Monitor& monitor) {
  krylov_.Freeze(kind);
  const int end = monitor.iterations() + options_.stage_iterations;
  do {
    for (int k = 0; k < tuning_.search_steps; ++k) {
      krylov_.GradientStep();
      if (!krylov_.Report(monitor)) return false;
      if (krylov_.SameFace()) break;
    }
    if (!krylov_.Krylov(options_.face_iterations, tuning_.face_reduction, monitor)) return false;
  } while (krylov_.StageEnergy() > options_.stage_fraction * krylov_.Energy() &&
           monitor.iterations() < end);
  return true;
}

void StaggeredSolver::Run(std::vector<double>& x, Monitor& monitor) {
  krylov_.Load(x.data());
  if (!krylov_.Report(monitor)) return;
  while (Project(StageKind::kNormal, monitor) && Project(StageKind::kTangential, monitor)) {
  }
}

}  // namespace nonsmooth
