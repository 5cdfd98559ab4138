// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What the pivoting solvers have in common: `lemke`, `murty`, `dantzig` and `bpp`.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "common/linalg/principal_factor.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const char* const kPivoting[] = {"lemke", "murty", "dantzig", "bpp"};
const char* const kBoxed[] = {"murty", "dantzig", "bpp"};
const Law kBox{LawKind::kBox, 0};
const Law kCoupledBox{LawKind::kCoupledBox, 0};

Result Solve(const char* solver, const Problem& problem, const SolveOptions& options,
             Solution& solution) {
  Driver driver(solver);
  return driver.Solve(problem, options, solution);
}

/// As exact as it gets.
SolveOptions Exactly(const Law& law) {
  SolveOptions options;
  options.law = law;
  options.relative_tolerance = 1e-24;
  options.max_iterations = 20000;
  return options;
}

/// All four have the same w, to 1e-9 of the largest free velocity (at least 1 m/s).
void ExpectAgreement(const std::string& name, const Problem& problem, const std::vector<double>* w,
                     const SolveOptions& options) {
  double scale = 1;
  for (double b : problem.dynamics().bias()) scale = std::max(scale, std::abs(b));
  std::vector<double> expected = w != nullptr ? *w : std::vector<double>();
  for (const char* solver : kPivoting) {
    Solution solution;
    const Result result = Solve(solver, problem, options, solution);
    EXPECT_LE(result.energy.relative, 1e-16) << name << ", " << solver;
    if (expected.empty()) expected = solution.w;
    ASSERT_EQ(solution.w.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(solution.w[i], expected[i], 1e-9 * scale)
          << name << ", " << solver << ", row " << i;
    }
  }
}

// Law `box` is convex: w of a pile is unique though nobody knows it beforehand.
TEST(Pivoting, SolversAgreeOnAPile) {
  for (unsigned seed : {1U, 2U, 3U}) {
    ExpectAgreement("SpherePile", SpherePile(60, seed), nullptr, Exactly(kBox));
  }
}

// Every kind of row, small friction: under `coupled_box` x is unique then and known.
TEST(Pivoting, SolversAgreeUnderCoupledBounds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::KnownProblemMaker maker(kCoupledBox, seed);
    maker.AddEquality();
    maker.AddBox(-1, 0.5);
    maker.AddBox(-kInfinity, 1);
    for (int i = 0; i < 4; ++i) maker.AddContact(0.05, 2);
    const test::KnownProblem known = maker.Make();
    ExpectAgreement("known " + std::to_string(seed), known.problem, &known.w, Exactly(kCoupledBox));
  }
}

/// The brick wall with every brick moving a little, so that contacts open, stick and slide.
Problem ShakenWall(unsigned seed) {
  const Problem wall = BrickWall();
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(wall.dynamics());
  std::vector<Body> bodies = dynamics.bodies();
  test::Random random(seed);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    for (double& v : bodies[b].velocity) v = random.Uniform(-0.1, 0.1);
  }
  return {std::make_shared<TwoBodyDynamics>(bodies, dynamics.body_rows()), wall.groups(),
          wall.lower(), wall.upper()};
}

// Bullet's own Dantzig gives every step of a brick wall with friction to Gauss–Seidel, its Lemke
// some. Here all are solved, 184 contacts, at rest (w = 0) and shaken, with the bounds of friction
// frozen and following the normal impulses. Who stands in is counted and named: nobody where the
// bounds are frozen, Newton or the homotopy where they follow.
TEST(Pivoting, BrickWallWithFrictionIsSolvedAndStandInsAreNamed) {
  for (const char* solver : kPivoting) {
    for (const Law& law : {kBox, kCoupledBox}) {
      SolveOptions options;
      options.law = law;
      options.relative_tolerance = 1e-12;
      options.max_iterations = 20000;
      for (unsigned seed : {0U, 1U}) {
        Solution solution;
        const Problem problem = seed == 0 ? BrickWall() : ShakenWall(seed);
        const Result result = Solve(solver, problem, options, solution);
        EXPECT_EQ(result.status, Status::kConverged)
            << solver << ", " << ToString(law) << ", seed " << seed << ": " << result.remark;
        const bool named = result.remark.find("coupled_path") != std::string::npos ||
                           result.remark.find("coupled_newton") != std::string::npos;
        EXPECT_EQ(result.fallbacks > 0, named) << solver << ", " << result.remark;
        if (law == kBox) {
          EXPECT_EQ(result.fallbacks, 0) << solver;
        }
        if (seed > 0) continue;
        for (double w : solution.w) EXPECT_NEAR(w, 0, 1e-6) << solver << ", " << ToString(law);
      }
    }
  }
}

