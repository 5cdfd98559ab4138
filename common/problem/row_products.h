// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "two_body_dynamics.h"

namespace nonsmooth {

/// What rows need of a body, laid out for J M⁻¹ Jᵀ = Σ_k J_k (d_k J_k + e_k J_{k+1} + f_k J_{k+2}).
/// All zero: no body.
struct BodyFactors {
  double velocity[6];  ///< v_free
  double d[6];         ///< diagonal of M⁻¹
  double e[2];         ///< 2 I⁻¹_01 and 2 I⁻¹_12 …
  double f;            ///< … and 2 I⁻¹_02, of the angular part
  double unused;
};

BodyFactors FactorsOf(const Body& body, const double* velocity);

/// velocity ← J v_free and self ← J M⁻¹ Jᵀ, row by row, on the vectors that the processor has.
/// `bodies` has `body_count` entries and one more, which is zero and stands for those that are
/// none. Entries of J that are not finite make one of the two not finite, if they count.
void RowProducts(const BodyFactors* bodies, int body_count, const TwoBodyRow* rows,
                 std::size_t count, double* velocity, double* self);

}  // namespace nonsmooth
