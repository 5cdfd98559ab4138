// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/contact_batches.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kBatchesBetweenClockChecks = 64;  // some five microseconds

/// An unused lane: rows of zeros.
void ClearLane(int lane, ContactBatch& batch, double (*scales)[kBatch]) {
  for (int r = 0; r < 3; ++r) {
    ContactBatch::Row& row = batch.row(r);
    for (int k = 0; k < 3; ++k) {
      row.direction[k][lane] = row.angular_a[k][lane] = row.angular_b[k][lane] = 0;
    }
    row.bias[lane] = scales[r][lane] = 0;
  }
  batch.mass_a[lane] = batch.mass_b[lane] = 0;
  batch.friction[0][lane] = batch.friction[1][lane] = 0;
}

/// The law of the batches that a group may go into, as far as its feasible set is concerned.
bool LawOf(const RowGroup& group, const GroupSet& set, BatchLaw* law) {
  if (group.kind != GroupKind::kContact || group.spinning + group.rolling > 0) return false;
  switch (set.shape) {
    case GroupSet::Shape::kCone:
      *law = set.shifted ? BatchLaw::kNcp : BatchLaw::kCcp;
      return true;
    case GroupSet::Shape::kRows:
      *law = set.frozen ? BatchLaw::kBox : BatchLaw::kCoupledBox;
      return true;
    case GroupSet::Shape::kParts:
      break;
  }
  return false;
}

}  // namespace

void ContactBatches::Prepare(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
                             const std::vector<MassRoot>& roots) {
  set_ = &set;
  dynamics_ = &dynamics;
  roots_ = &roots;
  for (std::vector<int>& groups : candidates_) groups.clear();
  others_.clear();
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    BatchLaw law;
    const bool candidate = LawOf(set.problem().groups()[g], set.group(g), &law);
    (candidate ? candidates_[static_cast<int>(law)] : others_).push_back(g);
  }
  runs_.clear();
  count_ = 0;
  for (BatchLaw law : {BatchLaw::kCcp, BatchLaw::kNcp, BatchLaw::kCoupledBox, BatchLaw::kBox}) {
    if (!candidates_[static_cast<int>(law)].empty()) AssignToBatches(law);
  }
  std::sort(others_.begin(), others_.end());
}

void ContactBatches::AssignToBatches(BatchLaw law) {
  const int first = count_;
  colouring_.Reset(static_cast<int>(roots_->size()));
  for (int g : candidates_[static_cast<int>(law)]) {
    Pair pair;
    if (!PlainBetween(set_->problem().groups()[g], &pair)) {
      others_.push_back(g);
      continue;
    }
    const ContactColouring::Place place = colouring_.Add(pair.a, pair.b);
    const int k = first + place.batch;
    if (k == count_) ClearBatch(count_++);
    members_[k][place.lane] = g;
    FillLane(g, pair, place.lane, batches_[k], scales_[k]);
    if (IsCone(law) && place.lane == kBatch - 1) FillStepSizes(&batches_[k], 1);
  }
  for (int k = first; k < count_; ++k) {
    if (members_[k].back() >= 0) continue;
    for (int lane = 0; lane < kBatch; ++lane) {
      if (members_[k][lane] < 0) ClearLane(lane, batches_[k], scales_[k].value);
    }
    if (IsCone(law)) FillStepSizes(&batches_[k], 1);
  }
  runs_.push_back({law, first, count_ - first});
}

/// A batch whose lanes are all unused, as far as its members and bodies say.
void ContactBatches::ClearBatch(int k) {
  if (k == static_cast<int>(batches_.size())) {
    batches_.emplace_back();
    scales_.emplace_back();
    members_.emplace_back();
  }
  members_[k].fill(-1);
  const int sink = static_cast<int>(roots_->size()) + k % kSinks;
  std::fill_n(batches_[k].body_a, kBatch, sink);
  std::fill_n(batches_[k].body_b, kBatch, sink);
}

bool ContactBatches::PlainBetween(const RowGroup& group, Pair* pair) const {
  const TwoBodyRow* row = dynamics_->body_rows().data() + group.first_row;
  const int a = row[0].body_a;
  const int b = row[0].body_b;
  const bool a_moves = a >= 0 && (*roots_)[a].movable;
  const bool b_moves = b >= 0 && (*roots_)[b].movable;
  *pair = {a_moves ? a : -1, b_moves ? b : -1};
  bool plain = (!a_moves || (*roots_)[a].isotropic) && (!b_moves || (*roots_)[b].isotropic);
  for (int r = 0; r < group.size; ++r) {
    plain = plain && row[r].body_a == a && row[r].body_b == b && row[r].compliance == 0 &&
            set_->weights()[group.first_row + r] > 0;
    if (!a_moves || !b_moves) continue;
    const double* j = row[r].jacobian.data();
    plain = plain && j[0] == -j[6] && j[1] == -j[7] && j[2] == -j[8];
  }
  return plain;
}

