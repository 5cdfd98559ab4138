// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/law/cone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

const double kPi = std::acos(-1.0);

FrictionPart Part(int offset, int size, double coefficient, double weight, int facets = 0) {
  FrictionPart part;
  part.offset = offset;
  part.size = size;
  part.coefficient = coefficient;
  part.weight = weight;
  part.facets = facets;
  return part;
}

/// A cone made of parts, with what a projection onto it must satisfy.
struct Cone {
  double normal_weight;
  std::vector<FrictionPart> parts;

  int size() const { return parts.back().offset + parts.back().size; }

  double Weight(int row) const {
    for (const FrictionPart& part : parts) {
      if (row >= part.offset && row < part.offset + part.size) return part.weight;
    }
    return normal_weight;
  }

  double Product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (int i = 0; i < size(); ++i) sum += Weight(i) * a[i] * b[i];
    return sum;
  }

  bool Contains(const std::vector<double>& y) const {
    if (y[0] < -1e-13) return false;
    return std::all_of(parts.begin(), parts.end(), [&](const FrictionPart& part) {
      return Gauge(part, y.data() + part.offset) <= part.coefficient * y[0] + 1e-12;
    });
  }

  /// max over the cone's points with y_n = 1 of the weighted product with `r`; ≤ 0 says that r is
  /// in the polar cone. The support of each part is SlidingSpeed(−r).
  double PolarExcess(const std::vector<double>& r) const {
    double sum = normal_weight * r[0];
    for (const FrictionPart& part : parts) {
      double opposite[2] = {0, 0};
      for (int i = 0; i < part.size; ++i) opposite[i] = -r[part.offset + i];
      sum += part.weight * part.coefficient * SlidingSpeed(part, opposite);
    }
    return sum;
  }

  std::vector<double> Project(std::vector<double> y) const {
    ProjectOntoParts(normal_weight, parts.data(), static_cast<int>(parts.size()), y.data());
    return y;
  }
};

std::vector<Cone> Cones() {
  std::vector<Cone> cones{
      {1.0, {Part(1, 2, 0.5, 1.0)}},
      {0.3, {Part(1, 2, 0.8, 2.0)}},
      {2.0, {Part(1, 1, 0.4, 0.7)}},
      {1.5, {Part(1, 2, 0.0, 1.0)}},
      {1.0, {Part(1, 2, 0.6, 2.0), Part(3, 1, 0.02, 90.0), Part(4, 2, 0.05, 70.0)}},
      {0.5, {Part(1, 2, 0.6, 2.0, 6), Part(3, 1, 0.3, 3.0), Part(4, 2, 0.2, 5.0)}},
      {1.0, {Part(1, 2, 0.6, 2.0), Part(3, 1, 0.0, 9.0), Part(4, 2, 0.1, 7.0)}},
  };
  for (int facets : {3, 4, 5, 8, 16}) cones.push_back({0.7, {Part(1, 2, 0.9, 1.3, facets)}});
  return cones;
}

// Moreau: p = Π(y) is the projection exactly if p is in the cone, y − p in its polar cone, and the
// two are perpendicular, all in the weighted metric.
TEST(ProjectOntoParts, SatisfiesMoreausConditions) {
  test::Random random(1);
  for (const Cone& cone : Cones()) {
    for (int i = 0; i < 2000; ++i) {
      const std::vector<double> y = random.Vector(cone.size(), -2, 2);
      const std::vector<double> p = cone.Project(y);
      ASSERT_TRUE(cone.Contains(p)) << p[0];
      std::vector<double> r = y;
      for (int k = 0; k < cone.size(); ++k) r[k] -= p[k];
      ASSERT_LE(cone.PolarExcess(r), 1e-11);
      ASSERT_NEAR(cone.Product(r, p), 0, 1e-11);
    }
  }
}

// Projecting twice changes nothing, and no two points move apart.
TEST(ProjectOntoParts, IsIdempotentAndNonexpansive) {
  test::Random random(2);
  for (const Cone& cone : Cones()) {
    for (int i = 0; i < 500; ++i) {
      const std::vector<double> y = random.Vector(cone.size(), -2, 2);
      const std::vector<double> z = random.Vector(cone.size(), -2, 2);
      const std::vector<double> p = cone.Project(y);
      const std::vector<double> q = cone.Project(z);
      const std::vector<double> again = cone.Project(p);
      std::vector<double> before = y, after = p;
      for (int k = 0; k < cone.size(); ++k) {
        ASSERT_NEAR(again[k], p[k], 1e-13);
        before[k] -= z[k];
        after[k] -= q[k];
      }
      ASSERT_LE(cone.Product(after, after), cone.Product(before, before) * (1 + 1e-12));
    }
  }
}

