// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/exact/velocity_kernel.h"

#include <cstddef>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/exact/velocity_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

#include "common/linalg/row8-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

HWY_INLINE std::ptrdiff_t VelocityAt(int place) { return std::ptrdiff_t{kPadded} * place; }

template <int kRows>
HWY_INLINE void AddImpulsesOf(const VelocityRun& run, const double* y, double* v) {
  const UnitFamily& family = *run.family;
  const std::ptrdiff_t step = std::ptrdiff_t{kRows} * kPadded;
  for (int k = 0; k < run.blocks; ++k) {
    double* to = v + VelocityAt(run.places[k]);
    // A sum a row, which do not wait for each other.
    Row8 sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = ZeroRow();
    const double* row = run.jacobian + k * step;
    for (int i = run.first; i < run.end; ++i, row += run.blocks * step) {
      for (int r = 0; r < kRows; ++r) {
        sum[r] =
            AddScaled(sum[r], y[family.first + r * family.stride + i], LoadRow(row + r * kPadded));
      }
    }
    Row8 all = LoadRow(to);
    for (int r = 0; r < kRows; ++r) all = Plus(all, sum[r]);
    StoreRow(all, to);
  }
}

template <int kRows>
HWY_INLINE void RowVelocitiesOf(const VelocityRun& run, const double* v, double* q) {
  const UnitFamily& family = *run.family;
  const double* row = run.jacobian;
  for (int i = run.first; i < run.end; ++i) {
    Row8 sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = ZeroRow();
    for (int k = 0; k < run.blocks; ++k) {
      const Row8 from = LoadRow(v + VelocityAt(run.places[k]));
      for (int r = 0; r < kRows; ++r, row += kPadded) {
        sum[r] = AddProduct(sum[r], LoadRow(row), from);
      }
    }
    for (int r = 0; r < kRows; ++r) q[family.first + r * family.stride + i] = SumOfRow(sum[r]);
  }
}

/// block += Σ J_aᵀ D J_b over the units of a run; with Dᵀ if kTransposed.
template <int kRows, bool kTransposed>
HWY_INLINE void AddBlock(const VelocityRun& run, int a, int b, const double* matrix,
                         double* block) {
  const UnitFamily& family = *run.family;
  const std::ptrdiff_t step = std::ptrdiff_t{kRows} * kPadded;
  Row8 sum[kBlockRows];
  for (int r = 0; r < kBlockRows; ++r) sum[r] = LoadRow(block + r * kPadded);
  const double* unit = run.jacobian;
  for (int i = run.first; i < run.end; ++i, unit += run.blocks * step) {
    const double* d = matrix + family.first_matrix + i;
    Row8 right[kRows];
    for (int r = 0; r < kRows; ++r) right[r] = ZeroRow();
    for (int c = 0; c < kRows; ++c) {
      const Row8 row = LoadRow(unit + b * step + c * kPadded);
      for (int r = 0; r < kRows; ++r) {
        const int entry = kTransposed ? c * kRows + r : r * kRows + c;
        right[r] = AddScaled(right[r], d[std::ptrdiff_t{family.stride} * entry], row);
      }
    }
    for (int c = 0; c < kRows; ++c) {
      const double* left = unit + a * step + c * kPadded;
      for (int r = 0; r < kBlockRows; ++r) sum[r] = AddScaled(sum[r], left[r], right[c]);
    }
  }
  for (int r = 0; r < kBlockRows; ++r) StoreRow(sum[r], block + r * kPadded);
}

template <int kRows>
HWY_INLINE void AddMatrixOf(const VelocityRun& run, const double* matrix, bool symmetric,
                            double* upper, double* lower) {
  const int* target = run.targets;
  for (int a = 0; a < run.blocks; ++a) {
    for (int b = a; b < run.blocks; ++b, ++target) {
      const std::ptrdiff_t at = std::ptrdiff_t{kBlockSize} * *target;
      AddBlock<kRows, false>(run, a, b, matrix, upper + at);
      if (!symmetric && b > a) AddBlock<kRows, true>(run, a, b, matrix, lower + at);
    }
  }
}

void ImpulsesKernel(const VelocityRun* runs, int count, const double* y, double* v) {
  for (const VelocityRun* run = runs; run != runs + count; ++run) {
    switch (run->family->rows) {
      case 1:
        AddImpulsesOf<1>(*run, y, v);
        break;
      case 3:
        AddImpulsesOf<3>(*run, y, v);
        break;
      default:
        AddImpulsesOf<6>(*run, y, v);
        break;
    }
  }
}

void VelocitiesKernel(const VelocityRun* runs, int count, const double* v, double* q) {
  for (const VelocityRun* run = runs; run != runs + count; ++run) {
    switch (run->family->rows) {
      case 1:
        RowVelocitiesOf<1>(*run, v, q);
        break;
      case 3:
        RowVelocitiesOf<3>(*run, v, q);
        break;
      default:
        RowVelocitiesOf<6>(*run, v, q);
        break;
    }
  }
}

void MatrixKernel(const VelocityRun* runs, int count, const double* matrix, bool symmetric,
                  double* upper, double* lower) {
  for (const VelocityRun* run = runs; run != runs + count; ++run) {
    switch (run->family->rows) {
      case 1:
        AddMatrixOf<1>(*run, matrix, symmetric, upper, lower);
        break;
      case 3:
        AddMatrixOf<3>(*run, matrix, symmetric, upper, lower);
        break;
      default:
        AddMatrixOf<6>(*run, matrix, symmetric, upper, lower);
        break;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(ImpulsesKernel);
HWY_EXPORT(VelocitiesKernel);
HWY_EXPORT(MatrixKernel);

void AddImpulses(const VelocityRun* runs, int count, const double* y, double* v) {
  HWY_DYNAMIC_DISPATCH(ImpulsesKernel)(runs, count, y, v);
}

void RowVelocities(const VelocityRun* runs, int count, const double* v, double* q) {
  HWY_DYNAMIC_DISPATCH(VelocitiesKernel)(runs, count, v, q);
}

void AddMatrix(const VelocityRun* runs, int count, const double* matrix, bool symmetric,
               double* upper, double* lower) {
  HWY_DYNAMIC_DISPATCH(MatrixKernel)(runs, count, matrix, symmetric, upper, lower);
}

}  // namespace nonsmooth
#endif
