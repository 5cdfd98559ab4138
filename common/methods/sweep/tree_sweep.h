// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "gauss_seidel.h"
#include "tree_kernel.h"

namespace nonsmooth {

/// Gauss–Seidel on the rows of Ĵ, A = Ĵ Ĵᵀ + C, for trees of joints: z = Ĵᵀ x is kept up to date, a
/// row's velocity is b + C x + Ĵ z. Bullet keeps J and M⁻¹ Jᵀ of a row, both as long as its trees
/// have joints; Ĵ is one, and no longer than the way from its link to the root. Groups are taken in
/// the problem's order: those of one tree are all coupled.
class TreeSweep final : public GaussSeidel {
 public:
  void Prepare(const FeasibleSet& set) override;
  void Load(const double* x) override;
  void Sweep(double relaxation, bool backwards, Monitor& monitor) override;
  double Energy() override;
  void Store(double* x) const override;
  State state() override;

 private:
  void SetUp(int g, TreeGroup& group) const;
  void AddGroup(int g, const CsrMatrix& scaled);
  void AddRow(int g, int i);
  TreeView view();

  const FeasibleSet* set_ = nullptr;
  std::vector<TreeGroup> groups_;
  std::vector<TreeRow> rows_;
  std::vector<int> block_;
  std::vector<double> value_;
  std::vector<double> x_;
  std::vector<double> z_;
  std::vector<double> w_;
};

}  // namespace nonsmooth
