// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "chrono/solver/ChConstraintTuple.h"

namespace nonsmooth::chrono {

/// Half of a contact row on one six-component variable: what rigid bodies have.
using BodyTuple = ::chrono::ChConstraintTuple_1vars<6>;

/// Chrono's tuples know the variables they act on but do not tell: there is no accessor. Asking the
/// constraint to paste its row into a matrix would answer too, at a hundred times the cost.
/// Explicit instantiations may name private members ([temp.spec]); should Chrono rename this one,
/// the compiler says so.
template <class Tag, typename Tag::Member member>
struct GrantAccess {
  friend typename Tag::Member MemberOf(Tag) { return member; }
};

struct BodyTupleVariables {
  using Member = ::chrono::ChVariables* BodyTuple::*;
  friend Member MemberOf(BodyTupleVariables);
};

template struct GrantAccess<BodyTupleVariables, &BodyTuple::variables_1>;

inline ::chrono::ChVariables* VariablesOf(const BodyTuple& tuple) {
  return tuple.*MemberOf(BodyTupleVariables());
}

}  // namespace nonsmooth::chrono
