// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/coupled_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/error/energy_error.h"
#include "common/methods/pivoting/coupled_path_inverse-inl.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of a bound: closer than this is at it.
constexpr double kAtBound = 1e-12;

constexpr int kReinversion = 300;

/// Between 0.5 and 1.5, different for every row and the same in every run.
double Spread(int row) {
  const double golden = 0.6180339887498949 * (row + 1);
  return 0.5 + golden - std::floor(golden);
}

}  // namespace

void CoupledPath::Layout(const FeasibleSet& set) {
  set_ = &set;
  a_ = &set.problem().dynamics().Assembled();
  n_ = a_->rows;
  parent_.assign(n_, -1);
  slope_.assign(n_, 0.0);
  state_.resize(n_);
  for (auto* v : {&lower_, &upper_, &added_, &x_, &w_, &dx_, &dw_, &vector_, &cover_, &right_}) {
    v->resize(n_);
  }
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    const bool coupled = groups[g].kind == GroupKind::kContact && !set.group(g).frozen;
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    double nothing[kMostGroupRows];
    double unit[kMostGroupRows];
    const double zero[kMostGroupRows] = {};
    const double one[kMostGroupRows] = {1};
    set.RowBounds(g, zero, lower, upper);
    set.RowBounds(g, one, nothing, unit);
    for (int i = 0; i < groups[g].size; ++i) {
      const int row = first + i;
      lower_[row] = lower[i];
      upper_[row] = upper[i];
      if (!(set.weights()[row] > 0)) {
        lower_[row] = upper_[row] = std::clamp(0.0, lower[i], upper[i]);
      } else if (coupled && i > 0 && unit[i] > 0) {
        parent_[row] = first;
        slope_[row] = unit[i];
      }
    }
  }
}

double CoupledPath::RowTimes(int row, const double* x) const {
  double sum = added_[row] * x[row];
  for (int k = a_->row_start[row]; k < a_->row_start[row + 1]; ++k) {
    sum += a_->value[k] * x[a_->column[k]];
  }
  return sum;
}

void CoupledPath::Velocity() {
  for (int i = 0; i < n_; ++i) {
    w_[i] = RowTimes(i, x_.data()) + vector_[i] + (1 - t_) * cover_[i];
  }
}

double CoupledPath::Gap(const std::vector<double>& x, int row, RowState side) const {
  const double wide = parent_[row] < 0 ? 0 : slope_[row] * x[parent_[row]];
  return side == RowState::kLower ? x[row] - lower_[row] + wide : upper_[row] - x[row] + wide;
}

void CoupledPath::Start(double regularisation, double perturbation,
                        const std::vector<double>& centre, bool from_zero) {
  const std::vector<double>& a = set_->weights();
  const std::vector<double>& b = set_->problem().dynamics().bias();
  double scale = 0;
  for (int i = 0; i < n_; ++i) {
    if (a[i] > 0) scale = std::max(scale, std::abs(b[i]) / std::sqrt(a[i]));
  }
  for (int i = 0; i < n_; ++i) {
    added_[i] = regularisation * a[i];
    vector_[i] = b[i] - added_[i] * centre[i];
    const double start = from_zero ? 0 : centre[i];
    x_[i] = std::clamp(start, lower_[i], upper_[i]);
    if (parent_[i] < 0) continue;
    const double bound = slope_[i] * x_[parent_[i]];  // the normal comes first
    x_[i] = std::clamp(start, -bound, bound);
  }
  std::fill(cover_.begin(), cover_.end(), 0.0);
  t_ = 0;
  sign_ = 1;
  last_row_ = -1;
  Velocity();
  for (int i = 0; i < n_; ++i) {
    const double off = perturbation * scale * std::sqrt(a[i]) * Spread(i);
    const double wide = parent_[i] < 0 ? 0 : slope_[i] * x_[parent_[i]];
    const double rounding = kAtBound * std::max(std::abs(x_[i]), wide);
    if (lower_[i] == upper_[i] && parent_[i] < 0) {
      state_[i] = RowState::kLower;
    } else if (!Presses(i)) {
      state_[i] = w_[i] > 0 ? RowState::kLower : RowState::kUpper;
    } else if (Gap(x_, i, RowState::kLower) <= rounding) {
      state_[i] = RowState::kLower;
      if (w_[i] < off || from_zero) cover_[i] = std::max(off, off - w_[i]);
    } else if (Gap(x_, i, RowState::kUpper) <= rounding) {
      state_[i] = RowState::kUpper;
      if (w_[i] > -off) cover_[i] = -off - w_[i];
    } else {
      state_[i] = RowState::kFree;
      cover_[i] = -w_[i];
    }
  }
  Velocity();
}