// No sampled point of the cone is nearer than the projection: a check that knows no duality.
TEST(ProjectOntoParts, NoSampledPointIsNearer) {
  test::Random random(3);
  for (const Cone& cone : Cones()) {
    if (cone.parts.size() > 1) continue;
    const FrictionPart& part = cone.parts[0];
    for (int i = 0; i < 20; ++i) {
      const std::vector<double> y = random.Vector(cone.size(), -2, 2);
      const std::vector<double> p = cone.Project(y);
      const auto distance = [&](const std::vector<double>& z) {
        std::vector<double> d = y;
        for (int k = 0; k < cone.size(); ++k) d[k] -= z[k];
        return cone.Product(d, d);
      };
      const double least = distance(p);
      for (int sample = 0; sample < 2000; ++sample) {
        std::vector<double> z = random.Vector(cone.size(), -1, 1);
        z[0] = random.Uniform(0, 3);
        const double gauge = Gauge(part, z.data() + 1);
        const double radius = random.Uniform(0, 1) * part.coefficient * z[0];
        for (int k = 1; k < cone.size(); ++k) z[k] *= gauge > 0 ? radius / gauge : 0;
        ASSERT_GE(distance(z), least - 1e-12);
      }
    }
  }
}

// The closed form of the single disc and the general one agree.
TEST(ProjectOntoCone, AgreesWithProjectOntoParts) {
  test::Random random(4);
  for (const Cone& cone : Cones()) {
    if (cone.parts.size() > 1 || cone.parts[0].facets > 0) continue;
    const FrictionPart& part = cone.parts[0];
    for (int i = 0; i < 1000; ++i) {
      std::vector<double> y = random.Vector(cone.size(), -2, 2);
      const std::vector<double> p = cone.Project(y);
      ProjectOntoCone(part.coefficient, cone.normal_weight, part.weight, part.size, y.data());
      for (int k = 0; k < cone.size(); ++k) ASSERT_NEAR(y[k], p[k], 1e-13);
    }
  }
}

// Equal weights, μ = 1, y = (0, 3, 4): on the face at half the length, (2.5, 1.5, 2).
TEST(ProjectOntoCone, HasItsClosedForm) {
  double y[3] = {0, 3, 4};
  ProjectOntoCone(1, 1, 1, 2, y);
  EXPECT_NEAR(y[0], 2.5, 1e-15);
  EXPECT_NEAR(y[1], 1.5, 1e-15);
  EXPECT_NEAR(y[2], 2.0, 1e-15);
}

// μ = 0 leaves the half-line x_n ≥ 0, also where the tangents are zero already.
TEST(ProjectOntoCone, FrictionlessConeIsTheHalfLine) {
  for (double normal : {-1.0, 0.0, 2.0}) {
    for (double tangent : {0.0, 0.5}) {
      double y[3] = {normal, tangent, 0};
      ProjectOntoCone(0, 1.5, 0.5, 2, y);
      EXPECT_EQ(y[0], std::max(0.0, normal));
      EXPECT_EQ(y[1], 0);
    }
  }
  double alone = -3;
  ProjectOntoCone(0.5, 1, 0, 0, &alone);
  EXPECT_EQ(alone, 0);
}

// An inert part has no metric to be projected in: it is left alone, and does not pull the normal.
TEST(ProjectOntoParts, LeavesPartsOfWeightZeroAlone) {
  const FrictionPart parts[2] = {Part(1, 2, 0.5, 0.0), Part(3, 1, 0.1, 2.0)};
  double y[4] = {1, 7, -8, 0.05};
  ProjectOntoParts(1, parts, 2, y);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 7);
  EXPECT_EQ(y[2], -8);
  EXPECT_EQ(y[3], 0.05);
}

/// Vertices of the unit k-gon.
std::vector<std::array<double, 2>> Vertices(int facets) {
  std::vector<std::array<double, 2>> vertices(facets);
  for (int i = 0; i < facets; ++i) {
    vertices[i] = {std::cos(2 * kPi * i / facets), std::sin(2 * kPi * i / facets)};
  }
  return vertices;
}

