// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The measures of the outcomes, against motions whose measure is known.
#include "demos/outcomes/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

namespace nonsmooth::demo {
namespace {

const Outcome& Find(const std::string& name) {
  static const std::vector<Outcome> all = Outcomes();
  for (const Outcome& outcome : all) {
    if (outcome.world.name == name) return outcome;
  }
  throw std::invalid_argument(name);
}

/// All frames of a world whose bodies are carried by `move(body, time)` from their places.
Trace Moved(const World& world, const std::function<Vec3(std::size_t, double)>& move) {
  Trace trace;
  for (int frame = 0; frame <= world.steps; ++frame) {
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      Pose pose = world.bodies[i].pose;
      const Vec3 way = move(i, frame * world.dt);
      for (int k = 0; k < 3; ++k) pose.position[k] += way[k];
      poses.push_back(pose);
    }
    trace.push_back(std::move(poses));
  }
  return trace;
}

Trace AtRest(const World& world) {
  return Moved(world, [](std::size_t, double) { return Vec3{}; });
}

TEST(Outcome, HasEveryRowOfTheTableOnce) {
  std::set<std::string> names;
  for (const Outcome& outcome : Outcomes()) names.insert(outcome.world.name);
  EXPECT_EQ(names, (std::set<std::string>{"S1 1",        "S1 10",       "S1 100",     "S1 1000",
                                          "S2",          "S3",          "S4",         "S5",
                                          "S5h",         "S6 3",        "S6 5",       "S7",
                                          "S7s",         "S8",          "S9",         "S10 26.0 0",
                                          "S10 26.0 30", "S10 26.0 45", "S10 27.2 0", "S10 27.2 30",
                                          "S10 27.2 45", "S11"}));
  EXPECT_EQ(Outcomes().size(), names.size());
}

// What does not move has neither drift nor stretch nor creep, and has not slid as it should.
TEST(Outcome, MeasuresNothingAtRest) {
  for (const Outcome& outcome : Outcomes()) {
    const double measure = outcome.measure(outcome.world, AtRest(outcome.world));
    const std::string& name = outcome.world.name;
    if (name == "S8" || name.rfind("S10 27.2", 0) == 0) {
      EXPECT_NEAR(measure, 100, 1e-9) << name;
    } else {
      EXPECT_NEAR(measure, 0, 1e-9) << name;
    }
  }
}

// The lower cube 3 mm into the ground, the upper one 5 mm into that: 5 mm. Apart: none.
TEST(Outcome, OverlapIsTheDeepestOfTheTower) {
  const Outcome& outcome = Find("S1 1000");
  const auto sunk = [](double lower, double upper) {
    return [=](std::size_t i, double) { return Vec3{0, 0, i == 1 ? lower : i == 2 ? upper : 0}; };
  };
  EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, sunk(-0.003, -0.008))), 5, 1e-9);
  EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, sunk(-0.003, -0.004))), 3, 1e-9);
  EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, sunk(0, 0.1))), 0, 1e-9);
}

// Body 3 ends 30 mm along x and 40 mm up: 50 mm, however far it and others have been on the way.
TEST(Outcome, DriftIsTheFarthestAtTheEnd) {
  const Outcome& outcome = Find("S2");
  const double whole = outcome.world.steps * outcome.world.dt;
  const Trace trace = Moved(outcome.world, [whole](std::size_t i, double t) {
    const double there = t > whole - 1e-6 ? (i == 3 ? 1 : 0) : t > 0 ? 10 : 0;
    return Vec3{0.03 * there, 0, 0.04 * there};
  });
  EXPECT_NEAR(outcome.measure(outcome.world, trace), 50, 1e-9);
}

// A ball 3.2 m farther out on a chain of 32 m: 10 %. Pushed in, a chain is bent and not stretched.
TEST(Outcome, StretchIsOfTheWholeChain) {
  for (const char* name : {"S5", "S5h"}) {
    const World& world = Find(name).world;
    const auto out = [&world](double way) {
      return [&world, way](std::size_t i, double) {
        const Vec3& end = world.joints.back().point;
        const double share = i + 1 == world.bodies.size() ? way / 32 : 0;
        return Vec3{share * end[0], share * end[1], share * end[2]};
      };
    };
    EXPECT_NEAR(Find(name).measure(world, Moved(world, out(3.2))), 10, 1e-9);
    EXPECT_NEAR(Find(name).measure(world, Moved(world, out(-3.2))), 0, 1e-9);
  }
}

