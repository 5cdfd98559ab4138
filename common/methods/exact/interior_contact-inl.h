// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// The interior point kernel of units with a normal and parts. Included once per instruction set;
// the toggle below is Highway's way of an include guard.
#if defined(NONSMOOTH_INTERIOR_CONTACT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NONSMOOTH_INTERIOR_CONTACT_INL_H
#undef NONSMOOTH_INTERIOR_CONTACT_INL_H
#else
#define NONSMOOTH_INTERIOR_CONTACT_INL_H
#endif

#include "interior_kernel.h"
#include "lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

/// Where the numbers of kLanes units stand.
struct At {
  const UnitFamily& family;
  int i;
  std::ptrdiff_t row(int r) const { return family.first + std::ptrdiff_t{family.stride} * r + i; }
  std::ptrdiff_t part(int k) const {
    return family.first_part + std::ptrdiff_t{family.stride} * k + i;
  }
  std::ptrdiff_t entry(int r, int c) const {
    return family.first_matrix + std::ptrdiff_t{family.stride} * (r * family.rows + c) + i;
  }
  Mask there() const { return There(i, family.count); }
};

template <class F>
HWY_INLINE void ForEachLanes(const UnitFamily& family, F&& f) {
  for (int i = 0; i < family.count; i += kLanes) f(At{family, i});
}

/// Components of part k, the first from `zeroth`, the others from `rows`.
template <class Shape, int k>
HWY_INLINE auto LoadPart(const At& at, const double* zeroth, const double* rows) {
  Conic<Shape::kSize[k]> u;
  u.at[0] = Load(zeroth + at.part(k));
  for (int j = 0; j < Shape::kSize[k]; ++j) u.at[1 + j] = Load(rows + at.row(Shape::kAt[k] + j));
  return u;
}

template <class Shape, int k, class U>
HWY_INLINE void StorePart(const U& u, const At& at, double* zeroth, double* rows) {
  Store(u.at[0], zeroth + at.part(k));
  for (int j = 0; j < Shape::kSize[k]; ++j) Store(u.at[1 + j], rows + at.row(Shape::kAt[k] + j));
}

/// T x of part k: (c x_n, x_k).
template <class Shape, int k>
HWY_INLINE auto Slack(const At& at, const double* coefficient, const double* x) {
  Conic<Shape::kSize[k]> u;
  u.at[0] = Load(coefficient + at.part(k)) * Load(x + at.row(0));
  for (int j = 0; j < Shape::kSize[k]; ++j) u.at[1 + j] = Load(x + at.row(Shape::kAt[k] + j));
  return u;
}

template <class Shape, int k>
HWY_INLINE auto LoadScaling(const At& at, const InteriorPoint& p) {
  Scaling<Shape::kSize[k]> scaling;
  scaling.eta = Load(p.eta + at.part(k));
  scaling.point = LoadPart<Shape, k>(at, p.point_0, p.point);
  return scaling;
}

/// y ← (K + P C)⁻¹ (Tᵀ t − r)
template <int n>
HWY_INLINE void StoreRight(const At& at, const InteriorPoint& p, Lanes g[n]) {
  for (int r = 0; r < n; ++r) g[r] = g[r] - Load(p.residual + at.row(r));
  for (int r = 0; r < n; ++r) {
    Lanes sum = Load(p.inverse + at.entry(r, 0)) * g[0];
    for (int c = 1; c < n; ++c) sum = sum + Load(p.inverse + at.entry(r, c)) * g[c];
    Store(sum, p.right + at.row(r));
  }
}

template <class Shape>
struct ContactKernel {
  static void Start(const At& at, const InteriorPoint& p, Lanes tau) {
    const Lanes y_n = -Load(p.bias + at.row(0));
    Lanes x_n = All(0);
    ForEachPart<Shape>([&](auto k) {
      // The root of s² − p s = τ on eigenvalues: s − z = p, s∘z = τ e.
      constexpr int n = Shape::kSize[k];
      const Lanes c = Load(p.coefficient + at.part(k));
      Conic<n> y;
      y.at[0] = Choose(Below(All(0), y_n), c * y_n, y_n / c);
      for (int j = 1; j <= n; ++j) y.at[j] = -Load(p.bias + at.row(Shape::kAt[k] + j - 1));
      const Lanes tail = Root(DotTail(y, y));
      const auto root = [&](Lanes e) { return Root(e * e * All(0.25) + tau); };
      const Lanes plus = root(y.at[0] + tail), minus = root(y.at[0] - tail);
      const Lanes middle = All(0.5) * (plus + minus);
      const Lanes slope = Only(Below(All(0), tail), All(0.5) * (plus - minus) / tail);
      Conic<n> s, z;
      s.at[0] = middle + All(0.5) * y.at[0];
      z.at[0] = middle - All(0.5) * y.at[0];
      for (int j = 1; j <= n; ++j) {
        s.at[j] = (slope + All(0.5)) * y.at[j];
        z.at[j] = (slope - All(0.5)) * y.at[j];
        Store(s.at[j], p.x + at.row(Shape::kAt[k] + j - 1));
      }
      StorePart<Shape, k>(z, at, p.z_0, p.z);
      x_n = Most(x_n, s.at[0] / c);
    });
    Store(x_n, p.x + at.row(0));
  }

