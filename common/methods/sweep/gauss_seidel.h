// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "../../law/feasible_set.h"
#include "../../solver/monitor.h"

namespace nonsmooth {

/// Projected Gauss–Seidel sweeps over the groups of a problem, the engine of `psor` and `nncg`.
/// Groups with a law row by row are relaxed row by row; cones take one step for the whole contact,
///
///     x_g ← Π_K(x_g − (ω / κ_g) D_g⁻¹ ŵ_g),
///
/// in the metric D_g = diag(a) of the weights. κ_g ≥ λ_max(D^-½ A_gg D^-½) makes the step a descent
/// step of the contact's own problem however strongly its rows are coupled (Tasora's scalar g_i,
/// averaged over the rows as in Chrono, overshoots at box corners).
///
/// x and what belongs to it live in a layout of the implementation's own.
class GaussSeidel {
 public:
  virtual ~GaussSeidel() = default;

  /// See Solver::UseThreads().
  virtual void UseThreads(int /*count*/) {}

  /// Lays out the problem; reuses memory.
  virtual void Prepare(const FeasibleSet& set) = 0;

  /// Starts from x, in row order.
  virtual void Load(const double* x) = 0;

  /// One sweep in order (or backwards). The deadline is checked on the way; where it passes, the
  /// sweep is left half-done.
  virtual void Sweep(double relaxation, bool backwards, Monitor& monitor) = 0;

  /// Energy error of the present x [J], the same as MeasureEnergy() up to rounding.
  virtual double Energy() = 0;

  /// Writes x in row order.
  virtual void Store(double* x) const = 0;

  /// The iterate as the implementation keeps it, in an order and scaling of its own, and the
  /// vector that is kept up to date beside it, linear in it (or none). Who moves x along a straight
  /// line moves both. Σ weight x² is of the dimension of an energy.
  struct State {
    double* x = nullptr;
    const double* weight = nullptr;  ///< null: all 1
    std::size_t size = 0;
    double* image = nullptr;
    std::size_t image_size = 0;
  };
  virtual State state() = 0;
};

/// The implementation that suits the form of the problem: packed bodies, trees of joints or
/// assembled A. `current` is handed back if it is of the right kind, so that its memory is reused.
/// `in_order` asks for sweeps in the order of the problem's groups, whatever that costs.
std::unique_ptr<GaussSeidel> MakeGaussSeidel(const Problem& problem,
                                             std::unique_ptr<GaussSeidel> current,
                                             bool in_order = false);

}  // namespace nonsmooth
