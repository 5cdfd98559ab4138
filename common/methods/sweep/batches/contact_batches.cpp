// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/contact_batches.h"

#include <algorithm>
#include <numeric>

namespace nonsmooth {
namespace {

/// Batches of a piece: some five microseconds between looks at the clock, and 150 kB, which stay in
/// cache until the piece's tangents have their turn.
constexpr int kPiece = 64;

/// Contacts, and batches, that a thread takes at a time where they know nothing of each other.
constexpr int kStretch = 1024;

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

template <class Job>
void ContactBatches::ForRuns(bool backwards, const Job& job) const {
  const int phases = static_cast<int>(phases_.size());
  for (int p = 0; p < phases; ++p) {
    const Phase& phase = phases_[backwards ? phases - 1 - p : p];
    const int workers = std::min(threads_, phase.count);
    team_->Run(workers, [&](int worker) {
      for (int k = worker; k < phase.count; k += workers) job(runs_[phase.first + k]);
    });
  }
}

template <class Job>
void ContactBatches::ForStretches(int size, const Job& job) const {
  nonsmooth::ForStretches(*team_, threads_, static_cast<std::size_t>(size), kStretch,
                          [&](std::size_t first, std::size_t last) {
                            job(static_cast<int>(first), static_cast<int>(last));
                          });
}

void ContactBatches::Prepare(const ContactSource& source, ThreadTeam& team, int threads) {
  source_ = &source;
  team_ = &team;
  threads_ = threads;
  for (std::vector<int>& groups : candidates_) groups.clear();
  others_.clear();
  const int groups = static_cast<int>(source.set->problem().groups().size());
  for (int g = 0; g < groups; ++g) {
    BatchLaw law;
    const bool candidate = LawOf(source.group(g), source.set->group(g), &law);
    (candidate ? candidates_[static_cast<int>(law)] : others_).push_back(g);
  }
  runs_.clear();
  phases_.clear();
  count_ = 0;
  sinks_ = kSinks;
  for (BatchLaw law : {BatchLaw::kCcp, BatchLaw::kNcp, BatchLaw::kCoupledBox, BatchLaw::kBox}) {
    const std::vector<int>& candidates = candidates_[static_cast<int>(law)];
    if (candidates.size() >= kLarge) {
      TakeInParts(law, candidates);
    } else if (!candidates.empty()) {
      TakeAsOne(law, candidates);
    }
  }
  std::sort(others_.begin(), others_.end());
}

void ContactBatches::TakeAsOne(BatchLaw law, const std::vector<int>& groups) {
  const int first = count_;
  colouring_.Reset(static_cast<int>(source_->roots->size()));
  for (int g : groups) {
    BodyPair pair;
    if (!PlainBetween(*source_, g, &pair)) {
      others_.push_back(g);
      continue;
    }
    // Filled at once, while its rows are in cache.
    const ContactColouring::Place place = AddTo(first, 0, g, pair);
    const int k = first + place.batch;
    FillLane(*source_, g, pair, place.lane, batches_[k], scales_[k]);
    if (IsCone(law) && place.lane == kBatch - 1) FillStepSizes(&batches_[k], 1);
  }
  for (int k = first; k < count_; ++k) {
    if (members_[k].back() >= 0) continue;
    for (int lane = 0; lane < kBatch; ++lane) {
      if (members_[k][lane] < 0) ClearLane(lane, batches_[k], scales_[k]);
    }
    if (IsCone(law)) FillStepSizes(&batches_[k], 1);
  }
  phases_.push_back({static_cast<int>(runs_.size()), 1});
  runs_.push_back({law, first, count_ - first});
}

void ContactBatches::TakeInParts(BatchLaw law, const std::vector<int>& groups) {
  FindPairs(groups);
  blocks_.Cut(pair_, static_cast<int>(source_->roots->size()));
  SortIntoParts();
  sinks_ = kSinks * BodyBlocks::kMostBlocks;
  colouring_.Reset(static_cast<int>(source_->roots->size()));
  const int first_of_all = count_;
  for (int phase = 0; phase < BodyBlocks::kPhases; ++phase) {
    phases_.push_back({static_cast<int>(runs_.size()), 0});
    for (int number = 0; number < BodyBlocks::kMostBlocks; ++number) {
      const int part = phase * BodyBlocks::kMostBlocks + number;
      const int first = count_;
      colouring_.Restart();
      for (int i = part_start_[part]; i < part_start_[part + 1]; ++i) {
        AddTo(first, number, group_[by_part_[i]], pair_[by_part_[i]]);
      }
      if (count_ == first) continue;
      runs_.push_back({law, first, count_ - first});
      ++phases_.back().count;
    }
    if (phases_.back().count == 0) phases_.pop_back();
  }
  FillBatches(law, first_of_all);
}

/// The plain ones of `groups`, and the bodies that they are between.
void ContactBatches::FindPairs(const std::vector<int>& groups) {
  const int size = static_cast<int>(groups.size());
  pair_.resize(size);
  plain_.resize(size);
  ForStretches(size, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      plain_[i] = PlainBetween(*source_, groups[i], &pair_[i]) ? 1 : 0;
    }
  });
  group_.clear();
  for (int i = 0; i < size; ++i) {
    if (plain_[i] == 0) {
      others_.push_back(groups[i]);
      continue;
    }
    pair_[group_.size()] = pair_[i];
    group_.push_back(groups[i]);
  }
  pair_.resize(group_.size());
}

