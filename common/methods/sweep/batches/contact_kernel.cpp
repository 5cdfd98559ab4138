// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/sweep/batches/contact_kernel.h"

#include <algorithm>
#include <cstddef>

// Vectors whose length is known only at run time cannot stand in the arrays below.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/sweep/batches/contact_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "common/methods/sweep/batches/contact_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// Ĵ_r · Ĵ_s, compliance left out: batches have none.
HWY_INLINE V Gram(const ContactBatch& batch, int r, int s, int lane, V mass) {
  const D d;
  V linear = hn::Zero(d);
  V angular = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    linear = hn::MulAdd(hn::Load(d, batch.row(r).direction[k] + lane),
                        hn::Load(d, batch.row(s).direction[k] + lane), linear);
    angular = hn::MulAdd(hn::Load(d, batch.row(r).angular_a[k] + lane),
                         hn::Load(d, batch.row(s).angular_a[k] + lane), angular);
    angular = hn::MulAdd(hn::Load(d, batch.row(r).angular_b[k] + lane),
                         hn::Load(d, batch.row(s).angular_b[k] + lane), angular);
  }
  return hn::MulAdd(mass, linear, angular);
}

void StepSizes(ContactBatch* batches, int count) {
  const D d;
  const V one = hn::Set(d, 1.0);
  for (ContactBatch* batch = batches; batch < batches + count; ++batch) {
    for (int lane = 0; lane < kBatch; lane += kLanes) {
      const V a = hn::Load(d, batch->mass_a + lane);
      const V b = hn::Load(d, batch->mass_b + lane);
      const V mass = hn::MulAdd(a, a, hn::Mul(b, b));
      V circle[3] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      for (int r = 0; r < 3; ++r) {
        for (int s = 0; s <= r; ++s) {
          const V entry = hn::Abs(Gram(*batch, r, s, lane, mass));
          circle[r] = hn::Add(circle[r], entry);
          if (s != r) circle[s] = hn::Add(circle[s], entry);
        }
      }
      const V scale = hn::Max(hn::Max(one, circle[0]), hn::Max(circle[1], circle[2]));
      hn::Store(hn::Div(one, scale), d, batch->step + lane);
    }
  }
}

template <BatchLaw kLaw, BatchRows kRows>
HWY_INLINE void SweepOne(double relaxation, const ContactBatch& batch, double* x_of, double* z_of) {
  const D d;
  const V omega = hn::Set(d, relaxation);
  constexpr int kFirst = kRows == BatchRows::kTangents ? 1 : 0;
  constexpr int kEnd = kRows == BatchRows::kNormals ? 1 : 3;
  for (int lane = 0; lane < kBatch; lane += kLanes) {
    Bodies z;
    V x[3], y[3], delta[3];
    LoadBodies(z_of, batch.body_a + lane, z.a);
    LoadBodies(z_of, batch.body_b + lane, z.b);
    for (int r = 0; r < kEnd; ++r) x[r] = hn::Load(d, x_of + kBatch * r + lane);
    if constexpr (IsCone(kLaw)) {
      ConeStep<kLaw>(batch, lane, hn::Mul(omega, hn::Load(d, batch.step + lane)), z, x, y);
      for (int r = 0; r < 3; ++r) delta[r] = hn::Sub(y[r], x[r]);
      Apply(batch, 0, 3, lane, delta, z);
    } else {
      y[0] = x[0];
      for (int r = kFirst; r < kEnd; ++r) {
        V u[3];
        LinearVelocity(batch, lane, z, u);
        const V w = RowVelocity(batch, r, lane, z, u);
        y[r] = RowStep<kLaw>(batch, r, lane, omega, x[r], w, y[0]);
        delta[r] = hn::Sub(y[r], x[r]);
        Apply(batch, r, r + 1, lane, delta, z);
      }
    }
    for (int r = kFirst; r < kEnd; ++r) hn::Store(y[r], d, x_of + kBatch * r + lane);
    StoreBodies(z.a, z_of, batch.body_a + lane);
    StoreBodies(z.b, z_of, batch.body_b + lane);
  }
}

template <BatchLaw kLaw, BatchRows kRows>
void SweepAll(double relaxation, bool backwards, const ContactBatch* batches, int count, double* x,
              double* z) {
  constexpr std::size_t kBegin =
      kRows == BatchRows::kTangents ? offsetof(ContactBatch, mass_a) : std::size_t{0};
  constexpr std::size_t kEnd =
      kRows == BatchRows::kNormals ? offsetof(ContactBatch, tangent) : sizeof(ContactBatch);
  for (int k = 0; k < count; ++k) {
    const int batch = backwards ? count - 1 - k : k;
    // The hardware's own prefetching ends at every page, that is with every second batch.
    const ContactBatch* ahead =
        batches + (backwards ? std::max(batch - 2, 0) : std::min(batch + 2, count - 1));
    for (std::size_t i = kBegin; i < kEnd; i += 64) {
      hwy::Prefetch(reinterpret_cast<const char*>(ahead) + i);
    }
    SweepOne<kLaw, kRows>(relaxation, batches[batch], x + std::ptrdiff_t{kBatchRows} * batch, z);
  }
}

template <BatchLaw kLaw>
void SweepRows(BatchRows rows, double relaxation, bool backwards, const ContactBatch* batches,
               int count, double* x, double* z) {
  switch (rows) {
    case BatchRows::kAll:
      return SweepAll<kLaw, BatchRows::kAll>(relaxation, backwards, batches, count, x, z);
    case BatchRows::kNormals:
      return SweepAll<kLaw, BatchRows::kNormals>(relaxation, backwards, batches, count, x, z);
    case BatchRows::kTangents:
      return SweepAll<kLaw, BatchRows::kTangents>(relaxation, backwards, batches, count, x, z);
  }
}

