// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../solver/monitor.h"
#include "contradiction.h"
#include "resolvent_kernel.h"
#include "unit_system.h"

namespace nonsmooth {

struct ProximalOptions {
  /// [1] First stiffness of the proximal term, in units of the inverse of A's diagonal.
  double stiffness = 300;
  /// Largest.
  double most_stiffness = 1e7;
  /// Of equality rows and of bounded ones, as a multiple.
  double of_equalities = 1e4;
  double of_bounds = 1e2;
};

/// Proximal point method whose steps are solved by semismooth Newton on velocities. About a centre
/// x_k, with R = C + 1/α and A₀ = A − C, the resolvent of the law at a velocity q is
///
///     y = R⁻¹ ((R − C) x_k − q − b),
///     x(q): ncp and row by row laws: x_n = [y_n]₊, x_t = y_t projected on the radius c x_n,
///           ccp: y projected on the cone in the metric R,
///
/// and F(q) = q − A₀ x(q) = 0. With q = A₀ x_q a Newton step is (I + D A₀) δ = x(q) − x_q,
/// D = −∂x/∂q. ‖F‖² = (x − x_q)ᵀ A₀ (x − x_q), the energy of the velocity that is missing, is
/// halved along the step under ncp; under ccp F is a gradient, φ' = δᵀ A₀ (x_q − x), whose root is
/// taken. The centre moves once ‖F‖ ≤ ‖x − x_k‖_R.
///
/// Where rows contradict each other the centre goes on moving, and the error stands still above a
/// bound that the movement proves (contradiction.h). Then the solve ends, at the shortest impulses
/// that are as good: those of a proximal step from zero, whose stiffness is the least that comes
/// near the bound.
class NewtonPhase {
 public:
  ProximalOptions options;

  void Prepare(const UnitLayout& layout);

  /// Iterates from `start`, scaled; false if the solve is over, true where it gave up.
  bool Run(const UnitLayout& layout, UnitSystem& system, const AlignedVector& start,
           Monitor& monitor);

 private:
  void SetStiffness(double stiffness);
  bool NewtonStep(UnitSystem& system, double* missing);
  bool IsContradicted(UnitSystem& system, Monitor& monitor);
  void Damp(UnitSystem& system, Monitor& monitor, double bound);
  void MoveCentre(UnitSystem& system);
  void ReturnToCentre(UnitSystem& system);
  double Evaluate(UnitSystem& system);
  bool Search(UnitSystem& system, double before);
  double Slope(double length);
  void MoveTo(double length);
  double DistanceToCentre() const;
  double Energy();

  const UnitLayout* layout_ = nullptr;
  Resolvent resolvent_;
  AlignedVector factor_;  ///< multiples of the stiffness, by row
  AlignedVector soft_, centre_, q_, x_q_, x_, missing_, missing_q_, matrix_, w_;
  AlignedVector delta_, dq_, old_q_, old_x_q_, displacement_;
  Contradiction contradiction_;
};

}  // namespace nonsmooth
