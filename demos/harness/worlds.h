// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "demos/harness/world.h"

namespace nonsmooth::demo {

/// What --bodies and --seed choose.
struct WorldOptions {
  int bodies = 0;  ///< 0: as many as the scene has by itself
  unsigned seed = 1;
};

using MakeWorld = World (*)(const WorldOptions&);

/// 30 bricks in 12 rows of 2 whole ones and of half, whole, half in turn, with lateral gaps of 2 mm
/// (Enzenhöfer et al., Fig. 4). `bodies`: number of bricks, rounded up to whole rows.
World BrickWall(const WorldOptions& options);

/// 15 spheres that fall from separate random positions into an open box (Lu et al., Fig. 7).
World SpheresInBox(const WorldOptions& options);

/// 40 equal cylindrical logs that fall from separate positions between four posts and pile up
/// (Lu et al., Fig. 10).
World LogPile(const WorldOptions& options);

/// Cubes of 1 kg upon each other with one of 1000 kg on top; 5 in all.
World MassRatio(const WorldOptions& options);

/// A ball of 100 kg at the end of a chain of 10 links of 0.1 kg, let go from the horizontal.
/// `bodies`: number of links.
World Chain(const WorldOptions& options);

/// A hand on a vertical slider with two fingers on horizontal ones, all with motors and limits.
/// It closes on a box of 1 kg and lifts it by friction alone.
World Gripper(const WorldOptions& options);

/// A shaken box of steel spheres, about 6,500 contacts (Tasora, Fig. 2). `bodies`: spheres.
World Shaker(const WorldOptions& options);

/// A motor drives a slider-crank: the slider pushes a block against friction and ends at a limit.
World SliderCrank(const WorldOptions& options);

/// A six-wheeled rover of 44 kg with rockers, bogies, limits and a differential whose bar and rods
/// close loops, driven by a motor in each wheel over rocks. `bodies`: rocks.
World Rover(const WorldOptions& options);

}  // namespace nonsmooth::demo
