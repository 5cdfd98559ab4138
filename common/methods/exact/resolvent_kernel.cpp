// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled once per instruction set by Highway's foreach_target; the dispatch is at the end.
#include "common/methods/exact/resolvent_kernel.h"

#include <cstddef>
#include <type_traits>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/methods/exact/resolvent_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks for.
#include <hwy/highway.h>

#include "common/methods/exact/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// Resolves kLanes units with a normal. Coulomb's law, and the row by row ones: x_n = [y_n]₊, then
/// every part is projected on its disc or interval. Convexified: the projection of all on the cone
/// in the metric R, whose multiplier is a root of a concave function with a kink per part.
template <class Shape>
struct ResolventKernel {
  static constexpr int kRows = Shape::kRows;
  static constexpr int kParts = Shape::kParts;

  const Resolvent& in;
  std::ptrdiff_t first, first_part, first_matrix, stride;

  std::ptrdiff_t Row(int r) const { return first + stride * r; }

  static HWY_INLINE Lanes NormalOfCone(Lanes y_n, Lanes r_n, const Lanes* c, const Lanes* r_t,
                                       const Lanes* reach) {
    Lanes x = All(0);
    for (int pass = 0; pass <= kParts; ++pass) {
      Lanes top = y_n, bottom = All(1);
      for (int k = 0; k < kParts; ++k) {
        const Lanes q = c[k] * r_t[k] / r_n;
        const Mask beyond = Below(c[k] * x, reach[k]);
        top = top + Only(beyond, q * reach[k]);
        bottom = bottom + Only(beyond, c[k] * q);
      }
      x = Most(All(0), top / bottom);
    }
    return x;
  }

  void Run() const {
    Lanes y[kRows], d[kRows][kRows], n[kRows], r_t[kParts], c[kParts], reach[kParts];
    const Lanes r_n = Load(in.compliance + Row(0)) + Load(in.soft + Row(0));
    for (int r = 0; r < kRows; ++r) {
      const Lanes own = Load(in.compliance + Row(r)) + Load(in.soft + Row(r));
      y[r] = own;
      for (int j = 0; j < kRows; ++j) d[r][j] = All(0);
    }
    // One metric for a part, that of its first row; what differs from it acts at the centre.
    ForEachPart<Shape>([&](auto k) {
      constexpr int size = Shape::kSize[k], at = Shape::kAt[k];
      r_t[k] = y[at];
      c[k] = Load(in.coefficient + first_part + stride * k);
      for (int j = at; j < at + size; ++j) y[j] = r_t[k];
    });
    for (int r = 0; r < kRows; ++r) {
      const Lanes pull = (y[r] - Load(in.compliance + Row(r))) * Load(in.centre + Row(r));
      y[r] = (pull - Load(in.velocity + Row(r)) - Load(in.bias + Row(r))) / y[r];
    }
    ForEachPart<Shape>([&](auto k) {
      constexpr int size = Shape::kSize[k], at = Shape::kAt[k];
      Lanes square = y[at] * y[at];
      for (int j = at + 1; j < at + size; ++j) square = square + y[j] * y[j];
      reach[k] = Root(square);
      const Lanes inverse = Only(Below(All(0), reach[k]), All(1) / reach[k]);
      for (int j = at; j < at + size; ++j) n[j] = y[j] * inverse;
    });
    const Mask coulomb = Below(All(0.5), Load(in.shift + Row(0)));
    const Lanes zero = All(0);
    const Lanes x_n = Choose(coulomb, Most(zero, y[0]), NormalOfCone(y[0], r_n, c, r_t, reach));
    const Mask pushed = Below(zero, x_n);
    Lanes bottom = All(1);
    Store(x_n, in.x + Row(0));
    ForEachPart<Shape>([&](auto k) {
      const Mask slides = Below(c[k] * x_n, reach[k]);
      const Lanes q = c[k] * r_t[k] / r_n;
      bottom = bottom + Only(slides, Choose(coulomb, zero, c[k] * q));
    });
    const Lanes own = Only(pushed, All(1) / (r_n * bottom));
    d[0][0] = own;
    ForEachPart<Shape>([&](auto k) {
      constexpr int size = Shape::kSize[k], at = Shape::kAt[k];
      const Lanes radius = c[k] * x_n;
      const Mask slides = Below(radius, reach[k]);
      const Lanes shrink = Choose(slides, Only(Below(zero, reach[k]), radius / reach[k]), All(1));
      for (int j = at; j < at + size; ++j) {
        Store(shrink * y[j], in.x + Row(j));
        const Lanes along = Only(slides, c[k] * n[j] * own);
        d[j][0] = along;
        d[0][j] = Choose(coulomb, zero, along);
      }
      for (int i = at; i < at + size; ++i) {
        for (int j = at; j < at + size; ++j) {
          const Lanes identity = All(i == j ? 1 : 0);
          d[i][j] = Choose(slides, shrink * (identity - n[i] * n[j]), identity) / r_t[k];
        }
      }
    });
    // Convexified, parts that slide are coupled through the normal.
    ForEachPart<Shape>([&](auto k) {
      ForEachPart<Shape>([&](auto l) {
        for (int i = Shape::kAt[k]; i < Shape::kAt[k] + Shape::kSize[k]; ++i) {
          for (int j = Shape::kAt[l]; j < Shape::kAt[l] + Shape::kSize[l]; ++j) {
            const Lanes coupled = d[0][j] * Only(pushed, d[i][0] / own);
            d[i][j] = d[i][j] + coupled;
          }
        }
      });
    });
    if (in.matrix == nullptr) return;
    for (int r = 0; r < kRows; ++r) {
      for (int j = 0; j < kRows; ++j) {
        Store(d[r][j], in.matrix + first_matrix + stride * (r * kRows + j));
      }
    }
  }
};