  static void Residual(const At& at, const InteriorPoint& p, Lanes* gap) {
    const Lanes shift = Load(p.shift + at.row(0));
    Lanes normal = Load(p.w + at.row(0));
    Lanes products = All(0);
    ForEachPart<Shape>([&](auto k) {
      constexpr int n = Shape::kSize[k];
      const Lanes c = Load(p.coefficient + at.part(k));
      const Conic<n> s = Slack<Shape, k>(at, p.coefficient, p.x);
      const Conic<n> z = LoadPart<Shape, k>(at, p.z_0, p.z);
      Conic<n> w;
      for (int j = 1; j <= n; ++j) w.at[j] = Load(p.w + at.row(Shape::kAt[k] + j - 1));
      const Lanes speed = Root(DotTail(w, w));
      const Lanes slope = Only(Below(All(0), speed), All(p.shift_share) * shift * c / speed);
      for (int j = 1; j <= n; ++j) {
        const std::ptrdiff_t row = at.row(Shape::kAt[k] + j - 1);
        Store(slope * w.at[j], p.gradient + row);
        Store(w.at[j] - z.at[j], p.residual + row);
      }
      normal = normal + shift * c * speed - c * z.at[0];
      products = products + Dot(s, z);
    });
    Store(normal, p.residual + at.row(0));
    *gap = *gap + Only(at.there(), products);
  }

