// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/auto_plan.h"

#include "common/problem/articulated_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

using Kind = AutoStageKind;

/// Sweeps over packed bodies and trees of joints assemble nothing. The first are psor's, which come
/// furthest in a few dozen; nncg's come further in thousands.
constexpr AutoPolicy kBodies = {"bodies",
                                {{{"psor", Kind::kSweeps},
                                  {"exact", Kind::kExact},
                                  {"nncg", Kind::kSweeps},
                                  {"apgd", Kind::kBackstop},
                                  {"nncg", Kind::kSweeps}}}};

/// Over an assembled A a sweep reads all of it: solving a contact exactly costs no more.
constexpr AutoPolicy kMatrixCones = {"matrix, cones",
                                     {{{"nsgs", Kind::kSweeps},
                                       {"exact", Kind::kExact},
                                       {"alart_curnier", Kind::kBackstop},
                                       {"apgd", Kind::kBackstop},
                                       {"extragradient", Kind::kBackstop}}}};

/// extragradient does not diverge where A is not symmetric.
constexpr AutoPolicy kMatrixRows = {"matrix, rows",
                                    {{{"psor", Kind::kSweeps},
                                      {"exact", Kind::kExact},
                                      {"alart_curnier", Kind::kBackstop},
                                      {"apgd", Kind::kBackstop},
                                      {"extragradient", Kind::kBackstop}}}};

}  // namespace

const AutoPolicy& PolicyFor(const FeasibleSet& set) {
  const Problem& problem = set.problem();
  if (dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics()) != nullptr ||
      dynamic_cast<const ArticulatedDynamics*>(&problem.dynamics()) != nullptr) {
    return kBodies;
  }
  bool cones = problem.contacts() > 0;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    if (problem.groups()[g].kind != GroupKind::kContact) continue;
    cones = cones && set.group(g).shape == GroupSet::Shape::kCone;
  }
  return cones ? kMatrixCones : kMatrixRows;
}

}  // namespace nonsmooth