// The support function of a polygon is the maximum over its vertices; of a disc, the norm.
TEST(SlidingSpeed, IsTheMaximumOverTheVertices) {
  test::Random random(5);
  for (int facets : {3, 4, 5, 8, 16}) {
    const FrictionPart part = Part(1, 2, 1, 1, facets);
    for (int i = 0; i < 500; ++i) {
      const std::vector<double> w = random.Vector(2, -1, 1);
      double expected = -1;
      for (const auto& d : Vertices(facets)) {
        expected = std::max(expected, -(d[0] * w[0] + d[1] * w[1]));
      }
      ASSERT_NEAR(SlidingSpeed(part, w.data()), expected, 1e-14);
    }
  }
  const double w[2] = {3, -4};
  EXPECT_DOUBLE_EQ(SlidingSpeed(Part(1, 2, 1, 1), w), 5);
  EXPECT_DOUBLE_EQ(SlidingSpeed(Part(1, 1, 1, 1), w), 3);
  EXPECT_EQ(SlidingSpeed(Part(1, 0, 1, 1), w), 0);
}

// Gauge and split: y = α_i d_i + α_i+1 d_i+1 with α ≥ 0 and α_i + α_i+1 = gauge; a vertex and the
// middle of an edge have gauge 1.
TEST(Gauge, IsTheSumOfTheVertexShares) {
  test::Random random(6);
  for (int facets : {3, 4, 5, 8, 16}) {
    const FrictionPart part = Part(1, 2, 1, 1, facets);
    const auto vertices = Vertices(facets);
    for (int i = 0; i < 500; ++i) {
      const std::vector<double> y = random.Vector(2, -1, 1);
      const VertexPair pair = SplitOntoVertices(facets, y.data());
      const auto& d = vertices[pair.first];
      const auto& e = vertices[(pair.first + 1) % facets];
      ASSERT_GE(std::min(pair.alpha[0], pair.alpha[1]), -1e-14);
      ASSERT_NEAR(pair.alpha[0] * d[0] + pair.alpha[1] * e[0], y[0], 1e-14);
      ASSERT_NEAR(pair.alpha[0] * d[1] + pair.alpha[1] * e[1], y[1], 1e-14);
      ASSERT_NEAR(pair.alpha[0] + pair.alpha[1], Gauge(part, y.data()), 1e-14);
    }
    for (int i = 0; i < facets; ++i) {
      const auto& d = vertices[i];
      const auto& e = vertices[(i + 1) % facets];
      const double middle[2] = {0.5 * (d[0] + e[0]), 0.5 * (d[1] + e[1])};
      EXPECT_NEAR(Gauge(part, d.data()), 1, 1e-14);
      EXPECT_NEAR(Gauge(part, middle), 1, 1e-14);
    }
  }
}

// A square of radius 1 (vertices on the axes): (1, 1) projects to the edge's middle, (3, 0.1) to
// the vertex, (0.2, 0.2) stays.
TEST(ProjectOntoScaledSet, ProjectsOntoASquare) {
  const FrictionPart square = Part(1, 2, 1, 1, 4);
  double edge[2] = {1, 1}, vertex[2] = {3, 0.1}, inside[2] = {0.2, 0.2};
  ProjectOntoScaledSet(square, 1, edge);
  ProjectOntoScaledSet(square, 1, vertex);
  ProjectOntoScaledSet(square, 1, inside);
  EXPECT_NEAR(edge[0], 0.5, 1e-15);
  EXPECT_NEAR(edge[1], 0.5, 1e-15);
  EXPECT_NEAR(vertex[0], 1, 1e-15);
  EXPECT_NEAR(vertex[1], 0, 1e-15);
  EXPECT_EQ(inside[0], 0.2);
}

// The k-gon lies between the discs of radius cos(π/k) and 1: its projection tends to the disc's.
TEST(ProjectOntoParts, ManyFacetsTendToTheDisc) {
  test::Random random(7);
  const Cone disc{0.7, {Part(1, 2, 0.9, 1.3)}};
  for (int facets : {64, 1024}) {
    const Cone polygon{0.7, {Part(1, 2, 0.9, 1.3, facets)}};
    // The gap is 1 − cos(π/k) ≈ π²/2k² of the radius, and a projection moves at most by the root.
    const double bound = 4 * kPi / facets;
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> y = random.Vector(3, -2, 2);
      const std::vector<double> p = disc.Project(y), q = polygon.Project(y);
      for (int k = 0; k < 3; ++k) ASSERT_NEAR(p[k], q[k], bound);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