  static void Scale(const At& at, const InteriorPoint& p) {
    constexpr int n = Shape::kRows;
    Lanes m[n][n];
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) m[r][c] = All(r == c ? p.proximal : 0);
    }
    ForEachPart<Shape>([&](auto k) {
      constexpr int size = Shape::kSize[k];
      constexpr int first = Shape::kAt[k];
      const Lanes c = Load(p.coefficient + at.part(k));
      Scaling<size> scaling;
      scaling.Reset(Slack<Shape, k>(at, p.coefficient, p.x), LoadPart<Shape, k>(at, p.z_0, p.z));
      Store(scaling.eta, p.eta + at.part(k));
      StorePart<Shape, k>(scaling.point, at, p.point_0, p.point);
      // W⁻² = η⁻² (2 (Jŵ)(Jŵ)ᵀ − J)
      const Lanes factor = All(1) / (scaling.eta * scaling.eta);
      const Conic<size>& u = scaling.point;
      m[0][0] = m[0][0] + c * c * factor * (All(2) * u.at[0] * u.at[0] - All(1));
      for (int i = 0; i < size; ++i) {
        const Lanes coupled = -(c * factor * All(2) * u.at[0] * u.at[1 + i]);
        m[0][first + i] = coupled;
        m[first + i][0] = coupled;
        for (int j = 0; j < size; ++j) {
          const Lanes value = factor * (All(2) * u.at[1 + i] * u.at[1 + j] + All(i == j ? 1 : 0));
          m[first + i][first + j] = m[first + i][first + j] + value;
        }
      }
    });
    Lanes gradient[n];
    for (int r = 0; r < n; ++r) {
      const Lanes compliance = Load(p.compliance + at.row(r));
      gradient[r] = r == 0 ? All(0) : Load(p.gradient + at.row(r));
      m[0][r] = m[0][r] + gradient[r] * compliance;
      m[r][r] = m[r][r] + compliance;
    }
    Invert<n>(m);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        Store(m[r][c], p.inverse + at.entry(r, c));
        Store(m[r][c] + m[r][0] * gradient[c], p.matrix + at.entry(r, c));
      }
    }
  }

  /// Stores t of every part, given by `make(k, scaling, λ)`, and y.
  template <class Make>
  HWY_INLINE static void Target(const At& at, const InteriorPoint& p, const InteriorStep& step,
                                Make&& make) {
    Lanes g[Shape::kRows];
    g[0] = All(0);
    ForEachPart<Shape>([&](auto k) {
      const Conic<Shape::kSize[k]> t = make(k);
      StorePart<Shape, k>(t, at, step.target_0, step.target);
      g[0] = g[0] + Load(p.coefficient + at.part(k)) * t.at[0];
      for (int j = 1; j <= Shape::kSize[k]; ++j) g[Shape::kAt[k] + j - 1] = t.at[j];
    });
    StoreRight<Shape::kRows>(at, p, g);
  }

  static void Predictor(const At& at, const InteriorPoint& p, const InteriorStep& step) {
    Target(at, p, step, [&](auto k) {
      auto t = LoadPart<Shape, k>(at, p.z_0, p.z);
      for (auto& component : t.at) component = -component;
      return t;
    });
  }

  static void Corrector(const At& at, const InteriorPoint& p, const InteriorStep& from,
                        double target, const InteriorStep& step) {
    Target(at, p, step, [&](auto k) {
      constexpr int n = Shape::kSize[k];
      const Scaling<n> scaling = LoadScaling<Shape, k>(at, p);
      const Conic<n> z = LoadPart<Shape, k>(at, p.z_0, p.z);
      const Conic<n> ds = scaling.ApplyInverse(Slack<Shape, k>(at, p.coefficient, from.dx));
      const Conic<n> dz = scaling.Apply(LoadPart<Shape, k>(at, from.dz_0, from.dz));
      Conic<n> r = Product(ds, dz);
      for (int j = 0; j <= n; ++j) r.at[j] = All(j == 0 ? target : 0) - r.at[j];
      return Along(scaling.ApplyInverse(Quotient(scaling.Apply(z), r)), All(-1), z);
    });
  }

  static void Centrality(const At& at, const InteriorPoint& p, const InteriorStep& from,
                         double length, double least, double most, const InteriorStep& step) {
    Target(at, p, step, [&](auto k) {
      constexpr int n = Shape::kSize[k];
      const Scaling<n> scaling = LoadScaling<Shape, k>(at, p);
      const Conic<n> z = LoadPart<Shape, k>(at, p.z_0, p.z);
      const Conic<n> s_after = Along(Slack<Shape, k>(at, p.coefficient, p.x), All(length),
                                     Slack<Shape, k>(at, p.coefficient, from.dx));
      const Conic<n> z_after = Along(z, All(length), LoadPart<Shape, k>(at, from.dz_0, from.dz));
      const Conic<n> v = Product(scaling.ApplyInverse(s_after), scaling.Apply(z_after));
      const Conic<n> wanted = Along(Clamped(v, All(least), All(most)), All(-1), v);
      const Conic<n> r = Clamped(wanted, All(-most), All(1e300));
      const Conic<n> old = LoadPart<Shape, k>(at, from.target_0, from.target);
      return Along(old, All(1), scaling.ApplyInverse(Quotient(scaling.Apply(z), r)));
    });
  }

  static void Finish(const At& at, const InteriorPoint& p, const InteriorStep& step, Lanes* linear,
                     Lanes* square, Lanes* length) {
    const Lanes rho = All(p.proximal);
    Lanes normal = Load(p.residual + at.row(0)) + rho * Load(step.dx + at.row(0));
    for (int r = 0; r < Shape::kRows; ++r) {
      const Lanes dx = Load(step.dx + at.row(r));
      const Lanes dw = Load(step.dw + at.row(r)) + Load(p.compliance + at.row(r)) * dx;
      Store(dw, step.dw + at.row(r));
      if (r == 0) {
        normal = normal + dw;
      } else {
        normal = normal + Load(p.gradient + at.row(r)) * dw;
        Store(dw + Load(p.residual + at.row(r)) + rho * dx, step.dz + at.row(r));
      }
    }
    // What Tᵀ dz has to be is met exactly; several parts share it as their own equations say.
    Lanes missing = normal, weights = All(0);
    Lanes zeroth[Shape::kParts], weight[Shape::kParts];
    ForEachPart<Shape>([&](auto k) {
      constexpr int n = Shape::kSize[k];
      const Lanes c = Load(p.coefficient + at.part(k));
      const Scaling<n> scaling = LoadScaling<Shape, k>(at, p);
      const Conic<n>& u = scaling.point;
      const Lanes factor = All(1) / (scaling.eta * scaling.eta);
      const Conic<n> ds = Slack<Shape, k>(at, p.coefficient, step.dx);
      const Lanes own = factor * (All(2) * u.at[0] * u.at[0] - All(1));
      zeroth[k] = Load(step.target_0 + at.part(k)) - own * ds.at[0] +
                  factor * All(2) * u.at[0] * DotTail(u, ds);
      weight[k] = c * own;
      missing = missing - c * zeroth[k];
      weights = weights + c * weight[k];
    });
    const Mask there = at.there();
    ForEachPart<Shape>([&](auto k) {
      constexpr int n = Shape::kSize[k];
      Store(zeroth[k] + missing * weight[k] / weights, step.dz_0 + at.part(k));
      const Conic<n> s = Slack<Shape, k>(at, p.coefficient, p.x);
      const Conic<n> z = LoadPart<Shape, k>(at, p.z_0, p.z);
      const Conic<n> ds = Slack<Shape, k>(at, p.coefficient, step.dx);
      const Conic<n> dz = LoadPart<Shape, k>(at, step.dz_0, step.dz);
      *linear = *linear + Only(there, Dot(s, dz) + Dot(z, ds));
      *square = *square + Only(there, Dot(ds, dz));
      *length =
          Least(*length, Choose(there, Least(LongestStep(s, ds), LongestStep(z, dz)), All(1e300)));
    });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#endif
