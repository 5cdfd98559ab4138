// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace nonsmooth {

/// How the rows of a contact are tied together. The same rows can be solved under any of them; the
/// definitions are Eqs. (8)–(13) of docs/problem.md.
enum class LawKind {
  kNative,      ///< whatever the engine posed: the law stored with each contact
  kBox,         ///< |x_t,i| ≤ μ x̄_n with a frozen normal impulse x̄_n (Enzenhöfer et al.)
  kCoupledBox,  ///< |x_t,i| ≤ μ x_n, axis by axis (Bullet)
  kPyramid,     ///< x_t in a regular k-gon of radius μ x_n (Stewart–Trinkle; Lu et al., Eq. 8)
  kCcp,  ///< ‖x_t‖ ≤ μ x_n, convexified: w in the dual cone (Anitescu–Tasora; Chrono)
  kNcp,  ///< ‖x_t‖ ≤ μ x_n, Coulomb's law exactly, by De Saxcé's term μ‖w_t‖
};

/// Of a pyramid. With so many a k-gon differs from the disc by five millionths; some measures look
/// at every vertex.
inline constexpr int kFewestFacets = 3;
inline constexpr int kMostFacets = 1024;

struct Law {
  LawKind kind = LawKind::kNative;
  int facets = 0;  ///< k of `pyramid`, kFewestFacets to kMostFacets; unused otherwise

  friend bool operator==(const Law& a, const Law& b) {
    return a.kind == b.kind && (a.kind != LawKind::kPyramid || a.facets == b.facets);
  }
  friend bool operator!=(const Law& a, const Law& b) { return !(a == b); }
};

/// Reads `native`, `box`, `coupled_box`, `pyramid:K`, `ccp` or `ncp`; `pyramid` alone is
/// `pyramid:8`. Throws std::invalid_argument naming what it got and what it takes.
Law ParseLaw(std::string_view text);

/// False for a pyramid with too few or too many facets.
bool HasValidFacets(const Law& law);

/// The inverse of ParseLaw.
std::string ToString(const Law& law);

/// `box`, `coupled_box`, … without the number of facets.
std::string_view ToString(LawKind kind);

}  // namespace nonsmooth