void ContactBatches::FillLane(int g, const Pair& pair, int lane, ContactBatch& batch,
                              RowScales& scales) const {
  static constexpr MassRoot kFixed;
  const RowGroup& group = set_->problem().groups()[g];
  const MassRoot& a = pair.a >= 0 ? (*roots_)[pair.a] : kFixed;
  const MassRoot& b = pair.b >= 0 ? (*roots_)[pair.b] : kFixed;
  if (pair.a >= 0) batch.body_a[lane] = pair.a;
  if (pair.b >= 0) batch.body_b[lane] = pair.b;
  // The direction is that of the row on a; on b where a does not move.
  const int side = pair.a >= 0 ? 0 : 6;
  batch.mass_a[lane] = a.linear[0];
  batch.mass_b[lane] = pair.a >= 0 ? -b.linear[0] : b.linear[0];
  // Three at once, which takes little longer than one.
  double scale_of[3];
  for (int r = 0; r < 3; ++r) {
    const int i = group.first_row + std::min(r, group.size - 1);
    scale_of[r] = 1 / std::sqrt(set_->weights()[i]);
  }
  for (int r = 0; r < 3; ++r) {
    ContactBatch::Row& to = batch.row(r);
    const bool exists = r < group.size;
    const int i = group.first_row + (exists ? r : 0);
    const TwoBodyRow& row = dynamics_->body_rows()[i];
    const double scale = exists ? scale_of[r] : 0;
    scales.value[r][lane] = scale;
    to.bias[lane] = scale * dynamics_->bias()[i];
    double on_a[3];
    double on_b[3];
    TimesRoot(a, row.jacobian.data() + 3, on_a);
    TimesRoot(b, row.jacobian.data() + 9, on_b);
    for (int k = 0; k < 3; ++k) {
      to.direction[k][lane] = scale * row.jacobian[side + k];
      to.angular_a[k][lane] = scale * on_a[k];
      to.angular_b[k][lane] = scale * on_b[k];
    }
  }
  FillFriction(g, lane, scales, batch);
}

void ContactBatches::FillFriction(int g, int lane, const RowScales& scales,
                                  ContactBatch& batch) const {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& shape = set_->group(g);
  const double* a = set_->weights().data() + group.first_row;
  // Bounds on √a_t x_t: μ x̄_n √a_t, or per unit of √a_n x_n.
  const double normal = shape.frozen ? shape.normal_estimate : scales.value[0][lane];
  for (int t = 0; t < 2; ++t) {
    batch.friction[t][lane] =
        t < group.tangents ? group.friction * normal * a[1 + t] * scales.value[1 + t][lane] : 0;
  }
}

void ContactBatches::Scale(const double* rows, double* x) const {
  for (int k = 0; k < count(); ++k, x += kBatchRows) {
    for (int lane = 0; lane < kBatch; ++lane) {
      const int g = members_[k][lane];
      const int first = g >= 0 ? set_->problem().groups()[g].first_row : 0;
      for (int r = 0; r < 3; ++r) {
        const double scale = scales_[k].value[r][lane];
        x[kBatch * r + lane] = scale > 0 ? rows[first + r] / scale : 0;
      }
    }
  }
}

void ContactBatches::Unscale(const double* x, double* rows) const {
  for (int k = 0; k < count(); ++k, x += kBatchRows) {
    for (int lane = 0; lane < kBatch; ++lane) {
      const int g = members_[k][lane];
      if (g < 0) continue;
      const RowGroup& group = set_->problem().groups()[g];
      for (int r = 0; r < group.size; ++r) {
        rows[group.first_row + r] = x[kBatch * r + lane] * scales_[k].value[r][lane];
      }
    }
  }
}

void ContactBatches::AddImpulses(const double* x, double* z) const {
  AddBatchImpulses(batches_.data(), count(), x, z);
}

void ContactBatches::Sweep(double relaxation, bool backwards, double* x, double* z,
                           Monitor& monitor) const {
  for (const Run& run : runs_) {
    if (IsCone(run.law)) {
      if (!SweepRun(run, BatchRows::kAll, relaxation, backwards, x, z, monitor)) return;
    } else {
      // All normals before all tangents: whose bounds are then those of the normals that the sweep
      // leaves. Contact by contact the error after a sweep is a third larger or more.
      if (!SweepRun(run, BatchRows::kNormals, relaxation, backwards, x, z, monitor)) return;
      if (!SweepRun(run, BatchRows::kTangents, relaxation, backwards, x, z, monitor)) return;
    }
  }
}

bool ContactBatches::SweepRun(const Run& run, BatchRows rows, double relaxation, bool backwards,
                              double* x, double* z, Monitor& monitor) const {
  const int pieces = (run.count + kBatchesBetweenClockChecks - 1) / kBatchesBetweenClockChecks;
  for (int p = 0; p < pieces; ++p) {
    const int offset = (backwards ? pieces - 1 - p : p) * kBatchesBetweenClockChecks;
    const int first = run.first + offset;
    if (monitor.OutOfTime()) return false;
    SweepBatches(run.law, rows, relaxation, backwards, batches_.data() + first,
                 std::min(kBatchesBetweenClockChecks, run.count - offset),
                 x + std::ptrdiff_t{kBatchRows} * first, z);
  }
  return true;
}

double ContactBatches::Energy(const double* x, const double* z) const {
  double sum = 0;
  for (const Run& run : runs_) {
    sum += BatchEnergy(run.law, batches_.data() + run.first, run.count,
                       x + std::ptrdiff_t{kBatchRows} * run.first, z);
  }
  return sum;
}

}  // namespace nonsmooth
