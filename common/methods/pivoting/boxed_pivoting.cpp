// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/boxed_pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nonsmooth {
namespace {

/// Violations below this share of the square root of the step's energy are rounding: the factors of
/// a singular matrix have that many digits.
constexpr double kRounding = 1e-11;

/// Raised regularisation beyond which A is taken to be indefinite.
constexpr double kMostRegularisation = 0.1;

double EntryAt(const CsrMatrix& matrix, int row, int column) {
  const auto begin = matrix.column.begin() + matrix.row_start[row];
  const auto end = matrix.column.begin() + matrix.row_start[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  if (found == end || *found != column) return 0;
  return matrix.value[static_cast<std::size_t>(found - matrix.column.begin())];
}

bool HasEntry(const CsrMatrix& matrix, int row, int column) {
  const auto begin = matrix.column.begin() + matrix.row_start[row];
  const auto end = matrix.column.begin() + matrix.row_start[row + 1];
  return std::binary_search(begin, end, column);
}

/// Every entry has its mirror image, and every row a diagonal.
bool HasSymmetricPattern(const CsrMatrix& matrix) {
  for (int i = 0; i < matrix.rows; ++i) {
    if (!HasEntry(matrix, i, i)) return false;
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      if (!HasEntry(matrix, matrix.column[k], i)) return false;
    }
  }
  return true;
}

}  // namespace

void ModelVelocity(const CsrMatrix& matrix, const std::vector<double>& vector,
                   const std::vector<double>& x, std::vector<double>& w) {
  w = vector;
  Multiply(matrix, x.data(), w.data(), true);
}

OptionFields BoxedPivoting::Options() {
  return {{"regularisation", "-",
           "share of A's diagonal that is added to it, and taken back again round by round",
           &options_.regularisation, 0, 1}};
}

OptionFields BoxedPivoting::Tuning() {
  OptionFields fields{
      {"raise", "-", "What ρ is raised by where a factorisation fails", &tuning_.raise, 1,
       1000000.0},
      {"lower", "-", "What ρ falls by from round to round", &tuning_.lower, 0, 1},
      {"contraction", "-",
       "Of moving bounds: ρ falls after a round that has brought the change below this share of "
       "the last",
       &tuning_.contraction, 0, 1},
      {"least_regularisation", "-", "The least ρ", &tuning_.least_regularisation, 0, 1},
      {"more_caution", "-",
       "The bounds of friction follow the normal impulses by a share, which falls by this where "
       "the change grows",
       &tuning_.more_caution, 0, 1},
      {"less_caution", "-", "And grows by this where it does not", &tuning_.less_caution, 1, 10},
      {"least_relaxation", "-", "The least share", &tuning_.least_relaxation, 0, 1},
      {"stubborn_rounds", "rounds",
       "Without a lower error, after which ρ goes up again and stays: x then moves less in a round",
       &tuning_.stubborn_rounds, 1, 1000000.0},
      {"stubborn", "-", "To this at the least", &tuning_.stubborn, 0, 1},
      {"first_newton_round", "rounds",
       "Of moving bounds before Newton's method is tried, then twice as late each time",
       &tuning_.first_newton_round, 1, 1000000.0},
      {"idle_rounds", "rounds", "Without a lower error, after which nothing more is to be gained",
       &tuning_.idle_rounds, 1, 1000000.0},
      {"idle_frozen_rounds", "rounds",
       "Without a lower error, after which the problem is followed row by row",
       &tuning_.idle_frozen_rounds, 1, 1000000.0},
      {"pivots_per_row", "-", "The same for moving bounds, by the number of pivots",
       &tuning_.pivots_per_row, 1, 1000},
  };
  path_.AddTuning(&fields);
  newton_.AddTuning(&fields);
  return fields;
}

void BoxedPivoting::Prepare(const FeasibleSet& set) {
  set_ = &set;
  a_ = &set.problem().dynamics().Assembled();
  moves_ = BoxedMlcp::Moves(set);
  if (a_->rows > most_rows()) return;
  const std::size_t rows = set.weights().size();
  for (std::vector<double>* v : {&w_, &next_, &trial_, &reference_, &image_}) v->resize(rows);
  state_.resize(rows);
  MakeModel(options_.regularisation);
}

