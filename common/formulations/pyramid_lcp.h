// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lcp.h"

namespace nonsmooth {

/// The LCP with a discretised friction cone, Lu et al., Eq. 19 (Stewart and Trinkle; Anitescu and
/// Potra): per contact the normal impulse p_n, k facet impulses α ≥ 0 and the sliding speed s,
///
///     ⎡ G_nᵀM⁻¹G_n  G_nᵀM⁻¹G_d  0 ⎤ ⎡p_n⎤
///     ⎢ G_dᵀM⁻¹G_n  G_dᵀM⁻¹G_d  E ⎥ ⎢ α ⎥ + b,     x_n = p_n,   x_t = D α.
///     ⎣     U          −Eᵀ      0 ⎦ ⎣ s ⎦
///
/// M is copositive for every μ ≥ 0, so that Lemke's method ends at a solution.
///
/// - `pyramid:k`: k facets on two tangents; a single row (planar contact, spinning) has two.
/// - `coupled_box`: every axis has two facets and an s of its own.
/// - `box`, equality and box rows: LcpMapBuilder::AddRowwise().
///
/// Deviations: equality rows are kept as free variables (the paper's M has only contacts);
/// `disc_facets` stand in for a disc, which under `pyramid` is rolling friction about two axes:
/// that is an approximation, all else is exact. Throws std::invalid_argument if a contact is under
/// `ccp` or `ncp`, whose cones no LCP can state.
LcpMap PyramidLcp(const FeasibleSet& set, int disc_facets = 16);

}  // namespace nonsmooth
