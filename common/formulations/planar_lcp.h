// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../problem/problem.h"
#include "lcp.h"

namespace nonsmooth {

/// The LCP of k planar contacts, of dimension 3k: Ch. Glocker, C. Studer, "Formulation and
/// preparation for numerical evaluation of linear complementarity systems in dynamics", Eqs. 27
/// and 33, with x = (Λ_N, Λ_R, ξ_L), y = (ξ_N, ξ_R, Λ_L) and Λ_R = μ Λ_N + Λ_T:
///
///     ⎡ W_NᵀM⁻¹(W_N − W_T μ)  W_NᵀM⁻¹W_T  0 ⎤
///     ⎢ W_TᵀM⁻¹(W_N − W_T μ)  W_TᵀM⁻¹W_T  E ⎥.
///     ⎣         2 μ               −E      0 ⎦
///
/// Contacts with one tangent under `pyramid`, `ncp` or `coupled_box` are such; under `coupled_box`
/// every further axis has a Λ_R and ξ_L of its own. Spinning friction is one axis more. Smaller
/// than PyramidLcp() by one variable an axis, but M is not copositive where μ is large: Lemke's
/// method may end on a ray. Equality and box rows, and law `box`, as there.
///
/// Throws std::invalid_argument for contacts with a polygon or a disc of two rows.
LcpMap PlanarLcp(const FeasibleSet& set);

/// One step of the paper's time stepping, Eq. 17: what Problem does not know is the velocity
/// before, γ^A, on which the impact law ξ = γ^E + ε γ^A (Eq. 11, Newton's) depends.
struct PlanarImpact {
  int velocities = 0;            ///< f
  std::vector<double> mass;      ///< M, f × f, row-major
  std::vector<double> velocity;  ///< u^A
  std::vector<double> impulse;   ///< h Δt

  struct Contact {
    std::vector<double> normal;      ///< w_N, f entries
    std::vector<double> tangent;     ///< w_T
    double normal_speed = 0;         ///< ŵ_N
    double tangent_speed = 0;        ///< ŵ_T
    double normal_restitution = 0;   ///< ε_N in [0, 1]
    double tangent_restitution = 0;  ///< ε_T in [0, 1]
    double friction = 0;             ///< μ
  };
  std::vector<Contact> contacts;
};

/// The problem whose w is ξ: rows (ξ_N, ξ_T) contact by contact, law `coupled_box`, with
/// b₀ = ŵ + ε γ^A. Any solver takes it; PlanarLcp() makes Eq. 33 of it. Throws
/// std::invalid_argument naming field, index and rule.
Problem MakePlanarProblem(const PlanarImpact& impact);

}  // namespace nonsmooth
