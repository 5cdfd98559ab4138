// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "problem.h"
#include "two_body_dynamics.h"

namespace nonsmooth {

using Vector3 = std::array<double, 3>;

/// Friction and identity of a contact; the meaning of each field is RowGroup's.
struct ContactMaterial {
  double friction = 0;
  double spinning_friction = 0;
  double rolling_friction = 0;
  Law law{LawKind::kNcp, 0};
  double normal_estimate = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t key = 0;
};

/// A contact as geometry, in world axes. The normal points from a to b; the impulse on b is
/// +n x_n + t₁ x_1 + t₂ x_2 at its lever arm, on a the opposite.
struct ContactPoint {
  int body_a = -1;
  int body_b = -1;
  Vector3 lever_a{};      ///< from the centre of mass of a to the contact point [m]
  Vector3 lever_b{};      ///< likewise of b [m]
  Vector3 normal{};       ///< of unit length
  double bias = 0;        ///< b₀ of the normal row, e.g. gap / h [m/s]
  double compliance = 0;  ///< of the normal row [1/kg]
};

/// Two unit vectors that make a right-handed frame with the unit vector `normal`.
void TangentBasis(const Vector3& normal, Vector3* first, Vector3* second);

/// Puts a two-body problem together, group by group.
class ProblemBuilder {
 public:
  int AddBody(const Body& body);

  /// Solid helpers: a sphere or a box (edge lengths) of the given mass at rest, in world axes,
  /// under the impulse h·g of gravity; mass 0 makes a fixed body.
  int AddSphere(double mass, double radius, const Vector3& gravity_times_step);
  int AddBox(double mass, const Vector3& edges, const Vector3& gravity_times_step);

  void AddEquality(const TwoBodyRow& row);
  void AddBounded(const TwoBodyRow& row, double lower, double upper);

  /// Rows in RowGroup's order. `tangents`, `spinning`, `rolling` say how many of each there are.
  void AddContactRows(const std::vector<TwoBodyRow>& rows, int tangents, int spinning, int rolling,
                      const ContactMaterial& material);

  /// Normal and two tangent rows from geometry; spinning and rolling rows where the material has
  /// a coefficient for them.
  void AddContact(const ContactPoint& point, const ContactMaterial& material);

  Body& body(int index) { return bodies_.at(index); }
  int bodies() const { return static_cast<int>(bodies_.size()); }

  /// Validates and hands the problem over; the builder is empty afterwards.
  Problem Build();

 private:
  void AddGroup(RowGroup group, const std::vector<TwoBodyRow>& rows, double lower, double upper);

  std::vector<Body> bodies_;
  std::vector<TwoBodyRow> rows_;
  std::vector<RowGroup> groups_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};

}  // namespace nonsmooth
