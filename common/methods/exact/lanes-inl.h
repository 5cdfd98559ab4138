// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// As many units as a vector register holds, and the algebra of cones on them. Included once per
// instruction set, after hwy/highway.h; the toggle below is Highway's way of an include guard.
#if defined(NONSMOOTH_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NONSMOOTH_LANES_INL_H
#undef NONSMOOTH_LANES_INL_H
#else
#define NONSMOOTH_LANES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using LaneD = hn::CappedTag<double, 8>;
using Mask = hn::Mask<LaneD>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(LaneD()));

/// A number for each of kLanes units.
struct Lanes {
  hn::Vec<LaneD> v;
};

HWY_INLINE Lanes All(double value) { return {hn::Set(LaneD(), value)}; }
HWY_INLINE Lanes Load(const double* from) { return {hn::Load(LaneD(), from)}; }
HWY_INLINE void Store(Lanes a, double* to) { hn::Store(a.v, LaneD(), to); }
HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE Lanes operator-(Lanes a) { return {hn::Neg(a.v)}; }
HWY_INLINE Lanes Root(Lanes a) { return {hn::Sqrt(a.v)}; }
HWY_INLINE Lanes Least(Lanes a, Lanes b) { return {hn::Min(a.v, b.v)}; }
HWY_INLINE Lanes Most(Lanes a, Lanes b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE Mask Below(Lanes a, Lanes b) { return hn::Lt(a.v, b.v); }
HWY_INLINE Lanes Choose(Mask m, Lanes yes, Lanes no) { return {hn::IfThenElse(m, yes.v, no.v)}; }
HWY_INLINE Lanes Only(Mask m, Lanes a) { return {hn::IfThenElseZero(m, a.v)}; }
HWY_INLINE Mask Both(Mask a, Mask b) { return hn::And(a, b); }
HWY_INLINE Mask Either(Mask a, Mask b) { return hn::Or(a, b); }
HWY_INLINE double Sum(Lanes a) { return hn::GetLane(hn::SumOfLanes(LaneD(), a.v)); }
HWY_INLINE double Minimum(Lanes a) { return hn::GetLane(hn::MinOfLanes(LaneD(), a.v)); }

/// Those of the next kLanes units, the first of which is `i`, that are there.
HWY_INLINE Mask There(int i, int count) {
  return hn::FirstN(LaneD(), static_cast<std::size_t>(count > i ? count - i : 0));
}

/// A vector of the cone {u₀ ≥ ‖ū‖} of 1 + n components.
template <int n>
struct Conic {
  Lanes at[n + 1];
};

template <int n>
HWY_INLINE Lanes DotTail(const Conic<n>& a, const Conic<n>& b) {
  Lanes sum = a.at[1] * b.at[1];
  for (int i = 2; i <= n; ++i) sum = sum + a.at[i] * b.at[i];
  return sum;
}
template <int n>
HWY_INLINE Lanes Dot(const Conic<n>& a, const Conic<n>& b) {
  return a.at[0] * b.at[0] + DotTail(a, b);
}
/// (u₀ − ‖ū‖)(u₀ + ‖ū‖)
template <int n>
HWY_INLINE Lanes Determinant(const Conic<n>& u) {
  const Lanes tail = Root(DotTail(u, u));
  return (u.at[0] - tail) * (u.at[0] + tail);
}
/// a + factor · b
template <int n>
HWY_INLINE Conic<n> Along(const Conic<n>& a, Lanes factor, const Conic<n>& b) {
  Conic<n> r;
  for (int i = 0; i <= n; ++i) r.at[i] = a.at[i] + factor * b.at[i];
  return r;
}
/// The Jordan product u∘v.
template <int n>
HWY_INLINE Conic<n> Product(const Conic<n>& u, const Conic<n>& v) {
  Conic<n> r;
  r.at[0] = Dot(u, v);
  for (int i = 1; i <= n; ++i) r.at[i] = u.at[0] * v.at[i] + v.at[0] * u.at[i];
  return r;
}
/// The y with u∘y = r.
template <int n>
HWY_INLINE Conic<n> Quotient(const Conic<n>& u, const Conic<n>& r) {
  Conic<n> y;
  y.at[0] = (u.at[0] * r.at[0] - DotTail(u, r)) / Determinant(u);
  for (int i = 1; i <= n; ++i) y.at[i] = (r.at[i] - y.at[0] * u.at[i]) / u.at[0];
  return y;
}
/// u with its eigenvalues u₀ ± ‖ū‖ clamped.
template <int n>
HWY_INLINE Conic<n> Clamped(const Conic<n>& u, Lanes low, Lanes high) {
  const Lanes tail = Root(DotTail(u, u));
  const Lanes plus = Least(high, Most(low, u.at[0] + tail));
  const Lanes minus = Least(high, Most(low, u.at[0] - tail));
  const Lanes ratio = Only(Below(All(0), tail), All(0.5) * (plus - minus) / tail);
  Conic<n> r;
  r.at[0] = All(0.5) * (plus + minus);
  for (int i = 1; i <= n; ++i) r.at[i] = ratio * u.at[i];
  return r;
}
/// The largest step with u + t d in the cone; infinite if there is none. The smallest positive root
/// of det(u + t d), in the form without cancellation.
template <int n>
HWY_INLINE Lanes LongestStep(const Conic<n>& u, const Conic<n>& d) {
  const Lanes a = Determinant(d);
  const Lanes b = u.at[0] * d.at[0] - DotTail(u, d);
  const Lanes c = Determinant(u);
  const Lanes discriminant = b * b - a * c;
  const Lanes zero = All(0);
  const Mask root =
      Both(hn::Not(Below(discriminant, zero)), Either(Below(a, zero), Below(b, zero)));
  return Choose(root, c / (Root(Most(discriminant, zero)) - b), All(1e300));
}

/// Nesterov and Todd's scaling, nt_scaling.h: W z = W⁻¹ s = λ.
template <int n>
struct Scaling {
  Lanes eta;
  Conic<n> point;  ///< ŵ, of determinant 1

  HWY_INLINE void Reset(const Conic<n>& s, const Conic<n>& z) {
    const Lanes det_s = Determinant(s), det_z = Determinant(z);
    const Lanes norm_s = All(1) / Root(det_s), norm_z = All(1) / Root(det_z);
    const Lanes gamma = Root((All(1) + Dot(s, z) * norm_s * norm_z) * All(0.5));
    const Lanes half = All(0.5) / gamma;
    eta = Root(Root(det_s / det_z));
    point.at[0] = (s.at[0] * norm_s + z.at[0] * norm_z) * half;
    for (int i = 1; i <= n; ++i) point.at[i] = (s.at[i] * norm_s - z.at[i] * norm_z) * half;
  }
  HWY_INLINE Conic<n> Apply(const Conic<n>& u) const { return Hyperbolic(eta, All(1), u); }
  HWY_INLINE Conic<n> ApplyInverse(const Conic<n>& u) const {
    return Hyperbolic(All(1) / eta, All(-1), u);
  }
  HWY_INLINE Conic<n> Hyperbolic(Lanes factor, Lanes sign, const Conic<n>& u) const {
    const Lanes dot = sign * DotTail(point, u);
    const Lanes along = sign * (u.at[0] + dot / (All(1) + point.at[0]));
    Conic<n> r;
    r.at[0] = factor * (point.at[0] * u.at[0] + dot);
    for (int i = 1; i <= n; ++i) r.at[i] = factor * (u.at[i] + along * point.at[i]);
    return r;
  }
};

/// The inverse of a small matrix by Gauss–Jordan without pivoting, in place.
template <int n>
HWY_INLINE void Invert(Lanes m[n][n]) {
  for (int k = 0; k < n; ++k) {
    const Lanes pivot = All(1) / m[k][k];
    m[k][k] = All(1);
    for (int j = 0; j < n; ++j) m[k][j] = m[k][j] * pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const Lanes factor = m[i][k];
      m[i][k] = All(0);
      for (int j = 0; j < n; ++j) m[i][j] = m[i][j] - factor * m[k][j];
    }
  }
}

/// How the rows behind a normal are bounded by it: part k has kSize(k) rows, the first is kAt(k).
struct DiscShape {
  static constexpr int kParts = 1, kRows = 3;
  static constexpr int kSize[kParts] = {2}, kAt[kParts] = {1};
};
struct Box2Shape {
  static constexpr int kParts = 2, kRows = 3;
  static constexpr int kSize[kParts] = {1, 1}, kAt[kParts] = {1, 2};
};
struct RollingShape {
  static constexpr int kParts = 3, kRows = 6;
  static constexpr int kSize[kParts] = {2, 1, 2}, kAt[kParts] = {1, 3, 4};
};
struct Box5Shape {
  static constexpr int kParts = 5, kRows = 6;
  static constexpr int kSize[kParts] = {1, 1, 1, 1, 1}, kAt[kParts] = {1, 2, 3, 4, 5};
};

/// Calls f with the number of each part as a constant.
template <class Shape, int k = 0, class F>
HWY_INLINE void ForEachPart(F&& f) {
  if constexpr (k < Shape::kParts) {
    f(std::integral_constant<int, k>());
    ForEachPart<Shape, k + 1>(f);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#endif
