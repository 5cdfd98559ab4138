// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/body_sweep.h"

#include <algorithm>
#include <cmath>

#include "common/error/energy_error.h"
#include "common/methods/sweep/matrix_sweep.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 64;

}  // namespace

void BodySweep::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(set.problem().dynamics());
  roots_.clear();
  for (const Body& body : dynamics.bodies()) roots_.push_back(RootOf(body));
  source_ = {&set, &dynamics, &roots_};
  batches_.Prepare(source_, team_, threads_);
  groups_.clear();
  rows_.clear();
  joints_.Prepare(set, dynamics, roots_, batches_.others());
  for (int g : joints_.others()) AddRows(g, dynamics);
  const std::size_t size = batches_.state_size() + joints_.state_size() + rows_.size();
  x_.assign((size + 7) / 8, CacheLine{});
  z_.resize(roots_.size() + batches_.sinks());
}

void BodySweep::AddRows(int g, const TwoBodyDynamics& dynamics) {
  const RowGroup& group = set_->problem().groups()[g];
  groups_.push_back({g, static_cast<int>(rows_.size()), 1 / GroupScale(*set_, g)});
  const int sink = static_cast<int>(roots_.size());
  for (int i = group.first_row; i < group.first_row + group.size; ++i) {
    const double a = set_->weights()[i];
    rows_.emplace_back(dynamics.body_rows()[i], dynamics.bias()[i], roots_, sink);
    if (a > 0) rows_.back().scale = 1 / std::sqrt(a);
  }
}

void BodySweep::Load(const double* rows) {
  std::fill(z_.begin(), z_.end(), CacheLine{});
  batches_.Scale(rows, x());
  joints_.Scale(rows, x_of_joints());
  double* own = x_of_rows();
  for (const Group& group : groups_) {
    const RowGroup& posed = set_->problem().groups()[group.index];
    for (int i = 0; i < posed.size; ++i) {
      const PackedRow& row = rows_[group.first_row + i];
      own[group.first_row + i] = rows[posed.first_row + i] / row.scale;
      row.Add(rows[posed.first_row + i], z());
    }
  }
  const bool cold = std::all_of(x_.begin(), x_.end(), [](const CacheLine& line) {
    return std::all_of(line.value, line.value + 8, [](double value) { return value == 0; });
  });
  if (cold) return;
  batches_.AddImpulses(x(), z());
  joints_.AddImpulses(x_of_joints(), z());
}

void BodySweep::Store(double* rows) const {
  batches_.Unscale(x(), rows);
  joints_.Unscale(x_of_joints(), rows);
  const double* own = x_of_rows();
  for (const Group& group : groups_) {
    const RowGroup& posed = set_->problem().groups()[group.index];
    for (int i = 0; i < posed.size; ++i) {
      rows[posed.first_row + i] = own[group.first_row + i] * rows_[group.first_row + i].scale;
    }
  }
}

GaussSeidel::State BodySweep::state() {
  const std::size_t size = batches_.state_size() + joints_.state_size() + rows_.size();
  return {x(), nullptr, size, z(), kBodyRecord * z_.size()};
}

void BodySweep::Relax(const Group& group, double relaxation) {
  const RowGroup& posed = set_->problem().groups()[group.index];
  const double* a = set_->weights().data() + posed.first_row;
  const PackedRow* rows = rows_.data() + group.first_row;
  double* scaled = x_of_rows() + group.first_row;
  double before[kMostGroupRows];
  double after[kMostGroupRows];
  for (int i = 0; i < posed.size; ++i) after[i] = before[i] = scaled[i] * rows[i].scale;
  if (set_->group(group.index).shape == GroupSet::Shape::kRows) {
    // Row by row: each row sees what the rows before it have just become. Projecting the whole
    // group moves none of the rows after it that is within its bounds, and the others before
    // their turn.
    for (int i = 0; i < posed.size; ++i) {
      if (a[i] == 0) continue;
      after[i] -= relaxation * rows[i].Velocity(z(), after[i]) / a[i];
      set_->Project(group.index, after);
      for (int j = 0; j < posed.size; ++j) {
        if (after[j] != before[j]) rows[j].Add(after[j] - before[j], z());
        before[j] = after[j];
      }
    }
  } else {
    double w[kMostGroupRows];
    for (int i = 0; i < posed.size; ++i) w[i] = rows[i].Velocity(z(), before[i]);
    set_->AddShift(group.index, w);
    for (int i = 0; i < posed.size; ++i) {
      if (a[i] > 0) after[i] -= relaxation * group.step * w[i] / a[i];
    }
    set_->Project(group.index, after);
    for (int i = 0; i < posed.size; ++i) rows[i].Add(after[i] - before[i], z());
  }
  for (int i = 0; i < posed.size; ++i) scaled[i] = after[i] / rows[i].scale;
}

void BodySweep::Sweep(double relaxation, bool backwards, Monitor& monitor) {
  const auto sweep_groups = [&] {
    const int count = static_cast<int>(groups_.size());
    for (int k = 0; k < count; ++k) {
      if (k % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return;
      Relax(groups_[backwards ? count - 1 - k : k], relaxation);
    }
  };
  if (!backwards) {
    sweep_groups();
    joints_.Sweep(relaxation, backwards, x_of_joints(), z(), monitor);
  }
  batches_.Sweep(relaxation, backwards, x(), z(), monitor);
  if (backwards) {
    joints_.Sweep(relaxation, backwards, x_of_joints(), z(), monitor);
    sweep_groups();
  }
}

double BodySweep::EnergyOf(const Group& group) const {
  const RowGroup& posed = set_->problem().groups()[group.index];
  const double* scaled = x_of_rows() + group.first_row;
  double impulse[kMostGroupRows];
  double w[kMostGroupRows];
  double energy[kMostGroupRows];
  for (int i = 0; i < posed.size; ++i) {
    const PackedRow& row = rows_[group.first_row + i];
    impulse[i] = scaled[i] * row.scale;
    w[i] = row.Velocity(z(), impulse[i]);
  }
  GroupEnergy(*set_, group.index, impulse, w, energy);
  double sum = 0;
  for (int i = 0; i < posed.size; ++i) sum += energy[i];
  return sum;
}

double BodySweep::Energy() {
  double sum = batches_.Energy(x(), z()) + joints_.Energy(x_of_joints(), z());
  for (const Group& group : groups_) sum += EnergyOf(group);
  return sum;
}

}  // namespace nonsmooth
