// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/coupled_path.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// ρ: at first, least, and how it moves. Early rounds always end; late ones in about two of three.
constexpr double kFirstRegularisation = 0.1;
constexpr double kLeastRegularisation = 1e-7;
constexpr double kLeastEasyRegularisation = 1e-10;
constexpr double kEasyPivotsPerRow = 0.1;
constexpr double kEarlyRegularisation = 2e-5;
constexpr double kFall = 0.1;
constexpr double kLateFall = 0.3;
constexpr double kRise = 4;

/// Pivots per row after which a way is given up; the first ones may be long.
constexpr double kFirstPivotsPerRow = 2;
constexpr double kPivotsPerRow = 0.6;
constexpr int kFewPivots = 50;

/// Ways from x_k can lead back to where they came from, those from zero cannot (the matrix is
/// strictly copositive) but are long: one is gone after so many failures in a row, with the ρ of
/// the first of them.
constexpr int kFailuresBeforeZero = 3;

constexpr int kMostRounds = 100;
constexpr int kIdleRounds = 20;

/// Rows that meet their bound at rest would all change sides at t = 0. They are moved off by this
/// share of the largest free velocity, times the root of the error; nothing is left of it at t = 1.
constexpr double kPerturbation = 1e-3;
constexpr double kLeastPerturbation = 1e-6;

/// Of a bound: closer than this is at it.
constexpr double kAtBound = 1e-12;

constexpr int kReinversion = 300;
constexpr double kSingular = 1e-11;

/// Between 0.5 and 1.5, different for every row and the same in every run.
double Spread(int row) {
  const double golden = 0.6180339887498949 * (row + 1);
  return 0.5 + golden - std::floor(golden);
}

}  // namespace

struct CoupledPath::Inverse {
  Eigen::MatrixXd matrix;  ///< K⁻¹
  Eigen::VectorXd image;   ///< δᵀ K⁻¹
  Eigen::VectorXd column;
  std::vector<Triplet> entries;
  std::vector<int> free, place;
  Eigen::MatrixXd own;   ///< S⁻¹
  Eigen::MatrixXd wide;  ///< rows of K⁻¹ that give the free impulses
};

CoupledPath::CoupledPath() : inverse_(std::make_unique<Inverse>()) {}
CoupledPath::~CoupledPath() = default;

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

bool CoupledPath::Invert() {
  // With z the free impulses and y the right side of the other rows x = E z + G y, and the free
  // rows say S z = right side − H y with S = A_F E, H = A_F G. Hence K⁻¹ = E S⁻¹ in the columns of
  // free rows and G − E S⁻¹ H in the others.
  Inverse& inverse = *inverse_;
  inverse.free.clear();
  inverse.place.assign(n_, -1);
  for (int i = 0; i < n_; ++i) {
    if (state_[i] != RowState::kFree) continue;
    inverse.place[i] = static_cast<int>(inverse.free.size());
    inverse.free.push_back(i);
  }
  const int f = static_cast<int>(inverse.free.size());
  inverse.own.setZero(f, f);
  inverse.entries.clear();
  const auto add = [&](int row, int column, double value) {
    if (inverse.place[column] >= 0) {
      inverse.own(row, inverse.place[column]) += value;
    } else {
      inverse.entries.push_back({row, column, value});
    }
  };
  for (int r = 0; r < f; ++r) {
    const int i = inverse.free[r];
    add(r, i, added_[i]);
    for (int e = a_->row_start[i]; e < a_->row_start[i + 1]; ++e) {
      const int j = a_->column[e];
      add(r, j, a_->value[e]);
      if (Slides(j)) add(r, parent_[j], Slope(j) * a_->value[e]);
    }
  }
  if (f > 0) inverse.own = inverse.own.partialPivLu().inverse().eval();
  if (!inverse.own.allFinite()) return false;
  inverse.wide.setZero(f, n_);  // S⁻¹ (E'ᵀ − H): rows z of K⁻¹
  for (int r = 0; r < f; ++r) inverse.wide.col(inverse.free[r]) = inverse.own.col(r);
  for (const Triplet& entry : inverse.entries) {
    inverse.wide.col(entry.column) -= entry.value * inverse.own.col(entry.row);
  }
  Eigen::MatrixXd& matrix = inverse.matrix;
  matrix.setZero(n_, n_);
  for (int j = 0; j < n_; ++j) {
    for (int r = 0; r < f; ++r) matrix(inverse.free[r], j) = inverse.wide(r, j);
    if (state_[j] != RowState::kFree) matrix(j, j) = 1;
    for (int i = j + 1; i < n_ && parent_[i] == j; ++i) {
      if (Slides(i) && state_[j] != RowState::kFree) matrix(i, j) = Slope(i);
    }
    for (int i = 0; i < n_; ++i) {
      if (Slides(i) && inverse.place[parent_[i]] >= 0) {
        matrix(i, j) += Slope(i) * inverse.wide(inverse.place[parent_[i]], j);
      }
    }
  }
  return true;
}

