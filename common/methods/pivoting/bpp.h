// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "../../solver/timed_work.h"
#include "boxed_pivoting.h"

namespace nonsmooth {

/// Fitted on piles of spheres, docs/tuning.md.
struct BppTuning {
  /// [pivots] Without fewer violations before only the worst rows change sides.
  int patience = 10;

  /// [pivots] Of those, before rows change sides one by one.
  int greedy_patience = 30;

  /// [-] Of the worst violation: what counts as one of the worst.
  double greedy_share = 0.5;
};

/// Block principal pivoting: J. Júdice, F. Pires, "A block principal pivoting algorithm for
/// large-scale strictly monotone linear complementarity problems", Computers & OR 21 (1994); with
/// bounds on both sides as Enzenhöfer et al. use it. All rows that violate their law change sides
/// at once. Where their number has not fallen below its least for a while, only the worst
/// do (a stage that the paper does not have: piles of spheres need a tenth of the pivots with it),
/// and after a while more the method steps as `murty` does, one row at a time by least
/// index, until the number has fallen: the guard against cycling.
///
/// Loop around it, redundant rows and `coupled_box`: boxed_pivoting.h. One pivot is one
/// factorisation of A_FF, dense below kDenseRows rows and sparse (AMD) above; there rows outside F
/// are replaced by those of the unit matrix, so that one symbolic analysis serves all pivots, and
/// the next problem of the same pattern.
class BppSolver final : public BoxedPivoting {
 public:
  static constexpr int kDenseRows = 250;

  BppSolver();
  ~BppSolver() override;
  OptionFields Tuning() override;

 protected:
  int most_rows() const override { return std::numeric_limits<int>::max(); }
  void Allocate(const Model& model) override;
  Outcome SolveModel(const Model& model, std::vector<double>& x, std::vector<RowState>& state,
                     Monitor& monitor) override;

 private:
  struct Factor;
  bool Factorise(const Model& model, const std::vector<RowState>& state);
  void SolveFree(const std::vector<RowState>& state, std::vector<double>& y);

  std::unique_ptr<Factor> factor_;
  BppTuning tuning_;
  TimedWork factorisation_;
  std::vector<RowState> factored_;  ///< of the factor; empty: none
  std::vector<double> w_;
};

}  // namespace nonsmooth
