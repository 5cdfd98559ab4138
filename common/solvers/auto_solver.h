// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../solver/solver.h"

namespace nonsmooth {

struct AutoOptions {
  /// [iterations] A method hands over to the next once its progress says that the tolerance is more
  /// than this many of its own sweeps away. Some hundreds of sweeps cost what a few factorisations
  /// do.
  int patience = 300;

  /// [rows] Above this no factorisation is tried: its time grows faster than that of sweeps.
  int most_factorised_rows = 6000;
};

/// Chooses among the registered solvers by what can be seen before the first iteration, and changes
/// from one to the next where the energy error does not fall fast enough, within one budget:
///
/// 1. rows on packed bodies: `nncg`, whose sweeps are the cheapest there are;
///    a few dozen rows under a cone: `nsgs`, whose contacts are solved exactly;
/// 2. unless there are too many rows to factorise: `alart_curnier`, then `ip`; on bodies under a
///    law without De Saxcé's term the other way round, since `ip` is at its best there. They are
///    the first where A is given as a matrix, that is where a sweep costs as much as a product, and
///    where the tolerance is below 1e-10 of the free energy;
/// 3. `apgd`, which converges whatever the condition number, if slowly;
/// 4. `extragradient`, which does not diverge where A is not symmetric.
///
/// Each starts from the best iterate of those before, and has until its progress, extrapolated,
/// leaves more than `patience` iterations to the tolerance. The last has what is left. A start
/// counts as an iteration, as it is measured. The remark of the result says who took part.
class AutoSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  AutoOptions& options() { return options_; }

 private:
  struct Member {
    std::string_view name;
    std::unique_ptr<Solver> solver;
  };

  void Choose();
  Solver& Get(std::string_view name);

  AutoOptions options_;
  const FeasibleSet* set_ = nullptr;
  std::vector<std::string_view> plan_;  ///< names, in the order of their turns
  std::vector<Member> members_;         ///< made so far
};

}  // namespace nonsmooth
