// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "semismooth_newton.h"

namespace nonsmooth {

struct AlartCurnierOptions {
  NewtonOptions newton;

  /// Bound friction by μ [x_n]₊ instead of μ [x_n − w_n / a_n]₊: Jean and Moreau's form.
  bool jean_moreau = false;
};

/// Semismooth Newton on the friction cone: P. Alart, A. Curnier, CMAME 92, 1991, by the map, the
/// generalised Jacobian and the globalisation of newton_map.h and semismooth_newton.h. The step
/// sizes of the map are the effective masses of the rows, ρ_n = 1/a_n and ρ_t = 1/a_t.
///
/// Deviations: k-gons, intervals, spinning and rolling parts are treated as the disc is; `ccp` is
/// stated by the natural map of its cone; only rows whose velocity is prescribed enter the linear
/// systems.
class AlartCurnierSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override { return newton_.Tuning(); }
  bool Smooths() const override { return options_.newton.sweeps > 0; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  AlartCurnierOptions& options() { return options_; }

 private:
  AlartCurnierOptions options_;
  SemismoothNewton newton_;
};

}  // namespace nonsmooth