void BoxedPivoting::MakeModel(double regularisation) {
  CsrMatrix& matrix = model_.matrix;
  if (HasSymmetricPattern(*a_)) {
    matrix = *a_;
    for (int i = 0; i < matrix.rows; ++i) {
      for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
        const int j = matrix.column[k];
        if (j < i) matrix.value[k] = 0.5 * (a_->value[k] + EntryAt(*a_, j, i));
        if (j > i) matrix.value[k] = 0.5 * (EntryAt(*a_, j, i) + a_->value[k]);
      }
    }
  } else {
    std::vector<Triplet> entries;
    for (int i = 0; i < a_->rows; ++i) {
      entries.push_back({i, i, 0});
      for (int k = a_->row_start[i]; k < a_->row_start[i + 1]; ++k) {
        entries.push_back({i, a_->column[k], 0.5 * a_->value[k]});
        entries.push_back({a_->column[k], i, 0.5 * a_->value[k]});
      }
    }
    matrix = FromTriplets("model", a_->rows, a_->rows, std::move(entries));
  }
  model_.diagonal.resize(matrix.rows);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      if (matrix.column[k] != i) continue;
      matrix.value[k] *= 1 + regularisation;
      model_.diagonal[i] = matrix.value[k];
    }
  }
  model_.pinned.resize(matrix.rows);
  model_.vector.resize(matrix.rows);
  Allocate(model_);
}

void BoxedPivoting::FreezeModel(const std::vector<double>& x,
                                const std::vector<double>& reference) {
  // b̃ = b + A x − Ã x.
  set_->problem().dynamics().ConstraintVelocity(x.data(), model_.vector.data(), workspace_);
  Multiply(model_.matrix, x.data(), image_.data());
  for (int i = 0; i < model_.rows(); ++i) model_.vector[i] -= image_[i];
  model_.bounds.Freeze(*set_, reference.data());
  for (int i = 0; i < model_.rows(); ++i) {
    model_.pinned[i] = model_.bounds.lower[i] == model_.bounds.upper[i] ? 1 : 0;
  }
}

bool BoxedPivoting::Report(const std::vector<double>& x, Monitor& monitor) {
  return monitor.Continue(x.data());
}

double BoxedPivoting::Violation(const Model& model, int i, RowState state, double x,
                                double w) const {
  if (model.pinned[i] != 0) return 0;
  const double root = std::sqrt(model.diagonal[i]);
  double violation = 0;
  switch (state) {
    case RowState::kFree:
      violation = root * std::max(model.bounds.lower[i] - x, x - model.bounds.upper[i]);
      break;
    case RowState::kLower:
      violation = -w / root;
      break;
    case RowState::kUpper:
      violation = w / root;
      break;
  }
  return violation > threshold_ ? violation : 0;
}

RowState BoxedPivoting::Pivoted(const Model& model, int i, RowState state, double x) {
  if (state != RowState::kFree) return RowState::kFree;
  return x < model.bounds.lower[i] ? RowState::kLower : RowState::kUpper;
}

double BoxedPivoting::Distance(const std::vector<double>& x, const std::vector<double>& y) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += set_->weights()[i] * (x[i] - y[i]) * (x[i] - y[i]);
  }
  return std::sqrt(sum);
}

void BoxedPivoting::Begin(const std::vector<double>& x) {
  const std::vector<double>& a = set_->weights();
  set_->problem().dynamics().ConstraintVelocity(x.data(), w_.data(), workspace_);
  round_ = Round();
  round_.regularisation = options_.regularisation;
  round_.least_regularisation = tuning_.least_regularisation;
  round_.next_newton = tuning_.first_newton_round;
  reference_ = x;
  if (moves_) {
    // Nothing is held by friction that is not pressed: the first bounds are those of what every
    // contact would take alone.
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0 && a[i] > 0) reference_[i] = std::max(0.0, -w_[i] / a[i]);
    }
  }
  FreezeModel(x, reference_);
  for (int i = 0; i < model_.rows(); ++i) {
    state_[i] =
        model_.pinned[i] != 0 ? RowState::kLower : model_.bounds.StateOf(i, x[i], w_[i], a[i]);
  }
}

double BoxedPivoting::Rounding(const std::vector<double>& x) const {
  const std::vector<double>& a = set_->weights();
  const std::vector<double>& bias = set_->problem().dynamics().bias();
  double energy = 0;  // that of all terms of w, whatever they leave of each other
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (a[i] > 0) energy += bias[i] * bias[i] / a[i] + a[i] * x[i] * x[i];
  }
  return kRounding * std::sqrt(energy);
}

