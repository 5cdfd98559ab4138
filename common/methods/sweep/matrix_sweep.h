// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "gauss_seidel.h"

namespace nonsmooth {

/// κ_g of gauss_seidel.h: a bound on λ_max(D^-½ A_gg D^-½) by Gershgorin's circles, at least 1; 1
/// for groups that are relaxed row by row.
double GroupScale(const FeasibleSet& set, int g);

/// Gauss–Seidel on the assembled A, for problems that are not packed rows on bodies. Cost of a
/// sweep: the nonzeros of A.
class MatrixSweep final : public GaussSeidel {
 public:
  void Prepare(const FeasibleSet& set) override;
  void Load(const double* x) override;
  void Sweep(double relaxation, bool backwards, Monitor& monitor) override;
  double Energy() override;
  void Store(double* x) const override;
  State state() override;

 private:
  double RowVelocity(int row) const;
  void Relax(int g, double relaxation);

  const FeasibleSet* set_ = nullptr;
  const CsrMatrix* a_ = nullptr;
  std::vector<double> scale_;
  std::vector<double> x_;
  std::vector<double> w_;
};

}  // namespace nonsmooth