// Enzenhöfer et al.: a pivoting method that is stopped should return the iterate of least energy
// error, not the last. For every solver there is a pivot before which a better one was seen;
// stopped there, it returns the better one.
TEST(Pivoting, LeastErrorIsReturnedWhereTheLastIterateIsWorse) {
  const Problem problem = SpherePile(60, 1);
  for (const char* solver : kPivoting) {
    SolveOptions options;
    options.law = kBox;
    options.history = true;
    options.max_iterations = 20000;
    Solution solution;
    const Result whole = Solve(solver, problem, options, solution);
    ASSERT_EQ(whole.status, Status::kConverged) << solver;
    // The rise that is worst in proportion.
    double least = kInfinity, worst_rise = 1;
    int stop = 0;
    for (const IterationRecord& record : whole.history) {
      if (record.energy > worst_rise * least) {
        worst_rise = record.energy / least;
        stop = record.iteration;
      }
      least = std::min(least, record.energy);
    }
    ASSERT_GT(stop, 0) << solver << ": the error never rises";
    options.max_iterations = stop;
    const Result stopped = Solve(solver, problem, options, solution);
    EXPECT_EQ(stopped.status, Status::kIterationLimit) << solver;
    EXPECT_LT(stopped.best_iteration, stop) << solver;
    EXPECT_GT(stopped.history.back().energy, 1.01 * stopped.energy.sum) << solver;
    EXPECT_NEAR(stopped.energy.sum, stopped.history.back().energy / worst_rise,
                1e-9 * stopped.energy.sum)
        << solver;
  }
}

/// Block principal pivoting without a guard, on 0 ≤ A x + b ⊥ x ≥ 0. True if it comes back to a
/// set.
bool PlainBlockPivotingCycles(int n, const std::vector<double>& a, const std::vector<double>& b) {
  const Eigen::MatrixXd m = Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n);
  unsigned free = 0;
  for (int i = 0; i < n; ++i) free |= b[i] < 0 ? 1U << i : 0U;
  std::set<unsigned> seen;
  while (seen.insert(free).second) {
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      if ((free >> i & 1U) == 0) continue;
      system.row(i) = m.row(i);
      right(i) = -b[i];
    }
    const Eigen::VectorXd x = system.partialPivLu().solve(right);
    const Eigen::VectorXd w = m * x + Eigen::Map<const Eigen::VectorXd>(b.data(), n);
    unsigned change = 0;
    for (int i = 0; i < n; ++i) {
      const bool is_free = (free >> i & 1U) != 0;
      if (is_free ? x(i) < 0 : w(i) < 0) change |= 1U << i;
    }
    if (change == 0) return false;
    free ^= change;
  }
  return true;
}

// Among random positive definite problems, badly conditioned ones, some make the plain method go
// round in circles. `bpp` solves those too, and murty's rule, which never comes back, agrees.
TEST(Pivoting, BppSolvesWhatPlainBlockPivotingCyclesOn) {
  constexpr int kRows = 8;
  int cycles = 0;
  for (std::uint64_t seed = 1; seed <= 3000 && cycles < 5; ++seed) {
    test::Random random(seed);
    // Rank 4, and a thousandth of the unit matrix.
    const std::vector<double> j = random.Vector(kRows * 4, -1, 1);
    std::vector<double> a(kRows * kRows);
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRows; ++c) {
        a[r * kRows + c] = r == c ? 1e-3 : 0;
        for (int k = 0; k < 4; ++k) a[r * kRows + c] += j[r * 4 + k] * j[c * 4 + k];
      }
    }
    const std::vector<double> b = random.Vector(kRows, -1, 0.5);
    if (!PlainBlockPivotingCycles(kRows, a, b)) continue;
    ++cycles;
    std::vector<RowGroup> groups(kRows);
    for (int i = 0; i < kRows; ++i) {
      groups[i].kind = GroupKind::kBox;
      groups[i].first_row = i;
      groups[i].size = 1;
    }
    const Problem problem(std::make_shared<MatrixDynamics>(test::DenseMatrix(kRows, kRows, a), b),
                          groups, std::vector<double>(kRows, 0.0),
                          std::vector<double>(kRows, kInfinity));
    // From the first round on with hardly any regularisation, or it would not be the same problem.
    std::vector<double> w;
    for (const char* solver : {"bpp", "murty"}) {
      Driver driver(solver);
      Set(solver, driver.Options(), "regularisation", "1e-9");
      SolveOptions options;
      options.relative_tolerance = 1e-18;
      Solution solution;
      const Result result = driver.Solve(problem, options, solution);
      EXPECT_EQ(result.status, Status::kConverged) << solver << ", seed " << seed;
      if (w.empty()) w = solution.w;
      for (int i = 0; i < kRows; ++i) EXPECT_NEAR(solution.w[i], w[i], 1e-8) << seed;
    }
  }
  EXPECT_GE(cycles, 1) << "no seed makes the plain method cycle: this test shows nothing";
}

