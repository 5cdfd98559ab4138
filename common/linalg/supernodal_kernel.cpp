// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/linalg/supernodal_kernel.h"

#include <cmath>
#include <cstddef>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/linalg/supernodal_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

#include "common/linalg/row8-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

inline std::ptrdiff_t BlockAt(int block) { return std::ptrdiff_t{kBlockSize} * block; }

/// c ← c − Σ x_kᵀ y_k over `count` blocks that follow each other.
HWY_INLINE void SubtractProduct(const double* HWY_RESTRICT x, const double* HWY_RESTRICT y,
                                int count, double* HWY_RESTRICT c) {
  Row8 sum[kBlockRows];
  for (int r = 0; r < kBlockRows; ++r) sum[r] = LoadRow(c + r * kPadded);
  for (int k = 0; k < count * kBlockRows; ++k) {
    const Row8 row = LoadRow(y + k * kPadded);
    for (int r = 0; r < kBlockRows; ++r) {
      sum[r] = SubtractScaled(sum[r], x[k * kPadded + r], row);
    }
  }
  for (int r = 0; r < kBlockRows; ++r) StoreRow(sum[r], c + r * kPadded);
}

/// The same for two right factors and targets at once: a number of x serves two products.
HWY_INLINE void SubtractTwoProducts(const double* HWY_RESTRICT x, const double* HWY_RESTRICT y0,
                                    const double* HWY_RESTRICT y1, int count,
                                    double* HWY_RESTRICT c0, double* HWY_RESTRICT c1) {
  Row8 sum0[kBlockRows], sum1[kBlockRows];
  for (int r = 0; r < kBlockRows; ++r) {
    sum0[r] = LoadRow(c0 + r * kPadded);
    sum1[r] = LoadRow(c1 + r * kPadded);
  }
  for (int k = 0; k < count * kBlockRows; ++k) {
    const Row8 row0 = LoadRow(y0 + k * kPadded);
    const Row8 row1 = LoadRow(y1 + k * kPadded);
    for (int r = 0; r < kBlockRows; ++r) {
      sum0[r] = SubtractScaled(sum0[r], x[k * kPadded + r], row0);
      sum1[r] = SubtractScaled(sum1[r], x[k * kPadded + r], row1);
    }
  }
  for (int r = 0; r < kBlockRows; ++r) {
    StoreRow(sum0[r], c0 + r * kPadded);
    StoreRow(sum1[r], c1 + r * kPadded);
  }
}

/// b ← d b; d by rows.
HWY_INLINE void MultiplyBlock(const double* HWY_RESTRICT d, double* HWY_RESTRICT b) {
  Row8 row[kBlockRows];
  for (int k = 0; k < kBlockRows; ++k) row[k] = LoadRow(b + k * kPadded);
  for (int r = 0; r < kBlockRows; ++r) {
    Row8 sum = ZeroRow();
    for (int k = 0; k < kBlockRows; ++k) sum = AddScaled(sum, d[r * kPadded + k], row[k]);
    StoreRow(sum, b + r * kPadded);
  }
}

/// Gauss–Jordan in place, and the transposed inverse. False if a pivot is zero or not finite.
HWY_INLINE bool InvertBlock(double* HWY_RESTRICT b, double* HWY_RESTRICT transposed) {
  HWY_ALIGN static constexpr double kOne[2 * kPadded] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                         1, 0, 0, 0, 0, 0, 0, 0};
  double least = 1;
  for (int k = 0; k < kBlockRows; ++k) {
    const double pivot = 1 / b[k * kPadded + k];
    if (!std::isfinite(pivot)) least = 0;
    HWY_ALIGN double row[kPadded];
    for (int i = 0; i < kPadded; ++i) {
      const double one = kOne[kPadded - k + i];
      row[i] = (b[k * kPadded + i] * (1 - one) + one) * pivot;
    }
    for (int r = 0; r < kBlockRows; ++r) {
      if (r == k) continue;
      const double factor = b[r * kPadded + k];
      for (int i = 0; i < kPadded; ++i) {
        b[r * kPadded + i] = b[r * kPadded + i] * (1 - kOne[kPadded - k + i]) - factor * row[i];
      }
    }
    for (int i = 0; i < kPadded; ++i) b[k * kPadded + i] = row[i];
  }
  for (int r = 0; r < kBlockRows; ++r) {
    for (int i = 0; i < kBlockRows; ++i) transposed[i * kPadded + r] = b[r * kPadded + i];
    for (int i = kBlockRows; i < kPadded; ++i) transposed[r * kPadded + i] = 0;
  }
  return least > 0;
}

