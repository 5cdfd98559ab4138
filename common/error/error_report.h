// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "complementarity_errors.h"
#include "energy_error.h"
#include "fclib_error.h"
#include "lu_errors.h"

namespace nonsmooth {

/// Every measure of one (problem, law, x), docs/error_measures.md. Only the energy error is in one
/// unit; the others are here so that results compare with other people's.
struct ErrorReport {
  EnergyError energy;
  ConstraintError natural;
  ConstraintError fischer_burmeister;
  ConstraintError penalised_fischer_burmeister;  ///< λ = kDefaultPenalty
  LuErrors lu;
  FclibError fclib;
};

/// The same constraint by constraint. Reused from call to call.
struct ErrorDetail {
  std::vector<double> energy;              ///< δe_i [J] of every row
  std::vector<double> natural;             ///< of every row, see ConstraintError
  std::vector<double> fischer_burmeister;  ///< of every row
  std::vector<double> penalised_fischer_burmeister;
  std::vector<LuContactErrors> lu;  ///< of every contact
  std::vector<double> fclib;        ///< ‖F‖₂ of every group
};

/// All measures of x and w = A x + b, `rows()` entries each, under the law of `set`.
ErrorReport MeasureErrors(const FeasibleSet& set, const double* x, const double* w,
                          ErrorDetail* detail = nullptr);

}  // namespace nonsmooth
