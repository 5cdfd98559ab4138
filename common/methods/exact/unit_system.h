// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "unit_layout.h"

namespace nonsmooth {

/// The linear system of every step of `exact`: with A₀ the part of Ŝ A Ŝ without compliance and a
/// small, possibly unsymmetric block D per unit,
///
///     (I + D A₀) δ = y.
///
/// Implemented on velocities where there are any, on rows where only A is known.
class UnitSystem {
 public:
  virtual ~UnitSystem() = default;

  /// Numbers that sort groups by what they touch.
  virtual const std::vector<std::uint64_t>& Keys(const FeasibleSet& set) = 0;

  /// After the layout was built with those keys. Keeps the analysis of an equal pattern.
  virtual void Prepare(const UnitLayout& layout) = 0;

  /// False if a pivot is singular.
  virtual bool Factorise(const double* matrix, bool symmetric) = 0;

  /// δ from y, and q ← A₀ δ; may not be the same array.
  virtual void Solve(const double* y, double* delta, double* q) = 0;

  /// q ← A₀ x, with what stays of it from Factorise() or not.
  virtual void Multiply(const double* x, double* q) = 0;

  /// Multiplications and additions of a factorisation with what goes with it.
  virtual double Work(bool symmetric) const = 0;
};

}  // namespace nonsmooth