// A = [1 2; 2 1] is indefinite: no regularisation that deserves the name mends it.
TEST(Pivoting, IndefiniteMatrixIsANumericalFailure) {
  std::vector<RowGroup> groups(1);
  groups[0].size = 2;
  const Problem problem(std::make_shared<MatrixDynamics>(test::DenseMatrix(2, 2, {1, 2, 2, 1}),
                                                         std::vector<double>{1, 2}),
                        groups, {0, 0}, {0, 0});
  for (const char* solver : kPivoting) {
    Solution solution;
    const Result result = Solve(solver, problem, SolveOptions(), solution);
    EXPECT_EQ(result.status, Status::kNumericalFailure) << solver;
    EXPECT_NE(result.remark.find("not positive semidefinite"), std::string::npos) << solver;
    EXPECT_EQ(result.fallbacks > 0, std::string(solver) != "lemke") << solver;
  }
}

// A warm start at the solution is found to be one; from a neighbouring one few pivots are left.
TEST(Pivoting, WarmStartSavesPivots) {
  const Problem problem = SpherePile(60, 4);
  for (const char* solver : kBoxed) {
    Driver driver(solver);
    SolveOptions options;
    options.law = kCoupledBox;
    options.max_iterations = 20000;
    Solution solution;
    const Result cold = driver.Solve(problem, options, solution);
    ASSERT_TRUE(cold.converged()) << solver;
    std::vector<double> start = solution.x;
    Result warm;
    driver.Solve(problem, options, &start, solution, warm);
    EXPECT_EQ(warm.iterations, 0) << solver;
    for (double& x : start) x *= 1.02;
    driver.Solve(problem, options, &start, solution, warm);
    EXPECT_TRUE(warm.converged()) << solver;
    EXPECT_LT(warm.iterations, cold.iterations) << solver;
  }
}

// A deadline that has all but passed: the result is the start or better, and in time.
TEST(Pivoting, DeadlineReturnsTheBestSoFar) {
  const Problem problem = SpherePile(300, 1);
  for (const char* solver : kPivoting) {
    SolveOptions options;
    options.law = kCoupledBox;
    options.deadline = 1e-3;
    options.relative_tolerance = 0;
    Solution solution;
    const Result result = Solve(solver, problem, options, solution);
    EXPECT_EQ(result.status, Status::kDeadline) << solver;
    EXPECT_LE(result.energy.relative, 1.0 + 1e-12) << solver;
  }
}

// The dense factors of `murty` and `dantzig` have an end; `bpp` has a sparse one.
TEST(Pivoting, TooManyRowsForADenseFactorAreNotBegun) {
  const int rows = PrincipalFactor::kMostRows + 1;
  std::vector<Triplet> entries;
  std::vector<RowGroup> groups(rows);
  for (int i = 0; i < rows; ++i) {
    entries.push_back({i, i, 1});
    groups[i].kind = GroupKind::kBox;
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  const Problem problem(
      std::make_shared<MatrixDynamics>(FromTriplets("A", rows, rows, std::move(entries)),
                                       std::vector<double>(rows, -1.0)),
      groups, std::vector<double>(rows, 0.0), std::vector<double>(rows, kInfinity));
  for (const char* solver : kBoxed) {
    Solution solution;
    SolveOptions options;
    options.islands = false;  // each row alone would be small enough
    const Result result = Solve(solver, problem, options, solution);
    if (std::string(solver) == "bpp") {
      EXPECT_EQ(result.status, Status::kConverged);
      continue;
    }
    EXPECT_EQ(result.status, Status::kStalled) << solver;
    EXPECT_NE(result.remark.find("dense"), std::string::npos) << solver;
  }
}

}  // namespace
}  // namespace nonsmooth
