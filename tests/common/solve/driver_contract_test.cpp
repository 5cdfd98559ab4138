// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What driver and monitor promise for every solver, seen with one that follows a script.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "demos/scenes/scenes.h"
#include "tests/common/solve/scripted_solver.h"
#include "tests/support/expect_refusal.h"

namespace nonsmooth {
namespace {

using test::DriverContract;
using test::Energy;
using test::kInfinity;
using test::kNaN;
using test::OneRow;

TEST_F(DriverContract, BestIterateIsReturnedAtTheIterationLimit) {
  options_.max_iterations = 4;
  Solve({0.5, 0.9, 3.0, 0.2, 1.0});
  EXPECT_EQ(result_.status, Status::kIterationLimit);
  EXPECT_EQ(result_.iterations, 4);
  ExpectReturned(0.9, 2);
  solver_->own_layout = true;
  Solve({0.5, 0.9, 3.0, 0.2, 1.0});
  EXPECT_EQ(result_.iterations, 4);
  ExpectReturned(0.9, 2);
}

TEST_F(DriverContract, LastMeasuredIterateIsReturnedIfAskedFor) {
  options_.max_iterations = 4;
  options_.least_error = false;
  for (const bool own_layout : {false, true}) {
    solver_->own_layout = own_layout;
    Solve({0.5, 0.9, 3.0, 0.2, 1.0});
    EXPECT_EQ(result_.status, Status::kIterationLimit);
    ExpectReturned(0.2, 4);
    Solve({0.5, 0.9, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(result_.status, Status::kNumericalFailure);
    ExpectReturned(0.9, 2);
  }
}

// ½ 0.01² = 5e-5: relative 1e-4, absolute 5e-5. Whichever tolerance is looser ends the solve.
TEST_F(DriverContract, EitherToleranceEndsTheSolve) {
  options_.relative_tolerance = 1.1e-4;
  Solve({0.5, 0.99, 0.999});
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_TRUE(result_.converged());
  EXPECT_EQ(result_.iterations, 2);
  ExpectReturned(0.99, 2);
  options_.relative_tolerance = 1e-12;
  options_.energy_tolerance = 5.1e-5;
  Solve({0.5, 0.99, 0.999});
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_EQ(result_.iterations, 2);
}

TEST_F(DriverContract, BestIterateIsReturnedAtTheDeadline) {
  options_.deadline = 0.3;  // enough for the first two on any machine
  solver_->during = [](int iteration, Monitor& monitor) {
    while (iteration == 3 && !monitor.OutOfTime()) {
    }
  };
  Solve({0.5, 0.25, 0.9});
  EXPECT_EQ(result_.status, Status::kDeadline);
  // The third was given up half-done: 0.9 is not an iterate.
  EXPECT_EQ(result_.iterations, 2);
  ExpectReturned(0.5, 1);
}

// After 0.5 the error falls by less than a thousandth: 0.5001 is better but no progress.
TEST_F(DriverContract, StallsWithoutProgress) {
  options_.stall_iterations = 3;
  Solve({0.5, 0.5001, 0.4, 0.5, 0.9, 1.0});
  EXPECT_EQ(result_.status, Status::kStalled);
  EXPECT_EQ(result_.iterations, 4);
  ExpectReturned(0.5001, 2);
}

TEST_F(DriverContract, BestIterateIsReturnedWhereTheIterateIsNotFinite) {
  for (const double broken : {kNaN, kInfinity, -kInfinity, 1e300}) {
    for (const bool own_layout : {false, true}) {
      solver_->own_layout = own_layout;
      Solve({0.5, broken, 1.0});
      EXPECT_EQ(result_.status, Status::kNumericalFailure);
      EXPECT_FALSE(result_.remark.empty());
      ExpectReturned(0.5, 1);
    }
  }
}

TEST_F(DriverContract, BestIterateIsReturnedWhereTheSolverThrows) {
  solver_->during = [](int iteration, Monitor&) {
    if (iteration == 2) throw std::runtime_error("singular");
  };
  Solve({0.5, 0.9});
  EXPECT_EQ(result_.status, Status::kNumericalFailure);
  EXPECT_EQ(result_.remark, "the solver threw: singular");
  ExpectReturned(0.5, 1);
}

TEST_F(DriverContract, SolverMayGiveUpWithARemark) {
  solver_->during = [](int iteration, Monitor& monitor) {
    if (iteration == 1) monitor.CountFallback();
    if (iteration == 2) monitor.Stop(Status::kStalled, "enough");
  };
  Solve({0.5, 0.9, 1.0});
  EXPECT_EQ(result_.status, Status::kStalled);
  EXPECT_EQ(result_.remark, "enough");
  EXPECT_EQ(result_.fallbacks, 1);
  // What it did after giving up is not measured any more.
  ExpectReturned(0.5, 1);
}

// A loop that ends without saying why has found nothing more to do.
TEST_F(DriverContract, SolverThatReturnsByItselfHasStalled) {
  Solve({0.5, 0.25});
  EXPECT_EQ(result_.status, Status::kStalled);
  EXPECT_EQ(result_.iterations, 2);
  ExpectReturned(0.5, 1);
}

// Iterations 0, 3 and the last one, 4, are measured; the better second is not seen.
TEST_F(DriverContract, OnlyMeasuredIteratesAreJudged) {
  options_.measure_every = 3;
  options_.max_iterations = 4;
  options_.history = true;
  for (const bool own_layout : {false, true}) {
    solver_->own_layout = own_layout;
    Solve({0.5, 1.0, 0.8, 0.7});
    EXPECT_EQ(result_.status, Status::kIterationLimit);
    ExpectReturned(0.8, 3);
    ASSERT_EQ(result_.history.size(), 3U);
    EXPECT_EQ(result_.history[0].iteration, 0);
    EXPECT_EQ(result_.history[1].iteration, 3);
    EXPECT_EQ(result_.history[2].iteration, 4);
  }
}

TEST_F(DriverContract, HistoryAndObserverSeeEveryMeasuredIterate) {
  options_.history = true;
  options_.max_iterations = 3;
  std::vector<IterationRecord> seen;
  std::vector<double> iterates;
  observer_ = [&](const IterationRecord& record, const double* x) {
    seen.push_back(record);
    iterates.push_back(x[0]);
  };
  const std::vector<double> x{0, 0.5, 0.25, 0.75};
  solver_->own_layout = true;
  Solve({0.5, 0.25, 0.75});
  EXPECT_EQ(iterates, x);
  seen.clear();
  iterates.clear();
  solver_->own_layout = false;
  Solve({0.5, 0.25, 0.75});
  EXPECT_EQ(iterates, x);
  ASSERT_EQ(result_.history.size(), x.size());
  ASSERT_EQ(seen.size(), x.size());
  double before = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(result_.history[i].iteration, static_cast<int>(i));
    EXPECT_DOUBLE_EQ(result_.history[i].energy, Energy(x[i]));
    EXPECT_GE(result_.history[i].seconds, before);
    before = result_.history[i].seconds;
    EXPECT_EQ(seen[i].iteration, static_cast<int>(i));
    EXPECT_EQ(seen[i].energy, result_.history[i].energy);
  }
  EXPECT_LE(before, result_.seconds.total());
}

// Each without the other, and a second solve starts anew.
TEST_F(DriverContract, HistoryIsKeptOnlyIfAskedFor) {
  options_.max_iterations = 2;
  options_.history = true;
  Solve({0.5, 0.25});
  EXPECT_EQ(result_.history.size(), 3U);
  Solve({0.5, 0.25});
  EXPECT_EQ(result_.history.size(), 3U);
  options_.history = false;
  int calls = 0;
  observer_ = [&](const IterationRecord&, const double*) { ++calls; };
  Solve({0.5, 0.25});
  EXPECT_TRUE(result_.history.empty());
  EXPECT_EQ(calls, 3);
}

TEST_F(DriverContract, NothingIsCarriedFromOneSolveToTheNext) {
  solver_->during = [](int, Monitor& monitor) {
    monitor.CountFallback();
    monitor.Stop(Status::kNumericalFailure, "broken");
  };
  Solve({0.5});
  EXPECT_EQ(result_.fallbacks, 1);
  solver_->during = [](int, Monitor&) {};
  Solve({1.0});
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_EQ(result_.fallbacks, 0);
  EXPECT_TRUE(result_.remark.empty());
  EXPECT_EQ(solver_->prepared, 2);
}

TEST_F(DriverContract, OptionsOutOfRangeAreRefused) {
  const auto refused = [&](auto SolveOptions::*field, auto value,
                           std::initializer_list<const char*> parts) {
    options_ = SolveOptions();
    options_.*field = value;
    test::ExpectRefusal([&] { Solve({1.0}); }, parts);
  };
  refused(&SolveOptions::max_iterations, -1, {"options.max_iterations = -1", "0 <= "});
  refused(&SolveOptions::energy_tolerance, -1e-9, {"options.energy_tolerance = -1e-09", "0 <= "});
  refused(&SolveOptions::relative_tolerance, kNaN, {"options.relative_tolerance = nan", "0 <= "});
  refused(&SolveOptions::deadline, -1.0, {"options.deadline = -1", "0 <= "});
  refused(&SolveOptions::measure_every, 0, {"options.measure_every = 0", "1 <= "});
  refused(&SolveOptions::stall_iterations, -1, {"options.stall_iterations = -1", "0 <= "});
  refused(&SolveOptions::law, Law{LawKind::kPyramid, 2}, {"options.law", "2 facets", "3 to 1024"});
  options_ = SolveOptions();
  solver_->gain = 1;
  test::ExpectRefusal([&] { Solve({1.0}); }, {"scripted.gain = 1", "0 < gain < 1"});
}

// Named by law, with the laws it can handle; `native` is looked up contact by contact.
TEST_F(DriverContract, LawTheSolverDoesNotHandleIsRefusedByName) {
  options_.law = {LawKind::kNcp, 0};
  test::ExpectRefusal([&] { Solve({1.0}); },
                      {"solver scripted does not handle law ncp", "it handles ccp"});
  RowGroup contact;
  contact.kind = GroupKind::kContact;
  contact.size = 1;
  contact.law = {LawKind::kCoupledBox, 0};
  problem_ = Problem(OneRow().shared_dynamics(), {contact}, {0}, {0});
  options_.law = {LawKind::kNative, 0};
  test::ExpectRefusal([&] { Solve({1.0}); },
                      {"solver scripted does not handle law coupled_box", "it handles ccp"});
}

TEST(Driver, UnknownSolverIsAnsweredWithTheNamesThereAre) {
  for (const SolverInfo& solver : Solvers()) {
    test::ExpectRefusal([] { Driver("gauss"); },
                        {"solver 'gauss' is not one of", std::string(solver.name).c_str()});
  }
  test::ExpectRefusal([] { Driver(Solvers()[0], nullptr); }, {"solver is null"});
}

// Solvers that end exactly see it, however seldom errors are measured: as many iterations as with
// every iterate measured, and converged without a fallback.
TEST(DriverMeasures, EveryIterateOfExactSolvers) {
  for (const char* name : {"lemke", "bpp", "dantzig", "murty", "ip", "alart_curnier"}) {
    Driver driver(name);
    SolveOptions options;
    options.law = {LawKind::kCoupledBox, 0};
    if (std::string(name) == "ip" || std::string(name) == "alart_curnier")
      options.law = {LawKind::kCcp, 0};
    options.max_iterations = 1000;
    Solution solution;
    const Problem problem = BoxStack(2);
    const Result often = driver.Solve(problem, options, solution);
    options.measure_every = 997;
    const Result seldom = driver.Solve(problem, options, solution);
    EXPECT_EQ(seldom.status, Status::kConverged) << name;
    EXPECT_EQ(seldom.iterations, often.iterations) << name;
    EXPECT_EQ(seldom.fallbacks, often.fallbacks) << name;
  }
}

}  // namespace
}  // namespace nonsmooth