void Sweep(BatchLaw law, BatchRows rows, double relaxation, bool backwards,
           const ContactBatch* batches, int count, double* x, double* z) {
  constexpr BatchRows kAll = BatchRows::kAll;
  switch (law) {
    case BatchLaw::kCcp:
      return SweepAll<BatchLaw::kCcp, kAll>(relaxation, backwards, batches, count, x, z);
    case BatchLaw::kNcp:
      return SweepAll<BatchLaw::kNcp, kAll>(relaxation, backwards, batches, count, x, z);
    case BatchLaw::kCoupledBox:
      return SweepRows<BatchLaw::kCoupledBox>(rows, relaxation, backwards, batches, count, x, z);
    case BatchLaw::kBox:
      return SweepRows<BatchLaw::kBox>(rows, relaxation, backwards, batches, count, x, z);
  }
}

void AddImpulses(const ContactBatch* batches, int count, const double* x_of, double* z_of) {
  const D d;
  for (int k = 0; k < count; ++k, x_of += kBatchRows) {
    for (int lane = 0; lane < kBatch; lane += kLanes) {
      Bodies z;
      V x[3];
      LoadBodies(z_of, batches[k].body_a + lane, z.a);
      LoadBodies(z_of, batches[k].body_b + lane, z.b);
      for (int r = 0; r < 3; ++r) x[r] = hn::Load(d, x_of + kBatch * r + lane);
      Apply(batches[k], 0, 3, lane, x, z);
      StoreBodies(z.a, z_of, batches[k].body_a + lane);
      StoreBodies(z.b, z_of, batches[k].body_b + lane);
    }
  }
}

template <BatchLaw kLaw>
double EnergyOfAll(const ContactBatch* batches, int count, const double* x_of, const double* z_of) {
  const D d;
  const V one = hn::Set(d, 1.0);
  V sum = hn::Zero(d);
  for (int k = 0; k < count; ++k, x_of += kBatchRows) {
    const ContactBatch& batch = batches[k];
    for (int lane = 0; lane < kBatch; lane += kLanes) {
      Bodies z;
      V x[3], y[3];
      LoadBodies(z_of, batch.body_a + lane, z.a);
      LoadBodies(z_of, batch.body_b + lane, z.b);
      for (int r = 0; r < 3; ++r) x[r] = hn::Load(d, x_of + kBatch * r + lane);
      if constexpr (IsCone(kLaw)) {
        ConeStep<kLaw>(batch, lane, one, z, x, y);
      } else {
        V u[3];
        LinearVelocity(batch, lane, z, u);
        for (int r = 0; r < 3; ++r) {
          y[r] = RowStep<kLaw>(batch, r, lane, one, x[r], RowVelocity(batch, r, lane, z, u), x[0]);
        }
      }
      for (int r = 0; r < 3; ++r) {
        const V residual = hn::Sub(x[r], y[r]);
        sum = hn::MulAdd(residual, residual, sum);
      }
    }
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(d, sum));
}

double Energy(BatchLaw law, const ContactBatch* batches, int count, const double* x,
              const double* z) {
  switch (law) {
    case BatchLaw::kCcp:
      return EnergyOfAll<BatchLaw::kCcp>(batches, count, x, z);
    case BatchLaw::kNcp:
      return EnergyOfAll<BatchLaw::kNcp>(batches, count, x, z);
    case BatchLaw::kCoupledBox:
      return EnergyOfAll<BatchLaw::kCoupledBox>(batches, count, x, z);
    case BatchLaw::kBox:
      return EnergyOfAll<BatchLaw::kBox>(batches, count, x, z);
  }
  return 0;
}

void AddMomentum(double beta, std::size_t size, double* before, double* x) {
  const D d;
  const V factor = hn::Set(d, beta);
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const V now = hn::LoadU(d, x + i);
    const V step = hn::Sub(now, hn::LoadU(d, before + i));
    hn::StoreU(now, d, before + i);
    hn::StoreU(hn::MulAdd(factor, step, now), d, x + i);
  }
  for (; i < size; ++i) {
    const double step = x[i] - before[i];
    before[i] = x[i];
    x[i] += beta * step;
  }
}

const char* Target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(StepSizes);
HWY_EXPORT(Sweep);
HWY_EXPORT(AddImpulses);
HWY_EXPORT(Energy);
HWY_EXPORT(AddMomentum);
HWY_EXPORT(Target);

void FillStepSizes(ContactBatch* batches, int count) {
  HWY_DYNAMIC_DISPATCH(StepSizes)(batches, count);
}

void SweepBatches(BatchLaw law, BatchRows rows, double relaxation, bool backwards,
                  const ContactBatch* batches, int count, double* x, double* z) {
  HWY_DYNAMIC_DISPATCH(Sweep)(law, rows, relaxation, backwards, batches, count, x, z);
}

double BatchEnergy(BatchLaw law, const ContactBatch* batches, int count, const double* x,
                   const double* z) {
  return HWY_DYNAMIC_DISPATCH(Energy)(law, batches, count, x, z);
}

void AddBatchImpulses(const ContactBatch* batches, int count, const double* x, double* z) {
  HWY_DYNAMIC_DISPATCH(AddImpulses)(batches, count, x, z);
}

void Extrapolate(double beta, std::size_t size, double* before, double* x) {
  HWY_DYNAMIC_DISPATCH(AddMomentum)(beta, size, before, x);
}

const char* KernelTarget() { return HWY_DYNAMIC_DISPATCH(Target)(); }

}  // namespace nonsmooth
#endif  // HWY_ONCE
