// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/group_batches.h"

#include <algorithm>
#include <cmath>

#include "common/methods/sweep/matrix_sweep.h"

namespace nonsmooth {
namespace {

constexpr int kBatchesBetweenClockChecks = 32;  // some five microseconds

}  // namespace

void GroupBatches::Prepare(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
                           const std::vector<MassRoot>& roots, const std::vector<int>& candidates) {
  set_ = &set;
  dynamics_ = &dynamics;
  roots_ = &roots;
  others_.clear();
  batches_.clear();
  members_.clear();
  rows_used_ = 0;
  for (std::vector<int>& groups : candidates_) groups.clear();
  for (const int g : candidates) {
    GroupLaw law;
    Pair pair;
    const bool fits = LawOf(g, &law) && PairOf(set.problem().groups()[g], &pair);
    (fits ? candidates_[static_cast<int>(law)] : others_).push_back(g);
  }
  for (const GroupLaw law : {GroupLaw::kRows, GroupLaw::kCcp, GroupLaw::kNcp}) {
    if (!candidates_[static_cast<int>(law)].empty()) Take(law, candidates_[static_cast<int>(law)]);
  }
}

bool GroupBatches::LawOf(int g, GroupLaw* law) const {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& set = set_->group(g);
  *law = GroupLaw::kRows;
  if (group.kind != GroupKind::kContact || set.shape == GroupSet::Shape::kRows) return true;
  if (set.shape != GroupSet::Shape::kCone) return false;
  *law = set.shifted ? GroupLaw::kNcp : GroupLaw::kCcp;
  // Without a normal that moves anything the cone is none.
  return set_->weights()[group.first_row] > 0;
}

bool GroupBatches::PairOf(const RowGroup& group, Pair* pair) const {
  const TwoBodyRow* row = dynamics_->body_rows().data() + group.first_row;
  const int a = row[0].body_a;
  const int b = row[0].body_b;
  for (int r = 1; r < group.size; ++r) {
    if (row[r].body_a != a || row[r].body_b != b) return false;
  }
  *pair = {a >= 0 && (*roots_)[a].movable ? a : -1, b >= 0 && (*roots_)[b].movable ? b : -1};
  return true;
}

void GroupBatches::Take(GroupLaw law, const std::vector<int>& groups) {
  const int first = static_cast<int>(batches_.size());
  colouring_.Reset(static_cast<int>(roots_->size()));
  for (const int g : groups) {
    const RowGroup& group = set_->problem().groups()[g];
    Pair pair;
    PairOf(group, &pair);
    const ContactColouring::Place place = colouring_.Add(pair.a, pair.b);
    const int k = first + place.batch;
    if (k == static_cast<int>(batches_.size())) {
      batches_.emplace_back();
      members_.emplace_back();
      members_[k].fill(-1);
      const int sink = static_cast<int>(roots_->size()) + k % kSinks;
      std::fill_n(batches_[k].body_a, kBatch, sink);
      std::fill_n(batches_[k].body_b, kBatch, sink);
      batches_[k].law = law;
      batches_[k].rows = law == GroupLaw::kRows ? 0 : 3;
    }
    GroupBatch& batch = batches_[k];
    members_[k][place.lane] = g;
    if (pair.a >= 0) batch.body_a[place.lane] = pair.a;
    if (pair.b >= 0) batch.body_b[place.lane] = pair.b;
    batch.rows = std::max(batch.rows, group.size);
  }
  for (int k = first; k < static_cast<int>(batches_.size()); ++k) LayOut(k);
}

void GroupBatches::LayOut(int k) {
  GroupBatch& batch = batches_[k];
  batch.first = rows_used_;
  rows_used_ += batch.rows;
  if (static_cast<int>(rows_.size()) < rows_used_) {
    rows_.resize(rows_used_);
    scales_.resize(rows_used_);
  }
  std::fill_n(rows_.begin() + batch.first, batch.rows, RowLanes());
  std::fill_n(scales_.begin() + batch.first, batch.rows, std::array<double, kBatch>());
  for (int lane = 0; lane < kBatch; ++lane) {
    batch.cone[lane] = 0;
    batch.step[lane] = 1;
    const int g = members_[k][lane];
    if (g < 0) continue;
    const RowGroup& group = set_->problem().groups()[g];
    const double* a = set_->weights().data() + group.first_row;
    for (int r = 0; r < group.size; ++r) {
      scales_[batch.first + r][lane] = a[r] > 0 ? 1 / std::sqrt(a[r]) : 1;
    }
    FillLane(g, lane, batch, rows_.data() + batch.first);
    if (batch.law == GroupLaw::kRows) {
      FillBounds(g, lane, batch, rows_.data() + batch.first);
    } else {
      batch.step[lane] = 1 / GroupScale(*set_, g);
      batch.cone[lane] = group.tangents > 0 ? group.friction * std::sqrt(a[1] / a[0]) : 0;
    }
  }
}

/// Inert rows stay rows of zeros, whose impulses nothing moves.
void GroupBatches::FillLane(int g, int lane, const GroupBatch& batch, RowLanes* rows) const {
  const RowGroup& group = set_->problem().groups()[g];
  for (int r = 0; r < group.size; ++r) {
    if (!(set_->weights()[group.first_row + r] > 0)) continue;
    const TwoBodyRow& row = dynamics_->body_rows()[group.first_row + r];
    const double scale = scales_[batch.first + r][lane];
    rows[r].bias[lane] = scale * dynamics_->bias()[group.first_row + r];
    rows[r].compliance[lane] = scale * scale * row.compliance;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0 || !(*roots_)[body].movable) continue;
      const MassRoot& root = (*roots_)[body];
      const double* j = row.jacobian.data() + 6 * side;
      double angular[3];
      TimesRoot(root, j + 3, angular);
      for (int k = 0; k < 3; ++k) {
        rows[r].jacobian[6 * side + k][lane] = scale * root.linear[k] * j[k];
        rows[r].jacobian[6 * side + 3 + k][lane] = scale * angular[k];
      }
    }
  }
}

