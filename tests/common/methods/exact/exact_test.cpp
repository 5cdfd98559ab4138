// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kFall = kSceneGravity * kSceneStep;
constexpr const char* kLaws[] = {"box", "coupled_box", "pyramid:8", "ccp", "ncp"};

class Exact : public testing::Test {
 protected:
  Result Solve(const Problem& problem, const std::string& law, double tolerance,
               const std::vector<double>* start = nullptr) {
    SolveOptions options;
    options.law = ParseLaw(law);
    options.relative_tolerance = tolerance;
    Result result;
    driver_.Solve(problem, options, start, solution_, result);
    return result;
  }

  double WorstVelocity(const std::vector<double>& expected) const {
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      worst = std::max(worst, std::abs(solution_.w[i] - expected[i]));
    }
    return worst;
  }

  Driver driver_{"exact"};
  Solution solution_;
};

// Wherever w is unique it is met to 1e-9 m/s where a relative energy error of 1e-24 is asked for,
// the square of 1e-12, and without a stand-in.
TEST_F(Exact, AgreesWithExactVelocities) {
  int seen = 0;
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : entry.laws) {
      const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
      const TestProblem test = entry.make(law);
      if (!test.unique_w) continue;
      ++seen;
      // A mass ratio of a million leaves that much less of the digits.
      const bool extreme = entry.name.find("Million") != std::string::npos;
      const double tolerance = extreme ? 1e-18 : kind == LawKind::kCcp ? 1e-20 : 1e-24;
      const Result result = Solve(test.problem, ToString(law), tolerance);
      // On a convexified cone that is just touched the velocity follows the square root of the gap.
      const double close = extreme ? 1e-7 : kind == LawKind::kCcp ? 5e-8 : 1e-9;
      EXPECT_LE(WorstVelocity(test.w), close) << entry.name << " under " << ToString(law);
      EXPECT_EQ(result.fallbacks, 0) << entry.name << " under " << ToString(law);
    }
  }
  EXPECT_GT(seen, 60);
}

// A box on one `ratio` times as light stands still, and the ground carries both: Σ x_n of the lower
// four contacts is (m₁ + m₂) g h. The lower one weighs 1 kg.
TEST_F(Exact, MassRatiosUpToAMillionStandStill) {
  for (const double ratio : {1e1, 1e2, 1e3, 1e4, 1e5, 1e6}) {
    const Problem problem = MassRatioStack(ratio);
    for (const char* law : {"ccp", "ncp", "coupled_box"}) {
      const Result result = Solve(problem, law, 1e-14);
      EXPECT_TRUE(result.converged()) << ratio << " " << law;
      EXPECT_EQ(result.fallbacks, 0) << ratio << " " << law;
      for (double w : solution_.w) EXPECT_NEAR(w, 0, 1e-6) << ratio << " " << law;
    }
  }
}

// Towers of equal boxes stand still under every law, and their sum of normals at the height k is
// the weight above.
TEST_F(Exact, TowersStand) {
  for (const int boxes : {12, 50}) {
    const Problem problem = BoxStack(boxes);
    for (const char* law : kLaws) {
      if (std::string(law) == "box") continue;  // frozen bounds are not exact on a tower
      const Result result = Solve(problem, law, 1e-12);
      EXPECT_TRUE(result.converged()) << boxes << " " << law;
      EXPECT_EQ(result.fallbacks, 0) << boxes << " " << law;
      for (double w : solution_.w) EXPECT_NEAR(w, 0, 1e-5) << boxes << " " << law;
    }
  }
}

// Joints hold: w = 0 in every row, with a ball a thousand times as heavy as a link at the end.
TEST_F(Exact, ChainsHoldAThousandfoldWeight) {
  for (const int links : {4, 32, 100}) {
    const Result result = Solve(Chain(links, 1000), "ncp", 1e-16);
    EXPECT_TRUE(result.converged()) << links;
    EXPECT_EQ(result.fallbacks, 0) << links;
    for (double w : solution_.w) EXPECT_NEAR(w, 0, 1e-6) << links;
  }
}

// The wall under every law, to rounding: redundancy (184 contacts on 30 bricks) costs nothing.
TEST_F(Exact, WallIsSolvedUnderEveryLaw) {
  const Problem wall = BrickWall();
  for (const char* law : kLaws) {
    for (const double tolerance : {1e-8, 1e-16}) {
      const Result result = Solve(wall, law, tolerance);
      EXPECT_TRUE(result.converged()) << law << " " << tolerance;
      EXPECT_EQ(result.fallbacks, 0) << law << " " << tolerance;
      EXPECT_LE(result.iterations, 120) << law << " " << tolerance;
    }
  }
}