void BoxedPivoting::Rebuild(const std::vector<double>& x) {
  MakeModel(round_.regularisation);
  FreezeModel(x, reference_);
}

/// Where a factorisation fails. False: A is to blame.
bool BoxedPivoting::RaiseRegularisation(const std::vector<double>& x, Monitor& monitor) {
  round_.regularisation = std::max(tuning_.raise * round_.regularisation, 1e-10);
  monitor.CountFallback();
  if (round_.regularisation > kMostRegularisation) {
    monitor.Stop(Status::kNumericalFailure, "A is not positive semidefinite");
    return false;
  }
  Rebuild(x);
  return true;
}

/// The bounds row by row, once, where rounds do not settle. False: the monitor said stop.
bool BoxedPivoting::FollowPath(Outcome outcome, Monitor& monitor) {
  const bool lasts =
      monitor.iterations() - round_.first_iteration > tuning_.pivots_per_row * model_.rows();
  const bool hard = moves_ && (outcome == Outcome::kHard || lasts);
  if (round_.followed || !(round_.idle > tuning_.idle_frozen_rounds || hard)) return true;
  round_.followed = true;
  trial_ = monitor.best();
  monitor.CountFallback("coupled_path");
  return path_.Run(*set_, trial_, monitor);
}

/// False where nothing more is to be gained from rounds.
bool BoxedPivoting::Gains(double change, Monitor& monitor) {
  if (monitor.best_energy() < 0.999 * round_.least) {
    round_.least = monitor.best_energy();
    round_.idle = 0;
  } else if (++round_.idle > tuning_.idle_rounds) {
    monitor.Stop(Status::kStalled, "no round lowers the error any more");
    return false;
  }
  if (change <= threshold_) {
    monitor.Stop(Status::kStalled, "as exact as rounding allows");
    return false;
  }
  return true;
}

/// The bounds of friction after the solution, and ρ for the next round.
void BoxedPivoting::Adapt(double change) {
  if (moves_) {
    round_.relaxation =
        change > round_.last_change
            ? std::max(tuning_.more_caution * round_.relaxation, tuning_.least_relaxation)
            : std::min(1.0, tuning_.less_caution * round_.relaxation);
    for (std::size_t i = 0; i < reference_.size(); ++i) {
      reference_[i] += round_.relaxation * (next_[i] - reference_[i]);
    }
  }
  double& rho = round_.regularisation;
  if (moves_ && round_.idle > 0 && round_.idle % tuning_.stubborn_rounds == 0 && rho < 1) {
    rho = std::min(1.0, std::max(rho, tuning_.stubborn) / tuning_.lower);
    round_.least_regularisation = rho;
    round_.relaxation = 1;
    MakeModel(rho);
  } else if (rho > round_.least_regularisation &&
             (!moves_ || change < tuning_.contraction * round_.last_change)) {
    rho = std::max(tuning_.lower * rho, round_.least_regularisation);
    MakeModel(rho);
  }
  round_.last_change = change;
}

void BoxedPivoting::Run(std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  if (!monitor.Continue(x.data())) return;
  if (a_->rows > most_rows()) {
    monitor.Stop(Status::kStalled, "more rows than a dense factor is made for");
    return;
  }
  Begin(x);
  round_.first_iteration = monitor.iterations();
  for (;;) {
    threshold_ = Rounding(x);
    next_ = x;
    model_.must_end = round_.regularisation >= 1;
    const Outcome outcome = SolveModel(model_, next_, state_, monitor);
    if (outcome == Outcome::kStopped) return;
    if (outcome == Outcome::kNotDefinite) {
      if (!RaiseRegularisation(x, monitor)) return;
      continue;
    }
    if (!FollowPath(outcome, monitor)) return;
    if (outcome == Outcome::kHard) {
      round_.regularisation = std::min(1.0, round_.regularisation / tuning_.lower);
      round_.least_regularisation = round_.regularisation;
      Rebuild(x);
      continue;
    }
    // How far the solution is from what the round was built around.
    const double change = Distance(next_, x) + (moves_ ? Distance(next_, reference_) : 0.0);
    if (!Gains(change, monitor)) return;
    Adapt(change);
    if (moves_ && ++round_.count == round_.next_newton) {
      round_.next_newton *= 2;
      trial_ = next_;
      monitor.CountFallback("coupled_newton");
      if (!newton_.Run(*set_, trial_, monitor)) return;
    }
    x.swap(next_);
    FreezeModel(x, reference_);
  }
}

}  // namespace nonsmooth
