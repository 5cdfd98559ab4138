// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/fischer_newton.h"

namespace nonsmooth {

OptionFields FischerNewtonSolver::Options() {
  OptionFields fields;
  SemismoothNewton::AddFields(options_, fields);
  return fields;
}

void FischerNewtonSolver::Prepare(const FeasibleSet& set) {
  newton_.Prepare(set, NewtonMapKind::kFischer);
}

void FischerNewtonSolver::Run(std::vector<double>& x, Monitor& monitor) {
  newton_.Run(options_, x, monitor);
}

}  // namespace nonsmooth
