// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../formulations/boxed_mlcp.h"
#include "../../solver/timed_work.h"

namespace nonsmooth {

/// Fitted on Bullet's captured wall, docs/tuning.md.
struct CoupledPathTuning {
  /// [-] ρ of the first round.
  double first_regularisation = 0.1;

  /// [-] The least ρ.
  double least_regularisation = 1e-7;

  /// [-] The least ρ where rounds are easy.
  double least_easy_regularisation = 1e-10;

  /// [-] What an easy round takes.
  double easy_pivots_per_row = 0.1;

  /// [-] Above this ρ rounds always end, below in about two of three.
  double early_regularisation = 2e-5;

  /// [-] What ρ falls by from one early round to the next.
  double fall = 0.1;

  /// [-] And from one late round.
  double late_fall = 0.3;

  /// [-] What ρ rises by where a way is given up.
  double rise = 4;

  /// [-] Pivots per row after which the first way is given up.
  double first_pivots_per_row = 2;

  /// [-] And every other.
  double pivots_per_row = 0.6;

  /// [pivots] That are allowed in any case.
  int few_pivots = 50;

  /// [-] Ways given up in a row before one begins at zero. Ways from x_k can lead back to where
  /// they came from, those from zero cannot but are long.
  int failures_before_zero = 3;

  /// [rounds] At the most.
  int most_rounds = 100;

  /// [rounds] Without a lower error.
  int idle_rounds = 20;

  /// [-] Of the largest free velocity, times the root of the error: how far rows that rest at their
  /// bound are moved off at t = 0.
  double perturbation = 1e-3;

  /// [-] And at the least.
  double least_perturbation = 1e-6;
};

/// Pivoting on a problem under `coupled_box` itself, with friction bounded by the normal impulse of
/// the same moment: Lemke's method (Cottle, Pang, Stone, Sect. 4.4) from any start, in the impulses
/// alone. Around the last x_k it solves
///
///     w = (A + ρ diag(A)) x + b − ρ diag(A) x_k,   row by row l ≤ x ≤ u or |x_t| ≤ μ x_n,
///
/// by following its solutions x(t), t from 0 to 1, with (1 − t) r added to w and r such that x_k
/// solves the problem at t = 0. x(t) is piecewise linear; where a row meets its bound or its w
/// falls to zero it changes sides, which is one pivot:
///
///     K x = (−q or the bound),   K: rows of A of free rows, x_i ∓ μ x_n of those that slide,
///
/// changes by one row, and K⁻¹, dense, by a product of rank one. Friction is not monotone: t turns
/// back where det K changes its sign (B. C. Eaves, "A short course in solving equations with PL
/// homotopies", 1976), so that no contraction and no relaxation is needed.
///
/// ρ begins at 0.1 and falls while the way ends, to 1e-7; where it takes more than pivots_per_row
/// pivots a row ρ goes up again and the way is begun anew. Hyperstatic walls hold x that differ by
/// much and w that differ by little: from round to round x drifts by w / (ρ a), which is why ρ must
/// become small. At x_k+1 = x_k nothing is left of ρ.
class CoupledPath {
 public:
  /// A quarter of a gigabyte with what the inversion needs.
  static constexpr int kMostRows = 4000;

  CoupledPath();
  ~CoupledPath();

  /// From x until the monitor says stop (false) or nothing more is gained (true). Every pivot is an
  /// iteration.
  bool Run(const FeasibleSet& set, std::vector<double>& x, Monitor& monitor);

  void AddTuning(OptionFields* fields);

 private:
  struct Inverse;
  enum class Outcome { kArrived, kStopped, kGaveUp };
  struct Event {
    int row = -1;  ///< −1: the end of the way
    RowState to = RowState::kFree;
    double step = 0;
  };

  void Layout(const FeasibleSet& set);
  void Start(double regularisation, double perturbation, const std::vector<double>& centre,
             bool from_zero);
  Outcome Follow(int most_pivots, Monitor& monitor);

  /// Invert(), unless it would take too long; kArrived: done.
  Outcome InvertInTime(Monitor& monitor);
  Event NextEvent(double remaining) const;

  /// False if K becomes singular.
  bool Pivot(const Event& event);
  bool Replace(int row, RowState to);
  void Settle();
  bool Invert();
  void Velocity();
  double Gap(const std::vector<double>& x, int row, RowState side) const;
  double RowTimes(int row, const double* x) const;
  /// x_i = ± μ x_n is its equation; ± μ.
  bool Slides(int row) const { return parent_[row] >= 0 && state_[row] != RowState::kFree; }
  double Slope(int row) const {
    return state_[row] == RowState::kUpper ? slope_[row] : -slope_[row];
  }
  bool Presses(int row) const {
    return parent_[row] < 0 || state_[parent_[row]] == RowState::kFree;
  }

  const FeasibleSet* set_ = nullptr;
  CoupledPathTuning tuning_;
  const CsrMatrix* a_ = nullptr;
  int n_ = 0;
  std::vector<int> parent_;    ///< normal that bounds the row; −1: constant bounds
  std::vector<double> slope_;  ///< μ of such a row
  std::vector<double> lower_, upper_;
  std::vector<double> added_;  ///< ρ a_i

  std::vector<RowState> state_;
  std::vector<double> x_, w_, dx_, dw_;
  std::vector<double> vector_;  ///< q at the end of the way
  std::vector<double> cover_;   ///< r
  double t_ = 0;
  double sign_ = 1;  ///< of dt
  int last_row_ = -1;
  RowState last_state_ = RowState::kFree;  ///< that it left
  std::unique_ptr<Inverse> inverse_;
  TimedWork inversion_;
  std::vector<double> right_;
  OperatorWorkspace workspace_;
};

}  // namespace nonsmooth
