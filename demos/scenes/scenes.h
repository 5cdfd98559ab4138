// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/problem/problem.h"

namespace nonsmooth {

/// One step's problem of small scenes, made without an engine and the same on every machine. All
/// are two-body problems with native law `ncp`; z is up, gravity 9.81 m/s², the step 0.01 s.
/// Contacts carry keys.

inline constexpr double kSceneStep = 0.01;     ///< h [s]
inline constexpr double kSceneGravity = 9.81;  ///< [m/s²]

/// Pebbles of 0.1 m in a cubic lattice with jitter inside a box with walls, filled layer by layer
/// until there are `contacts_about` contacts (within 5 % from 200 on, mostly one or two more). Gaps
/// of either sign enter as bias, velocities are small and random, μ = 0.5.
Problem SpherePile(int contacts_about, unsigned seed = 1);

/// A tower of equal boxes, four contacts per interface.
Problem BoxStack(int boxes, double friction = 0.5);

/// So many towers of BoxStack() beside each other on one ground, built layer by layer: the contacts
/// of a tower do not stand together.
Problem Towers(int towers, int boxes);

/// A tower of two boxes of which the upper is `ratio` times as heavy as the lower.
Problem MassRatioStack(double ratio);

/// 12 rows of 2 whole bricks and of half, whole, half in turn, four contacts per overlap: 184.
Problem BrickWall();

/// Links of 1 kg joined by ball joints (three equality rows each), hanging out of a wall at an
/// angle, with a ball of `ball_mass` at the end.
Problem Chain(int links, double ball_mass);

/// Flywheel on a hinge (five equality rows) with a motor (box row) that has to bring it from rest
/// to `target_speed` [rad/s] with at most `most_torque` [N m]. Inertia 0.5 kg m² about the axis.
Problem Motor(double target_speed, double most_torque);

/// A ball that rolls without sliding over the ground, with rolling and spinning friction.
Problem RollingSphere(double speed);

}  // namespace nonsmooth
