// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/minmap_newton.h"

namespace nonsmooth {

OptionFields MinmapNewtonSolver::Options() {
  OptionFields fields;
  SemismoothNewton::AddFields(options_, fields);
  return fields;
}

void MinmapNewtonSolver::Prepare(const FeasibleSet& set) {
  newton_.Prepare(set, NewtonMapKind::kJeanMoreau);
}

void MinmapNewtonSolver::Run(std::vector<double>& x, Monitor& monitor) {
  newton_.Run(options_, x, monitor);
}

}  // namespace nonsmooth
