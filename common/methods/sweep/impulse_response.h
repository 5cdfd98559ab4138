// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../problem/problem.h"
#include "packed_row.h"

namespace nonsmooth {

/// w = A x + b kept up to date while x changes group by group, for sweeps that need w before and
/// tell the change after. Groups that do not change cost nothing. Two forms, one for each form of
/// problem; they have the same functions and no common base, since a sweep calls them too often.

/// On the assembled A: w itself is kept, and A by blocks of columns.
class MatrixResponse {
 public:
  /// Reuses memory.
  void Prepare(const Problem& problem);

  /// Starts from x.
  void Load(const double* x);

  /// w of group g; valid until the next Add().
  const double* Velocity(int g, const double* /*x*/) { return w_.data() + groups_[g].first_row; }

  /// x of group g has changed.
  void Add(int g, const double* change);

  /// w of all rows.
  const double* All(const double* /*x*/) { return w_.data(); }

 private:
  struct Group {
    int first_row;
    int size;
    int first_entry;
    int end_entry;
    int first_value;
  };
  const Problem* problem_ = nullptr;
  OperatorWorkspace workspace_;
  std::vector<Group> groups_;
  std::vector<int> group_of_row_;
  std::vector<int> row_;       ///< of an entry: a row in which a column of the group is not zero
  std::vector<double> value_;  ///< `size` of an entry
  std::vector<double> w_;
};

/// On packed rows: the bodies' velocities are kept, in the metric of their masses.
class BodyResponse {
 public:
  void Prepare(const Problem& problem);
  void Load(const double* x);
  const double* Velocity(int g, const double* x);
  void Add(int g, const double* change);
  const double* All(const double* x);

 private:
  const Problem* problem_ = nullptr;
  std::vector<MassRoot> roots_;
  std::vector<PackedRow> rows_;
  std::vector<double> z_;  ///< eight numbers a body, and one that nothing moves
  std::vector<double> w_;
  double group_w_[kMostGroupRows];
};

}  // namespace nonsmooth
