// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "unit_layout.h"

namespace nonsmooth {

/// What an interior-point iteration works on, see interior_phase.h for the equations. Vectors over
/// rows and over parts as laid out in unit_layout.h; multipliers and their like have a component 0
/// per part (`…_0`) and the others at their rows. s = (c x_n, x_k) is not stored.
struct InteriorPoint {
  const double* bias = nullptr;
  const double* compliance = nullptr;
  const double* coefficient = nullptr;
  const double* lower = nullptr;
  const double* upper = nullptr;
  const double* shift = nullptr;
  double proximal = 0;     ///< ρ
  double shift_share = 0;  ///< θ

  double* x = nullptr;
  double* w = nullptr;
  double* z = nullptr;
  double* z_0 = nullptr;
  double* residual = nullptr;
  double* gradient = nullptr;  ///< θ ∂σ/∂w
  double* eta = nullptr;       ///< of the scaling, by part
  double* point_0 = nullptr;
  double* point = nullptr;
  double* inverse = nullptr;  ///< (K + P C)⁻¹
  double* matrix = nullptr;   ///< D = (K + P C)⁻¹ P
  double* right = nullptr;    ///< y of the linear system
};

/// A direction with the target it was made for.
struct InteriorStep {
  double* dx = nullptr;
  double* dw = nullptr;  ///< on entry A₀ dx
  double* dz = nullptr;
  double* dz_0 = nullptr;
  double* target = nullptr;  ///< t, with dz = t − W⁻² ds
  double* target_0 = nullptr;
};

/// Sums over units, to which a family adds its own.
struct InteriorSums {
  double gap = 0;         ///< sᵀz
  double linear = 0;      ///< sᵀdz + zᵀds
  double square = 0;      ///< dsᵀdz
  double length = 1e300;  ///< of the longest step inside
  double energy = 0;
};

/// (x, w) and z ← a pair on the central path near y = −b̂, with s∘z = τ e.
void StartInterior(const UnitFamily& family, const InteriorPoint& point, double tau);

/// r and ∂σ/∂w; adds to `gap`.
void InteriorResidual(const UnitFamily& family, const InteriorPoint& point, InteriorSums* sums);

/// Scaling, inverse and matrix.
void InteriorScale(const UnitFamily& family, const InteriorPoint& point);

/// t ← −z, the predictor's; then y.
void PredictorTarget(const UnitFamily& family, const InteriorPoint& point,
                     const InteriorStep& step);

/// t ← −z + W⁻¹ λ⁻¹∘(target e − W⁻¹ds∘W dz), Mehrotra's, from the predictor `from`; then y.
void CorrectorTarget(const UnitFamily& family, const InteriorPoint& point, const InteriorStep& from,
                     double target, const InteriorStep& step);

/// t ← that of `from` with what brings the products of a step of this length into [least, most],
/// Gondzio's; then y.
void CentralityTarget(const UnitFamily& family, const InteriorPoint& point,
                      const InteriorStep& from, double length, double least, double most,
                      const InteriorStep& step);

/// dw and dz from dx and A₀ dx; adds to `linear` and `square` and shortens `length`.
void FinishStep(const UnitFamily& family, const InteriorPoint& point, const InteriorStep& step,
                InteriorSums* sums);

}  // namespace nonsmooth