TEST_F(Exact, PilesAreSolvedUnderCoulombsLaw) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Result result = Solve(SpherePile(300, seed), "ncp", 1e-8);
    EXPECT_TRUE(result.converged()) << seed;
    EXPECT_EQ(result.fallbacks, 0) << seed;
  }
}

// A body of 2 kg on two equal pairs of joint rows: each pair carries half of m g h along z.
TEST_F(Exact, RedundantJointsShareTheLoad) {
  ProblemBuilder builder;
  const int ceiling = builder.AddBody(Body());
  const int body = builder.AddSphere(2, 0.1, {0, 0, -kFall});
  for (int copy = 0; copy < 2; ++copy) {
    for (int k = 0; k < 3; ++k) {
      TwoBodyRow row;
      row.body_a = ceiling;
      row.body_b = body;
      row.jacobian[k] = -1;
      row.jacobian[6 + k] = 1;
      builder.AddEquality(row);
    }
  }
  EXPECT_TRUE(Solve(builder.Build(), "ncp", 1e-20).converged());
  EXPECT_NEAR(solution_.x[2], kFall, 1e-8);
  EXPECT_NEAR(solution_.x[5], kFall, 1e-8);
  for (double w : solution_.w) EXPECT_NEAR(w, 0, 1e-10);
}

// A ball of 2 kg on a soft contact of compliance c without friction: x = g h / (1/m + c).
TEST_F(Exact, ComplianceIsKept) {
  for (double compliance : {1e-12, 0.25, 3.0}) {
    ProblemBuilder builder;
    const int ground = builder.AddBody(Body());
    const int ball = builder.AddSphere(2, 0.5, {0, 0, -kFall});
    ContactPoint point;
    point.body_a = ground;
    point.body_b = ball;
    point.normal = {0, 0, 1};
    point.lever_b = {0, 0, -0.5};
    point.compliance = compliance;
    builder.AddContact(point, ContactMaterial());
    EXPECT_TRUE(Solve(builder.Build(), "ncp", 1e-20).converged());
    EXPECT_NEAR(solution_.x[0], kFall / (0.5 + compliance), 1e-10);
  }
}

/// A box of 2 kg that stands on `points` × `points` contacts.
Problem BoxOnManyContacts(int points) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int box = builder.AddBox(2, {1, 1, 1}, {0, 0, -kFall});
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      ContactPoint point;
      point.body_a = ground;
      point.body_b = box;
      point.normal = {0, 0, 1};
      const double step = 1.0 / (points - 1);
      point.lever_b = {i * step - 0.5, j * step - 0.5, -0.5};
      ContactMaterial material;
      material.friction = 0.5;
      builder.AddContact(point, material);
    }
  }
  return builder.Build();
}

// Ten thousand contacts on one body are a factorisation of one block: Σ x_n = m g h, and it rests.
TEST_F(Exact, TenThousandContactsOnOneBodyCarryIt) {
  const Problem problem = BoxOnManyContacts(100);
  ASSERT_EQ(problem.contacts(), 10000);
  for (const char* law : {"ccp", "ncp", "coupled_box"}) {
    const Result result = Solve(problem, law, 1e-12);
    EXPECT_TRUE(result.converged()) << law;
    double sum = 0;
    for (std::size_t i = 0; i < solution_.x.size(); i += 3) sum += solution_.x[i];
    EXPECT_NEAR(sum, 2 * kFall, 1e-5 * kFall) << law;
  }
}

// No rows and no body that moves: solved by doing nothing.
TEST_F(Exact, NothingToDoIsDone) {
  EXPECT_TRUE(Solve(Problem(), "ncp", 1e-8).converged());
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int other = builder.AddBody(Body());
  ContactPoint point;
  point.body_a = ground;
  point.body_b = other;
  point.normal = {0, 0, 1};
  builder.AddContact(point, ContactMaterial());
  EXPECT_TRUE(Solve(builder.Build(), "ncp", 1e-8).converged());
  EXPECT_EQ(solution_.x, std::vector<double>(solution_.x.size(), 0.0));
}

// A start that is not finite is the caller's mistake and named as such.
TEST_F(Exact, RefusesAStartThatIsNotFinite) {
  const Problem problem = BoxStack(2);
  std::vector<double> start(problem.rows(), 0.0);
  start[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Solve(problem, "ncp", 1e-8, &start), std::invalid_argument);
}

// An iteration limit is kept, and what is returned is not worse than nothing.
TEST_F(Exact, KeepsToTheIterationsGiven) {
  const Problem wall = BrickWall();
  SolveOptions options;
  options.law = ParseLaw("ncp");
  for (const int most : {1, 5, 12}) {
    options.max_iterations = most;
    const Result result = driver_.Solve(wall, options, solution_);
    EXPECT_LE(result.iterations, most);
    EXPECT_LE(result.energy.relative, 1.0);
  }
}

}  // namespace
}  // namespace nonsmooth
