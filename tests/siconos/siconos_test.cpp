// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Siconos' own numbers beside ours: its error of our reactions, our errors of its reactions, and
// the reactions themselves where they are unique.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_compute_error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "common/error/error_report.h"
#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/random.h"

namespace nonsmooth {
namespace {

constexpr Law kCoulomb{LawKind::kNcp, 0};

/// A problem of contacts with two tangents each, as Siconos takes it: u = M r + q.
class SiconosProblem {
 public:
  explicit SiconosProblem(const Problem& problem)
      : n_(problem.rows()),
        q_(problem.dynamics().bias()),
        matrix_(NM_create(NM_DENSE, n_, n_), FreeMatrix),
        options_(solver_options_create(SICONOS_FRICTION_3D_NSGS), FreeOptions) {
    const CsrMatrix& a = problem.dynamics().Assembled();
    std::fill(matrix_->matrix0, matrix_->matrix0 + n_ * n_, 0.0);
    for (int i = 0; i < n_; ++i) {
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        matrix_->matrix0[i + n_ * a.column[k]] = a.value[k];  // by columns
      }
    }
    for (const RowGroup& group : problem.groups()) mu_.push_back(group.friction);
    problem_.dimension = 3;
    problem_.numberOfContacts = static_cast<int>(mu_.size());
    problem_.M = matrix_.get();
    problem_.q = q_.data();
    problem_.mu = mu_.data();
  }

  /// Its error of the reactions r.
  double Error(std::vector<double> r) {
    std::vector<double> u(n_);
    double norm = 0;
    for (double value : q_) norm = std::hypot(norm, value);
    double error = 0;
    fc3d_compute_error(&problem_, r.data(), u.data(), 1e-12, options_.get(), norm, &error);
    return error;
  }

  /// Its reactions, by nonsmooth Gauss–Seidel.
  std::vector<double> Solve() {
    std::vector<double> r(n_, 0.0);
    std::vector<double> u(n_, 0.0);
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    EXPECT_EQ(fc3d_driver(&problem_, r.data(), u.data(), options_.get()), 0);
    return r;
  }

 private:
  // What Siconos calls deletion empties its objects and leaves them to whoever made them.
  static void FreeMatrix(NumericsMatrix* matrix) {
    NM_clear(matrix);
    std::free(matrix);
  }
  static void FreeOptions(SolverOptions* options) {
    const std::vector<SolverOptions*> inner(
        options->internalSolvers, options->internalSolvers + options->numberOfInternalSolvers);
    solver_options_delete(options);
    for (SolverOptions* solver : inner) std::free(solver);
    std::free(options);
  }

  int n_;
  std::vector<double> q_, mu_;
  std::unique_ptr<NumericsMatrix, void (*)(NumericsMatrix*)> matrix_;
  std::unique_ptr<SolverOptions, void (*)(SolverOptions*)> options_;
  FrictionContactProblem problem_{};
};

/// Contacts whose masses hang together weakly, open and closed ones, slow and fast: with moderate
/// friction the reactions are unique.
Problem RandomContacts(int contacts, std::uint64_t seed) {
  test::Random random(seed);
  const int n = 3 * contacts;
  const std::vector<double> root = random.Vector(n * n, -1, 1);
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; ++k) sum += 0.3 / n * root[i * n + k] * root[j * n + k];
      entries.push_back({i, j, sum});
    }
  }
  std::vector<RowGroup> groups(contacts);
  std::vector<double> b(n);
  for (int g = 0; g < contacts; ++g) {
    b[3 * g] = random.Uniform(-1, 0.5);
    const double fastest = random.Uniform(0, 0.5);
    for (int i = 1; i < 3; ++i) b[3 * g + i] = random.Uniform(-fastest, fastest);
    groups[g].kind = GroupKind::kContact;
    groups[g].first_row = 3 * g;
    groups[g].size = 3;
    groups[g].tangents = 2;
    groups[g].friction = random.Uniform(0.1, 0.6);
    groups[g].law = kCoulomb;
  }
  return {std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, entries), b), groups,
          std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
}

ErrorReport Measure(const Problem& problem, const std::vector<double>& x) {
  FeasibleSet set;
  set.Reset(problem, kCoulomb, nullptr);
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureErrors(set, x.data(), w.data());
}

// Anywhere, in K or out of it, large reactions or small: every one of ‖q‖, ‖r‖, ‖u‖ gets its turn
// as the largest.
TEST(Siconos, ComputesTheSameError) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Problem problem = RandomContacts(7, seed);
    SiconosProblem theirs(problem);
    test::Random random(seed);
    for (const double size : {1e-3, 0.1, 1.0, 10.0, 1e3}) {
      const std::vector<double> r = random.Vector(problem.rows(), -size, size);
      const double error = theirs.Error(r);
      EXPECT_GT(error, 1e-3);
      EXPECT_NEAR(Measure(problem, r).fclib.relative, error, 1e-12 * error);
    }
  }
}

// Where reactions are unique both find them; each thinks well of the other's.
TEST(Siconos, FindsTheSameReactions) {
  int detached = 0, sticking = 0, sliding = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Problem problem = RandomContacts(10, seed);
    SiconosProblem theirs(problem);
    const std::vector<double> r = theirs.Solve();
    const ErrorReport report = Measure(problem, r);
    EXPECT_LE(report.energy.relative, 1e-20);
    detached += report.lu.detached;
    sticking += report.lu.sticking;
    sliding += report.lu.sliding;
    SolveOptions options;
    options.law = kCoulomb;
    options.relative_tolerance = 1e-20;
    options.max_iterations = 20000;
    for (const SolverInfo& solver : Solvers()) {
      if (!solver.Handles(LawKind::kNcp)) continue;
      Solution solution;
      const Result result = Driver(solver.name).Solve(problem, options, solution);
      EXPECT_LE(result.energy.relative, 1e-18) << solver.name;
      EXPECT_LE(theirs.Error(solution.x), 1e-8) << solver.name;
      for (std::size_t i = 0; i < r.size(); ++i) {
        EXPECT_NEAR(solution.x[i], r[i], 1e-7) << solver.name << ", row " << i;
      }
    }
  }
  EXPECT_GT(std::min({detached, sticking, sliding}), 5);
}

// A pile has more reactions than motions: they are not unique, but solutions of the one are
// solutions of the other.
TEST(Siconos, AgreesOnWhatSolvesAPile) {
  const Problem problem = SpherePile(20, 3);
  ASSERT_GE(problem.contacts(), 20);
  SiconosProblem theirs(problem);
  const std::vector<double> r = theirs.Solve();
  EXPECT_LE(Measure(problem, r).energy.relative, 1e-16);
  SolveOptions options;
  options.law = kCoulomb;
  options.relative_tolerance = 1e-16;
  options.max_iterations = 20000;
  Solution solution;
  const Result result = Driver("apgd").Solve(problem, options, solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_LE(theirs.Error(solution.x), 1e-6);
}

}  // namespace
}  // namespace nonsmooth
