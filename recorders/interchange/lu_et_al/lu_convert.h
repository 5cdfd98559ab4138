// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../../capture/captured_step.h"
#include "lu_frame.h"

namespace nonsmooth {

/// The subproblem that a frame describes, rebuilt from its geometry: h times the forces, gap / h
/// and violation / h as bias, tangents chosen by TangentBasis(), law `ncp` (the format has none).
/// `step` stands in for a frame without a time step. `remarks` gets what the format leaves open.
/// Throws std::invalid_argument naming field, index and rule.
CapturedStep FromLuFrame(const LuFrame& frame, double step, std::vector<std::string>* remarks);

/// A step as a frame. Contacts are described by their rows' normals and levers where these are
/// those of a point contact. Throws std::invalid_argument naming what Table 1 cannot say: dynamics
/// that are not two-body, unknown positions or time step, anisotropic masses, spinning and rolling
/// friction, contacts that are not point contacts. Remarks say what is left out: compliance,
/// tangents, laws.
LuFrame ToLuFrame(const CapturedStep& step, LuDialect dialect, std::vector<std::string>* remarks);

}  // namespace nonsmooth
