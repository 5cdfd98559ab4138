// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <LinearMath/btScalar.h>

#include <string_view>

// Bullet has one btScalar per build, and so has everything that includes it: the names of this
// folder live in an inline namespace of the precision, so that what was compiled for one cannot be
// linked with the other by mistake.
#ifdef BT_USE_DOUBLE_PRECISION
#define NONSMOOTH_BULLET_PRECISION float64
#else
#define NONSMOOTH_BULLET_PRECISION float32
#endif

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Bullet's version as the headers have it, "3.24".
std::string_view EngineVersion();

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