CoupledPath::Event CoupledPath::NextEvent(double remaining) const {
  Event event;
  event.step = remaining;
  const auto consider = [&](int row, RowState to, double value, double slope) {
    if (!(slope < 0) || (row == last_row_ && to == last_state_)) return;
    const double step = std::max(0.0, value) / -slope;
    if (step < event.step) event = {row, to, step};
  };
  for (int i = 0; i < n_; ++i) {
    if ((lower_[i] == upper_[i] && parent_[i] < 0) || !Presses(i)) continue;
    switch (state_[i]) {
      case RowState::kFree:
        for (RowState side : {RowState::kLower, RowState::kUpper}) {
          const double gap = Gap(x_, i, side);
          if (gap == kInfinity) continue;
          const double wide = parent_[i] < 0 ? 0 : slope_[i] * dx_[parent_[i]];
          consider(i, side, gap, wide + (side == RowState::kLower ? dx_[i] : -dx_[i]));
        }
        break;
      case RowState::kLower:
        consider(i, RowState::kFree, w_[i], dw_[i]);
        break;
      case RowState::kUpper:
        consider(i, RowState::kFree, -w_[i], -dw_[i]);
        break;
    }
  }
  return event;
}

bool CoupledPath::Pivot(const Event& event) {
  const int row = event.row;
  // A normal takes its friction along: what has not slid before slides when it lets go, and slides
  // against its velocity when it takes hold.
  for (int i = row + 1; i < n_ && parent_[i] == row; ++i) {
    RowState to = state_[i];
    if (event.to == RowState::kFree) {
      to = w_[i] > 0 ? RowState::kLower : RowState::kUpper;
    } else if (to == RowState::kFree) {
      to = x_[i] > 0 ? RowState::kUpper : RowState::kLower;
    }
    if (to != state_[i] && !Replace(i, to)) return false;
  }
  last_row_ = row;
  last_state_ = state_[row];
  return Replace(row, event.to);
}

void CoupledPath::Settle() {
  // K x = right side, by two steps from where x stands.
  for (int refinement = 0; refinement < 2; ++refinement) {
    Velocity();
    for (int i = 0; i < n_; ++i) {
      right_[i] = state_[i] == RowState::kFree    ? -w_[i]
                  : state_[i] == RowState::kLower ? -Gap(x_, i, RowState::kLower)
                                                  : Gap(x_, i, RowState::kUpper);
    }
    Eigen::Map<Eigen::VectorXd>(x_.data(), n_) +=
        inverse_->matrix * Eigen::Map<const Eigen::VectorXd>(right_.data(), n_);
  }
  Velocity();
}

CoupledPath::Outcome CoupledPath::InvertInTime(Monitor& monitor) {
  const double n = n_;
  if (!inversion_.Begin(2 * n * n * n, monitor)) return Outcome::kStopped;
  const bool regular = Invert();
  inversion_.End(monitor);
  return regular ? Outcome::kArrived : Outcome::kGaveUp;
}

CoupledPath::Outcome CoupledPath::Follow(int most_pivots, Monitor& monitor) {
  Outcome outcome = InvertInTime(monitor);
  if (outcome != Outcome::kArrived) return outcome;
  for (int pivot = 0; pivot < most_pivots; ++pivot) {
    if (pivot % kReinversion == kReinversion - 1) {
      outcome = InvertInTime(monitor);
      if (outcome != Outcome::kArrived) return outcome;
      Settle();
    }
    Eigen::Map<Eigen::VectorXd> dx(dx_.data(), n_);
    dx.setZero();
    for (int i = 0; i < n_; ++i) {
      if (state_[i] == RowState::kFree && cover_[i] != 0) {
        dx += sign_ * cover_[i] * inverse_->matrix.col(i);
      }
    }
    for (int i = 0; i < n_; ++i) dw_[i] = RowTimes(i, dx_.data()) - sign_ * cover_[i];
    const Event event = NextEvent(sign_ > 0 ? 1 - t_ : kInfinity);
    if (!(event.step < kInfinity)) return Outcome::kGaveUp;
    for (int i = 0; i < n_; ++i) {
      x_[i] += event.step * dx_[i];
      w_[i] += event.step * dw_[i];
    }
    t_ += sign_ * event.step;
    if (event.row < 0) {
      t_ = 1;
      Settle();
      return monitor.Continue(x_.data()) ? Outcome::kArrived : Outcome::kStopped;
    }
    if (!Pivot(event)) return Outcome::kGaveUp;
    if (!monitor.Continue(x_.data())) return Outcome::kStopped;
  }
  return Outcome::kGaveUp;
}