void GroupBatches::FillBounds(int g, int lane, const GroupBatch& batch, RowLanes* rows) const {
  const RowGroup& group = set_->problem().groups()[g];
  const bool coupled = group.kind == GroupKind::kContact && !set_->group(g).frozen;
  // Bounds of a contact's other rows are proportional to its normal impulse: what they are for one
  // of 1 is what they are per unit.
  const double one = 1;
  double lower[kMostGroupRows];
  double upper[kMostGroupRows];
  set_->RowBounds(g, &one, lower, upper);
  const double of_first = scales_[batch.first][lane];
  for (int r = 0; r < group.size; ++r) {
    const double scale = scales_[batch.first + r][lane];
    if (coupled && r > 0) {
      rows[r].friction[lane] = upper[r] / scale * of_first;
    } else {
      rows[r].lower[lane] = lower[r] / scale;
      rows[r].upper[lane] = upper[r] / scale;
    }
  }
}

void GroupBatches::Scale(const double* rows, double* x) const {
  std::fill_n(x, state_size(), 0.0);
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    for (int lane = 0; lane < kBatch; ++lane) {
      const int g = members_[k][lane];
      if (g < 0) continue;
      const RowGroup& group = set_->problem().groups()[g];
      for (int r = 0; r < group.size; ++r) {
        const int i = batches_[k].first + r;
        const double scale = scales_[i][lane];
        if (scale > 0) x[kBatch * i + lane] = rows[group.first_row + r] / scale;
      }
    }
  }
}

void GroupBatches::Unscale(const double* x, double* rows) const {
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    for (int lane = 0; lane < kBatch; ++lane) {
      const int g = members_[k][lane];
      if (g < 0) continue;
      const RowGroup& group = set_->problem().groups()[g];
      for (int r = 0; r < group.size; ++r) {
        const int i = batches_[k].first + r;
        rows[group.first_row + r] = x[kBatch * i + lane] * scales_[i][lane];
      }
    }
  }
}

void GroupBatches::AddImpulses(const double* x, double* z) const {
  AddGroupImpulses(batches_.data(), static_cast<int>(batches_.size()), rows_.data(), x, z);
}

void GroupBatches::Sweep(double relaxation, bool backwards, double* x, double* z,
                         Monitor& monitor) const {
  const int count = static_cast<int>(batches_.size());
  const int pieces = (count + kBatchesBetweenClockChecks - 1) / kBatchesBetweenClockChecks;
  for (int p = 0; p < pieces; ++p) {
    if (monitor.OutOfTime()) return;
    const int first = (backwards ? pieces - 1 - p : p) * kBatchesBetweenClockChecks;
    SweepGroups(relaxation, backwards, batches_.data() + first,
                std::min(kBatchesBetweenClockChecks, count - first), rows_.data(), x, z);
  }
}

double GroupBatches::Energy(const double* x, const double* z) const {
  return GroupsEnergy(batches_.data(), static_cast<int>(batches_.size()), rows_.data(), x, z);
}

}  // namespace nonsmooth