template <class Shape>
void ResolveContacts(const UnitFamily& f, const Resolvent& in) {
  for (int i = 0; i < f.count; i += kLanes) {
    ResolventKernel<Shape>{in, f.first + i, f.first_part + i, f.first_matrix + i, f.stride}.Run();
  }
}

void ResolveLines(const UnitFamily& f, const Resolvent& in) {
  for (int i = f.first; i < f.first + f.count; i += kLanes) {
    const Lanes soft = Load(in.soft + i);
    const Lanes r = soft + Load(in.compliance + i);
    const Lanes y = (soft * Load(in.centre + i) - Load(in.velocity + i) - Load(in.bias + i)) / r;
    const Lanes l = Load(in.lower + i), u = Load(in.upper + i);
    const Mask outside = Either(Below(y, l), Below(u, y));
    Store(Least(Most(y, l), u), in.x + i);
    if (in.matrix != nullptr) {
      Store(Choose(outside, All(0), All(1) / r), in.matrix + f.first_matrix + (i - f.first));
    }
  }
}

void ResolveFamily(const UnitFamily& family, const Resolvent& in) {
  switch (family.kind) {
    case UnitKind::kLine:
      ResolveLines(family, in);
      break;
    case UnitKind::kDisc:
    case UnitKind::kPolygon:
      ResolveContacts<DiscShape>(family, in);
      break;
    case UnitKind::kBox2:
      ResolveContacts<Box2Shape>(family, in);
      break;
    case UnitKind::kRolling:
      ResolveContacts<RollingShape>(family, in);
      break;
    case UnitKind::kBox5:
      ResolveContacts<Box5Shape>(family, in);
      break;
  }
}

/// Energies of what has its own formula: lines, discs and boxes.
double FamilyEnergy(const UnitFamily& f, const UnitLayout& layout, const double* x,
                    const double* w) {
  Lanes sum = All(0);
  const Lanes zero = All(0);
  for (int i = 0; i < f.count; i += kLanes) {
    const std::ptrdiff_t at = f.first + i;
    const Lanes x_n = Load(x + at), y_n = x_n - Load(w + at);
    Lanes energy = zero;
    if (f.kind == UnitKind::kLine) {
      const Lanes l = Load(layout.lower().data() + at), u = Load(layout.upper().data() + at);
      const Lanes r = x_n - Least(Most(y_n, l), u);
      energy = r * r;
    } else if (f.kind == UnitKind::kDisc) {
      const Lanes c = Load(layout.coefficient().data() + f.first_part + i);
      const Lanes x_1 = Load(x + at + f.stride), x_2 = Load(x + at + 2 * f.stride);
      const Lanes w_1 = Load(w + at + f.stride), w_2 = Load(w + at + 2 * f.stride);
      const Lanes speed = Root(w_1 * w_1 + w_2 * w_2);
      const Lanes y_s = y_n - Load(layout.shift().data() + at) * c * speed;
      const Lanes y_1 = x_1 - w_1, y_2 = x_2 - w_2;
      const Lanes reach = Root(y_1 * y_1 + y_2 * y_2);
      const Mask outside = Below(c * y_s, reach);
      const Lanes edge = Most(zero, (y_s + c * reach) / (All(1) + c * c));
      const Lanes p_n = Choose(outside, edge, y_s);
      const Lanes shrink = Choose(outside, Only(Below(zero, reach), c * edge / reach), All(1));
      const Lanes r_n = x_n - p_n, r_1 = x_1 - shrink * y_1, r_2 = x_2 - shrink * y_2;
      energy = r_n * r_n + r_1 * r_1 + r_2 * r_2;
    } else {
      const Lanes r_n = x_n - Most(zero, y_n);
      energy = r_n * r_n;
      for (int k = 0; k < f.parts; ++k) {
        const std::ptrdiff_t row = at + std::ptrdiff_t{f.stride} * (k + 1);
        const Lanes bound =
            Load(layout.coefficient().data() + f.first_part + std::ptrdiff_t{f.stride} * k + i) *
            Most(zero, x_n);
        const Lanes x_k = Load(x + row);
        const Lanes r = x_k - Least(Most(x_k - Load(w + row), -bound), bound);
        energy = energy + r * r;
      }
    }
    sum = sum + Only(There(i, f.count), energy);
  }
  return 0.5 * Sum(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nonsmooth {

HWY_EXPORT(ResolveFamily);
HWY_EXPORT(FamilyEnergy);

void Resolve(const UnitFamily& family, const UnitLayout& layout, const Resolvent& resolvent) {
  if (family.kind == UnitKind::kPolygon) {
    ResolvePolygons(family, layout, resolvent);
  } else {
    HWY_DYNAMIC_DISPATCH(ResolveFamily)(family, resolvent);
  }
}

double UnitEnergy(const UnitFamily& family, const UnitLayout& layout, const double* x,
                  const double* w) {
  if (family.kind == UnitKind::kRolling || family.kind == UnitKind::kPolygon) {
    return UnitEnergyBySet(family, layout, x, w);
  }
  return HWY_DYNAMIC_DISPATCH(FamilyEnergy)(family, layout, x, w);
}

}  // namespace nonsmooth
#endif
