// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <vector>

#include "../recorders/capture/body_shape.h"
#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// The collision shapes of an object as a capture keeps them, those of a compound one by one. A
/// static object gets them where it stands. Empty for one without a shape.
std::vector<BodyShape> ShapesOf(const btCollisionObject& object);

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
