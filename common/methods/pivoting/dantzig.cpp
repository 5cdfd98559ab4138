// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/dantzig.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

OptionFields DantzigSolver::Tuning() {
  OptionFields fields = BoxedPivoting::Tuning();
  fields.insert(fields.end(), {
                                  {"most_events_per_row", "-",
                                   "Changes of sides while one row is driven, per row of the "
                                   "problem, after which rounding is taken to go round in circles",
                                   &tuning_.most_events_per_row, 1, 1000000.0},
                                  {"most_events_in_all", "-",
                                   "Of a round, per row, after which it is given up as hard",
                                   &tuning_.most_events_in_all, 1, 1000000.0},
                              });
  return fields;
}

void DantzigSolver::Allocate(const Model& model) {
  factor_.Reset(model.matrix);
  handled_.resize(model.rows());
  for (std::vector<double>* v : {&w_, &dx_, &dw_}) v->resize(model.rows());
}

bool DantzigSolver::Begin(const Model& model, std::vector<double>& x,
                          std::vector<RowState>& state) {
  const int n = model.rows();
  factor_.Reset(model.matrix);
  for (int i = 0; i < n; ++i) {
    handled_[i] = model.pinned[i];
    if (model.pinned[i] != 0) state[i] = RowState::kLower;
    x[i] = std::clamp(x[i], model.bounds.lower[i], model.bounds.upper[i]);
    if (model.bounds.lower[i] > -kInfinity || model.bounds.upper[i] < kInfinity) continue;
    handled_[i] = 1;
    state[i] = RowState::kFree;
    if (!factor_.Add(i)) return false;
  }
  for (int refinement = 0; refinement < 2; ++refinement) {
    ModelVelocity(model.matrix, model.vector, x, w_);
    factor_.Solve(w_.data());
    for (int i : factor_.rows()) x[i] -= w_[i];
  }
  ModelVelocity(model.matrix, model.vector, x, w_);
  return true;
}

void DantzigSolver::Direct(const Model& model, int row, double direction) {
  std::fill(dx_.begin(), dx_.end(), 0.0);
  for (int k = model.matrix.row_start[row]; k < model.matrix.row_start[row + 1]; ++k) {
    const int j = model.matrix.column[k];
    if (factor_.Has(j)) dx_[j] = -direction * model.matrix.value[k];
  }
  factor_.Solve(dx_.data());
  dx_[row] = direction;
  Multiply(model.matrix, dx_.data(), dw_.data());
}

DantzigSolver::Event DantzigSolver::NextEvent(const Model& model, int row, double direction,
                                              const std::vector<double>& x,
                                              const std::vector<RowState>& state) const {
  // The row itself: at rest, or at the bound ahead.
  Event event{row, RowState::kFree, std::max(0.0, -w_[row] / dw_[row])};
  const double ahead =
      direction > 0 ? model.bounds.upper[row] - x[row] : x[row] - model.bounds.lower[row];
  if (ahead < event.step) {
    event = {row, direction > 0 ? RowState::kUpper : RowState::kLower, std::max(0.0, ahead)};
  }
  const auto consider = [&](int j, RowState to, double step) {
    if (step < event.step) event = {j, to, std::max(0.0, step)};
  };
  for (int j = 0; j < model.rows(); ++j) {
    if (handled_[j] == 0 || model.pinned[j] != 0 || j == row) continue;
    switch (state[j]) {
      case RowState::kFree:
        if (dx_[j] < 0) consider(j, RowState::kLower, (model.bounds.lower[j] - x[j]) / dx_[j]);
        if (dx_[j] > 0) consider(j, RowState::kUpper, (model.bounds.upper[j] - x[j]) / dx_[j]);
        break;
      case RowState::kLower:
        if (dw_[j] < 0) consider(j, RowState::kFree, -w_[j] / dw_[j]);
        break;
      case RowState::kUpper:
        if (dw_[j] > 0) consider(j, RowState::kFree, -w_[j] / dw_[j]);
        break;
    }
  }
  return event;
}

DantzigSolver::Outcome DantzigSolver::Drive(const Model& model, int row, std::vector<double>& x,
                                            std::vector<RowState>& state, Monitor& monitor) {
  for (int events = 0; events < tuning_.most_events_per_row * model.rows(); ++events) {
    const double direction = w_[row] > 0 ? -1 : 1;
    Direct(model, row, direction);
    const Event event = NextEvent(model, row, direction, x, state);
    for (int j : factor_.rows()) x[j] += event.step * dx_[j];
    x[row] += event.step * dx_[row];
    for (int j = 0; j < model.rows(); ++j) w_[j] += event.step * dw_[j];
    state[event.row] = event.to;
    if (event.to != RowState::kFree) {
      x[event.row] = model.bounds.BoundOf(event.row, event.to);
      if (event.row != row) factor_.Remove(event.row);
    } else if (!factor_.Add(event.row)) {
      return Outcome::kNotDefinite;
    }
    if (event.row == row) handled_[row] = 1;
    if (++events_ > tuning_.most_events_in_all * model.rows() && !model.must_end)
      return Outcome::kHard;
    if (!Report(x, monitor)) return Outcome::kStopped;
    if (event.row == row) return Outcome::kSolved;
  }
  handled_[row] = 1;
  state[row] = RowState::kLower;
  return Outcome::kSolved;
}

DantzigSolver::Outcome DantzigSolver::SolveModel(const Model& model, std::vector<double>& x,
                                                 std::vector<RowState>& state, Monitor& monitor) {
  events_ = 0;
  if (!Begin(model, x, state)) return Outcome::kNotDefinite;
  for (int i = 0; i < model.rows(); ++i) {
    if (handled_[i] != 0) continue;
    if (x[i] == model.bounds.lower[i] && w_[i] >= 0) {
      state[i] = RowState::kLower;
      handled_[i] = 1;
    } else if (x[i] == model.bounds.upper[i] && w_[i] <= 0) {
      state[i] = RowState::kUpper;
      handled_[i] = 1;
    } else {
      const Outcome outcome = Drive(model, i, x, state, monitor);
      if (outcome != Outcome::kSolved) return outcome;
    }
  }
  // What rounding has gathered on the way goes in one step from the last index sets.
  for (int refinement = 0; refinement < 2; ++refinement) {
    ModelVelocity(model.matrix, model.vector, x, w_);
    factor_.Solve(w_.data());
    for (int i : factor_.rows()) x[i] -= w_[i];
  }
  return Report(x, monitor) ? Outcome::kSolved : Outcome::kStopped;
}

}  // namespace nonsmooth
