// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"

namespace nonsmooth::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One row 0 ≤ x, w = x − 1: the solution is x = 1, the energy error ½ (x − 1)² for all x, the free
/// energy ½.
inline Problem OneRow() {
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 1;
  auto dynamics = std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, 1}}),
                                                   std::vector<double>{-1});
  return {std::move(dynamics), {group}, {0}, {kInfinity}};
}

inline double Energy(double x) { return 0.5 * (x - 1) * (x - 1); }

/// Reports what the script holds, one value an iteration, and does what else it is told.
class ScriptedSolver final : public Solver {
 public:
  std::vector<double> script;
  std::function<void(int iteration, Monitor& monitor)> during = [](int, Monitor&) {};
  bool own_layout = false;  ///< measures x itself
  double gain = 0.5;
  int prepared = 0;
  bool smooths = false;
  double begun = 0;  ///< where Run() began

  OptionFields Options() override { return {{"gain", "-", "", &gain, 0, 1, true}}; }
  bool Smooths() const override { return smooths; }
  void Prepare(const FeasibleSet& /*set*/) override { ++prepared; }
  void Run(std::vector<double>& x, Monitor& monitor) override {
    begun = x[0];
    const auto go_on = [&] {
      if (!own_layout) return monitor.Continue(x.data());
      // What is not due is not looked at.
      const double energy = monitor.MeasureDue() ? Energy(x[0]) : kNaN;
      return monitor.Continue(energy, [&](double* best) { best[0] = x[0]; });
    };
    for (std::size_t i = 0; go_on(); ++i) {
      if (i == script.size()) return;
      during(static_cast<int>(i) + 1, monitor);
      x[0] = script[i];
    }
  }
};

/// OneRow() under a solver that follows a script.
/// OneRow() under a solver that follows a script.
class DriverContract : public testing::Test {
 protected:
  DriverContract() {
    auto solver = std::make_unique<ScriptedSolver>();
    solver_ = solver.get();
    const SolverInfo info{"scripted", "", "", {LawKind::kCcp}, nullptr};
    driver_ = std::make_unique<Driver>(info, std::move(solver));
  }

  void Solve(std::vector<double> script, const std::vector<double>* start = nullptr) {
    solver_->script = std::move(script);
    driver_->Solve(problem_, options_, start, solution_, result_, observer_ ? &observer_ : nullptr);
  }

  /// `x` was returned, and everything that is said belongs to it.
  void ExpectReturned(double x, int best_iteration) {
    ASSERT_EQ(solution_.x.size(), 1U);
    EXPECT_EQ(solution_.x[0], x);
    EXPECT_EQ(solution_.w[0], x - 1);
    EXPECT_TRUE(solution_.v.empty());
    EXPECT_EQ(result_.best_iteration, best_iteration);
    EXPECT_NEAR(result_.energy.sum, Energy(x), 1e-16);
    EXPECT_NEAR(result_.energy.relative, 2 * Energy(x), 1e-16);
    EXPECT_EQ(result_.energy.free_energy, 0.5);
  }

  Problem problem_ = OneRow();
  SolveOptions options_;
  ScriptedSolver* solver_ = nullptr;
  std::unique_ptr<Driver> driver_;
  Observer observer_;
  Solution solution_;
  Result result_;
};

}  // namespace nonsmooth::test
