// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// The step of a batch of contacts, in vectors: bodies into registers, velocities, projection, and
// impulses back. Read anew for every instruction set, as Highway asks of such headers.
#if defined(NONSMOOTH_CONTACT_STEP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NONSMOOTH_CONTACT_STEP_INL_H
#undef NONSMOOTH_CONTACT_STEP_INL_H
#else
#define NONSMOOTH_CONTACT_STEP_INL_H
#endif

#include <hwy/highway.h>

#include "common/methods/sweep/batches/contact_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kBatch>;
using V = hn::Vec<D>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void LoadBodies(const double* z, const std::int32_t* body, V* out) {
  for (int k = 0; k < 6; ++k) out[k] = hn::Load(D(), z + std::ptrdiff_t{kBodyRecord} * *body + k);
}

HWY_INLINE void StoreBodies(const V* in, double* z, const std::int32_t* body) {
  for (int k = 0; k < 6; ++k) hn::Store(in[k], D(), z + std::ptrdiff_t{kBodyRecord} * *body + k);
}

#else

/// The 16-byte block at z[8·body + offset] of N/2 bodies, every second one of `body`, side by side.
template <class DV>
HWY_INLINE hn::Vec<DV> GatherBlocks(DV d, const double* z, const std::int32_t* body) {
  if constexpr (hn::MaxLanes(DV()) == 2) {
    return hn::Load(d, z + std::ptrdiff_t{kBodyRecord} * body[0]);
  } else {
    const hn::Half<DV> half;
    return hn::Combine(d, GatherBlocks(half, z, body + hn::MaxLanes(DV()) / 2),
                       GatherBlocks(half, z, body));
  }
}

template <class DV>
HWY_INLINE void ScatterBlocks(DV d, hn::Vec<DV> v, double* z, const std::int32_t* body) {
  if constexpr (hn::MaxLanes(DV()) == 2) {
    hn::Store(v, d, z + std::ptrdiff_t{kBodyRecord} * body[0]);
  } else {
    const hn::Half<DV> half;
    ScatterBlocks(half, hn::LowerHalf(half, v), z, body);
    ScatterBlocks(half, hn::UpperHalf(half, v), z, body + hn::MaxLanes(DV()) / 2);
  }
}

/// Six components of z for kLanes bodies. Bodies are read in 16-byte blocks and transposed in
/// registers; the same blocks are written back, so that a batch that follows at once finds its
/// data in the store buffer.
HWY_INLINE void LoadBodies(const double* z, const std::int32_t* body, V* out) {
  const D d;
  for (int k = 0; k < 3; ++k) {
    const V even = GatherBlocks(d, z + 2 * k, body);
    const V odd = GatherBlocks(d, z + 2 * k, body + 1);
    out[2 * k] = hn::InterleaveLower(d, even, odd);
    out[2 * k + 1] = hn::InterleaveUpper(d, even, odd);
  }
}

HWY_INLINE void StoreBodies(const V* in, double* z, const std::int32_t* body) {
  const D d;
  for (int k = 0; k < 3; ++k) {
    ScatterBlocks(d, hn::InterleaveLower(d, in[2 * k], in[2 * k + 1]), z + 2 * k, body);
    ScatterBlocks(d, hn::InterleaveUpper(d, in[2 * k], in[2 * k + 1]), z + 2 * k, body + 1);
  }
}

#endif  // HWY_SCALAR

/// Bodies of kLanes contacts and what the iteration needs of them.
struct Bodies {
  V a[6];
  V b[6];
};

/// Relative velocity along the axes, which all rows of a contact share.
HWY_INLINE void LinearVelocity(const ContactBatch& batch, int lane, const Bodies& z, V* u) {
  const D d;
  const V mass_a = hn::Load(d, batch.mass_a + lane);
  const V mass_b = hn::Load(d, batch.mass_b + lane);
  for (int k = 0; k < 3; ++k) u[k] = hn::MulAdd(mass_a, z.a[k], hn::Mul(mass_b, z.b[k]));
}

/// ŵ of row r. Three sums shorten the chain of dependent additions.
HWY_INLINE V RowVelocity(const ContactBatch& batch, int r, int lane, const Bodies& z, const V* u) {
  const D d;
  V linear = hn::Load(d, batch.row(r).bias + lane);
  V a = hn::Mul(hn::Load(d, batch.row(r).angular_a[0] + lane), z.a[3]);
  V b = hn::Mul(hn::Load(d, batch.row(r).angular_b[0] + lane), z.b[3]);
  for (int k = 0; k < 3; ++k) {
    linear = hn::MulAdd(hn::Load(d, batch.row(r).direction[k] + lane), u[k], linear);
    if (k == 0) continue;
    a = hn::MulAdd(hn::Load(d, batch.row(r).angular_a[k] + lane), z.a[3 + k], a);
    b = hn::MulAdd(hn::Load(d, batch.row(r).angular_b[k] + lane), z.b[3 + k], b);
  }
  return hn::Add(linear, hn::Add(a, b));
}

