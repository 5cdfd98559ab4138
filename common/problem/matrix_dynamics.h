// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dynamics.h"

namespace nonsmooth {

/// Only A and b are known, as in an FCLIB local problem. A need not be symmetric: other people's
/// files are not always; Asymmetry() in csr_matrix.h says by how much.
class MatrixDynamics final : public Dynamics {
 public:
  /// Throws std::invalid_argument if A is not square, not finite, has a negative diagonal, or if
  /// the sizes of A and b disagree.
  MatrixDynamics(CsrMatrix a, std::vector<double> b);

  const CsrMatrix& matrix() const { return a_; }

  double Compliance(int /*row*/) const override { return 0; }
  int velocity_size() const override { return 0; }
  void Multiply(const double* x, double* y, OperatorWorkspace& workspace) const override;
  void DiagonalBlock(int first, int size, double* block) const override;
  void FreeVelocity(double* /*v*/) const override {}
  void Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace) const override;

 private:
  friend class ProblemPart;
  MatrixDynamics() = default;
  void Assemble(CsrMatrix& matrix) const override { matrix = a_; }
  CsrMatrix a_;
};

}  // namespace nonsmooth
