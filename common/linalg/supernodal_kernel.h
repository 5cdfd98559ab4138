// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// Blocks are 6×6, stored as six rows of eight doubles of which the last two are zero.
inline constexpr int kBlockRows = 6;
inline constexpr int kPadded = 8;
inline constexpr int kBlockSize = kBlockRows * kPadded;

/// A supernode: `pivots` consecutive block columns and the `size` − `pivots` block rows below them
/// that they share. Block (a, c) of its panels stands at (a · pivots + c) · kBlockSize: in `upper`
/// U(c, a), in `lower` L(a, c)ᵀ, so that both are read by the same kernel; a < pivots for pivots.
struct Supernode {
  int first = 0;  ///< place of its first pivot
  int pivots = 0;
  int size = 0;
  const int* places = nullptr;   ///< of the rows below, ascending
  const int* targets = nullptr;  ///< blocks that pairs (j, i ≥ j) of the rows below are taken from
  double* upper = nullptr;
  double* lower = nullptr;
};

/// Factorises the panel and subtracts its products from the blocks at `targets`, counted from
/// `upper` and `lower`. A symmetric panel is read from `upper` alone. False if a pivot is singular
/// or not finite.
bool FactoriseSupernode(const Supernode& node, bool symmetric, double* upper, double* lower);

/// v (kPadded numbers a place) ← L⁻¹ v, then U⁻¹ v, as far as this supernode goes.
void SolveForward(const Supernode& node, double* v);
void SolveBackward(const Supernode& node, double* v);

}  // namespace nonsmooth
