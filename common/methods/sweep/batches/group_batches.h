// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "../../../law/feasible_set.h"
#include "../../../linalg/mass_root.h"
#include "../../../solver/monitor.h"
#include "contact_colouring.h"
#include "row_kernel.h"

namespace nonsmooth {

/// What ContactBatches leaves, eight groups at a time, laid out for row_kernel.h: joints, motors
/// and limits between two bodies, compliant contacts, contacts of bodies whose mass is not the same
/// along all axes, rolling friction under `box` and `coupled_box`. Groups whose rows are between
/// different bodies, and contacts under a cone with rolling friction or facets, are left.
class GroupBatches {
 public:
  /// Records of z behind those of the bodies that this uses, as ContactBatches does.
  static constexpr int kSinks = 8;

  /// Takes what it can of `candidates`; reuses memory.
  void Prepare(const FeasibleSet& set, const TwoBodyDynamics& dynamics,
               const std::vector<MassRoot>& roots, const std::vector<int>& candidates);

  /// The groups that were not taken, in order.
  const std::vector<int>& others() const { return others_; }

  /// Doubles of x̂.
  int state_size() const { return kBatch * rows_used_; }

  /// Between row order and x̂.
  void Scale(const double* rows, double* x) const;
  void Unscale(const double* x, double* rows) const;

  void AddImpulses(const double* x, double* z) const;
  void Sweep(double relaxation, bool backwards, double* x, double* z, Monitor& monitor) const;
  double Energy(const double* x, const double* z) const;

 private:
  /// Bodies that move, records of z.
  struct Pair {
    int a;  ///< −1: does not move
    int b;
  };
  /// False: not for batches.
  bool LawOf(int g, GroupLaw* law) const;
  bool PairOf(const RowGroup& group, Pair* pair) const;
  void Take(GroupLaw law, const std::vector<int>& groups);
  void LayOut(int batch);
  void FillLane(int g, int lane, const GroupBatch& batch, RowLanes* rows) const;
  void FillBounds(int g, int lane, const GroupBatch& batch, RowLanes* rows) const;

  const FeasibleSet* set_ = nullptr;
  const TwoBodyDynamics* dynamics_ = nullptr;
  const std::vector<MassRoot>* roots_ = nullptr;
  ContactColouring colouring_;
  std::vector<int> candidates_[3];  ///< by law
  std::vector<int> others_;
  std::vector<GroupBatch> batches_;
  std::vector<std::array<int, kBatch>> members_;  ///< the group in each lane; −1: none
  int rows_used_ = 0;
  std::vector<RowLanes> rows_;                      ///< at least rows_used_, never shrinks
  std::vector<std::array<double, kBatch>> scales_;  ///< 1/√a; 0: no such row. Likewise
};

}  // namespace nonsmooth
