// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// [s, nominal] What `auto` may spend on a step of a simulation unless asked otherwise: as much as
/// `iterations` of an engine's own sweeps over `rows`, or a twentieth of the step's
/// duration, whichever is more. Counted, never measured; see StepCost for what a nominal second is.
double StepBudget(int rows, int iterations, double duration);

/// The relative tolerance below which a solve's error is not seen in a second of simulation,
/// docs/error_measures.md: a share ε of the energy that a step has to change, all of it in one
/// body and to the same side in each of the 1 s / h steps, changes a velocity by √ε / h of itself.
/// That is to be less than 1e-4, a tenth of a millisecond's way in a second:
///
///     ε = (1e-4 h / 1 s)²
///
/// 2.8e-12 at 1/60 s, 1e-14 at 1 ms, which is where rounding begins: no less than that.
double StepTolerance(double duration);

}  // namespace nonsmooth
