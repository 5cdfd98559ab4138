// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/sweep/tree_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/sweep/tree_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kTreeBlock>;
using V = hn::Vec<D>;

HWY_INLINE V DotBlock(const double* value, const double* z, V sum) {
  const D d;
  for (std::size_t k = 0; k < kTreeBlock; k += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::LoadU(d, value + k), hn::LoadU(d, z + k), sum);
  }
  return sum;
}

HWY_INLINE double Dot(const int* block, int blocks, const double* value, const double* z) {
  const D d;
  // Two sums that do not wait for each other.
  V even = hn::Zero(d);
  V odd = hn::Zero(d);
  int b = 0;
  for (; b + 1 < blocks; b += 2, value += 2 * kTreeBlock) {
    even = DotBlock(value, z + block[b], even);
    odd = DotBlock(value + kTreeBlock, z + block[b + 1], odd);
  }
  if (b < blocks) even = DotBlock(value, z + block[b], even);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

HWY_INLINE void AddScaled(const int* block, int blocks, const double* value, double factor,
                          double* z) {
  const D d;
  const V f = hn::Set(d, factor);
  for (int b = 0; b < blocks; ++b, value += kTreeBlock) {
    double* at = z + block[b];
    for (std::size_t k = 0; k < kTreeBlock; k += hn::Lanes(d)) {
      hn::StoreU(hn::MulAdd(hn::LoadU(d, value + k), f, hn::LoadU(d, at + k)), d, at + k);
    }
  }
}

HWY_INLINE double Velocity(const TreeView& view, const TreeGroup& group, int i) {
  const int row = group.first_row + i;
  const double* value =
      view.value + group.first_value + static_cast<std::ptrdiff_t>(i) * kTreeBlock * group.blocks;
  return view.rows[row].bias + view.rows[row].compliance * view.x[row] +
         Dot(view.block + group.first_block, group.blocks, value, view.z);
}

HWY_INLINE void AddImpulse(const TreeView& view, const TreeGroup& group, int i, double impulse) {
  const double* value =
      view.value + group.first_value + static_cast<std::ptrdiff_t>(i) * kTreeBlock * group.blocks;
  AddScaled(view.block + group.first_block, group.blocks, value, impulse, view.z);
}

/// Row by row: each row sees what the rows before it have just become.
HWY_INLINE void RelaxRows(const TreeView& view, const TreeGroup& group, double relaxation) {
  for (int i = 0; i < group.rows; ++i) {
    const TreeRow& row = view.rows[group.first_row + i];
    if (row.inverse_weight == 0) continue;
    double& x = view.x[group.first_row + i];
    const double share = row.normal >= 0 ? std::max(0.0, view.x[row.normal]) : 1.0;
    const double free = x - relaxation * row.inverse_weight * Velocity(view, group, i);
    // Written so that a number that is none stays one.
    const double lower = row.lower * share;
    const double upper = row.upper * share;
    const double after = free < lower ? lower : free > upper ? upper : free;
    const double change = after - x;
    x = after;
    if (change != 0) AddImpulse(view, group, i, change);
  }
}

/// Coulomb's law without De Saxcé's term: 0 ≤ x_n ⊥ w_n ≥ 0 by itself, then x_t against w_t on the
/// disc of radius μ x_n. Fixed points are the same as those of a step on the cone; each row sees
/// what the normal has just become, and no bound on how all three are coupled shortens the step.
HWY_INLINE void RelaxCoulomb(const TreeView& view, const TreeGroup& group, double relaxation) {
  const TreeRow* rows = view.rows + group.first_row;
  double* x = view.x + group.first_row;
  const double free = x[0] - relaxation * rows[0].inverse_weight * Velocity(view, group, 0);
  const double normal = free < 0 ? 0 : free;  // a NaN stays one
  if (normal != x[0]) AddImpulse(view, group, 0, normal - x[0]);
  x[0] = normal;
  const double radius = group.friction * normal;
  if (radius == 0 && x[1] == 0 && x[2] == 0) return;
  const double step = relaxation * group.step * rows[1].inverse_weight;
  double first = x[1] - step * Velocity(view, group, 1);
  double second = x[2] - step * Velocity(view, group, 2);
  const double square = first * first + second * second;
  if (square > radius * radius) {
    const double scale = radius / std::sqrt(square);
    first *= scale;
    second *= scale;
  }
  const double change[2] = {first - x[1], second - x[2]};
  x[1] = first;
  x[2] = second;
  for (int i = 0; i < 2; ++i) {
    if (change[i] != 0) AddImpulse(view, group, 1 + i, change[i]);
  }
}

HWY_INLINE void RelaxCone(const TreeView& view, int g, double relaxation) {
  const TreeGroup& group = view.groups[g];
  const TreeRow* rows = view.rows + group.first_row;
  double* x = view.x + group.first_row;
  double w[kMostGroupRows];
  double before[kMostGroupRows];
  for (int i = 0; i < group.rows; ++i) {
    before[i] = x[i];
    w[i] = Velocity(view, group, i);
  }
  view.set->AddShift(g, w);
  for (int i = 0; i < group.rows; ++i) {
    x[i] -= relaxation * group.step * rows[i].inverse_weight * w[i];
  }
  view.set->Project(g, x);
  for (int i = 0; i < group.rows; ++i) {
    if (x[i] != before[i]) AddImpulse(view, group, i, x[i] - before[i]);
  }
}

void Relax(const TreeView& view, int first, int count, int stride, double relaxation) {
  for (int k = 0; k < count; ++k, first += stride) {
    const TreeGroup& group = view.groups[first];
    switch (group.set) {
      case TreeSet::kRows:
        RelaxRows(view, group, relaxation);
        break;
      case TreeSet::kCoulomb:
        RelaxCoulomb(view, group, relaxation);
        break;
      case TreeSet::kOther:
        RelaxCone(view, first, relaxation);
        break;
    }
  }
}

void Velocities(const TreeView& view, int groups, double* w) {
  for (int g = 0; g < groups; ++g) {
    const TreeGroup& group = view.groups[g];
    for (int i = 0; i < group.rows; ++i) w[group.first_row + i] = Velocity(view, group, i);
  }
}

void AddImpulses(const TreeView& view, int groups) {
  for (int g = 0; g < groups; ++g) {
    const TreeGroup& group = view.groups[g];
    for (int i = 0; i < group.rows; ++i) {
      const double x = view.x[group.first_row + i];
      if (x != 0) AddImpulse(view, group, i, x);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(Relax);
HWY_EXPORT(Velocities);
HWY_EXPORT(AddImpulses);

void RelaxTrees(const TreeView& view, int first, int count, int stride, double relaxation) {
  HWY_DYNAMIC_DISPATCH(Relax)(view, first, count, stride, relaxation);
}

void TreeVelocities(const TreeView& view, int groups, double* w) {
  HWY_DYNAMIC_DISPATCH(Velocities)(view, groups, w);
}

void AddTreeImpulses(const TreeView& view, int groups) {
  HWY_DYNAMIC_DISPATCH(AddImpulses)(view, groups);
}

}  // namespace nonsmooth
#endif  // HWY_ONCE