/// z += Ĵᵀ Δ over the rows [first, last).
HWY_INLINE void Apply(const ContactBatch& batch, int first, int last, int lane, const V* delta,
                      Bodies& z) {
  const D d;
  const V mass_a = hn::Load(d, batch.mass_a + lane);
  const V mass_b = hn::Load(d, batch.mass_b + lane);
  for (int k = 0; k < 3; ++k) {
    V push = hn::Mul(hn::Load(d, batch.row(first).direction[k] + lane), delta[first]);
    for (int r = first + 1; r < last; ++r) {
      push = hn::MulAdd(hn::Load(d, batch.row(r).direction[k] + lane), delta[r], push);
    }
    z.a[k] = hn::MulAdd(mass_a, push, z.a[k]);
    z.b[k] = hn::MulAdd(mass_b, push, z.b[k]);
    for (int r = first; r < last; ++r) {
      z.a[3 + k] = hn::MulAdd(hn::Load(d, batch.row(r).angular_a[k] + lane), delta[r], z.a[3 + k]);
      z.b[3 + k] = hn::MulAdd(hn::Load(d, batch.row(r).angular_b[k] + lane), delta[r], z.b[3 + k]);
    }
  }
}

/// y ← Π(y) onto the cones ‖y_t‖ ≤ μ y_n. On the boundary y_n becomes s = (y_n + μ‖y_t‖)/(1 + μ²)
/// and y_t shrinks by μ s/‖y_t‖; one division serves both.
HWY_INLINE void ProjectCones(V mu, V* y) {
  const D d;
  const V zero = hn::Zero(d);
  const V length = hn::Sqrt(hn::MulAdd(y[1], y[1], hn::Mul(y[2], y[2])));
  const V sum = hn::MulAdd(mu, length, y[0]);
  const V inverse = hn::Div(sum, hn::MulAdd(hn::Mul(mu, mu), length, length));
  const V scale = hn::Mul(mu, inverse);
  // ‖y_t‖ = 0 makes 0/0 above, but is inside or beyond the apex, never on the boundary.
  const auto inside = hn::And(hn::Le(length, hn::Mul(mu, y[0])), hn::Ge(y[0], zero));
  // A NaN is neither inside nor beyond: what has overflowed must not look like an open contact.
  const auto beyond = hn::Le(sum, zero);
  y[0] = hn::IfThenElse(inside, y[0], hn::IfThenZeroElse(beyond, hn::Mul(inverse, length)));
  for (int r = 1; r < 3; ++r) {
    y[r] = hn::IfThenElse(inside, y[r], hn::IfThenZeroElse(beyond, hn::Mul(y[r], scale)));
  }
}

/// y ← x − step ŵ, projected: the new impulses of kLanes contacts under a cone law.
template <BatchLaw kLaw>
HWY_INLINE void ConeStep(const ContactBatch& batch, int lane, V step, const Bodies& z, const V* x,
                         V* y) {
  const D d;
  const V mu = hn::Load(d, batch.friction[0] + lane);
  V u[3], w[3];
  LinearVelocity(batch, lane, z, u);
  for (int r = 0; r < 3; ++r) w[r] = RowVelocity(batch, r, lane, z, u);
  if constexpr (kLaw == BatchLaw::kNcp) {
    const V speed = hn::Sqrt(hn::MulAdd(w[1], w[1], hn::Mul(w[2], w[2])));
    w[0] = hn::MulAdd(mu, speed, w[0]);
  }
  for (int r = 0; r < 3; ++r) y[r] = hn::NegMulAdd(step, w[r], x[r]);
  ProjectCones(mu, y);
}

/// max(bound, y) and min(bound, y) that a NaN in y survives. x86 returns the second operand where
/// one is not a number; elsewhere that is not promised, and a comparison decides.
HWY_INLINE V AtLeast(V bound, V y) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(bound, y);
#else
  return hn::IfThenElse(hn::Lt(y, bound), bound, y);
#endif
}

HWY_INLINE V AtMost(V bound, V y) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Min(bound, y);
#else
  return hn::IfThenElse(hn::Gt(y, bound), bound, y);
#endif
}

/// Row r under a law row by row: x − step ŵ, clamped; `normal` bounds the tangents.
template <BatchLaw kLaw>
HWY_INLINE V RowStep(const ContactBatch& batch, int r, int lane, V step, V x, V w, V normal) {
  const D d;
  const V y = hn::NegMulAdd(step, w, x);
  if (r == 0) return AtLeast(hn::Zero(d), y);
  V bound = hn::Load(d, batch.friction[r - 1] + lane);
  if constexpr (kLaw == BatchLaw::kCoupledBox) {
    bound = hn::Mul(bound, hn::Max(hn::Zero(d), normal));
  }
  return AtMost(bound, AtLeast(hn::Neg(bound), y));
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#endif  // NONSMOOTH_CONTACT_STEP_INL_H
