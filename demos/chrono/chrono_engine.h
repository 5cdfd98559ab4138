// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "demos/harness/demo.h"

namespace chrono {
class ChSolver;
class ChSystemNSC;
}  // namespace chrono

namespace nonsmooth::demo {

/// Builds worlds in Chrono. `--solver engine:psor|apgd|bb|admm|pjacobi` are Chrono's own.
const Engine& ChronoEngine();

/// Chrono's own solver by name (empty: psor), warm-started; without a number of iterations as
/// Chrono has it by default. Throws std::invalid_argument with the names there are.
std::shared_ptr<::chrono::ChSolver> MakeChronoSolver(const std::string& name,
                                                     std::optional<int> iterations);

/// The world in a Chrono system, without a solver chosen, for benchmarks; bodies in the order of
/// World::bodies.
std::unique_ptr<::chrono::ChSystemNSC> BuildChronoSystem(const World& world);

}  // namespace nonsmooth::demo
