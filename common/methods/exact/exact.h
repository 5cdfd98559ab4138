// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "../../solver/solver.h"
#include "interior_phase.h"
#include "newton_phase.h"

namespace nonsmooth {

class IpSolver;

/// An exact solution by few small factorisations: an interior point method on the law itself until
/// the error is small, then proximal Newton to the end (docs/solvers/exact.md). Every linear
/// system stands on velocities. An iteration is a factorisation. Where both give up `ip` takes over
/// from the best iterate (a fallback).
class ExactSolver final : public Solver {
 public:
  ExactSolver();
  ~ExactSolver() override;
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  InteriorOptions& interior() { return interior_.options; }
  ProximalOptions& newton() { return newton_.options; }

 private:
  void HandOn(std::vector<double>& x, Monitor& monitor);

  const FeasibleSet* set_ = nullptr;
  UnitLayout layout_;
  std::unique_ptr<UnitSystem> velocities_, rows_;
  UnitSystem* system_ = nullptr;
  InteriorPhase interior_;
  NewtonPhase newton_;
  std::unique_ptr<IpSolver> ip_;
};

}  // namespace nonsmooth