/// by_part_ ← the pairs of part 0, of part 1 … in order.
void ContactBatches::SortIntoParts() {
  part_.resize(pair_.size());
  by_part_.resize(pair_.size());
  part_start_.assign(BodyBlocks::kPhases * BodyBlocks::kMostBlocks + 1, 0);
  for (std::size_t i = 0; i < pair_.size(); ++i) {
    const BodyBlocks::Part part = blocks_.PartOf(pair_[i]);
    part_[i] = part.phase * BodyBlocks::kMostBlocks + part.number;
    ++part_start_[part_[i] + 1];
  }
  std::partial_sum(part_start_.begin(), part_start_.end(), part_start_.begin());
  for (std::size_t i = 0; i < pair_.size(); ++i) {
    by_part_[part_start_[part_[i]]++] = static_cast<int>(i);
  }
  std::rotate(part_start_.begin(), part_start_.end() - 1, part_start_.end());
  part_start_[0] = 0;
}

/// The place of a contact among the batches from `first` on, whose bodies it gets.
ContactColouring::Place ContactBatches::AddTo(int first, int part, int g, const BodyPair& pair) {
  const ContactColouring::Place place = colouring_.Add(pair.a, pair.b);
  const int k = first + place.batch;
  if (k == count_) ClearBatch(count_++, part);
  members_[k][place.lane] = g;
  if (pair.a >= 0) batches_[k].body_a[place.lane] = pair.a;
  if (pair.b >= 0) batches_[k].body_b[place.lane] = pair.b;
  return place;
}

/// A batch whose lanes are all unused, as far as its members and bodies say.
void ContactBatches::ClearBatch(int k, int part) {
  if (k == static_cast<int>(batches_.size())) {
    batches_.emplace_back();
    scales_.emplace_back();
    members_.emplace_back();
  }
  members_[k].fill(-1);
  const int sink = static_cast<int>(source_->roots->size()) + part * kSinks + k % kSinks;
  std::fill_n(batches_[k].body_a, kBatch, sink);
  std::fill_n(batches_[k].body_b, kBatch, sink);
}

