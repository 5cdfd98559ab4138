// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/contact_batches.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kBatchesBetweenClockChecks = 64;  // some five microseconds

/// 1/κ of gauss_seidel.h for all lanes: the Gram matrix of the scaled rows, bounded by Gershgorin's
/// circles.
void FillStep(ContactBatch& batch) {
  double mass[kBatch];
  for (int i = 0; i < kBatch; ++i) {
    mass[i] = batch.mass_a[i] * batch.mass_a[i] + batch.mass_b[i] * batch.mass_b[i];
  }
  double circle[3][kBatch] = {};
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s <= r; ++s) {
      double gram[kBatch] = {};
      for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < kBatch; ++i) {
          gram[i] += mass[i] * batch.direction[r][k][i] * batch.direction[s][k][i] +
                     batch.angular_a[r][k][i] * batch.angular_a[s][k][i] +
                     batch.angular_b[r][k][i] * batch.angular_b[s][k][i];
        }
      }
      for (int i = 0; i < kBatch; ++i) {
        circle[r][i] += std::abs(gram[i]);
        if (s != r) circle[s][i] += std::abs(gram[i]);
      }
    }
  }
  for (int i = 0; i < kBatch; ++i) {
    const double bound = std::max(circle[0][i], std::max(circle[1][i], circle[2][i]));
    batch.step[i] = 1 / std::max(1.0, bound);
  }
}

}  // namespace

bool ContactBatches::Takes(int g, BatchLaw* law) const {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& shape = set_->group(g);
  if (group.kind != GroupKind::kContact || group.spinning + group.rolling > 0 ||
      shape.shape == GroupSet::Shape::kParts) {
    return false;
  }
  const TwoBodyRow* row = dynamics_->body_rows().data() + group.first_row;
  const int a = row[0].body_a;
  const int b = row[0].body_b;
  const bool a_moves = a >= 0 && (*roots_)[a].movable;
  const bool b_moves = b >= 0 && (*roots_)[b].movable;
  if ((a_moves && !(*roots_)[a].isotropic) || (b_moves && !(*roots_)[b].isotropic)) return false;
  for (int r = 0; r < group.size; ++r) {
    if (row[r].body_a != a || row[r].body_b != b || row[r].compliance != 0 ||
        set_->weights()[group.first_row + r] == 0) {
      return false;
    }
    for (int k = 0; a_moves && b_moves && k < 3; ++k) {
      if (row[r].jacobian[k] != -row[r].jacobian[6 + k]) return false;
    }
  }
  if (shape.shape == GroupSet::Shape::kCone) {
    *law = shape.shifted ? BatchLaw::kNcp : BatchLaw::kCcp;
  } else {
    *law = shape.frozen ? BatchLaw::kBox : BatchLaw::kCoupledBox;
  }
  return true;
}

void ContactBatches::Prepare(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
                             const std::vector<MassRoot>& roots) {
  set_ = &set;
  dynamics_ = &dynamics;
  roots_ = &roots;
  for (std::vector<int>& groups : taken_) groups.clear();
  others_.clear();
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    BatchLaw law;
    if (Takes(g, &law)) {
      taken_[static_cast<int>(law)].push_back(g);
    } else {
      others_.push_back(g);
    }
  }
  runs_.clear();
  members_.clear();
  for (BatchLaw law : {BatchLaw::kCcp, BatchLaw::kNcp, BatchLaw::kCoupledBox, BatchLaw::kBox}) {
    if (!taken_[static_cast<int>(law)].empty()) Colour(law);
  }
  batches_.resize(members_.size() / kBatch);
  scales_.resize(batches_.size());
  for (int k = 0; k < count(); ++k) Fill(k);
}

void ContactBatches::Colour(BatchLaw law) {
  const std::vector<MassRoot>& roots = *roots_;
  colouring_.Reset(static_cast<int>(roots.size()));
  for (int g : taken_[static_cast<int>(law)]) {
    const TwoBodyRow& row = dynamics_->body_rows()[set_->problem().groups()[g].first_row];
    colouring_.Add(g, row.body_a >= 0 && roots[row.body_a].movable ? row.body_a : -1,
                   row.body_b >= 0 && roots[row.body_b].movable ? row.body_b : -1);
  }
  colouring_.Finish();
  runs_.push_back({law, static_cast<int>(members_.size()) / kBatch, colouring_.batches()});
  members_.insert(members_.end(), colouring_.members(0),
                  colouring_.members(0) + kBatch * colouring_.batches());
}

