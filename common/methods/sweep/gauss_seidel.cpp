// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/gauss_seidel.h"

#include <utility>

#include "common/methods/sweep/batches/body_sweep.h"
#include "common/methods/sweep/matrix_sweep.h"
#include "common/methods/sweep/tree_sweep.h"
#include "common/problem/articulated_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

template <class Kind>
std::unique_ptr<GaussSeidel> Keep(std::unique_ptr<GaussSeidel> current) {
  if (dynamic_cast<Kind*>(current.get()) != nullptr) return current;
  return std::make_unique<Kind>();
}

}  // namespace

std::unique_ptr<GaussSeidel> MakeGaussSeidel(const Problem& problem,
                                             std::unique_ptr<GaussSeidel> current, bool in_order) {
  if (!in_order && dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics()) != nullptr) {
    return Keep<BodySweep>(std::move(current));
  }
  if (dynamic_cast<const ArticulatedDynamics*>(&problem.dynamics()) != nullptr) {
    return Keep<TreeSweep>(std::move(current));
  }
  return Keep<MatrixSweep>(std::move(current));
}

}  // namespace nonsmooth
