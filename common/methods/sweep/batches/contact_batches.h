// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "../../../law/feasible_set.h"
#include "../../../linalg/mass_root.h"
#include "../../../solver/monitor.h"
#include "contact_colouring.h"
#include "contact_kernel.h"

namespace nonsmooth {

/// The plain contacts of a two-body problem, scaled and laid out for contact_kernel.h: laws `ccp`,
/// `ncp`, `box` and `coupled_box` between rigid bodies, without compliance, rolling or spinning
/// friction. Other groups are left to the caller.
class ContactBatches {
 public:
  /// Records of z that stand behind those of the bodies: whatever hits a fixed body ends there.
  /// They take turns, so that a batch does not wait for the one before it because both touch the
  /// ground.
  static constexpr int kSinks = 8;

  /// Takes what it can; reuses memory.
  void Prepare(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
               const std::vector<MassRoot>& roots);

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
  struct Run {
    BatchLaw law;
    int first;
    int count;
  };
  struct RowScales {
    double value[3][kBatch];  ///< 1/√a; 0: no such row
  };

  /// The side that a contact's batch sees: bodies that move, records of z.
  struct Pair {
    int a;  ///< −1: does not move
    int b;
  };

  /// False: out of time.
  bool SweepRun(const Run& run, BatchRows rows, double relaxation, bool backwards, double* x,
                double* z, Monitor& monitor) const;
  bool PlainBetween(const RowGroup& group, Pair* pair) const;
  void AssignToBatches(BatchLaw law);
  void ClearBatch(int k);
  void FillLane(int g, const Pair& pair, int lane, ContactBatch& batch, RowScales& scales) const;
  void FillFriction(int g, int lane, const RowScales& scales, ContactBatch& batch) const;

  const FeasibleSet* set_ = nullptr;
  const TwoBodyDynamics* dynamics_ = nullptr;
  const std::vector<MassRoot>* roots_ = nullptr;
  std::vector<Run> runs_;
  std::vector<int> candidates_[4];  ///< groups by law
  std::vector<int> others_;
  ContactColouring colouring_;
  int count_ = 0;
  // These have at least count_ entries and never shrink: a batch is large to clear for nothing.
  std::vector<ContactBatch> batches_;
  std::vector<RowScales> scales_;
  std::vector<std::array<int, kBatch>> members_;  ///< the group in each lane; −1: none
};

}  // namespace nonsmooth
