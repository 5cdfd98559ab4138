// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "unit_layout.h"

namespace nonsmooth {

/// The resolvent of the law about a centre x_k and its derivative, see newton_phase.h. Vectors as
/// laid out in unit_layout.h.
struct Resolvent {
  const double* bias = nullptr;
  const double* compliance = nullptr;
  const double* coefficient = nullptr;
  const double* lower = nullptr;
  const double* upper = nullptr;
  const double* shift = nullptr;
  const double* soft = nullptr;      ///< 1/α row by row
  const double* centre = nullptr;    ///< x_k
  const double* velocity = nullptr;  ///< q, w without b and C x
  double* x = nullptr;               ///< x(q)
  double* matrix = nullptr;          ///< D = −∂x/∂q; null: not wanted
};

/// x and D of a family.
void Resolve(const UnitFamily& family, const UnitLayout& layout, const Resolvent& resolvent);

/// ½ ‖x − Π(x − ŵ)‖², the energy error of a family with w = A x + b.
double UnitEnergy(const UnitFamily& family, const UnitLayout& layout, const double* x,
                  const double* w);

/// Polygons, one by one (resolvent_polygon.cpp).
void ResolvePolygons(const UnitFamily& family, const UnitLayout& layout,
                     const Resolvent& resolvent);

/// Any kind, one by one, by FeasibleSet.
double UnitEnergyBySet(const UnitFamily& family, const UnitLayout& layout, const double* x,
                       const double* w);

}  // namespace nonsmooth
