// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// Overwrites the lower triangle of a mass matrix M, row-major n × n, with the lower triangular R
/// for which M⁻¹ = R Rᵀ: M = LᵀL, R = L⁻¹. Both have zeros where joints are in different branches
/// of a tree and parents come before their children; none is filled in (R. Featherstone, "Rigid
/// Body Dynamics Algorithms", Sect. 6.5). Returns false if M is not positive definite.
bool TreeRoot(int n, double* matrix);

}  // namespace nonsmooth
