// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/coupled_newton.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr int kDenseRows = 250;

/// Of a dense factorisation; a sparse one turns out to be faster.
double Cubed(std::size_t rows) {
  const auto n = static_cast<double>(rows);
  return n * n * n / 3;
}

constexpr double kLeastRegularisation = 1e-9;

}  // namespace

struct CoupledNewton::System {
  int size = 0;
  Eigen::MatrixXd dense;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SparseMatrix<double> sparse;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu;
  Eigen::VectorXd right;
};

CoupledNewton::CoupledNewton() : system_(std::make_unique<System>()) {}
CoupledNewton::~CoupledNewton() = default;

void CoupledNewton::ReadSets(const FeasibleSet& set, const std::vector<double>& x) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  const std::vector<double>& a = set.weights();
  int free = 0;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    const bool coupled = groups[g].kind == GroupKind::kContact && !set.group(g).frozen;
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    double unit[kMostGroupRows];
    double nothing[kMostGroupRows];
    const double one[kMostGroupRows] = {1};
    set.RowBounds(g, x.data() + first, lower, upper);
    set.RowBounds(g, one, nothing, unit);  // μ, where the bounds follow the normal
    for (int i = 0; i < groups[g].size; ++i) {
      const int row = first + i;
      place_[row] = normal_[row] = -1;
      if (!(a[row] > 0)) {
        bound_[row] = std::clamp(0.0, lower[i], upper[i]);
        continue;
      }
      const double y = x[row] - w_[row] / a[row];
      if (y > lower[i] && y < upper[i]) {
        place_[row] = free++;
      } else {
        bound_[row] = y <= lower[i] ? lower[i] : upper[i];
        if (!coupled || i == 0) continue;
        bound_[row] = 0;
        if (place_[first] < 0) continue;  // nothing presses
        normal_[row] = first;
        slope_[row] = y <= lower[i] ? -unit[i] : unit[i];
      }
    }
  }
  system_->size = free;
}

bool CoupledNewton::Step(const FeasibleSet& set, double regularisation, std::vector<double>& x) {
  const CsrMatrix& a = set.problem().dynamics().Assembled();
  const std::vector<double>& b = set.problem().dynamics().bias();
  System& system = *system_;
  const int f = system.size;
  const bool dense = f <= kDenseRows;
  if (dense) {
    system.dense.setZero(f, f);
  } else {
    system.entries.clear();
  }
  system.right.resize(f);
  const auto add = [&](int i, int j, double value) {
    if (dense) {
      system.dense(i, j) += value;
    } else {
      system.entries.emplace_back(i, j, value);
    }
  };
  for (int row = 0; row < a.rows; ++row) {
    const int i = place_[row];
    if (i < 0) continue;
    const double weight = regularisation * set.weights()[row];
    add(i, i, weight);
    double right = weight * x[row] - b[row];
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
      const int column = a.column[k];
      if (place_[column] >= 0) {
        add(i, place_[column], a.value[k]);
      } else if (normal_[column] >= 0) {
        add(i, place_[normal_[column]], slope_[column] * a.value[k]);
      } else {
        right -= a.value[k] * bound_[column];
      }
    }
    system.right(i) = right;
  }
  if (dense) {
    if (f > 0) system.right = system.dense_lu.compute(system.dense).solve(system.right).eval();
  } else {
    system.sparse.resize(f, f);
    system.sparse.setFromTriplets(system.entries.begin(), system.entries.end());
    system.sparse_lu.compute(system.sparse);
    if (system.sparse_lu.info() != Eigen::Success) return false;
    system.right = system.sparse_lu.solve(system.right).eval();
  }
  if (!system.right.allFinite()) return false;
  for (int row = 0; row < a.rows; ++row) {
    x[row] = place_[row] >= 0 ? system.right(place_[row]) : bound_[row];
  }
  for (int row = 0; row < a.rows; ++row) {
    if (place_[row] < 0 && normal_[row] >= 0) x[row] = slope_[row] * x[normal_[row]];
  }
  return true;
}

void CoupledNewton::AddTuning(OptionFields* fields) {
  fields->insert(
      fields->end(),
      {
          {"newton_patience", "iterations", "Steps without a lower error before it gives up",
           &tuning_.patience, 1, 1000},
          {"newton_regularisation", "-", "ρ of the first step", &tuning_.regularisation, 0, 1},
      });
}

bool CoupledNewton::Run(const FeasibleSet& set, std::vector<double>& x, Monitor& monitor) {
  const Dynamics& dynamics = set.problem().dynamics();
  w_.resize(x.size());
  place_.resize(x.size());
  normal_.resize(x.size());
  slope_.resize(x.size());
  bound_.resize(x.size());
  double least = std::numeric_limits<double>::infinity();
  double regularisation = tuning_.regularisation;
  int idle = 0;
  for (;;) {
    if (!factorisation_.Begin(Cubed(x.size()), monitor)) return false;
    dynamics.ConstraintVelocity(x.data(), w_.data(), workspace_);
    const double energy = MeasureEnergy(set, monitor.free_energy(), x.data(), w_.data()).sum;
    if (energy < 0.5 * least) {
      least = energy;
      idle = 0;
      regularisation = std::max(0.1 * regularisation, kLeastRegularisation);
    } else if (++idle > tuning_.patience) {
      return true;
    }
    ReadSets(set, x);
    const bool stepped = Step(set, regularisation, x);
    factorisation_.End(monitor);
    if (!stepped) return true;
    if (!monitor.Continue(x.data())) return false;
  }
}

}  // namespace nonsmooth
