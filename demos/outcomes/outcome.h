// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "demos/harness/world.h"

namespace nonsmooth::demo {

/// Poses of all bodies: [0] at the start, then after every frame.
using Trace = std::vector<std::vector<Pose>>;

/// A published hard scene with what has to come of it.
struct Outcome {
  World world;       ///< its name is the outcome's, e.g. "S1 100"
  std::string what;  ///< is measured, in words
  std::string unit;
  double limit = 0;  ///< passes if the measure is at most that
  std::function<double(const World&, const Trace&)> measure;
};

/// All of them, in the order of the table in docs/outcomes.md.
std::vector<Outcome> Outcomes();

/// Those of a family, appended.
void AddTowers(std::vector<Outcome>& outcomes);          ///< S1, S2, S3, S4
void AddChains(std::vector<Outcome>& outcomes);          ///< S5, S5h
void AddCardsAndArches(std::vector<Outcome>& outcomes);  ///< S6, S7, S7s
void AddFriction(std::vector<Outcome>& outcomes);        ///< S8, S9, S10
void AddPyramid(std::vector<Outcome>& outcomes);         ///< S11

/// A world whose bodies have to stay within `limit` mm of their places.
Outcome Standing(World world, double limit);

/// The same world with every moving body that no joint holds up to 10 µm off along each axis: some
/// solvers hold a stack only as long as it is symmetric to the last bit. (A taut chain of light
/// links swings sideways faster than a step of 1/60 s can follow, whoever solves it; one that hangs
/// as straight as it was built does not show that.)
World Displaced(const World& world, unsigned seed);

/// A box with its edges along the axes; of mass 0 it is fixed.
BodySpec BoxBody(const Vec3& size, double mass, const Vec3& position, double friction);

/// A fixed slab with its upper face at z = 0.
BodySpec GroundBody(double friction);

/// [mm] The farthest that any moving body is from its place at the end. Not on the way: Bullet sees
/// that two boxes touch only once they overlap, so that of a wall with gaps of micrometres the
/// upper rows fall freely for some steps, by 40 mm, whoever solves; they are lifted back.
double Drift(const World& world, const Trace& trace);

/// Distance of two points.
double Distance(const Vec3& a, const Vec3& b);

}  // namespace nonsmooth::demo
