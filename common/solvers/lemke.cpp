// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/lemke.h"

#include <algorithm>

#include "common/formulations/planar_lcp.h"
#include "common/formulations/pyramid_lcp.h"

namespace nonsmooth {
namespace {

constexpr double kRegularisations[] = {0, 1e-8, 1e-6};

/// Every friction part has axes of its own.
bool IsPlanar(const FeasibleSet& set) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const GroupSet& shape = set.group(g);
    if (shape.shape == GroupSet::Shape::kRows) continue;
    for (int k = 0; k < shape.parts; ++k) {
      if (shape.part[k].size > 1) return false;
    }
  }
  return true;
}

bool HasDisc(const FeasibleSet& set) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const GroupSet& shape = set.group(g);
    if (shape.shape == GroupSet::Shape::kRows) continue;
    for (int k = 0; k < shape.parts; ++k) {
      if (shape.part[k].size > 1 && shape.part[k].facets == 0) return true;
    }
  }
  return false;
}

}  // namespace

OptionFields LemkeSolver::Options() {
  return {{"planar", "-", "Glocker and Studer's smaller LCP, without the guarantee for large mu",
           &options_.planar}};
}

void LemkeSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  map_ = options_.planar && IsPlanar(set) ? PlanarLcp(set) : PyramidLcp(set);
  has_disc_ = HasDisc(set);
}

bool LemkeSolver::Reduce() {
  const Dynamics& dynamics = set_->problem().dynamics();
  if (!reduced_.Eliminate(MakeLcp(map_, dynamics.Assembled(), dynamics.bias()))) return false;
  const int n = reduced_.size;
  z_.resize(map_.size());
  kept_.resize(n);
  scaled_.resize(n);
  scale_.resize(n);
  for (int i = 0; i < n; ++i) scale_[i] = map_.scale[reduced_.kept[i]];
  for (int i = 0; i < n; ++i) {
    double* row =
        reduced_.matrix.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n);
    for (int j = 0; j < n; ++j) row[j] /= scale_[i] * scale_[j];
    reduced_.vector[i] /= scale_[i];
  }
  return true;
}

void LemkeSolver::Load(double* x) {
  for (int i = 0; i < reduced_.size; ++i) kept_[i] = scaled_[i] / scale_[i];
  reduced_.Recover(kept_.data(), z_.data());
  ToImpulses(map_, z_.data(), x);
}

void LemkeSolver::Run(std::vector<double>& x, Monitor& monitor) {
  if (!monitor.Continue(x.data())) return;
  if (map_.size() > kMostVariables) {
    monitor.Stop(Status::kStalled, "more variables than a dense basis is made for");
    return;
  }
  if (!Reduce()) {
    monitor.Stop(Status::kNumericalFailure, "the joints' part of A is not positive semidefinite");
    return;
  }
  const auto n = static_cast<std::size_t>(reduced_.size);
  double added = 0;
  for (double regularisation : kRegularisations) {
    for (std::size_t i = 0; i < n; ++i) reduced_.matrix[i * n + i] += regularisation - added;
    added = regularisation;
    basis_.Start(reduced_.size, reduced_.matrix.data(), reduced_.vector.data());
    LemkeBasis::Step step = LemkeBasis::Step::kPivoted;
    while (step == LemkeBasis::Step::kPivoted) {
      step = basis_.Pivot();
      if (step == LemkeBasis::Step::kRay) break;
      if (monitor.MeasureDue()) {
        basis_.Values(scaled_.data());
        Load(x.data());
      }
      if (!monitor.Continue(x.data())) return;
    }
    if (step == LemkeBasis::Step::kSolved && basis_.Polish(scaled_.data(), regularisation)) {
      Load(x.data());
      if (!monitor.Continue(x.data())) return;
    }
    if (has_disc_) break;
    monitor.CountFallback();
  }
  monitor.Stop(Status::kStalled, has_disc_
                                     ? "rolling friction was discretised by a polygon"
                                     : "the last basis is not exact, or lies on a secondary ray");
}

}  // namespace nonsmooth
