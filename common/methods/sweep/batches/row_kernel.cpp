// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/sweep/batches/row_kernel.h"

#include <cstddef>

// Vectors whose length is known only at run time cannot stand in the arrays below.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/sweep/batches/row_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

#include "common/methods/sweep/batches/contact_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// ŵ of a row.
HWY_INLINE V RowVelocity(const RowLanes& row, int lane, const Bodies& z, V x) {
  const D d;
  V bias = hn::MulAdd(hn::Load(d, row.compliance + lane), x, hn::Load(d, row.bias + lane));
  V a = hn::Mul(hn::Load(d, row.jacobian[0] + lane), z.a[0]);
  V b = hn::Mul(hn::Load(d, row.jacobian[6] + lane), z.b[0]);
  for (int k = 1; k < 6; ++k) {
    a = hn::MulAdd(hn::Load(d, row.jacobian[k] + lane), z.a[k], a);
    b = hn::MulAdd(hn::Load(d, row.jacobian[6 + k] + lane), z.b[k], b);
  }
  return hn::Add(bias, hn::Add(a, b));
}

/// z += Ĵᵀ Δ.
HWY_INLINE void Apply(const RowLanes& row, int lane, V delta, Bodies& z) {
  const D d;
  for (int k = 0; k < 6; ++k) {
    z.a[k] = hn::MulAdd(hn::Load(d, row.jacobian[k] + lane), delta, z.a[k]);
    z.b[k] = hn::MulAdd(hn::Load(d, row.jacobian[6 + k] + lane), delta, z.b[k]);
  }
}

/// y within the row's bounds, given the group's first impulse.
HWY_INLINE V Clamp(const RowLanes& row, int lane, V y, V first) {
  const D d;
  const V friction = hn::Mul(hn::Load(d, row.friction + lane), hn::Max(hn::Zero(d), first));
  const V lower = hn::Sub(hn::Load(d, row.lower + lane), friction);
  const V upper = hn::Add(hn::Load(d, row.upper + lane), friction);
  return hn::Min(hn::Max(y, lower), upper);
}

/// y ← Π(x − step ŵ) of contacts under a cone; their ŵ.
HWY_INLINE void ConeStep(const GroupBatch& batch, const RowLanes* row, int lane, V step,
                         const Bodies& z, const V* x, V* w, V* y) {
  const D d;
  const V mu = hn::Load(d, batch.cone + lane);
  for (int r = 0; r < 3; ++r) w[r] = RowVelocity(row[r], lane, z, x[r]);
  if (batch.law == GroupLaw::kNcp) {
    const V speed = hn::Sqrt(hn::MulAdd(w[1], w[1], hn::Mul(w[2], w[2])));
    w[0] = hn::MulAdd(mu, speed, w[0]);
  }
  for (int r = 0; r < 3; ++r) y[r] = hn::NegMulAdd(step, w[r], x[r]);
  ProjectCones(mu, y);
}

HWY_INLINE void SweepOne(double relaxation, const GroupBatch& batch, const RowLanes* row,
                         double* x_of, double* z_of) {
  const D d;
  const V omega = hn::Set(d, relaxation);
  for (int lane = 0; lane < kBatch; lane += kLanes) {
    Bodies z;
    LoadBodies(z_of, batch.body_a + lane, z.a);
    LoadBodies(z_of, batch.body_b + lane, z.b);
    if (batch.law == GroupLaw::kRows) {
      V first = hn::Zero(d);
      for (int r = 0; r < batch.rows; ++r) {
        const V x = hn::Load(d, x_of + kBatch * r + lane);
        const V w = RowVelocity(row[r], lane, z, x);
        const V y = Clamp(row[r], lane, hn::NegMulAdd(omega, w, x), first);
        if (r == 0) first = y;
        Apply(row[r], lane, hn::Sub(y, x), z);
        hn::Store(y, d, x_of + kBatch * r + lane);
      }
    } else {
      V x[3], w[3], y[3];
      for (int r = 0; r < 3; ++r) x[r] = hn::Load(d, x_of + kBatch * r + lane);
      ConeStep(batch, row, lane, hn::Mul(omega, hn::Load(d, batch.step + lane)), z, x, w, y);
      for (int r = 0; r < 3; ++r) {
        Apply(row[r], lane, hn::Sub(y[r], x[r]), z);
        hn::Store(y[r], d, x_of + kBatch * r + lane);
      }
    }
    StoreBodies(z.a, z_of, batch.body_a + lane);
    StoreBodies(z.b, z_of, batch.body_b + lane);
  }
}

