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
constexpr double kRaise = 100;

/// ρ falls tenfold after every round, for moving bounds after those that have brought the change
/// below this share of the last: early rounds are easy, late ones exact.
constexpr double kLower = 0.1;
constexpr double kContraction = 0.3;
constexpr double kLeastRegularisation = 1e-8;

/// The bounds of friction follow the normal impulses by a share, which falls where the change
/// grows.
constexpr double kMoreCaution = 0.7;
constexpr double kLessCaution = 1.1;
constexpr double kLeastRelaxation = 1.0 / 64;

/// Where moving bounds do not settle, ρ goes up again and stays: x then moves less in a round.
constexpr int kStubbornRounds = 12;
constexpr double kStubborn = 1e-3;

/// Of moving bounds, then twice as late each time.
constexpr int kFirstNewtonRound = 4;

/// Rounds without a lower error after which nothing more is to be gained.
constexpr int kIdleRounds = 60;

/// The same, and for moving bounds the number of pivots, after which the problem is followed row by
/// row (coupled_path.h).
constexpr int kIdleFrozenRounds = 6;
constexpr int kPivotsPerRow = 3;

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

void BoxedPivoting::Run(std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  const Dynamics& dynamics = set_->problem().dynamics();
  const std::vector<double>& a = set_->weights();
  const std::vector<double>& bias = dynamics.bias();
  if (!monitor.Continue(x.data())) return;
  if (a_->rows > most_rows()) {
    monitor.Stop(Status::kStalled, "more rows than a dense factor is made for");
    return;
  }
  dynamics.ConstraintVelocity(x.data(), w_.data(), workspace_);

  double regularisation = options_.regularisation;
  double relaxation = 1;
  double last_change = std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  int idle = 0;
  int rounds = 0;
  double least_regularisation = kLeastRegularisation;
  int newton_round = kFirstNewtonRound;
  const int first = monitor.iterations();
  bool followed = false;  // the bounds, row by row
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
  for (;;) {
    double energy = 0;  // that of all terms of w, whatever they leave of each other
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (a[i] > 0) energy += bias[i] * bias[i] / a[i] + a[i] * x[i] * x[i];
    }
    threshold_ = kRounding * std::sqrt(energy);

    next_ = x;
    model_.must_end = regularisation >= 1;
    const Outcome outcome = SolveModel(model_, next_, state_, monitor);
    if (outcome == Outcome::kStopped) return;
    if (outcome == Outcome::kNotDefinite) {
      regularisation = std::max(kRaise * regularisation, 1e-10);
      monitor.CountFallback();
      if (regularisation > kMostRegularisation) {
        monitor.Stop(Status::kNumericalFailure, "A is not positive semidefinite");
        return;
      }
      MakeModel(regularisation);
      FreezeModel(x, reference_);
      continue;
    }
    const bool lasts = monitor.iterations() - first > kPivotsPerRow * model_.rows();
    if (!followed &&
        (idle > kIdleFrozenRounds || (moves_ && (outcome == Outcome::kHard || lasts)))) {
      followed = true;
      trial_ = monitor.best();
      monitor.CountFallback("coupled_path");
      if (!path_.Run(*set_, trial_, monitor)) return;
    }
    if (outcome == Outcome::kHard) {
      regularisation = std::min(1.0, regularisation / kLower);
      least_regularisation = regularisation;
      MakeModel(regularisation);
      FreezeModel(x, reference_);
      continue;
    }
    // How far the solution is from what the round was built around.
    const double change = Distance(next_, x) + (moves_ ? Distance(next_, reference_) : 0.0);
    if (monitor.best_energy() < 0.999 * least) {
      least = monitor.best_energy();
      idle = 0;
    } else if (++idle > kIdleRounds) {
      monitor.Stop(Status::kStalled, "no round lowers the error any more");
      return;
    }
    if (change <= threshold_) {
      monitor.Stop(Status::kStalled, "as exact as rounding allows");
      return;
    }
    if (moves_) {
      relaxation = change > last_change ? std::max(kMoreCaution * relaxation, kLeastRelaxation)
                                        : std::min(1.0, kLessCaution * relaxation);
      for (std::size_t i = 0; i < x.size(); ++i) {
        reference_[i] += relaxation * (next_[i] - reference_[i]);
      }
    }
    if (moves_ && idle > 0 && idle % kStubbornRounds == 0 && regularisation < 1) {
      regularisation = std::min(1.0, std::max(regularisation, kStubborn) / kLower);
      least_regularisation = regularisation;
      relaxation = 1;
      MakeModel(regularisation);
    } else if (regularisation > least_regularisation &&
               (!moves_ || change < kContraction * last_change)) {
      regularisation = std::max(kLower * regularisation, least_regularisation);
      MakeModel(regularisation);
    }
    last_change = change;
    if (moves_ && ++rounds == newton_round) {
      newton_round *= 2;
      trial_ = next_;
      monitor.CountFallback("coupled_newton");
      if (!newton_.Run(*set_, trial_, monitor)) return;
    }
    x.swap(next_);
    FreezeModel(x, reference_);
  }
}

}  // namespace nonsmooth
