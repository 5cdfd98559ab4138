// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../../linalg/mass_root.h"
#include "../../../util/thread_team.h"
#include "../gauss_seidel.h"
#include "../packed_row.h"
#include "contact_batches.h"
#include "group_batches.h"

namespace nonsmooth {

/// Gauss–Seidel on packed rows: A is never formed, a sweep costs a constant time per row however
/// many contacts a body has. Plain contacts go eight at a time (contact_kernel.h), before them
/// joints and what else is between two bodies (row_kernel.h), and what is left first, group by
/// group. The order is thus not that of the problem, but always the same.
class BodySweep final : public GaussSeidel {
 public:
  void UseThreads(int count) override { threads_ = count; }
  void Prepare(const FeasibleSet& set) override;
  void Load(const double* x) override;
  void Sweep(double relaxation, bool backwards, Monitor& monitor) override;
  double Energy() override;
  void Store(double* x) const override;
  State state() override;

 private:
  struct alignas(64) CacheLine {
    double value[8];
  };
  struct Group {
    int index;      ///< in the problem
    int first_row;  ///< in rows_
    double step;    ///< 1/κ
  };

  void AddRows(int g, const TwoBodyDynamics& dynamics);
  void Relax(const Group& group, double relaxation);
  double EnergyOf(const Group& group) const;
  /// Where in x the three parts begin.
  double* x_of_joints() { return x() + batches_.state_size(); }
  const double* x_of_joints() const { return x() + batches_.state_size(); }
  double* x_of_rows() { return x_of_joints() + joints_.state_size(); }
  const double* x_of_rows() const { return x_of_joints() + joints_.state_size(); }
  double* z() { return z_.data()->value; }
  const double* z() const { return z_.data()->value; }
  double* x() { return x_.data()->value; }
  const double* x() const { return x_.data()->value; }

  const FeasibleSet* set_ = nullptr;
  int threads_ = 1;
  ThreadTeam team_;
  std::vector<MassRoot> roots_;
  ContactSource source_;
  ContactBatches batches_;
  GroupBatches joints_;
  std::vector<Group> groups_;
  std::vector<PackedRow> rows_;  ///< of groups that go by themselves
  std::vector<CacheLine> x_;     ///< that of the batches, of the joints, then that of rows_
  std::vector<CacheLine> z_;     ///< Ĵᵀ x̂: a record per body, then the sinks
};

}  // namespace nonsmooth