void Sweep(double relaxation, bool backwards, const GroupBatch* batches, int count,
           const RowLanes* rows, double* x, double* z) {
  for (int k = 0; k < count; ++k) {
    const GroupBatch& batch = batches[backwards ? count - 1 - k : k];
    SweepOne(relaxation, batch, rows + batch.first, x + std::ptrdiff_t{kBatch} * batch.first, z);
  }
}

void AddImpulses(const GroupBatch* batches, int count, const RowLanes* rows, const double* x_of,
                 double* z_of) {
  const D d;
  for (const GroupBatch* batch = batches; batch < batches + count; ++batch) {
    const double* x = x_of + std::ptrdiff_t{kBatch} * batch->first;
    for (int lane = 0; lane < kBatch; lane += kLanes) {
      Bodies z;
      LoadBodies(z_of, batch->body_a + lane, z.a);
      LoadBodies(z_of, batch->body_b + lane, z.b);
      for (int r = 0; r < batch->rows; ++r) {
        Apply(rows[batch->first + r], lane, hn::Load(d, x + kBatch * r + lane), z);
      }
      StoreBodies(z.a, z_of, batch->body_a + lane);
      StoreBodies(z.b, z_of, batch->body_b + lane);
    }
  }
}

double Energy(const GroupBatch* batches, int count, const RowLanes* rows, const double* x_of,
              const double* z_of) {
  const D d;
  const V one = hn::Set(d, 1.0);
  V sum = hn::Zero(d);
  const auto add = [&](V x, V w, V y) HWY_ATTR {
    const V residual = hn::Sub(x, y);
    sum = hn::MulAdd(residual, residual, sum);
    sum = hn::MulAdd(hn::Zero(d), w, sum);  // clamping makes numbers of what is none
  };
  for (const GroupBatch* batch = batches; batch < batches + count; ++batch) {
    const RowLanes* row = rows + batch->first;
    const double* own = x_of + std::ptrdiff_t{kBatch} * batch->first;
    for (int lane = 0; lane < kBatch; lane += kLanes) {
      Bodies z;
      LoadBodies(z_of, batch->body_a + lane, z.a);
      LoadBodies(z_of, batch->body_b + lane, z.b);
      if (batch->law == GroupLaw::kRows) {
        const V first = hn::Load(d, own + lane);
        for (int r = 0; r < batch->rows; ++r) {
          const V x = hn::Load(d, own + kBatch * r + lane);
          const V w = RowVelocity(row[r], lane, z, x);
          add(x, w, Clamp(row[r], lane, hn::Sub(x, w), first));
        }
      } else {
        V x[3], w[3], y[3];
        for (int r = 0; r < 3; ++r) x[r] = hn::Load(d, own + kBatch * r + lane);
        ConeStep(*batch, row, lane, one, z, x, w, y);
        for (int r = 0; r < 3; ++r) add(x[r], w[r], y[r]);
      }
    }
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(Sweep);
HWY_EXPORT(AddImpulses);
HWY_EXPORT(Energy);

void SweepGroups(double relaxation, bool backwards, const GroupBatch* batches, int count,
                 const RowLanes* rows, double* x, double* z) {
  HWY_DYNAMIC_DISPATCH(Sweep)(relaxation, backwards, batches, count, rows, x, z);
}

double GroupsEnergy(const GroupBatch* batches, int count, const RowLanes* rows, const double* x,
                    const double* z) {
  return HWY_DYNAMIC_DISPATCH(Energy)(batches, count, rows, x, z);
}

void AddGroupImpulses(const GroupBatch* batches, int count, const RowLanes* rows, const double* x,
                      double* z) {
  HWY_DYNAMIC_DISPATCH(AddImpulses)(batches, count, rows, x, z);
}

}  // namespace nonsmooth
#endif  // HWY_ONCE
