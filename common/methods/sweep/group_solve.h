// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"
#include "contact_block.h"

namespace nonsmooth {

/// Solves the problem of one group with all others held still, whatever the group is:
///
/// - a contact under `ccp` or `ncp`: exactly, ContactBlock;
/// - equality rows: exactly, all rows of the group together;
/// - box rows: one after another, each exactly;
/// - contacts with spinning or rolling friction, or inert rows: one projected step of the length
///   that is safe, as in gauss_seidel.h.
class GroupSolve {
 public:
  /// Lays out the blocks; `set` outlives the solve. Reuses memory.
  void Prepare(const FeasibleSet& set);

  /// x ← the group's impulses, given its w = A x + b at the x that comes in. `change` ← how much
  /// they have changed. False if they have not.
  bool Solve(int g, const double* w, double* x, double* change);

 private:
  enum class Kind { kNormal, kCone, kBlock, kRows, kStep };
  struct Group {
    Kind kind;
    int size;
    int data;      ///< index of the contact's block, or of the first number in numbers_
    double scale;  ///< 1/A_nn of a lone normal, 1/κ of a projected step
  };

  void PrepareBlock(int g, Group* group);

  const FeasibleSet* set_ = nullptr;
  std::vector<Group> groups_;
  std::vector<ContactBlock> contacts_;
  std::vector<double> numbers_;  ///< A_gg row-major, or its inverse for equality groups
};

}  // namespace nonsmooth
