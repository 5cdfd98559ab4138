// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What the driver promises of problems that fall apart into islands.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/problem/islands.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_part.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"
#include "tests/support/side_by_side.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Islands that need iterations in very different numbers.
Problem Mixed() {
  return SideBySide({BoxStack(1), MassRatioStack(300), BoxStack(3), RollingSphere(2), Chain(4, 1)});
}

class IslandsOfEverySolver : public testing::TestWithParam<const SolverInfo*> {};

// Each island is what it is when it is solved by itself, to the bit: nobody else has a say in it.
TEST_P(IslandsOfEverySolver, AreSolvedAsIfAlone) {
  const Problem packed = Mixed();
  for (const Problem& whole : {packed, AsSparse(packed), AsMatrix(packed)}) {
    SolveOptions options;
    options.max_iterations = 60;
    options.law = {GetParam()->laws.back(), 4};
    Driver driver(GetParam()->name);
    Solution solution;
    const Result result = driver.Solve(whole, options, solution);
    Islands islands;
    islands.Find(whole);
    EXPECT_EQ(result.islands, islands.count());
    EXPECT_GE(islands.count(), 5);  // an A may be sparser than the bodies say
    double sum = 0;
    int most = 0;
    for (int k = 0; k < islands.count(); ++k) {
      ProblemPart part;
      part.Become(whole, islands, k);
      Driver fresh(GetParam()->name);
      Solution alone;
      const Result of_part = fresh.Solve(part.problem(), options, alone);
      EXPECT_EQ(of_part.islands, 1);
      std::vector<double> gathered;
      part.Gather(solution.x.data(), gathered);
      EXPECT_EQ(gathered, alone.x) << "island " << k;
      part.Gather(solution.w.data(), gathered);
      EXPECT_EQ(gathered, alone.w) << "island " << k;
      sum += of_part.energy.sum;
      most = std::max(most, of_part.iterations);
    }
    EXPECT_EQ(result.energy.sum, sum);
    EXPECT_EQ(result.iterations, most);
  }
}

// What is returned belongs together and is measured as the whole is: w = A x + b, v⁺ = v_free +
// M⁻¹ Jᵀ x, the energy error of all rows, up to the order of the sums.
TEST_P(IslandsOfEverySolver, AddUpToTheWhole) {
  const Problem whole = Mixed();
  SolveOptions options;
  options.max_iterations = 30;
  options.law = {GetParam()->laws.front(), 4};
  options.history = true;
  Driver driver(GetParam()->name);
  Solution solution;
  const Result result = driver.Solve(whole, options, solution);
  FeasibleSet set;
  set.Reset(whole, options.law, nullptr);
  std::vector<double> w(whole.rows());
  std::vector<double> v(whole.dynamics().velocity_size());
  OperatorWorkspace workspace;
  whole.dynamics().Evaluate(solution.x.data(), w.data(), v.data(), workspace);
  for (int i = 0; i < whole.rows(); ++i) EXPECT_NEAR(solution.w[i], w[i], 1e-12);
  ASSERT_EQ(solution.v.size(), v.size());
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(solution.v[i], v[i], 1e-12);
  const EnergyError energy =
      MeasureEnergy(set, result.energy.free_energy, solution.x.data(), solution.w.data());
  EXPECT_NEAR(result.energy.sum, energy.sum, 1e-12 * energy.sum);
  EXPECT_EQ(result.energy.max, energy.max);
  EXPECT_EQ(result.energy.max_row, energy.max_row);
  EXPECT_NEAR(result.energy.free_energy, FreeEnergy(set), 1e-12 * FreeEnergy(set));
  // As if all had been iterated at once: it begins with the start of all of them.
  ASSERT_FALSE(result.history.empty());
  EXPECT_EQ(result.history.front().iteration, 0);
  EXPECT_NEAR(result.history.front().energy, FreeEnergy(set), 1e-12 * FreeEnergy(set));
  EXPECT_EQ(result.history.back().iteration, result.iterations);
  for (std::size_t k = 1; k < result.history.size(); ++k) {
    EXPECT_GE(result.history[k].seconds, result.history[k - 1].seconds);
  }
}

