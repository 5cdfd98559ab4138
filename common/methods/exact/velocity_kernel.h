// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../linalg/supernodal_kernel.h"
#include "unit_layout.h"

namespace nonsmooth {

/// Units of one family that follow each other and touch the same blocks of velocities. The rows of
/// Ĵ of unit i and its k-th block, kPadded numbers each, begin at
/// jacobian + ((i − first) · blocks + k) · rows · kPadded.
struct VelocityRun {
  const UnitFamily* family = nullptr;
  int first = 0;
  int end = 0;
  int blocks = 0;
  const int* places = nullptr;   ///< of the blocks, ascending
  const int* targets = nullptr;  ///< in the factor, of pairs (k, l ≥ k)
  const double* jacobian = nullptr;
};

/// v += Ĵᵀ y
void AddImpulses(const VelocityRun* runs, int count, const double* y, double* v);

/// q ← Ĵ v
void RowVelocities(const VelocityRun* runs, int count, const double* v, double* q);

/// H += Ĵᵀ D Ĵ, in the blocks of a SupernodalFactor.
void AddMatrix(const VelocityRun* runs, int count, const double* matrix, bool symmetric,
               double* upper, double* lower);

}  // namespace nonsmooth
