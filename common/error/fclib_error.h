// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../problem/problem.h"

namespace nonsmooth {

/// The error FCLIB's users compare by, as Siconos computes it, docs/error_measures.md Eq. (16):
///
///     ‖F‖₂ / max(‖b‖₂, ‖r‖₂, ‖u‖₂),   F = r − Π_K(r − u − μ‖u_t‖ e_n),   u = A r + b,
///
/// contact by contact in the plain metric. It is about Coulomb's exact cone, whatever law the
/// problem was solved under. Spinning and rolling friction enter as Siconos' rolling contacts do,
/// by a cone of all parts and the sum of their terms; other rows by x − Π_[l,u](x − w).
struct FclibError {
  double absolute = 0;  ///< ‖F‖₂
  double scale = 0;     ///< the denominator
  double relative = 0;  ///< absolute / scale; 0 where all of b, r and u are zero
};

/// Measures (x, w), w = A x + b. `per_group`, if not null, gets ‖F‖₂ of every group.
FclibError MeasureFclib(const Problem& problem, const double* x, const double* w,
                        double* per_group = nullptr);

}  // namespace nonsmooth