bool CoupledPath::Replace(int row, RowState to) {
  // δᵀ K⁻¹ with δ the new row less the old one.
  Inverse& inverse = *inverse_;
  inverse.entries.clear();
  const auto add = [&](RowState state, double factor) {
    if (state == RowState::kFree) {
      for (int e = a_->row_start[row]; e < a_->row_start[row + 1]; ++e) {
        inverse.entries.push_back({row, a_->column[e], factor * a_->value[e]});
      }
      inverse.entries.push_back({row, row, factor * added_[row]});
      return;
    }
    inverse.entries.push_back({row, row, factor});
    if (parent_[row] < 0) return;
    const double slope = state == RowState::kUpper ? slope_[row] : -slope_[row];
    inverse.entries.push_back({row, parent_[row], -factor * slope});
  };
  add(to, 1);
  add(state_[row], -1);
  Eigen::VectorXd& image = inverse.image;
  image.resize(n_);
  for (int j = 0; j < n_; ++j) {
    const double* column = inverse.matrix.col(j).data();
    double sum = 0;
    for (const Triplet& entry : inverse.entries) sum += entry.value * column[entry.column];
    image(j) = sum;
  }
  const double factor = 1 + image(row);
  if (!(std::abs(factor) > kSingular)) return false;
  if (factor < 0) sign_ = -sign_;
  inverse.column = inverse.matrix.col(row) / factor;
  for (int j = 0; j < n_; ++j) {
    if (image(j) != 0) inverse.matrix.col(j) -= image(j) * inverse.column;
  }
  state_[row] = to;
  return true;
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

CoupledPath::Outcome CoupledPath::Follow(int most_pivots, Monitor& monitor) {
  if (monitor.OutOfTime()) return Outcome::kStopped;
  if (!Invert()) return Outcome::kGaveUp;
  for (int pivot = 0; pivot < most_pivots; ++pivot) {
    if (pivot % kReinversion == kReinversion - 1) {
      if (monitor.OutOfTime()) return Outcome::kStopped;
      if (!Invert()) return Outcome::kGaveUp;
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

bool CoupledPath::Run(const FeasibleSet& set, std::vector<double>& x, Monitor& monitor) {
  if (set.problem().dynamics().Assembled().rows > kMostRows) return true;
  Layout(set);
  double regularisation = kFirstRegularisation;
  double error = 1;
  double least = kInfinity;
  int idle = 0;
  int failures = 0;  // in a row
  for (int round = 0; round < kMostRounds && idle < kIdleRounds; ++round, ++idle) {
    const bool from_zero = failures == kFailuresBeforeZero;
    const double share = std::sqrt(std::min(1.0, error));
    Start(regularisation, std::max(kLeastPerturbation, kPerturbation * share), x, from_zero);
    const int before = monitor.iterations();
    const bool is_long = round < 2 || from_zero;
    const int most = static_cast<int>((is_long ? kFirstPivotsPerRow : kPivotsPerRow) * n_);
    const Outcome outcome = Follow(most + kFewPivots, monitor);
    if (outcome == Outcome::kStopped) return false;
    if (outcome == Outcome::kGaveUp) {
      ++failures;
      const double rise =
          failures == kFailuresBeforeZero ? std::pow(kRise, 1 - kFailuresBeforeZero) : kRise;
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
    regularisation *= regularisation > kEarlyRegularisation ? kFall : kLateFall;
    const bool easy = monitor.iterations() - before < kEasyPivotsPerRow * n_;
    regularisation =
        std::max(regularisation, easy ? kLeastEasyRegularisation : kLeastRegularisation);
  }
  return true;
}

}  // namespace nonsmooth
