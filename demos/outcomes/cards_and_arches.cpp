// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "demos/outcomes/outcome.h"

namespace nonsmooth::demo {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Box2D's card house: pairs of cards that lean on each other, with flat ones across. They settle
/// by some 2 mm.
World CardHouse(int storeys) {
  constexpr double kThickness = 0.002, kHeight = 0.4, kDepth = 0.2, kDensity = 1000,
                   kFriction = 0.7;
  constexpr double kPitch = 0.175, kLean = 25 * kPi / 180;
  World world;
  world.name = "S6 " + std::to_string(storeys);
  world.title = "a card house of " + std::to_string(storeys) + " storeys";
  world.steps = 600;
  world.bodies.push_back(GroundBody(kFriction));
  const auto card = [&](double x, double z, double angle) {
    BodySpec body = BoxBody({kThickness, kDepth, kHeight}, kDensity * kThickness * kDepth * kHeight,
                            {x, 0, z}, kFriction);
    body.pose.rotation = {std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0};  // about y
    world.bodies.push_back(body);
  };
  double z = 0.5 * kHeight - 0.02;
  for (int storey = 0; storey < storeys; ++storey) {
    double x = storey * kPitch;
    for (int i = 0; i < storeys - storey; ++i) {
      if (i + 1 < storeys - storey) card(x + 0.25, z + 0.5 * kHeight - 0.015, 0.5 * kPi);
      card(x, z, kLean);
      x += kPitch;
      card(x, z, -kLean);
      x += kPitch;
    }
    z += kHeight - 0.03;
  }
  return world;
}

using Point = std::array<double, 2>;

/// A prism of 1 m along y over a convex quadrilateral in x and z.
BodySpec Voussoir(const std::array<Point, 4>& corners) {
  constexpr double kDepth = 1, kDensity = 200, kFriction = 0.6;
  // Area and centre from triangles with the origin.
  double area = 0, x = 0, z = 0;
  for (int i = 0; i < 4; ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % 4];
    const double twice = a[0] * b[1] - a[1] * b[0];
    area += 0.5 * twice;
    x += twice * (a[0] + b[0]) / 6;
    z += twice * (a[1] + b[1]) / 6;
  }
  x /= area;
  z /= area;
  BodySpec body;
  body.shape = ShapeKind::kHull;
  body.mass = kDensity * kDepth * std::abs(area);
  body.friction = kFriction;
  body.pose.position = {x, 0, z};
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (const Point& corner : corners) {
    const double local[2] = {corner[0] - x, corner[1] - z};
    for (const double y : {-0.5 * kDepth, 0.5 * kDepth}) {
      body.points.push_back({local[0], y, local[1]});
    }
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], local[k]);
      high[k] = std::max(high[k], local[k]);
    }
  }
  body.size = {high[0] - low[0], kDepth, high[1] - low[1]};
  return body;
}

/// Box2D's arch of 17 voussoirs, with its four slabs or without.
World Arch(bool slabs) {
  constexpr double kScale = 0.25, kFriction = 0.6;
  constexpr std::array<Point, 9> kInner{{{16, 0},
                                         {14.93803712795643, 5.133601056842984},
                                         {13.79871746027416, 10.24928069555078},
                                         {12.56252963284711, 15.34107019122473},
                                         {11.20040987372525, 20.39856541571217},
                                         {9.66521217819836, 25.40369899225096},
                                         {7.87179930638133, 30.3179337000085},
                                         {5.635199558196225, 35.03820717801641},
                                         {2.405937953536585, 39.09554102558315}}};
  constexpr std::array<Point, 9> kOuter{{{24, 0},
                                         {22.33619528222415, 6.02299846205841},
                                         {20.54936888969905, 12.00964361211476},
                                         {18.60854610798073, 17.9470321677465},
                                         {16.46769273811807, 23.81367936585418},
                                         {14.05325025774858, 29.57079353071012},
                                         {11.23551045834022, 35.13775818285372},
                                         {7.752568160730571, 40.30450679009583},
                                         {3.016931552701656, 44.28891593799322}}};
  World world;
  world.name = slabs ? "S7s" : "S7";
  world.title = slabs ? "an arch of 17 stones under four slabs" : "an arch of 17 stones";
  world.steps = 600;
  world.bodies.push_back(GroundBody(kFriction));
  const auto at = [](const Point& p, double side) {
    return Point{side * kScale * p[0], kScale * p[1]};
  };
  for (const double side : {1.0, -1.0}) {
    for (int i = 0; i < 8; ++i) {
      world.bodies.push_back(Voussoir({at(kInner[i], side), at(kOuter[i], side),
                                       at(kOuter[i + 1], side), at(kInner[i + 1], side)}));
    }
  }
  world.bodies.push_back(
      Voussoir({at(kInner[8], 1), at(kOuter[8], 1), at(kOuter[8], -1), at(kInner[8], -1)}));
  for (int i = 0; slabs && i < 4; ++i) {
    world.bodies.push_back(
        BoxBody({4, 1, 1}, 200 * 4, {0, 0, kScale * kOuter[8][1] + 0.5 + i}, kFriction));
  }
  return world;
}

}  // namespace

void AddCardsAndArches(std::vector<Outcome>& outcomes) {
  outcomes.push_back(Standing(CardHouse(3), 100));
  outcomes.push_back(Standing(CardHouse(5), 100));
  outcomes.push_back(Standing(Arch(false), 300));
  outcomes.push_back(Standing(Arch(true), 300));
}

}  // namespace nonsmooth::demo
