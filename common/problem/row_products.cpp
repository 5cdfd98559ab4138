// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/problem/row_products.h"

// Vectors whose length is known only at run time have no halves of two lanes.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/problem/row_products.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 2>;
using V = hn::Vec<D>;

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void AddSide(const BodyFactors& body, const double* j, V& velocity, V& self) {
  double v = 0;
  double s = body.e[0] * j[3] * j[4] + body.e[1] * j[4] * j[5] + body.f * j[3] * j[5];
  for (int k = 0; k < 6; ++k) {
    v += body.velocity[k] * j[k];
    s += body.d[k] * j[k] * j[k];
  }
  velocity = hn::Add(velocity, hn::Set(D(), v));
  self = hn::Add(self, hn::Set(D(), s));
}

#else

/// Two entries of J at a time. The off-diagonal products are those of the pairs (3, 4), (4, 5) and
/// (3, 5); what stands behind J is read, but not used.
HWY_INLINE void AddSide(const BodyFactors& body, const double* j, V& velocity, V& self) {
  const D d;
  const V j01 = hn::LoadU(d, j), j23 = hn::LoadU(d, j + 2), j45 = hn::LoadU(d, j + 4);
  velocity = hn::MulAdd(hn::LoadU(d, body.velocity), j01, velocity);
  velocity = hn::MulAdd(hn::LoadU(d, body.velocity + 2), j23, velocity);
  velocity = hn::MulAdd(hn::LoadU(d, body.velocity + 4), j45, velocity);
  const V j34 = hn::LoadU(d, j + 3);
  const V j55 = hn::InterleaveUpper(d, j45, j45);
  // (3, 4) · (e_0 j_4 + f j_5, e_1 j_5): e and f stand behind each other.
  const V off = hn::Mul(j34, hn::Mul(hn::LoadU(d, body.e), j45));
  const V far = hn::Mul(hn::Mul(hn::LoadU(d, &body.f), j34), j55);
  self = hn::MulAdd(hn::Mul(hn::LoadU(d, body.d), j01), j01, self);
  self = hn::MulAdd(hn::Mul(hn::LoadU(d, body.d + 2), j23), j23, self);
  self = hn::MulAdd(hn::Mul(hn::LoadU(d, body.d + 4), j45), j45, self);
  self = hn::Add(self, hn::Add(off, far));
}

#endif  // HWY_SCALAR

void Products(const BodyFactors* bodies, int body_count, const TwoBodyRow* rows, std::size_t count,
              double* velocity, double* self) {
  const D d;
  const auto factors = [&](int body) -> const BodyFactors& {
    return bodies[body >= 0 && body < body_count ? body : body_count];
  };
  for (std::size_t i = 0; i < count; ++i) {
    V v = hn::Zero(d);
    V s = hn::Zero(d);
    AddSide(factors(rows[i].body_a), rows[i].jacobian.data(), v, s);
    AddSide(factors(rows[i].body_b), rows[i].jacobian.data() + 6, v, s);
    velocity[i] = hn::GetLane(hn::SumOfLanes(d, v));
    self[i] = hn::GetLane(hn::SumOfLanes(d, s));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(Products);

BodyFactors FactorsOf(const Body& body, const double* velocity) {
  const std::array<double, 9>& i = body.inverse_inertia;
  BodyFactors factors{};
  for (int k = 0; k < 6; ++k) factors.velocity[k] = velocity[k];
  for (int k = 0; k < 3; ++k) {
    factors.d[k] = body.inverse_mass[k];
    factors.d[3 + k] = i[4 * k];
  }
  factors.e[0] = 2 * i[1];
  factors.e[1] = 2 * i[5];
  factors.f = 2 * i[2];
  return factors;
}

void RowProducts(const BodyFactors* bodies, int body_count, const TwoBodyRow* rows,
                 std::size_t count, double* velocity, double* self) {
  HWY_DYNAMIC_DISPATCH(Products)(bodies, body_count, rows, count, velocity, self);
}

}  // namespace nonsmooth
#endif  // HWY_ONCE
