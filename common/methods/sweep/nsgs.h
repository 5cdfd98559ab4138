// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/anderson.h"
#include "../../solver/solver.h"
#include "group_solve.h"
#include "impulse_response.h"

namespace nonsmooth {

struct NsgsOptions {
  /// [-] 0 < ω < 2. The change of a contact is multiplied with it; 1 is Gauss–Seidel. Acary et al.
  /// advise against other values, and the sets of tall stacks bear that out.
  double relaxation = 1;

  /// Sweep forwards and backwards in turn.
  bool symmetric = false;

  /// [iterates] Of Anderson's mixing between sweeps; 0: none. Plain sweeps stall on stacks long
  /// before 1e-8; mixing makes each dearer by some vector sums and gets over that.
  int memory = 10;
};

/// Nonsmooth Gauss–Seidel: contact after contact, each solved exactly with all others held still
/// (M. Jean, "The non-smooth contact dynamics method", CMAME 177, 1999; V. Acary, M. Brémond,
/// O. Huber, "On solving contact problems with Coulomb friction", INRIA RR-9118, 2018, Algorithm
/// 2). How a contact is solved: contact_block.h; joints and box rows: group_solve.h.
///
/// Deviation: between sweeps x is mixed with what it was before, see anderson.h. What is measured
/// and returned is always the result of a sweep.
class NsgsSolver final : public Solver {
 public:
  OptionFields Options() override;
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

 private:
  template <class Response>
  void Iterate(Response& response, std::vector<double>& x, Monitor& monitor);
  template <class Response>
  void Sweep(Response& response, bool backwards, std::vector<double>& x, Monitor& monitor);

  NsgsOptions options_;
  const FeasibleSet* set_ = nullptr;
  bool packed_ = false;
  GroupSolve groups_;
  MatrixResponse matrix_;
  BodyResponse bodies_;
  std::vector<double> before_;
  Anderson anderson_;
};

}  // namespace nonsmooth
