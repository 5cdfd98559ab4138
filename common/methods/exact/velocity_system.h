// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/mass_root.h"
#include "../../linalg/supernodal_factor.h"
#include "unit_system.h"
#include "velocity_kernel.h"
#include "velocity_pattern.h"

namespace nonsmooth {

/// UnitSystem on velocities: with Ĵ = S J and A₀ = Ĵ M⁻¹ Ĵᵀ,
///
///     H v = Ĵᵀ y,   H = M + Ĵᵀ D Ĵ,   q = Ĵ v,   δ = y − D q,
///
/// in 6×6 blocks, however many contacts two blocks share. Bodies are scaled by a root of their
/// mass, and trees of joints by theirs, so that M = I there; any other M stands as it is, symmetric
/// or not.
class VelocitySystem final : public UnitSystem {
 public:
  const std::vector<std::uint64_t>& Keys(const FeasibleSet& set) override;
  void Prepare(const UnitLayout& layout) override;
  bool Factorise(const double* matrix, bool symmetric) override;
  void Solve(const double* y, double* delta, double* q) override;
  void Multiply(const double* x, double* q) override;
  double Work(bool symmetric) const override;

  const SupernodalFactor& factor() const { return factor_; }

 private:
  /// An entry of M in the blocks of H.
  struct MassEntry {
    std::ptrdiff_t at = 0;
    double value = 0;
    bool lower = false;
  };

  void FindRoots();
  void FindRuns(const UnitLayout& layout);
  void FillJacobian(const UnitLayout& layout);
  void FillRow(int row, int block, double scale, double* to) const;
  void FindMass();
  void AddMass(const std::vector<MassEntry>& entries, bool symmetric,
               SupernodalFactor& factor) const;
  void FindEntries(const SupernodalFactor& factor, std::vector<MassEntry>* entries) const;

  VelocityPattern pattern_;
  std::vector<MassRoot> roots_;

  const UnitLayout* layout_ = nullptr;
  std::vector<VelocityRun> runs_;
  std::vector<int> run_group_;
  std::vector<int> places_, targets_;
  AlignedVector jacobian_;
  SupernodalFactor factor_;
  const double* matrix_ = nullptr;
  double work_[2] = {0, 0};
  AlignedVector v_;

  // Where M is not the identity.
  bool own_mass_ = false;
  bool mass_symmetric_ = true;
  bool mass_regular_ = true;
  GroupGraph mass_graph_;
  SupernodalFactor mass_factor_;
  std::vector<MassEntry> mass_in_factor_, mass_entries_;
  AlignedVector scratch_;
};

}  // namespace nonsmooth
