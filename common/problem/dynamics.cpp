// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/dynamics.h"

namespace nonsmooth {

const CsrMatrix& Dynamics::Assembled() const {
  std::call_once(*assembled_once_, [this] { Assemble(assembled_); });
  return assembled_;
}

void Dynamics::ConstraintVelocity(const double* x, double* w, OperatorWorkspace& workspace) const {
  Multiply(x, w, workspace);
  for (std::size_t i = 0; i < bias_.size(); ++i) w[i] += bias_[i];
}

}  // namespace nonsmooth
