// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// λ of the penalised function where none is given: the value Chen, Chen and Kanzow computed with.
inline constexpr double kDefaultPenalty = 0.95;

/// φ(a, b) = a + b − √(a² + b²), zero exactly where 0 ≤ a ⊥ b ≥ 0. An infinite argument is taken
/// as the limit, φ(∞, b) = b: the condition that is left is b = 0.
double FischerBurmeister(double a, double b);

/// B. Chen, X. Chen, C. Kanzow, "A penalized Fischer–Burmeister NCP-function"; Lu et al., Eq. 17:
///
///     φ_λ(a, b) = λ φ(a, b) + (1 − λ) a₊ b₊,   0 < λ ≤ 1; λ = 1 is φ itself.
///
/// The product has no finite limit for a → ∞. There is then nothing to be complementary to, and the
/// term is left out: φ_λ(∞, b) = λ b.
double PenalisedFischerBurmeister(double a, double b, double lambda = kDefaultPenalty);

/// One row l ≤ x ≤ u against w, Enzenhöfer et al., Eqs. 5 and 6, with φ_λ in place of φ:
///
///     max(|φ_λ(u − x, w₋)|, |φ_λ(x − l, w₊)|),   w = w₊ − w₋.
double BoundedFischerBurmeister(double lower, double upper, double x, double w, double lambda);

/// The same function on the second-order cone {y₀ ≥ ‖ȳ‖}, by Jordan algebra (Fukushima, Luo and
/// Tseng, "Smoothing functions for second-order-cone complementarity problems"; with the penalty,
/// Kum and Lim, "Penalized complementarity functions on symmetric cones"):
///
///     φ_λ(x, w) = λ (x + w − (x∘x + w∘w)^½) + (1 − λ) x₊ ∘ w₊,
///
/// x∘w = (xᵀw, x₀ w̄ + w₀ x̄), x₊ the projection. Zero exactly where both lie in the cone and
/// xᵀw = 0. Returns ‖φ_λ‖₂; `size` is 2 or 3.
double ConeFischerBurmeister(int size, const double* x, const double* w, double lambda);

}  // namespace nonsmooth
