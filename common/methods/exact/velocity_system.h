// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/mass_root.h"
#include "../../linalg/supernodal_factor.h"
#include "../../problem/two_body_dynamics.h"
#include "unit_system.h"
#include "velocity_kernel.h"

namespace nonsmooth {

/// UnitSystem on velocities, scaled by a root of the mass: with Ĵ = S J M^-½ and A₀ = Ĵ Ĵᵀ,
///
///     H v = Ĵᵀ y,   H = I + Ĵᵀ D Ĵ,   q = Ĵ v,   δ = y − D q,
///
/// 6×6 blocks, one per body, however many contacts there are. In the forms that keep Ĵ the blocks
/// are variables that hang together.
class VelocitySystem final : public UnitSystem {
 public:
  /// True if the dynamics has such a form.
  static bool Applies(const Dynamics& dynamics);

  const std::vector<std::uint64_t>& Keys(const FeasibleSet& set) override;
  void Prepare(const UnitLayout& layout) override;
  bool Factorise(const double* matrix, bool symmetric) override;
  void Solve(const double* y, double* delta, double* q) override;
  void Multiply(const double* x, double* q) override;
  double Work(bool symmetric) const override;

  const SupernodalFactor& factor() const { return factor_; }

 private:
  void CollectBodies(const TwoBodyDynamics& dynamics);
  void CollectScaled(const CsrMatrix& root);
  void MakeKeys();
  void FindRuns(const UnitLayout& layout);
  void BuildGraph();
  void FillJacobian(const UnitLayout& layout);
  void FillRow(int row, int block, double scale, double* to) const;

  const Dynamics* dynamics_ = nullptr;
  const TwoBodyDynamics* bodies_ = nullptr;
  const CsrMatrix* scaled_ = nullptr;
  std::vector<MassRoot> roots_;
  std::vector<int> block_of_;   ///< of a body or of a variable of the root; −1: none
  std::vector<int> member_of_;  ///< place of a variable in its block
  std::vector<int> body_of_;    ///< of a block
  std::vector<int> group_start_, group_block_;  ///< blocks that a group touches, ascending
  std::vector<std::uint64_t> keys_;
  std::vector<int> by_list_;

  const UnitLayout* layout_ = nullptr;
  std::vector<VelocityRun> runs_;
  std::vector<int> run_group_;
  std::vector<int> places_, targets_;
  AlignedVector jacobian_;
  GroupGraph graph_;
  std::vector<int> count_, pairs_;
  SupernodalFactor factor_;
  const double* matrix_ = nullptr;
  double work_[2] = {0, 0};
  AlignedVector v_;
};

}  // namespace nonsmooth