std::vector<const SolverInfo*> Registered() {
  std::vector<const SolverInfo*> infos;
  for (const SolverInfo& info : Solvers()) infos.push_back(&info);
  return infos;
}

INSTANTIATE_TEST_SUITE_P(Registry, IslandsOfEverySolver, testing::ValuesIn(Registered()),
                         [](const auto& test) { return std::string(test.param->name); });

/// Rows 0 ≤ x, w = x − 1 that know nothing of each other: the energy error is Σ ½ (x_i − 1)².
Problem Rows(int count) {
  std::vector<Triplet> entries;
  std::vector<RowGroup> groups(count);
  for (int i = 0; i < count; ++i) {
    entries.push_back({i, i, 1});
    groups[i].kind = GroupKind::kBox;
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  auto dynamics = std::make_shared<MatrixDynamics>(FromTriplets("A", count, count, entries),
                                                   std::vector<double>(count, -1));
  return {std::move(dynamics), groups, std::vector<double>(count, 0.0),
          std::vector<double>(count, kInfinity)};
}

/// Halves the distance to the solution in every iteration; counts who comes.
class Halving : public Solver {
 public:
  int prepared = 0;
  std::map<int, int> rows_seen;
  OptionFields Options() override { return {}; }
  void Prepare(const FeasibleSet& set) override {
    ++prepared;
    ++rows_seen[set.problem().rows()];
  }
  void Run(std::vector<double>& x, Monitor& monitor) override {
    while (monitor.Continue(x.data())) {
      for (double& value : x) value = 0.5 * (value + 1);
    }
  }
};

template <class Kind>
std::pair<Driver, Kind*> DriverOf() {
  auto solver = std::make_unique<Kind>();
  Kind* const kept = solver.get();
  return {Driver({"test", "", "", {LawKind::kCcp}, nullptr}, std::move(solver)), kept};
}

// ½·4⁻ᵏ ≤ 10⁻⁸·½ from k = 14 on for a row that starts at 0, 7 for one that starts at 1 − 2⁻⁷, and
// nothing is prepared for one that starts at 1.
TEST(IslandSolve, EachTakesTheIterationsThatItNeeds) {
  auto [driver, solver] = DriverOf<Halving>();
  const std::vector<double> start{1, 0, 1 - 0x1p-7, 1};
  Solution solution;
  Result result;
  std::vector<int> records;
  const Observer observer = [&](const IterationRecord& record, const double* x) {
    records.push_back(record.iteration);
    EXPECT_EQ(x[0], 1);
    EXPECT_EQ(x[3], 1);
  };
  driver.Solve(Rows(4), SolveOptions(), &start, solution, result, &observer);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_EQ(result.islands, 4);
  EXPECT_EQ(result.iterations, 14);
  EXPECT_EQ(solver->prepared, 2);
  EXPECT_EQ(records.size(), 15U + 8U);
  EXPECT_EQ(solution.x[0], 1);
  EXPECT_EQ(solution.x[1], 1 - 0x1p-14);
  EXPECT_EQ(solution.x[2], 1 - 0x1p-14);
  EXPECT_EQ(solution.w[1], -0x1p-14);
}

// Whoever wants the iterates of the whole problem has them.
TEST(IslandSolve, TheWholeIsIteratedIfAskedFor) {
  auto [driver, solver] = DriverOf<Halving>();
  SolveOptions options;
  options.islands = false;
  Solution solution;
  const Result result = driver.Solve(Rows(4), options, solution);
  EXPECT_EQ(result.islands, 1);
  EXPECT_EQ(solver->rows_seen[4], 1);
  EXPECT_EQ(result.iterations, 14);
}

// 3 meets nothing: ½·4 against ½ at zero, so that its island begins at zero; the others keep
// theirs.
TEST(IslandSolve, StartsThatAreWorseThanZeroAreDroppedOneByOne) {
  auto [driver, solver] = DriverOf<Halving>();
  SolveOptions options;
  options.max_iterations = 0;
  const std::vector<double> start{0.5, 3, 1.5};
  Solution solution;
  Result result;
  driver.Solve(Rows(3), options, &start, solution, result);
  EXPECT_EQ(result.status, Status::kIterationLimit);
  EXPECT_EQ(solution.x, (std::vector<double>{0.5, 0, 1.5}));
  EXPECT_EQ(solution.w, (std::vector<double>{-0.5, -1, 0.5}));
  EXPECT_EQ(result.energy.sum, 0.125 + 0.5 + 0.125);
  EXPECT_EQ(result.worst.first_group, 1);
  EXPECT_EQ(solver->prepared, 0);
  const std::vector<double> alone{3};
  driver.Solve(Rows(1), options, &alone, solution, result);
  EXPECT_EQ(solution.x[0], 0);
  EXPECT_EQ(result.energy.sum, 0.5);
}

/// Cannot do what starts below zero and knows nothing of rows with bounds.
class Thrower final : public Halving {
 public:
  void Run(std::vector<double>& x, Monitor& monitor) override {
    if (x[0] == 0.25) throw std::runtime_error("no memory for fronts");
    Halving::Run(x, monitor);
  }
};

// The island that broke keeps its start, says why, and takes nothing from the others.
TEST(IslandSolve, AnExceptionIsThatOfOneIsland) {
  auto [driver, solver] = DriverOf<Thrower>();
  const std::vector<double> start{0.5, 0.25, 0.5};
  Solution solution;
  Result result;
  driver.Solve(Rows(3), SolveOptions(), &start, solution, result);
  EXPECT_EQ(result.status, Status::kNumericalFailure);
  EXPECT_EQ(result.worst.first_group, 1);
  EXPECT_EQ(result.worst.status, Status::kNumericalFailure);
  EXPECT_EQ(result.worst.rows, 1);
  EXPECT_EQ(result.worst.energy, 0.5 * 0.75 * 0.75);
  EXPECT_NE(result.remark.find("no memory for fronts"), std::string::npos) << result.remark;
  EXPECT_EQ(solution.x[1], 0.25);
  EXPECT_EQ(solution.x[0], 1 - 0x1p-14);
  EXPECT_EQ(solution.x[2], 1 - 0x1p-14);
}

/// Says what it likes of iterates that it makes up.
class Liar final : public Solver {
 public:
  double claimed = 0;
  double x_of_claim = 0;
  OptionFields Options() override { return {}; }
  void Prepare(const FeasibleSet& /*set*/) override {}
  void Run(std::vector<double>& x, Monitor& monitor) override {
    if (!monitor.Continue(0.5, [](double*) {})) return;
    x[0] = x_of_claim;
    monitor.Continue(claimed, [&](double* best) { best[0] = x[0]; });
  }
};

// The driver's own measurement decides: x = 10⁸ has an error of 5·10¹⁵ J, whatever the solver says,
// and the start of ½ J was better. x = 0.9 is better than the start, but not converged. x = 1 is,
// though the solver gave up.
TEST(IslandSolve, TheFinalMeasurementDecides) {
  auto [driver, solver] = DriverOf<Liar>();
  Solution solution;
  solver->x_of_claim = 1e8;
  Result result = driver.Solve(Rows(1), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kStalled);
  EXPECT_FALSE(result.remark.empty());
  EXPECT_EQ(solution.x[0], 0);
  EXPECT_EQ(result.energy.sum, 0.5);
  EXPECT_EQ(result.best_iteration, 0);

  solver->x_of_claim = 0.9;
  result = driver.Solve(Rows(1), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kStalled);
  EXPECT_EQ(solution.x[0], 0.9);

  solver->x_of_claim = 1;
  solver->claimed = 0.25;
  result = driver.Solve(Rows(1), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_EQ(result.energy.sum, 0);
}

// Five islands share one clock: nobody is begun once it has run out, and the start of each stands.
TEST(IslandSolve, TheDeadlineIsThatOfAll) {
  auto [driver, solver] = DriverOf<Halving>();
  SolveOptions options;
  options.deadline = 1e-12;
  Solution solution;
  const Result result = driver.Solve(Rows(5), options, solution);
  EXPECT_EQ(result.status, Status::kDeadline);
  EXPECT_EQ(result.energy.sum, 2.5);
  EXPECT_EQ(solution.x, std::vector<double>(5, 0.0));
}

}  // namespace
}  // namespace nonsmooth
