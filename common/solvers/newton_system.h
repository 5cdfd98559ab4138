// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "newton_map.h"

namespace nonsmooth {

/// The linear system of a Newton step in the scaled coordinates of a NewtonMap,
///
///     (R (Â + ρ) T + S) z = d − R (Â + ρ) c,   dx = T z + c,
///
/// reduced to the unknowns that the law leaves open: a contact that takes off costs nothing, one
/// that slides two rows, one that sticks three. ρ is the proximal term.
class NewtonSystem {
 public:
  NewtonSystem();
  ~NewtonSystem();

  /// Scales A. Dense where it is small or full, by blocks otherwise.
  void Prepare(const Problem& problem, const NewtonMap& map);

  /// y ← Â x.
  void Multiply(const double* x, double* y) const;

  /// w ← Â x + b̂.
  void Velocity(const double* x, double* w) const;

  /// Linearises at (x, w) and solves for dx. False: the factorisation failed.
  bool Solve(const NewtonMap& map, const double* x, const double* w, double rho, double* dx);

  /// Of the last system.
  int unknowns() const { return unknowns_; }

 private:
  struct Dense;

  std::unique_ptr<Dense> dense_;
  std::vector<NewtonBlock> blocks_;
  std::vector<int> offset_;
  std::vector<double> bias_;
  int unknowns_ = 0;
};

}  // namespace nonsmooth
