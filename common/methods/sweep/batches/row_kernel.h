// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "contact_kernel.h"

namespace nonsmooth {

/// One row of each of eight groups, scaled as in contact_kernel.h, but with nothing taken for
/// granted: whole rows of J, and compliance. An unused lane, or a group that has no such row, is a
/// row of zeros.
struct alignas(64) RowLanes {
  double jacobian[12][kBatch];  ///< Ĵ on a, then on b
  double bias[kBatch];          ///< b̂
  double compliance[kBatch];    ///< ĉ: ŵ = Ĵ z + b̂ + ĉ x̂
  double lower[kBatch];         ///< of x̂, less `friction` times the group's first impulse
  double upper[kBatch];         ///< and more
  double friction[kBatch];      ///< 0 for all but a contact's, and under law `box`
};

enum class GroupLaw {
  kRows,  ///< row by row: joints, motors, contacts under `box` and `coupled_box`
  kCcp,   ///< contacts with up to two tangents
  kNcp,
};

/// Eight groups that share no movable body.
struct alignas(64) GroupBatch {
  double cone[kBatch];          ///< μ̂ of a contact under a cone
  double step[kBatch];          ///< 1/κ of gauss_seidel.h, cones only
  std::int32_t body_a[kBatch];  ///< index of a record of z
  std::int32_t body_b[kBatch];
  GroupLaw law;
  int first;  ///< of its RowLanes, and of its rows of x̂, kBatch doubles each
  int rows;   ///< that the largest group has; three for cones
};

/// One Gauss–Seidel pass over `count` batches in order (or backwards), see SweepBatches().
void SweepGroups(double relaxation, bool backwards, const GroupBatch* batches, int count,
                 const RowLanes* rows, double* x, double* z);

/// Σ ½ r̂² over the batches [J], with z = Ĵᵀ x̂ at hand; NaN where anything is not a number.
double GroupsEnergy(const GroupBatch* batches, int count, const RowLanes* rows, const double* x,
                    const double* z);

/// z += Ĵᵀ x̂.
void AddGroupImpulses(const GroupBatch* batches, int count, const RowLanes* rows, const double* x,
                      double* z);

}  // namespace nonsmooth
