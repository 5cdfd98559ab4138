// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/coupled_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "demos/scenes/scenes.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Law kCoupledBox{LawKind::kCoupledBox, 0};

class CoupledPathTest : public testing::Test {
 protected:
  /// From zero; what Run() says. `best_` is the best iterate, `w_` its velocity.
  bool Run(const Problem& problem, const SolveOptions& options) {
    set_.Reset(problem, kCoupledBox, nullptr);
    std::vector<double> x(problem.rows(), 0.0);
    best_ = x;
    const double free_energy = FreeEnergy(set_);
    monitor_.Start(set_, options, {free_energy, free_energy, free_energy}, Monitor::Clock::now(),
                   nullptr, &best_);
    monitor_.Continue(x.data());
    const bool gave_up = path_.Run(set_, x, monitor_);
    w_.resize(best_.size());
    problem.dynamics().ConstraintVelocity(best_.data(), w_.data(), workspace_);
    return gave_up;
  }

  static SolveOptions To(double tolerance) {
    SolveOptions options;
    options.relative_tolerance = tolerance;
    options.max_iterations = 20000;
    return options;
  }

  FeasibleSet set_;
  Monitor monitor_;
  CoupledPath path_;
  OperatorWorkspace workspace_;
  std::vector<double> best_, w_;
};

// Equality rows, rows with one and with two bounds, detached, sticking and sliding contacts with
// spinning and rolling friction, around a solution that is unique since friction is small.
TEST_F(CoupledPathTest, EveryKindOfRowIsSolved) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::KnownProblemMaker maker(kCoupledBox, seed);
    maker.AddEquality();
    maker.AddBox(-1, 0.5);
    maker.AddBox(0, kInfinity);
    maker.AddBox(-kInfinity, 1);
    for (int i = 0; i < 4; ++i) maker.AddContact(0.05, 2);
    maker.AddContact(0.05, 1);
    maker.AddContact(0, 0);
    maker.AddContact(0.05, 2, 0.01, 0.02);
    const test::KnownProblem known = maker.Make();
    EXPECT_FALSE(Run(known.problem, To(1e-22))) << seed;
    for (std::size_t i = 0; i < known.w.size(); ++i) {
      EXPECT_NEAR(w_[i], known.w[i], 1e-9) << "seed " << seed << ", row " << i;
    }
  }
}

// Four contacts per face, twelve rows of impulses for six velocities: at rest w = 0, and nothing of
// the regularisation is left in it.
TEST_F(CoupledPathTest, RedundantContactsAtRest) {
  const Problem stack = BoxStack(4);
  EXPECT_FALSE(Run(stack, To(1e-20)));
  EXPECT_EQ(monitor_.status(), Status::kConverged);
  for (double w : w_) EXPECT_NEAR(w, 0, 1e-8);
}

// Friction of 2 ties normals and tangents so strongly that no loop over frozen bounds contracts.
TEST_F(CoupledPathTest, StrongFrictionIsSolved) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::KnownProblemMaker maker(kCoupledBox, seed);
    for (int i = 0; i < 6; ++i) maker.AddContact(2, 2);
    EXPECT_FALSE(Run(maker.Make().problem, To(1e-16))) << seed;
    EXPECT_EQ(monitor_.status(), Status::kConverged) << seed;
  }
}

// Every pivot is an iteration: three are done where three are allowed.
TEST_F(CoupledPathTest, StopsWhereTheMonitorSays) {
  SolveOptions options;
  options.max_iterations = 3;
  options.relative_tolerance = 0;
  EXPECT_FALSE(Run(BoxStack(4), options));
  EXPECT_EQ(monitor_.status(), Status::kIterationLimit);
  EXPECT_EQ(monitor_.iterations(), 3);
}

// More rows than the dense inverse is made for are not begun.
TEST_F(CoupledPathTest, TooManyRowsAreNotBegun) {
  const int rows = CoupledPath::kMostRows + 1;
  std::vector<Triplet> entries;
  std::vector<RowGroup> groups(rows);
  for (int i = 0; i < rows; ++i) {
    entries.push_back({i, i, 1});
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  const std::vector<double> nothing(rows, 0.0);
  const Problem problem(
      std::make_shared<MatrixDynamics>(FromTriplets("A", rows, rows, std::move(entries)),
                                       std::vector<double>(rows, -1.0)),
      groups, nothing, nothing);
  EXPECT_TRUE(Run(problem, To(1e-8)));
  EXPECT_EQ(monitor_.iterations(), 0);
}

}  // namespace
}  // namespace nonsmooth
