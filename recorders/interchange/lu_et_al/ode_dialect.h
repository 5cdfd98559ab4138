// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "lu_frame.h"

namespace nonsmooth {

/// What the numbers in ODE's frames mean, as its writer (Gazebo, deps/opende/src/h5dump.cpp) fills
/// them, where that differs from the paper:
///
/// - `points` are world positions, not vectors from body 1's centre of mass;
/// - `pairs` of a constraint stand the other way round than the Jacobian's two blocks;
/// - `violations` hold ODE's c of J v = c, asked for at 60 frames a second and full correction:
///   −60 times the violation, and the target speed itself where a row is bounded on both sides;
/// - `bounds` are forces, not impulses;
/// - `bounds` of a joint with several rows overlap: l_j and u_j stand at places j and j + 1 of the
///   joint's part, since ODE counts them without a stride. One bounded row among others can be told
///   apart; of more, some numbers are overwritten;
/// - rows of disabled joints are counted and left zero;
/// - of a contact with the world it is not said whether ODE turned it round.
///
/// Files of this project's own have the first four properties and none of the others.

/// The frame by the paper's conventions; `h` is its time step. Remarks say what had to be guessed.
/// Throws std::invalid_argument if bounds cannot be told apart. Sizes have been checked.
LuFrame FromOde(LuFrame frame, double h, std::vector<std::string>* remarks);

/// The inverse, of a frame by the paper's conventions.
LuFrame ToOde(LuFrame frame);

/// Drops the rows that belong to no joint, before sizes are checked.
void DropRowsOfDisabledJoints(LuFrame* frame);

}  // namespace nonsmooth
