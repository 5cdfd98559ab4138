// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/minres.h"

#include <algorithm>
#include <limits>

namespace nonsmooth {
namespace {

/// On one linear system MINRES is started afresh after so many: rounding has then turned its
/// directions away from each other.
constexpr int kRestart = 1000;

}  // namespace

OptionFields MinresSolver::Options() {
  return {
      {"face_iterations", "iterations", "most steps on one face before x is projected",
       &options_.face_iterations, 1, 1e6},
      {"face_reduction", "-", "a face is left where its residual has fallen to this fraction",
       &options_.face_reduction, 1e-12, 1},
      {"search_iterations", "iterations", "most projected gradient steps in search of a face",
       &options_.search_iterations, 1, 1e6},
      {"renewal_fraction", "-", "the law is frozen anew at this fraction of the true energy error",
       &options_.renewal_fraction, 1e-6, 1},
  };
}

void MinresSolver::Prepare(const FeasibleSet& set) {
  krylov_.Prepare(set);
  const std::vector<RowGroup>& groups = set.problem().groups();
  linear_ = std::all_of(groups.begin(), groups.end(),
                        [](const RowGroup& group) { return group.kind == GroupKind::kEquality; });
}

void MinresSolver::Run(std::vector<double>& x, Monitor& monitor) {
  krylov_.Load(x.data());
  if (!krylov_.Report(monitor)) return;
  krylov_.Freeze(StageKind::kWhole);
  while (linear_) {
    const int before = monitor.iterations();
    if (!krylov_.Krylov(kRestart, 0, monitor)) return;
    if (monitor.iterations() == before) {
      return monitor.Stop(Status::kStalled, "the least residual is reached");
    }
  }
  const auto solved = [this] {
    return krylov_.StageEnergy() <= options_.renewal_fraction * krylov_.Energy();
  };
  for (;;) {
    for (int k = 0; k < options_.search_iterations; ++k) {
      krylov_.GradientStep();
      if (!krylov_.Report(monitor)) return;
      if (krylov_.SameFace()) break;
    }
    if (!solved() && !krylov_.Krylov(options_.face_iterations, options_.face_reduction, monitor)) {
      return;
    }
    if (solved()) krylov_.Freeze(StageKind::kWhole);
  }
}

}  // namespace nonsmooth
