// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "semismooth_newton.h"

namespace nonsmooth {

/// Newton on the minimum map x − Π_[l,u](x − w/a), row by row: J.S. Pang, "Newton's method for
/// B-differentiable equations", Math. Oper. Res. 15, 1990; K. Erleben, "Numerical methods for
/// linear complementarity problems in physics-based animation", SIGGRAPH course, 2013, Sect. 5.3.
/// By the map and the globalisation of newton_map.h and semismooth_newton.h.
///
/// A step solves for the rows within their bounds and puts the others at them: an active-set
/// method that changes all rows at once. The bounds of `coupled_box` are part of the equation: they
/// move with the normal impulse within a step.
///
/// Deviations: a polygon is projected onto as a whole, which keeps the facets' own unknowns out of
/// the system; the systems are regularised by a proximal term instead of falling back to the
/// gradient where they are singular.
class MinmapNewtonSolver final : public Solver {
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
