// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// The interior point kernel of single rows. Included once per instruction set; the toggle below is
// Highway's way of an include guard.
#if defined(NONSMOOTH_INTERIOR_LINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NONSMOOTH_INTERIOR_LINE_INL_H
#undef NONSMOOTH_INTERIOR_LINE_INL_H
#else
#define NONSMOOTH_INTERIOR_LINE_INL_H
#endif

#include "interior_contact-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// A row with its two bounds. What is not bounded has multiplier 0.
struct LineKernel {
  struct Bounds {
    Mask lower, upper;
    Lanes above, below;  ///< x − l, u − x; 1 without a bound
  };
  HWY_INLINE static Bounds Load2(const At& at, const InteriorPoint& p) {
    const Lanes x = Load(p.x + at.row(0));
    const Lanes l = Load(p.lower + at.row(0)), u = Load(p.upper + at.row(0));
    Bounds b;
    b.lower = Below(All(-1e300), l);
    b.upper = Below(u, All(1e300));
    b.above = Choose(b.lower, x - l, All(1));
    b.below = Choose(b.upper, u - x, All(1));
    return b;
  }
  static void Start(const At& at, const InteriorPoint& p, Lanes tau) {
    const Lanes l = Load(p.lower + at.row(0)), u = Load(p.upper + at.row(0));
    const Mask lower = Below(All(-1e300), l), upper = Below(u, All(1e300));
    const Lanes margin =
        Choose(Both(lower, upper), Least(Root(tau), All(0.25) * (u - l)), Root(tau));
    const Lanes y = Only(Either(lower, upper), -Load(p.bias + at.row(0)));
    Lanes x = Choose(lower, Most(y, l + margin), y);
    x = Choose(upper, Least(x, u - margin), x);
    Store(x, p.x + at.row(0));
    const Bounds b = Load2(at, p);
    Store(Only(b.lower, tau / b.above), p.z_0 + at.part(0));
    Store(Only(b.upper, tau / b.below), p.z_0 + at.part(1));
  }
  static void Residual(const At& at, const InteriorPoint& p, Lanes* gap) {
    const Bounds b = Load2(at, p);
    const Lanes z_l = Load(p.z_0 + at.part(0)), z_u = Load(p.z_0 + at.part(1));
    Store(Load(p.w + at.row(0)) - z_l + z_u, p.residual + at.row(0));
    *gap = *gap + Only(at.there(), b.above * z_l + b.below * z_u);
  }
  static void Scale(const At& at, const InteriorPoint& p) {
    const Bounds b = Load2(at, p);
    const Lanes weight = Load(p.z_0 + at.part(0)) / b.above + Load(p.z_0 + at.part(1)) / b.below;
    const Lanes d = All(1) / (weight + All(p.proximal) + Load(p.compliance + at.row(0)));
    Store(d, p.inverse + at.entry(0, 0));
    Store(d, p.matrix + at.entry(0, 0));
  }
  static void Target(const At& at, const InteriorPoint& p, const InteriorStep& step, Lanes l,
                     Lanes u) {
    Store(l, step.target_0 + at.part(0));
    Store(u, step.target_0 + at.part(1));
    Lanes g[1] = {l - u};
    StoreRight<1>(at, p, g);
  }
  static void Predictor(const At& at, const InteriorPoint& p, const InteriorStep& step) {
    Target(at, p, step, -Load(p.z_0 + at.part(0)), -Load(p.z_0 + at.part(1)));
  }
  static void Corrector(const At& at, const InteriorPoint& p, const InteriorStep& from,
                        double target, const InteriorStep& step) {
    const Bounds b = Load2(at, p);
    const Lanes dx = Load(from.dx + at.row(0));
    const Lanes l = Only(b.lower, (All(target) - dx * Load(from.dz_0 + at.part(0))) / b.above);
    const Lanes u = Only(b.upper, (All(target) + dx * Load(from.dz_0 + at.part(1))) / b.below);
    Target(at, p, step, l - Load(p.z_0 + at.part(0)), u - Load(p.z_0 + at.part(1)));
  }
  HWY_INLINE static Lanes Wanted(Lanes s, Lanes z, double least, double most) {
    const Lanes v = s * z;
    return Most(Least(Most(v, All(least)), All(most)) - v, All(-most));
  }
  static void Centrality(const At& at, const InteriorPoint& p, const InteriorStep& from,
                         double length, double least, double most, const InteriorStep& step) {
    const Bounds b = Load2(at, p);
    const Lanes dx = All(length) * Load(from.dx + at.row(0));
    const Lanes z_l = Load(p.z_0 + at.part(0)) + All(length) * Load(from.dz_0 + at.part(0));
    const Lanes z_u = Load(p.z_0 + at.part(1)) + All(length) * Load(from.dz_0 + at.part(1));
    const Lanes l = Only(b.lower, Wanted(b.above + dx, z_l, least, most) / b.above);
    const Lanes u = Only(b.upper, Wanted(b.below - dx, z_u, least, most) / b.below);
    Target(at, p, step, l + Load(from.target_0 + at.part(0)), u + Load(from.target_0 + at.part(1)));
  }
  static void Finish(const At& at, const InteriorPoint& p, const InteriorStep& step, Lanes* linear,
                     Lanes* square, Lanes* length) {
    const Bounds b = Load2(at, p);
    const Lanes dx = Load(step.dx + at.row(0));
    const Lanes dw = Load(step.dw + at.row(0)) + Load(p.compliance + at.row(0)) * dx;
    Store(dw, step.dw + at.row(0));
    const Lanes z_l = Load(p.z_0 + at.part(0)), z_u = Load(p.z_0 + at.part(1));
    const Lanes k_l = z_l / b.above, k_u = z_u / b.below;
    Lanes l = Load(step.target_0 + at.part(0)) - k_l * dx;
    Lanes u = Load(step.target_0 + at.part(1)) + k_u * dx;
    const Lanes missing = dw + Load(p.residual + at.row(0)) + All(p.proximal) * dx - (l - u);
    const Mask any = Either(b.lower, b.upper);
    const Lanes share = Only(any, missing / (k_l + k_u));
    l = Only(b.lower, l + share * k_l);
    u = Only(b.upper, u - share * k_u);
    Store(l, step.dz_0 + at.part(0));
    Store(u, step.dz_0 + at.part(1));
    const Mask there = at.there();
    *linear = *linear + Only(there, b.above * l + b.below * u + Only(b.lower, z_l * dx) -
                                        Only(b.upper, z_u * dx));
    *square = *square + Only(there, dx * (l - u));
    const auto shorten = [&](Mask bounded, Lanes value, Lanes change) {
      const Mask shrinks = Both(Both(there, bounded), Below(change, All(0)));
      *length = Least(*length, Choose(shrinks, -(value / change), All(1e300)));
    };
    shorten(b.lower, b.above, dx);
    shorten(b.upper, b.below, -dx);
    shorten(b.lower, z_l, l);
    shorten(b.upper, z_u, u);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#endif
