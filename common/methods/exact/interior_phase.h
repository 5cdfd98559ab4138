// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../solver/monitor.h"
#include "interior_kernel.h"
#include "unit_system.h"

namespace nonsmooth {

struct InteriorOptions {
  /// [-] Of the free energy: below this error Newton's method is quicker.
  double until = 1e-5;
  /// [iterations] at the most.
  int iterations = 35;
  /// [1] Proximal term about the present iterate, in units of A's diagonal: redundancy costs
  /// nothing and nothing is biased.
  double proximal = 2e-6;
  /// [-] Share of De Saxcé's term that the matrix knows; all of it needs a third more iterations.
  double shift_share = 0.85;
  /// [-] Gap at the start, in units of the free energy per unit.
  double start_gap = 1000;
  /// Gondzio's correctors at the most in an iteration.
  int correctors = 2;
};

/// Primal-dual interior point on the law itself. With T x = (c_k x_n, x_k) by parts, s = T x ≥ 0,
/// z ≥ 0 in the cones of the parts and the whole shift σ = Σ c_k ‖w_k‖ of the present w
///
///     r = w + σ e_n − Tᵀ z,   w = A x + b,   s∘z = μ e,
///
/// a step solves, with Nesterov and Todd's W and P = I + θ e_n (∂σ/∂w)ᵀ,
///
///     (K + P C) dx + P A₀ dx = Tᵀ t − r,   K = Tᵀ W⁻² T + ρ,   dz = t − W⁻² T dx,
///
/// which is (I + D A₀) dx = y with D = (K + P C)⁻¹ P: the linear system of unit_system.h. dz is
/// taken from velocities, Tᵀ dz = P dw + r + ρ dx: from W⁻² ds feasibility is lost below 1e-6.
/// Targets t: Mehrotra's predictor and corrector, and Gondzio's.
class InteriorPhase {
 public:
  InteriorOptions options;

  void Prepare(const UnitLayout& layout);

  /// Iterates until `options.until`; false if the solve is over. The best iterate is in best(),
  /// scaled.
  bool Run(const UnitLayout& layout, UnitSystem& system, Monitor& monitor);

  const AlignedVector& best() const { return best_; }

 private:
  struct Step {
    AlignedVector dx, dw, dz, dz_0, target, target_0;
    double length = 0;
    double linear = 0;
    double square = 0;
    InteriorStep arrays();
  };
  void Start(double tau);
  InteriorSums Residual();
  void SolveFor(UnitSystem& system, Step* step);
  double Advance(UnitSystem& system, double relative_error);
  double Energy() const;

  const UnitLayout* layout_ = nullptr;
  InteriorPoint point_;
  AlignedVector x_, w_, z_, z_0_, residual_, gradient_, eta_, scaling_, scaling_0_;
  AlignedVector inverse_, matrix_, right_, best_;
  Step steps_[2];
  double last_length_ = 1;
};

}  // namespace nonsmooth
