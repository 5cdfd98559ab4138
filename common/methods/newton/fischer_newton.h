// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "semismooth_newton.h"

namespace nonsmooth {

/// Newton on Fischer and Burmeister's function, row by row: A. Fischer, "A special Newton-type
/// optimization method", Optimization 24, 1992; T. De Luca, F. Facchinei, C. Kanzow, "A semismooth
/// equation approach to the solution of nonlinear complementarity problems", Math. Prog. 75, 1996;
/// with both bounds after S. Billups, 1995. By the map and the globalisation of newton_map.h and
/// semismooth_newton.h.
///
/// The function is smooth except at the origin, so that every row takes part in every system: the
/// active rows are found more gently than by minmap_newton, at a higher price per step. The bounds
/// of `coupled_box` are part of the equation: they move with the normal impulse within a step.
///
/// Deviation: of a polygon only the normal is stated by φ, the tangents by the projection onto it,
/// which keeps the facets' own unknowns out of the system.
class FischerNewtonSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override { return newton_.Tuning(); }
  bool Smooths() const override { return options_.sweeps > 0; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  NewtonOptions& options() { return options_; }

 private:
  NewtonOptions options_;
  SemismoothNewton newton_;
};

}  // namespace nonsmooth
