// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/principal_factor.h"
#include "boxed_pivoting.h"

namespace nonsmooth {

/// See docs/tuning.md.
struct DantzigTuning {
  /// [-] Changes of sides while one row is driven, per row of the problem, after which rounding is
  /// taken to go round in circles.
  int most_events_per_row = 4;

  /// [-] Of a round, per row, after which it is given up as hard.
  int most_events_in_all = 10;
};

/// Principal pivoting row by row: R. Cottle, G. Dantzig, "Complementary pivot theory of
/// mathematical programming", LAA 1 (1968); for contacts D. Baraff, "Fast contact force computation
/// for nonpenetrating rigid bodies", SIGGRAPH 1994, Sect. 4 and 5.
///
/// The laws of the rows handled so far hold at every pivot. The next row is driven to its own: x_i
/// moves until w_i = 0 or x_i is at its bound, the free rows move along so that their w stays zero,
/// and a row that meets its bound, or whose w falls to zero, changes sides on the way.
///
/// Deviations: starts from the point given instead of zero; rows with infinite bounds are solved
/// for together first. Loop around it, redundant rows and `coupled_box`: boxed_pivoting.h. One
/// pivot costs |F|² operations on a dense factor.
class DantzigSolver final : public BoxedPivoting {
 public:
  OptionFields Tuning() override;

 protected:
  int most_rows() const override { return PrincipalFactor::kMostRows; }
  void Allocate(const Model& model) override;
  Outcome SolveModel(const Model& model, std::vector<double>& x, std::vector<RowState>& state,
                     Monitor& monitor) override;

 private:
  struct Event {
    int row = -1;
    RowState to = RowState::kFree;
    double step = 0;
  };
  bool Begin(const Model& model, std::vector<double>& x, std::vector<RowState>& state);
  Outcome Drive(const Model& model, int row, std::vector<double>& x, std::vector<RowState>& state,
                Monitor& monitor);
  void Direct(const Model& model, int row, double direction);
  Event NextEvent(const Model& model, int row, double direction, const std::vector<double>& x,
                  const std::vector<RowState>& state) const;

  PrincipalFactor factor_;
  DantzigTuning tuning_;
  int events_ = 0;  ///< of this round
  std::vector<char> handled_;
  std::vector<double> w_, dx_, dw_;
};

}  // namespace nonsmooth