bool FactorisePanel(const Supernode& node, bool symmetric) {
  const int p = node.pivots;
  for (int c = 0; c < p; ++c) {
    const double* left_lower = node.lower + BlockAt(c * p);
    const double* left_upper = node.upper + BlockAt(c * p);
    for (int a = c; c > 0 && a < node.size; ++a) {
      double* upper = node.upper + BlockAt(a * p);
      double* lower = node.lower + BlockAt(a * p);
      SubtractProduct(left_lower, upper, c, upper + BlockAt(c));
      if (!symmetric && a > c) SubtractProduct(left_upper, lower, c, lower + BlockAt(c));
    }
    double* inverse = node.upper + BlockAt(c * p + c);
    double* transposed = node.lower + BlockAt(c * p + c);
    if (!InvertBlock(inverse, transposed)) return false;
    for (int a = c + 1; a < node.size; ++a) {
      double* lower = node.lower + BlockAt(a * p + c);
      if (symmetric) {
        const double* upper = node.upper + BlockAt(a * p + c);
        for (int k = 0; k < kBlockRows; ++k)
          StoreRow(LoadRow(upper + k * kPadded), lower + k * kPadded);
        MultiplyBlock(inverse, lower);
      } else {
        MultiplyBlock(transposed, lower);
      }
    }
  }
  return true;
}

bool FactoriseSupernode(const Supernode& node, bool symmetric, double* upper, double* lower) {
  if (!FactorisePanel(node, symmetric)) return false;
  const int p = node.pivots;
  const int* target = node.targets;
  for (int j = p; j < node.size; ++j) {
    const double* lower_j = node.lower + BlockAt(j * p);
    const double* upper_j = node.upper + BlockAt(j * p);
    const int count = node.size - j;
    for (int k = 0; k < count; k += 2) {
      const double* y = node.upper + BlockAt((j + k) * p);
      double* c = upper + BlockAt(target[k]);
      if (k + 1 < count) {
        SubtractTwoProducts(lower_j, y, y + BlockAt(p), p, c, upper + BlockAt(target[k + 1]));
      } else {
        SubtractProduct(lower_j, y, p, c);
      }
    }
    for (int k = 1; !symmetric && k < count; k += 2) {
      const double* y = node.lower + BlockAt((j + k) * p);
      double* c = lower + BlockAt(target[k]);
      if (k + 1 < count) {
        SubtractTwoProducts(upper_j, y, y + BlockAt(p), p, c, lower + BlockAt(target[k + 1]));
      } else {
        SubtractProduct(upper_j, y, p, c);
      }
    }
    target += count;
  }
  return true;
}

/// sum − blockᵀ v, column by column.
HWY_INLINE Row8 SubtractTransposedTimes(const Row8& sum, const double* block, const double* v) {
  // Two sums that do not wait for each other.
  Row8 even = sum, odd = ZeroRow();
  for (int k = 0; k < kBlockRows; k += 2) {
    even = SubtractScaled(even, v[k], LoadRow(block + k * kPadded));
    odd = SubtractScaled(odd, v[k + 1], LoadRow(block + (k + 1) * kPadded));
  }
  return Plus(even, odd);
}

void Forward(const Supernode& node, double* v) {
  const int p = node.pivots;
  for (int a = 1; a < node.size; ++a) {
    double* to = v + std::ptrdiff_t{kPadded} * (a < p ? node.first + a : node.places[a - p]);
    Row8 sum = LoadRow(to);
    for (int c = 0; c < (a < p ? a : p); ++c) {
      sum = SubtractTransposedTimes(sum, node.lower + BlockAt(a * p + c),
                                    v + std::ptrdiff_t{kPadded} * (node.first + c));
    }
    StoreRow(sum, to);
  }
}

void Backward(const Supernode& node, double* v) {
  const int p = node.pivots;
  for (int c = p - 1; c >= 0; --c) {
    Row8 sum[kBlockRows];
    for (int r = 0; r < kBlockRows; ++r) sum[r] = ZeroRow();
    for (int a = c + 1; a < node.size; ++a) {
      const Row8 from =
          LoadRow(v + std::ptrdiff_t{kPadded} * (a < p ? node.first + a : node.places[a - p]));
      const double* block = node.upper + BlockAt(a * p + c);
      for (int r = 0; r < kBlockRows; ++r) {
        sum[r] = AddProduct(sum[r], LoadRow(block + r * kPadded), from);
      }
    }
    double* to = v + std::ptrdiff_t{kPadded} * (node.first + c);
    HWY_ALIGN double right[kPadded];
    for (int r = 0; r < kBlockRows; ++r) right[r] = SumOfRow(sum[r]) - to[r];
    StoreRow(SubtractTransposedTimes(ZeroRow(), node.lower + BlockAt(c * p + c), right), to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(FactoriseSupernode);
HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

bool FactoriseSupernode(const Supernode& node, bool symmetric, double* upper, double* lower) {
  return HWY_DYNAMIC_DISPATCH(FactoriseSupernode)(node, symmetric, upper, lower);
}

void SolveForward(const Supernode& node, double* v) { HWY_DYNAMIC_DISPATCH(Forward)(node, v); }

void SolveBackward(const Supernode& node, double* v) { HWY_DYNAMIC_DISPATCH(Backward)(node, v); }

}  // namespace nonsmooth
#endif