// Links: 20 kg/m³ of a cylinder π r² and a ball 4/3 π r³; the ball at the end 585 times as heavy.
TEST(Outcome, ChainCarriesABallOf585Links) {
  const World& world = Find("S5h").world;
  EXPECT_EQ(world.bodies.size(), 34u);
  EXPECT_EQ(world.joints.size(), 33u);
  EXPECT_NEAR(world.bodies.back().mass / world.bodies[1].mass, 585, 1);
}

// n storeys: n (n + 1) cards that lean, n (n − 1) / 2 flat ones, and the ground.
TEST(Outcome, CardHouseHasItsCards) {
  EXPECT_EQ(Find("S6 3").world.bodies.size(), 1u + 12 + 3);
  EXPECT_EQ(Find("S6 5").world.bodies.size(), 1u + 30 + 10);
}

// 17 voussoirs, mirrored about x = 0, whose corners are all at or above the ground; four slabs.
TEST(Outcome, ArchIsSymmetric) {
  const World& world = Find("S7").world;
  ASSERT_EQ(world.bodies.size(), 18u);
  EXPECT_EQ(Find("S7s").world.bodies.size(), 22u);
  double moment = 0;
  for (const BodySpec& body : world.bodies) {
    moment += body.mass * body.pose.position[0];
    if (body.mass == 0) continue;
    Vec3 middle{};
    for (const Vec3& point : body.points) {
      EXPECT_GE(point[2] + body.pose.position[2], -1e-12);
      for (int k = 0; k < 3; ++k) middle[k] += point[k] / 8;
    }
    // Near the mean of the corners, as stones are nearly parallelograms.
    EXPECT_LT(Distance(middle, {}), 0.1);
  }
  EXPECT_NEAR(moment, 0, 1e-9);
}

// F − μ (M + Σ m) g = 150 − 0.4 · 35 · 9.81 = 12.66 N on M + 2/7 Σ m = 17.14 kg: 0.7385 m/s², thus
// 2.954 m/s after 4 s, and 2/7 of that, 0.844 m/s, for the balls. One per cent slower: 1 %.
TEST(Outcome, RollingIsMeasuredAgainstTheFormula) {
  const Outcome& outcome = Find("S8");
  const double slower = 0.99;
  const auto pushed = [slower](std::size_t i, double t) {
    const double plate = 2.954 / 4;
    const double a = i == 0 ? 0 : i == 1 ? plate : slower * 2 / 7 * plate;
    const double way = 0.5 * a * t * t;
    return Vec3{0.5 * way, std::sqrt(0.75) * way, 0};
  };
  EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, pushed)), 1, 0.02);
}

// 50 µm/s down the slope, along a direction of its own.
TEST(Outcome, CreepIsTheSpeedOfTheLastSecond) {
  const Outcome& outcome = Find("S10 26.0 30");
  const auto creep = [](std::size_t i, double t) {
    return Vec3{i == 1 ? 30e-6 * t : 0, i == 1 ? 40e-6 * t : 0, 0};
  };
  EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, creep)), 50, 1e-6);
}

// g (sin 27.2° − 0.5 cos 27.2°) = 0.12173 m/s²; two per cent more, after a push of 0.1 m/s: 2 %.
TEST(Outcome, AccelerationDoesNotDependOnTheStart) {
  for (const char* name : {"S10 27.2 0", "S10 27.2 45"}) {
    const Outcome& outcome = Find(name);
    const double a = 9.81 * (std::sin(27.2 * M_PI / 180) - 0.5 * std::cos(27.2 * M_PI / 180));
    const auto slide = [a](std::size_t i, double t) {
      return Vec3{i == 1 ? 0.1 * t + 0.5 * 1.02 * a * t * t : 0, 0, 0};
    };
    EXPECT_NEAR(outcome.measure(outcome.world, Moved(outcome.world, slide)), 2, 1e-6);
  }
}

TEST(Outcome, DisplacedMovesWhatMovesByTenMicrometresAtMost) {
  const World& world = Find("S9").world;
  const World once = Displaced(world, 1), again = Displaced(world, 1), other = Displaced(world, 2);
  double most = 0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double way = once.bodies[i].pose.position[k] - world.bodies[i].pose.position[k];
      if (world.bodies[i].mass == 0) {
        EXPECT_EQ(way, 0);
      }
      most = std::max(most, std::abs(way));
    }
    EXPECT_EQ(once.bodies[i].pose.position, again.bodies[i].pose.position);
  }
  EXPECT_LE(most, 10e-6);
  EXPECT_GT(most, 1e-6);
  EXPECT_NE(once.bodies[1].pose.position, other.bodies[1].pose.position);
}

}  // namespace
}  // namespace nonsmooth::demo