void ContactBatches::Fill(int k) {
  const int sink = static_cast<int>(roots_->size()) + k % kSinks;
  if (members_[kBatch * k + kBatch - 1] < 0) {
    batches_[k] = ContactBatch{};
    scales_[k] = RowScales{};
  }
  for (int lane = 0; lane < kBatch; ++lane) {
    const int g = members_[kBatch * k + lane];
    batches_[k].body_a[lane] = batches_[k].body_b[lane] = sink;
    if (g >= 0) FillLane(g, lane, sink, batches_[k], scales_[k]);
  }
  FillStep(batches_[k]);
}

void ContactBatches::FillLane(int g, int lane, int sink, ContactBatch& batch,
                              RowScales& scales) const {
  static constexpr MassRoot kFixed;
  const RowGroup& group = set_->problem().groups()[g];
  const TwoBodyRow* rows = dynamics_->body_rows().data() + group.first_row;
  const MassRoot& a = rows[0].body_a >= 0 ? (*roots_)[rows[0].body_a] : kFixed;
  const MassRoot& b = rows[0].body_b >= 0 ? (*roots_)[rows[0].body_b] : kFixed;
  batch.body_a[lane] = a.movable ? rows[0].body_a : sink;
  batch.body_b[lane] = b.movable ? rows[0].body_b : sink;
  // The direction is that of the row on a; on b where a does not move.
  const int side = a.movable ? 0 : 6;
  batch.mass_a[lane] = a.linear[0];
  batch.mass_b[lane] = a.movable ? -b.linear[0] : b.linear[0];
  for (int r = 0; r < 3; ++r) {
    const bool exists = r < group.size;
    const TwoBodyRow& row = rows[exists ? r : 0];
    const int i = group.first_row + (exists ? r : 0);
    const double scale = exists ? 1 / std::sqrt(set_->weights()[i]) : 0;
    scales.value[r][lane] = scale;
    batch.bias[r][lane] = scale * dynamics_->bias()[i];
    double on_a[3];
    double on_b[3];
    TimesRoot(a, row.jacobian.data() + 3, on_a);
    TimesRoot(b, row.jacobian.data() + 9, on_b);
    for (int k = 0; k < 3; ++k) {
      batch.direction[r][k][lane] = scale * row.jacobian[side + k];
      batch.angular_a[r][k][lane] = scale * on_a[k];
      batch.angular_b[r][k][lane] = scale * on_b[k];
    }
  }
  FillFriction(g, lane, batch);
}

void ContactBatches::FillFriction(int g, int lane, ContactBatch& batch) const {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& shape = set_->group(g);
  const double* a = set_->weights().data() + group.first_row;
  for (int t = 0; t < 2; ++t) {
    double bound = 0;
    if (t < group.tangents) {
      bound = group.friction * std::sqrt(a[1 + t]);  // of √a_t x_t for one unit of x_n
      bound *= shape.frozen ? shape.normal_estimate : 1 / std::sqrt(a[0]);
    }
    batch.friction[t][lane] = bound;
  }
}

void ContactBatches::Scale(const double* rows, double* x) const {
  for (int k = 0; k < count(); ++k, x += kBatchRows) {
    for (int lane = 0; lane < kBatch; ++lane) {
      const int g = members_[kBatch * k + lane];
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
      const int g = members_[kBatch * k + lane];
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
  const int pieces = (count() + kBatchesBetweenClockChecks - 1) / kBatchesBetweenClockChecks;
  for (const Run& run : runs_) {
    // A run that starts inside a piece splits it; runs of different laws are rare.
    for (int p = 0; p < pieces; ++p) {
      const int piece = backwards ? pieces - 1 - p : p;
      const int first = std::max(run.first, piece * kBatchesBetweenClockChecks);
      const int last = std::min(run.first + run.count, (piece + 1) * kBatchesBetweenClockChecks);
      if (first >= last) continue;
      if (monitor.OutOfTime()) return;
      SweepBatches(run.law, relaxation, backwards, batches_.data() + first, last - first,
                   x + std::ptrdiff_t{kBatchRows} * first, z);
    }
  }
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
