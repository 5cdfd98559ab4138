// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/murty.h"

namespace nonsmooth {

void MurtySolver::Allocate(const Model& model) {
  factor_.Reset(model.matrix);
  w_.resize(model.rows());
}

MurtySolver::Outcome MurtySolver::SolveModel(const Model& model, std::vector<double>& x,
                                             std::vector<RowState>& state, Monitor& monitor) {
  const int n = model.rows();
  for (int i = 0; i < n; ++i) {
    if (model.pinned[i] != 0) state[i] = RowState::kLower;
    const bool free = state[i] == RowState::kFree;
    if (!free && factor_.Has(i)) factor_.Remove(i);
    if (free && !factor_.Has(i) && !factor_.Add(i)) return Outcome::kNotDefinite;
    if (i % 64 == 0 && monitor.OutOfTime()) return Outcome::kStopped;
  }
  for (int pivots = 0;; ++pivots) {
    if (pivots > 3 * n && !model.must_end) return Outcome::kHard;
    // x_F from w_F = 0, by one step from where x stands: twice, since the first loses digits in
    // proportion to the way.
    for (int i = 0; i < n; ++i) {
      if (state[i] != RowState::kFree) x[i] = model.bounds.BoundOf(i, state[i]);
    }
    for (int refinement = 0; refinement < 2; ++refinement) {
      ModelVelocity(model.matrix, model.vector, x, w_);
      factor_.Solve(w_.data());
      for (int i : factor_.rows()) x[i] -= w_[i];
    }
    ModelVelocity(model.matrix, model.vector, x, w_);
    if (!Report(x, monitor)) return Outcome::kStopped;
    int least = 0;
    while (least < n && Violation(model, least, state[least], x[least], w_[least]) == 0) ++least;
    if (least == n) return Outcome::kSolved;
    state[least] = Pivoted(model, least, state[least], x[least]);
    if (state[least] != RowState::kFree) {
      factor_.Remove(least);
    } else if (!factor_.Add(least)) {
      return Outcome::kNotDefinite;
    }
  }
}

}  // namespace nonsmooth
