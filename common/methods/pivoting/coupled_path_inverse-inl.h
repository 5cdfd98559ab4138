// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "common/methods/pivoting/coupled_path.h"
#include "common/problem/csr_matrix.h"

namespace nonsmooth {

struct CoupledPath::Inverse {
  Eigen::MatrixXd matrix;  ///< K⁻¹
  Eigen::VectorXd image;   ///< δᵀ K⁻¹
  Eigen::VectorXd column;
  std::vector<Triplet> entries;
  std::vector<int> free, place;
  Eigen::MatrixXd own;   ///< S⁻¹
  Eigen::MatrixXd wide;  ///< rows of K⁻¹ that give the free impulses
};

}  // namespace nonsmooth
