// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/alart_curnier.h"

namespace nonsmooth {

OptionFields AlartCurnierSolver::Options() {
  OptionFields fields{
      {"jean_moreau", "-", "bound friction by the impulse itself", &options_.jean_moreau}};
  SemismoothNewton::AddFields(options_.newton, fields);
  return fields;
}

void AlartCurnierSolver::Prepare(const FeasibleSet& set) {
  newton_.Prepare(set,
                  options_.jean_moreau ? NewtonMapKind::kJeanMoreau : NewtonMapKind::kAlartCurnier);
}

void AlartCurnierSolver::Run(std::vector<double>& x, Monitor& monitor) {
  newton_.Run(options_.newton, x, monitor);
}

}  // namespace nonsmooth
