// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/lemke.h"

#include <algorithm>
#include <limits>

#include "common/formulations/planar_lcp.h"
#include "common/formulations/pyramid_lcp.h"

namespace nonsmooth {
namespace {

constexpr int kFewPivots = 10;  // that are allowed in any case

/// Proximal rounds with ρ of the scaled diagonal, which is one, until so many rounds have not
/// halved the error. Heavy bodies on light ones need a small ρ, long chains of contacts a larger
/// one.
struct ProximalStage {
  double regularisation;
  int pivots_per_variable;
  int idle_rounds;
};
constexpr ProximalStage kStages[] = {{1e-11, 2, 3}, {1e-8, 2, 2}, {1e-5, 100, 4}};

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

/// `box` and `coupled_box`: every row has bounds of its own.
bool IsRowwise(const FeasibleSet& set) {
  const int groups = static_cast<int>(set.problem().groups().size());
  for (int g = 0; g < groups; ++g) {
    if (set.group(g).shape != GroupSet::Shape::kRows) return false;
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

OptionFields LemkeSolver::Tuning() {
  OptionFields fields{
      {"pivots_per_variable", "-", "After which rounding is to blame", &tuning_.pivots_per_variable,
       1, 1000},
  };
  path_.AddTuning(&fields);
  return fields;
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
  centre_.resize(n);
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

LemkeSolver::Outcome LemkeSolver::PivotToEnd(double regularisation, int most_pivots,
                                             std::vector<double>& x, Monitor& monitor) {
  shifted_ = reduced_.vector;
  if (regularisation > 0) {
    for (int i = 0; i < reduced_.size; ++i) shifted_[i] -= regularisation * centre_[i];
  }
  basis_.Start(reduced_.size, reduced_.matrix.data(), shifted_.data());
  LemkeBasis::Step step = LemkeBasis::Step::kPivoted;
  for (int pivot = 0; step == LemkeBasis::Step::kPivoted; ++pivot) {
    if (pivot == most_pivots) return Outcome::kGaveUp;
    step = basis_.Pivot();
    if (step == LemkeBasis::Step::kRay) return Outcome::kGaveUp;
    if (monitor.MeasureDue()) {
      basis_.Values(scaled_.data());
      Load(x.data());
    }
    if (!monitor.Continue(x.data())) return Outcome::kStopped;
  }
  if (regularisation > 0) {
    // The basis may be right though the values are not: once without ρ.
    if (basis_.Polish(scaled_.data(), regularisation, reduced_.vector.data())) {
      Load(x.data());
      if (!monitor.Continue(x.data())) return Outcome::kStopped;
    }
    basis_.Values(scaled_.data());
  }
  basis_.Polish(scaled_.data());
  Load(x.data());
  return monitor.Continue(x.data()) ? Outcome::kDone : Outcome::kStopped;
}

void LemkeSolver::Run(std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  if (!monitor.Continue(x.data())) return;
  if (map_.size() > kMostVariables) {
    monitor.Stop(Status::kStalled, "more variables than a dense basis is made for");
    return;
  }
  if (!Reduce()) {
    monitor.Stop(Status::kNumericalFailure, "the joints' part of A is not positive semidefinite");
    return;
  }
  switch (PivotToEnd(0, tuning_.pivots_per_variable * reduced_.size + kFewPivots, x, monitor)) {
    case Outcome::kStopped:
      return;
    case Outcome::kDone:
      if (has_disc_) {
        monitor.Stop(Status::kStalled, "rolling friction was discretised by a polygon");
        return;
      }
      break;
    case Outcome::kGaveUp:
      break;
  }
  // Rounding, or a problem without a solution.
  if (IsRowwise(*set_)) {
    x = monitor.best();
    monitor.CountFallback("coupled_path");
    if (!path_.Run(*set_, x, monitor)) return;
  }
  // The proximal point method: M + ρ is strictly
  // copositive, its bases are well conditioned, and ρ z − ρ z_k is nothing once z has settled.
  const auto n = static_cast<std::size_t>(reduced_.size);
  double added = 0;
  for (const ProximalStage& stage : kStages) {
    for (std::size_t i = 0; i < n; ++i) {
      reduced_.matrix[i * n + i] += stage.regularisation - added;
    }
    added = stage.regularisation;
    std::fill(centre_.begin(), centre_.end(), 0.0);
    double least = std::numeric_limits<double>::infinity();
    const int most = stage.pivots_per_variable * reduced_.size + kFewPivots;
    for (int idle = 0; idle < stage.idle_rounds;) {
      monitor.CountFallback();
      const Outcome outcome = PivotToEnd(stage.regularisation, most, x, monitor);
      if (outcome == Outcome::kStopped) return;
      if (outcome == Outcome::kGaveUp) break;
      idle = monitor.best_energy() < 0.5 * least ? 0 : idle + 1;
      if (idle == 0) least = monitor.best_energy();
      centre_ = scaled_;
    }
  }
  monitor.Stop(Status::kStalled, "the last basis is not exact, or lies on a secondary ray");
}

}  // namespace nonsmooth