void ContactBatches::FillBatches(BatchLaw law, int first) {
  const int bodies = static_cast<int>(source_->roots->size());
  ForStretches(count_ - first, [&](int begin, int end) {
    for (int k = first + begin; k < first + end; ++k) {
      ContactBatch& batch = batches_[k];
      for (int lane = 0; lane < kBatch; ++lane) {
        if (members_[k][lane] < 0) {
          ClearLane(lane, batch, scales_[k]);
          continue;
        }
        const int a = batch.body_a[lane];
        const int b = batch.body_b[lane];
        FillLane(*source_, members_[k][lane], {a < bodies ? a : -1, b < bodies ? b : -1}, lane,
                 batch, scales_[k]);
      }
      if (IsCone(law)) FillStepSizes(&batch, 1);
    }
  });
}

void ContactBatches::Scale(const double* rows, double* x) const {
  ForStretches(count(), [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      double* to = x + std::ptrdiff_t{kBatchRows} * k;
      for (int lane = 0; lane < kBatch; ++lane) {
        const int g = members_[k][lane];
        const int row = g >= 0 ? source_->group(g).first_row : 0;
        for (int r = 0; r < 3; ++r) {
          const double scale = scales_[k].value[r][lane];
          to[kBatch * r + lane] = scale > 0 ? rows[row + r] / scale : 0;
        }
      }
    }
  });
}

void ContactBatches::Unscale(const double* x, double* rows) const {
  ForStretches(count(), [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const double* from = x + std::ptrdiff_t{kBatchRows} * k;
      for (int lane = 0; lane < kBatch; ++lane) {
        const int g = members_[k][lane];
        if (g < 0) continue;
        const RowGroup& group = source_->group(g);
        for (int r = 0; r < group.size; ++r) {
          rows[group.first_row + r] = from[kBatch * r + lane] * scales_[k].value[r][lane];
        }
      }
    }
  });
}

void ContactBatches::AddImpulses(const double* x, double* z) const {
  ForRuns(false, [&](const Run& run) {
    AddBatchImpulses(batches_.data() + run.first, run.count,
                     x + std::ptrdiff_t{kBatchRows} * run.first, z);
  });
}

void ContactBatches::Sweep(double relaxation, bool backwards, double* x, double* z,
                           Monitor& monitor) const {
  if (monitor.OutOfTime()) return;
  ForRuns(backwards, [&](const Run& run) { SweepRun(run, relaxation, backwards, x, z, monitor); });
  monitor.OutOfTime();
}

/// Row by row, normals go before tangents, whose bounds are then those of the normals that the
/// sweep leaves: contact by contact the error after a sweep is a third larger or more. The tangents
/// follow one piece behind, so that memory is passed once.
void ContactBatches::SweepRun(const Run& run, double relaxation, bool backwards, double* x,
                              double* z, const Monitor& monitor) const {
  const int pieces = (run.count + kPiece - 1) / kPiece;
  const auto sweep = [&](BatchRows rows, int piece) {
    if (piece < 0 || piece >= pieces) return;
    const int offset = (backwards ? pieces - 1 - piece : piece) * kPiece;
    const int first = run.first + offset;
    SweepBatches(run.law, rows, relaxation, backwards, batches_.data() + first,
                 std::min(kPiece, run.count - offset), x + std::ptrdiff_t{kBatchRows} * first, z);
  };
  for (int p = 0; p <= pieces; ++p) {
    if (!(monitor.SecondsLeft() > 0)) return;
    if (IsCone(run.law)) {
      sweep(BatchRows::kAll, p);
    } else {
      sweep(BatchRows::kNormals, p);
      sweep(BatchRows::kTangents, p - 1);
    }
  }
}

double ContactBatches::Energy(const double* x, const double* z) const {
  energy_.assign(runs_.size(), 0.0);
  ForRuns(false, [&](const Run& run) {
    energy_[&run - runs_.data()] = BatchEnergy(run.law, batches_.data() + run.first, run.count,
                                               x + std::ptrdiff_t{kBatchRows} * run.first, z);
  });
  // Always in the same order.
  return std::accumulate(energy_.begin(), energy_.end(), 0.0);
}

}  // namespace nonsmooth
