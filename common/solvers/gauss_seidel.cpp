// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/gauss_seidel.h"

#include "common/solvers/matrix_sweep.h"

namespace nonsmooth {

std::unique_ptr<GaussSeidel> MakeGaussSeidel(const Problem& /*problem*/,
                                             std::unique_ptr<GaussSeidel> current) {
  if (dynamic_cast<MatrixSweep*>(current.get()) != nullptr) return current;
  return std::make_unique<MatrixSweep>();
}

}  // namespace nonsmooth
