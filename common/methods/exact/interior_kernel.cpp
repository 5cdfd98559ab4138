// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/exact/interior_kernel.h"

#include <cstddef>
#include <type_traits>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/exact/interior_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

#include "common/methods/exact/interior_contact-inl.h"
#include "common/methods/exact/interior_line-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// Calls f with the kernel of the family's kind.
template <class F>
HWY_INLINE void WithKernel(const UnitFamily& family, F&& f) {
  switch (family.kind) {
    case UnitKind::kLine:
      f(LineKernel());
      break;
    case UnitKind::kDisc:
    case UnitKind::kPolygon:
      f(ContactKernel<DiscShape>());
      break;
    case UnitKind::kBox2:
      f(ContactKernel<Box2Shape>());
      break;
    case UnitKind::kRolling:
      f(ContactKernel<RollingShape>());
      break;
    case UnitKind::kBox5:
      f(ContactKernel<Box5Shape>());
      break;
  }
}

void StartInterior(const UnitFamily& family, const InteriorPoint& p, double tau) {
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family, [&](const At& at) { kernel.Start(at, p, All(tau)); });
  });
}

void InteriorResidual(const UnitFamily& family, const InteriorPoint& p, InteriorSums* sums) {
  Lanes gap = All(0);
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family, [&](const At& at) { kernel.Residual(at, p, &gap); });
  });
  sums->gap += Sum(gap);
}

void InteriorScale(const UnitFamily& family, const InteriorPoint& p) {
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family, [&](const At& at) { kernel.Scale(at, p); });
  });
}

void PredictorTarget(const UnitFamily& family, const InteriorPoint& p, const InteriorStep& step) {
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family, [&](const At& at) { kernel.Predictor(at, p, step); });
  });
}

void CorrectorTarget(const UnitFamily& family, const InteriorPoint& p, const InteriorStep& from,
                     double target, const InteriorStep& step) {
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family, [&](const At& at) { kernel.Corrector(at, p, from, target, step); });
  });
}

void CentralityTarget(const UnitFamily& family, const InteriorPoint& p, const InteriorStep& from,
                      double length, double least, double most, const InteriorStep& step) {
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family,
                 [&](const At& at) { kernel.Centrality(at, p, from, length, least, most, step); });
  });
}

void FinishStep(const UnitFamily& family, const InteriorPoint& p, const InteriorStep& step,
                InteriorSums* sums) {
  Lanes linear = All(0), square = All(0), length = All(sums->length);
  WithKernel(family, [&](auto kernel) {
    ForEachLanes(family,
                 [&](const At& at) { kernel.Finish(at, p, step, &linear, &square, &length); });
  });
  sums->linear += Sum(linear);
  sums->square += Sum(square);
  sums->length = Minimum(length);
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(StartInterior);
HWY_EXPORT(InteriorResidual);
HWY_EXPORT(InteriorScale);
HWY_EXPORT(PredictorTarget);
HWY_EXPORT(CorrectorTarget);
HWY_EXPORT(CentralityTarget);
HWY_EXPORT(FinishStep);

void StartInterior(const UnitFamily& family, const InteriorPoint& point, double tau) {
  HWY_DYNAMIC_DISPATCH(StartInterior)(family, point, tau);
}
void InteriorResidual(const UnitFamily& family, const InteriorPoint& point, InteriorSums* sums) {
  HWY_DYNAMIC_DISPATCH(InteriorResidual)(family, point, sums);
}
void InteriorScale(const UnitFamily& family, const InteriorPoint& point) {
  HWY_DYNAMIC_DISPATCH(InteriorScale)(family, point);
}
void PredictorTarget(const UnitFamily& family, const InteriorPoint& point,
                     const InteriorStep& step) {
  HWY_DYNAMIC_DISPATCH(PredictorTarget)(family, point, step);
}
void CorrectorTarget(const UnitFamily& family, const InteriorPoint& point, const InteriorStep& from,
                     double target, const InteriorStep& step) {
  HWY_DYNAMIC_DISPATCH(CorrectorTarget)(family, point, from, target, step);
}
void CentralityTarget(const UnitFamily& family, const InteriorPoint& point,
                      const InteriorStep& from, double length, double least, double most,
                      const InteriorStep& step) {
  HWY_DYNAMIC_DISPATCH(CentralityTarget)(family, point, from, length, least, most, step);
}
void FinishStep(const UnitFamily& family, const InteriorPoint& point, const InteriorStep& step,
                InteriorSums* sums) {
  HWY_DYNAMIC_DISPATCH(FinishStep)(family, point, step, sums);
}

}  // namespace nonsmooth
#endif