void CoupledPath::AddTuning(OptionFields* fields) {
  fields->insert(
      fields->end(),
      {
          {"path_first_regularisation", "-", "ρ of the first round", &tuning_.first_regularisation,
           0, 1},
          {"path_least_regularisation", "-", "The least ρ", &tuning_.least_regularisation, 0, 1},
          {"path_least_easy_regularisation", "-", "The least ρ where rounds are easy",
           &tuning_.least_easy_regularisation, 0, 1},
          {"path_easy_pivots_per_row", "-", "What an easy round takes",
           &tuning_.easy_pivots_per_row, 0, 100},
          {"path_early_regularisation", "-",
           "Above this ρ rounds always end, below in about two of three",
           &tuning_.early_regularisation, 0, 1},
          {"path_fall", "-", "What ρ falls by from one early round to the next", &tuning_.fall, 0,
           1},
          {"path_late_fall", "-", "And from one late round", &tuning_.late_fall, 0, 1},
          {"path_rise", "-", "What ρ rises by where a way is given up", &tuning_.rise, 1, 1000},
          {"path_first_pivots_per_row", "-", "Pivots per row after which the first way is given up",
           &tuning_.first_pivots_per_row, 0, 100},
          {"path_pivots_per_row", "-", "And every other", &tuning_.pivots_per_row, 0, 100},
          {"path_few_pivots", "pivots", "That are allowed in any case", &tuning_.few_pivots, 0,
           1000000.0},
          {"path_failures_before_zero", "-", "Ways given up in a row before one begins at zero",
           &tuning_.failures_before_zero, 1, 1000},
          {"path_most_rounds", "rounds", "At the most", &tuning_.most_rounds, 1, 1000000.0},
          {"path_idle_rounds", "rounds", "Without a lower error", &tuning_.idle_rounds, 1,
           1000000.0},
          {"path_perturbation", "-",
           "Of the largest free velocity, times the root of the error: how far rows that rest at "
           "their bound are moved off at t = 0",
           &tuning_.perturbation, 0, 1},
          {"path_least_perturbation", "-", "And at the least", &tuning_.least_perturbation, 0, 1},
      });
}

bool CoupledPath::Run(const FeasibleSet& set, std::vector<double>& x, Monitor& monitor) {
  if (set.problem().dynamics().Assembled().rows > kMostRows) return true;
  Layout(set);
  double regularisation = tuning_.first_regularisation;
  double error = 1;
  double least = kInfinity;
  int idle = 0;
  int failures = 0;  // in a row
  for (int round = 0; round < tuning_.most_rounds && idle < tuning_.idle_rounds; ++round, ++idle) {
    const bool from_zero = failures == tuning_.failures_before_zero;
    const double share = std::sqrt(std::min(1.0, error));
    Start(regularisation, std::max(tuning_.least_perturbation, tuning_.perturbation * share), x,
          from_zero);
    const int before = monitor.iterations();
    const bool is_long = round < 2 || from_zero;
    const int most =
        static_cast<int>((is_long ? tuning_.first_pivots_per_row : tuning_.pivots_per_row) * n_);
    const Outcome outcome = Follow(most + tuning_.few_pivots, monitor);
    if (outcome == Outcome::kStopped) return false;
    if (outcome == Outcome::kGaveUp) {
      ++failures;
      const double rise = failures == tuning_.failures_before_zero
                              ? std::pow(tuning_.rise, 1 - tuning_.failures_before_zero)
                              : tuning_.rise;
      regularisation = std::min(1.0, rise * regularisation);
      continue;
    }
    failures = 0;
    x = x_;
    set.problem().dynamics().ConstraintVelocity(x.data(), w_.data(), workspace_);
    const double energy = MeasureEnergy(set, monitor.free_energy(), x.data(), w_.data()).sum;
    error = RelativeEnergy(energy, monitor.free_energy());
    if (energy < 0.5 * least) {
      least = energy;
      idle = 0;
    }
    regularisation *=
        regularisation > tuning_.early_regularisation ? tuning_.fall : tuning_.late_fall;
    const bool easy = monitor.iterations() - before < tuning_.easy_pivots_per_row * n_;
    regularisation = std::max(
        regularisation, easy ? tuning_.least_easy_regularisation : tuning_.least_regularisation);
  }
  return true;
}

}  // namespace nonsmooth
