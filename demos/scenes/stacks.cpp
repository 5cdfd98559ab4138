// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr Vector3 kGravityImpulse{0, 0, -kSceneGravity* kSceneStep};

struct Brick {
  int body = 0;
  Vector3 centre{};
  Vector3 edges{};
};

/// Boxes with parallel edges, one upon the other.
class Masonry {
 public:
  explicit Masonry(double friction) : friction_(friction) {
    // The ground reaches further than anything that stands on it.
    ground_.body = builder_.AddBody(Body());
    ground_.centre = {0, 0, -0.5};
    ground_.edges = {1e3, 1e3, 1};
  }

  const Brick& ground() const { return ground_; }
  Problem Build() { return builder_.Build(); }

  Brick Add(double mass, const Vector3& edges, const Vector3& centre) {
    return {builder_.AddBox(mass, edges, kGravityImpulse), centre, edges};
  }

  /// Four contacts at the corners of the overlap of `upper` and `lower`; none if there is none.
  void Lay(const Brick& lower, const Brick& upper) {
    double low[2];
    double high[2];
    for (int k = 0; k < 2; ++k) {
      low[k] =
          std::max(lower.centre[k] - 0.5 * lower.edges[k], upper.centre[k] - 0.5 * upper.edges[k]);
      high[k] =
          std::min(lower.centre[k] + 0.5 * lower.edges[k], upper.centre[k] + 0.5 * upper.edges[k]);
      if (high[k] <= low[k]) return;
    }
    const double z = upper.centre[2] - 0.5 * upper.edges[2];
    for (double y : {low[1], high[1]}) {
      for (double x : {low[0], high[0]}) {
        ContactPoint point;
        point.body_a = lower.body;
        point.body_b = upper.body;
        point.normal = {0, 0, 1};
        const Vector3 at{x, y, z};
        for (int k = 0; k < 3; ++k) {
          point.lever_a[k] = at[k] - lower.centre[k];
          point.lever_b[k] = at[k] - upper.centre[k];
        }
        ContactMaterial material;
        material.friction = friction_;
        material.key = ++key_;
        builder_.AddContact(point, material);
      }
    }
  }

 private:
  ProblemBuilder builder_;
  double friction_;
  Brick ground_;
  std::uint64_t key_ = 0;
};

}  // namespace

Problem BoxStack(int boxes, double friction) {
  Masonry masonry(friction);
  const Vector3 edges{1, 1, 0.5};
  Brick below = masonry.ground();
  for (int i = 0; i < boxes; ++i) {
    const Brick box = masonry.Add(10, edges, {0, 0, (i + 0.5) * edges[2]});
    masonry.Lay(below, box);
    below = box;
  }
  return masonry.Build();
}

Problem Towers(int towers, int boxes) {
  Masonry masonry(0.5);
  const Vector3 edges{1, 1, 0.5};
  const int side = static_cast<int>(std::ceil(std::sqrt(towers)));
  std::vector<Brick> below(towers, masonry.ground());
  for (int i = 0; i < boxes; ++i) {
    for (int k = 0; k < towers; ++k) {
      const Vector3 centre{2.0 * (k % side), 2.0 * (k / side), (i + 0.5) * edges[2]};
      const Brick box = masonry.Add(10, edges, centre);
      masonry.Lay(below[k], box);
      below[k] = box;
    }
  }
  return masonry.Build();
}

Problem MassRatioStack(double ratio) {
  Masonry masonry(0.5);
  const Vector3 edges{1, 1, 1};
  const Brick light = masonry.Add(1, edges, {0, 0, 0.5});
  const Brick heavy = masonry.Add(ratio, edges, {0, 0, 1.5});
  masonry.Lay(masonry.ground(), light);
  masonry.Lay(light, heavy);
  return masonry.Build();
}

Problem BrickWall() {
  constexpr int kRows = 12;
  constexpr double kDensity = 1800;  // [kg/m³]
  const Vector3 whole{0.24, 0.115, 0.071};
  Masonry masonry(0.6);
  std::vector<Brick> below{masonry.ground()};
  for (int row = 0; row < kRows; ++row) {
    std::vector<Brick> bricks;
    const int count = row % 2 == 0 ? 2 : 3;
    double x = 0;
    for (int i = 0; i < count; ++i) {
      const bool half = count == 3 && i != 1;
      const Vector3 edges{half ? 0.5 * whole[0] : whole[0], whole[1], whole[2]};
      const double mass = kDensity * edges[0] * edges[1] * edges[2];
      bricks.push_back(masonry.Add(mass, edges, {x + 0.5 * edges[0], 0, (row + 0.5) * edges[2]}));
      x += edges[0];
    }
    for (const Brick& upper : bricks) {
      for (const Brick& lower : below) masonry.Lay(lower, upper);
    }
    below = bricks;
  }
  return masonry.Build();
}

}  // namespace nonsmooth
