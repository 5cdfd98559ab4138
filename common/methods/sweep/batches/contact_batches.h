// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "../../../law/feasible_set.h"
#include "../../../solver/monitor.h"
#include "../../../util/thread_team.h"
#include "body_blocks.h"
#include "contact_colouring.h"
#include "contact_lanes.h"

namespace nonsmooth {

/// The plain contacts of a two-body problem, scaled and laid out for contact_kernel.h: laws `ccp`,
/// `ncp`, `box` and `coupled_box` between rigid bodies, without compliance, rolling or spinning
/// friction. Other groups are left to the caller.
///
/// From kLarge contacts on they are sorted into the parts of BodyBlocks, so that several threads
/// can sweep. The order is the same for any number of them.
class ContactBatches {
 public:
  static constexpr int kLarge = 8192;

  /// Records of z that stand behind those of the bodies: whatever hits a fixed body ends there.
  /// They take turns, so that a batch does not wait for the one before it because both touch the
  /// ground; parts that are swept at the same time have their own.
  static constexpr int kSinks = 8;
  int sinks() const { return sinks_; }

  /// Takes what it can; reuses memory. `team` and `source` outlive what follows.
  void Prepare(const ContactSource& source, ThreadTeam& team, int threads);

  /// The groups that were not taken, in order.
  const std::vector<int>& others() const { return others_; }

  int count() const { return count_; }

  /// Doubles of x̂.
  int state_size() const { return kBatchRows * count(); }

  /// Between row order and x̂.
  void Scale(const double* rows, double* x) const;
  void Unscale(const double* x, double* rows) const;

  void AddImpulses(const double* x, double* z) const;
  void Sweep(double relaxation, bool backwards, double* x, double* z, Monitor& monitor) const;
  double Energy(const double* x, const double* z) const;

 private:
  /// Batches that one thread sweeps, in order.
  struct Run {
    BatchLaw law;
    int first;
    int count;
  };
  /// Runs that share no movable body.
  struct Phase {
    int first;
    int count;
  };

  void TakeAsOne(BatchLaw law, const std::vector<int>& groups);
  void TakeInParts(BatchLaw law, const std::vector<int>& groups);
  void FindPairs(const std::vector<int>& groups);
  void SortIntoParts();
  ContactColouring::Place AddTo(int first, int part, int g, const BodyPair& pair);
  void ClearBatch(int k, int part);
  void FillBatches(BatchLaw law, int first);
  void SweepRun(const Run& run, double relaxation, bool backwards, double* x, double* z,
                const Monitor& monitor) const;
  /// job(run) for every run of a phase, on all threads; phase after phase.
  template <class Job>
  void ForRuns(bool backwards, const Job& job) const;
  /// job(first, last) for stretches of `size` things that know nothing of each other.
  template <class Job>
  void ForStretches(int size, const Job& job) const;

  const ContactSource* source_ = nullptr;
  ThreadTeam* team_ = nullptr;
  int threads_ = 1;
  std::vector<Run> runs_;
  std::vector<Phase> phases_;
  std::vector<int> candidates_[4];  ///< groups by law
  std::vector<int> others_;
  ContactColouring colouring_;
  BodyBlocks blocks_;
  // Of a large problem: plain contacts, and where they go.
  std::vector<int> group_;
  std::vector<BodyPair> pair_;
  std::vector<char> plain_;  ///< of each candidate
  std::vector<int> part_;    ///< of each contact
  std::vector<int> part_start_;
  std::vector<int> by_part_;
  int sinks_ = kSinks;
  int count_ = 0;
  // These have at least count_ entries and never shrink: a batch is large to clear for nothing.
  std::vector<ContactBatch> batches_;
  std::vector<RowScales> scales_;
  std::vector<std::array<int, kBatch>> members_;  ///< the group in each lane; −1: none
  mutable std::vector<double> energy_;            ///< of each run
};

}  // namespace nonsmooth
