// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "demos/scenes/random.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr double kRadius = 0.05;        // [m]
constexpr double kDensity = 2500;       // [kg/m³]
constexpr double kJitter = 0.2;         // of the radius: tilts normals by up to some 15 degrees
constexpr double kLargestGap = 1e-4;    // [m] pebbles are out of round by this much
constexpr double kStabilisation = 0.2;  // part of a penetration that is to vanish in one step
constexpr double kSpeed = 0.05;         // [m/s]
constexpr double kPi = 3.14159265358979323846;

class Pile {
 public:
  Pile(int side, unsigned seed) : random_(seed), side_(side) { builder_.AddBody(Body()); }

  int contacts() const { return contacts_; }
  Problem Build() { return builder_.Build(); }

  /// The next pebble: along x, then y, then z.
  void AddPebble() {
    const int i = Count() % side_;
    const int j = Count() / side_ % side_;
    const int k = Count() / (side_ * side_);
    Vector3 centre{Place(i), Place(j), Place(k)};
    for (double& c : centre) c += kRadius * random_.Uniform(-kJitter, kJitter);
    const double mass = kDensity * 4 / 3 * kPi * kRadius * kRadius * kRadius;
    const int body = builder_.AddSphere(mass, kRadius, {0, 0, -kSceneGravity * kSceneStep});
    const Vector3 direction = random_.UnitVector();
    for (int c = 0; c < 3; ++c) builder_.body(body).velocity[c] = kSpeed * direction[c];
    centres_.push_back(centre);

    if (k == 0) Touch(0, body, {centre[0], centre[1], centre[2] - 2 * kRadius});
    if (i == 0) Touch(0, body, {centre[0] - 2 * kRadius, centre[1], centre[2]});
    if (i == side_ - 1) Touch(0, body, {centre[0] + 2 * kRadius, centre[1], centre[2]});
    if (j == 0) Touch(0, body, {centre[0], centre[1] - 2 * kRadius, centre[2]});
    if (j == side_ - 1) Touch(0, body, {centre[0], centre[1] + 2 * kRadius, centre[2]});
    if (i > 0) Touch(body - 1, body, Centre(body - 1));
    if (j > 0) Touch(body - side_, body, Centre(body - side_));
    if (k > 0) Touch(body - side_ * side_, body, Centre(body - side_ * side_));
  }

 private:
  int Count() const { return static_cast<int>(centres_.size()); }
  static double Place(int index) { return kRadius * (2 * index + 1); }
  const Vector3& Centre(int body) const { return centres_[body - 1]; }

  /// Contact half-way between the two centres; a wall counts as the pebble's mirror image.
  void Touch(int a, int b, const Vector3& centre_a) {
    const Vector3& centre_b = Centre(b);
    Vector3 between{};
    for (int c = 0; c < 3; ++c) between[c] = centre_b[c] - centre_a[c];
    const double distance = std::hypot(between[0], between[1], between[2]);
    ContactPoint point;
    point.body_a = a;
    point.body_b = b;
    for (int c = 0; c < 3; ++c) {
      point.normal[c] = between[c] / distance;
      point.lever_a[c] = 0.5 * between[c];
      point.lever_b[c] = -0.5 * between[c];
    }
    // Only contacts that carry may overlap: a jammed row between two walls would ask for velocities
    // that there are not.
    const bool carries = std::abs(point.normal[2]) > 0.7;
    const double gap = random_.Uniform(carries ? -kLargestGap : 0.0, kLargestGap);
    point.bias = (gap > 0 ? gap : kStabilisation * gap) / kSceneStep;
    ContactMaterial material;
    material.friction = 0.5;
    material.key = static_cast<std::uint64_t>(++contacts_);
    builder_.AddContact(point, material);
  }

  ProblemBuilder builder_;
  Random random_;
  int side_;
  int contacts_ = 0;
  std::vector<Vector3> centres_;
};

}  // namespace

Problem SpherePile(int contacts_about, unsigned seed) {
  // A full cube of n³ pebbles has 3 n³ + 2 n² contacts, walls included.
  const int side = std::max(1, static_cast<int>(std::lround(std::cbrt(contacts_about / 3.0))));
  Pile pile(side, seed);
  while (pile.contacts() < contacts_about) pile.AddPebble();
  return pile.Build();
}

}  // namespace nonsmooth
