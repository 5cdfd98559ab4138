// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../law/feasible_set.h"

namespace nonsmooth {

/// What a contact does, told from the branch of the natural map that (x, w) lies on, so that
/// rounding does not decide: detached where x_n − ν/a_n ≤ 0, sliding where x_t − w_t/a_t lies
/// outside what friction allows at x_n, sticking otherwise. A contact without tangents has nothing
/// to stick with: it slides.
enum class ContactState : std::uint8_t { kDetached, kSticking, kSliding };

/// The errors of Y. Lu, J. Williams, C. Lacoursière, J. Trinkle, "Standard interface for data
/// analysis of solvers in multibody dynamics", section 5, docs/error_measures.md Eqs. (12)–(15).
///
/// The direction error deviates: the paper's λ_fᵀ v_f is not zero at a solution, where friction
/// opposes sliding. The bound it meets there is −(gauge of x_t)(sliding speed), which for a disc is
/// −‖x_t‖‖w_t‖; what is above that bound is the error.
struct LuErrors {
  double total = 0;  ///< ½ φᵀφ over all constraints, φ of MeasureFischerBurmeister()
  double normal = 0;  ///< Σ of the function of 0 ≤ x_n ⊥ ν ≥ 0, rows of other groups left out
  double magnitude = 0;  ///< Σ |s σ| [J], σ = μ x_n − (gauge of x_t)
  double direction = 0;  ///< Σ x_t·w_t + (gauge of x_t) s [J], ≥ 0
  int detached = 0;      ///< number of contacts in each state
  int sticking = 0;
  int sliding = 0;

  double friction() const { return magnitude + direction; }
};

/// The part of one contact.
struct LuContactErrors {
  int group = 0;  ///< its index in Problem::groups()
  double total = 0;
  double normal = 0;
  double magnitude = 0;
  double direction = 0;
  ContactState state = ContactState::kDetached;
};

/// Measures (x, w) under the law of `set`. Spinning and rolling friction count as friction; under
/// `box` and `coupled_box` every axis is a friction of its own. `per_contact`, if not null, gets
/// one entry a contact in the order of the groups.
LuErrors MeasureLu(const FeasibleSet& set, const double* x, const double* w,
                   std::vector<LuContactErrors>* per_contact = nullptr);

}  // namespace nonsmooth
