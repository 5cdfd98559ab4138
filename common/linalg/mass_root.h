// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../problem/two_body_dynamics.h"

namespace nonsmooth {

/// L of a body with M⁻¹ = L Lᵀ: the root per axis of the linear part and the lower triangle by
/// Cholesky of the angular one.
struct MassRoot {
  double linear[3] = {0, 0, 0};
  double angular[6] = {0, 0, 0, 0, 0, 0};  ///< 00, 10, 11, 20, 21, 22
  bool movable = false;
  bool isotropic = true;  ///< the same inverse mass along all axes
};

MassRoot RootOf(const Body& body);

/// out ← the angular part j of a row times L.
inline void TimesRoot(const MassRoot& root, const double* j, double* out) {
  const double* l = root.angular;
  out[0] = j[0] * l[0] + j[1] * l[1] + j[2] * l[3];
  out[1] = j[1] * l[2] + j[2] * l[4];
  out[2] = j[2] * l[5];
}

/// out ← a row's six entries on a body times L.
inline void TimesWholeRoot(const MassRoot& root, const double* j, double* out) {
  for (int k = 0; k < 3; ++k) out[k] = root.linear[k] * j[k];
  TimesRoot(root, j + 3, out + 3);
}

}  // namespace nonsmooth
