// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "unit_system.h"

namespace nonsmooth {

/// Proof that rows contradict each other. A direction y that impulses may take without end, y in
/// the recession cone of K, that moves nothing, A y = 0 up to rounding, and that b rewards, bᵀy <
/// 0, bounds the error of every x: with the natural residual r = x − Π(x − ŵ), ŵ = A x + b,
///
///     yᵀr ≤ yᵀŵ = bᵀy   ⇒   δe = ½ ‖r‖² ≥ ½ (bᵀy)² / ‖y‖².
///
/// The displacement between two centres of the proximal point method tends to the y of the largest
/// bound (A. Pazy, "Asymptotic behavior of contractions in Hilbert space", Israel J. Math. 9,
/// 1971). Contacts under Coulomb's law, whose ŵ_n has De Saxcé's term, prove nothing and have to be
/// left alone by y; of row by row laws only the normals may take part.
class Contradiction {
 public:
  void Prepare(const UnitLayout& layout);

  /// The bound that `displacement` proves [J], 0 if none. Where A y is not exactly zero, what it
  /// does at x is taken off, and has to be little.
  double Bound(UnitSystem& system, const AlignedVector& displacement, const AlignedVector& x);

  /// Takes as much of the y of the last bound out of x as x stays feasible without: what pushes and
  /// moves nothing. Nothing where contacts take part in y.
  void Shorten(AlignedVector* x) const;

 private:
  void Project(const UnitFamily& family);
  void ProjectContact(const UnitFamily& family, int i);

  const UnitLayout* layout_ = nullptr;
  AlignedVector y_, moved_;
};

}  // namespace nonsmooth
