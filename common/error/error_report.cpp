// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/error_report.h"

namespace nonsmooth {

ErrorReport MeasureErrors(const FeasibleSet& set, const double* x, const double* w,
                          ErrorDetail* detail) {
  const Problem& problem = set.problem();
  const auto sized = [](std::vector<double>& values, std::size_t size) {
    values.resize(size);
    return values.data();
  };
  double* energy = nullptr;
  double* natural = nullptr;
  double* plain = nullptr;
  double* penalised = nullptr;
  double* fclib = nullptr;
  if (detail != nullptr) {
    const auto rows = static_cast<std::size_t>(problem.rows());
    energy = sized(detail->energy, rows);
    natural = sized(detail->natural, rows);
    plain = sized(detail->fischer_burmeister, rows);
    penalised = sized(detail->penalised_fischer_burmeister, rows);
    fclib = sized(detail->fclib, problem.groups().size());
  }
  ErrorReport report;
  report.energy = MeasureEnergy(set, FreeEnergy(set), x, w, energy);
  report.natural = MeasureNaturalResidual(set, x, w, natural);
  report.fischer_burmeister = MeasureFischerBurmeister(set, x, w, 1, plain);
  report.penalised_fischer_burmeister =
      MeasureFischerBurmeister(set, x, w, kDefaultPenalty, penalised);
  report.lu = MeasureLu(set, x, w, detail != nullptr ? &detail->lu : nullptr);
  report.fclib = MeasureFclib(problem, x, w, fclib);
  return report;
}

}  // namespace nonsmooth
