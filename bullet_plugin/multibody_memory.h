// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "multibody_pools.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Where rows on links start from: last step's impulses, which Bullet keeps with a contact's point
/// but starts from only in a mode of its own. Those of joints are kept here, since Bullet goes on
/// showing the impulse of a limit that is no longer met.
class MultiBodyMemory {
 public:
  struct Share {
    double contacts = 0;  ///< of last step's impulse that a row starts from
    double friction = 0;
    double joints = 0;
  };

  /// Fills m_appliedImpulse of rows on links. Velocities are left alone.
  void Apply(const MultiBodyPools& pools, const Share& share) const;

  /// After the solve of the same.
  void Store(const MultiBodyPools& pools);

  /// Forgets what the step that ends here has not stored.
  void EndStep();

  void Clear() { joints_.clear(); }

 private:
  static constexpr int kMostRows = 12;  ///< of a constraint; none of Bullet's has more than 6
  struct Joint {
    std::uint64_t step = 0;
    std::array<btScalar, kMostRows> impulse{};
  };
  std::uint64_t step_ = 1;
  std::unordered_map<const void*, Joint> joints_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
