// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"
#include "nt_scaling.h"

namespace nonsmooth {

/// The problem as interior-point methods see it, without units and with unit diagonal: with
/// S = diag(a)^-½ and β² = twice the free energy per row,
///
///     x = β S x̂,   w = β S⁻¹ ŵ,   ŵ = S A S x̂ + b̂,
///     s = G x̂ − h ∈ cones,   z ∈ cones,   ŵ + σ e_n = Gᵀ z,   s∘z = 0.
///
/// Every law becomes cones (nt_scaling.h) in the rows of its own group:
///
///     box rows, and contacts under `box`     half-lines x̂ − l, u − x̂, and x̂_n for the normal
///     a disc or an interval bounded by x_n   (c x̂_n, x̂_k), one cone a part; `coupled_box` has a
///                                            part of its own for every row
///     a k-gon                                k half-lines cos(π/k) c x̂_n − e_jᵀ x̂_t, e_j the
///     edges' normals
///
/// σ = Σ c_k s_k(w_k) is De Saxcé's term, docs/problem.md Eq. (13), of laws that are not their own
/// convexification: `ncp`, `pyramid` and, written with this term, `coupled_box`.
///
/// Rows that cannot move or do nothing (l = u, a zero coefficient of friction, inert rows) are
/// held.
class ConeProgram {
 public:
  struct Cone {
    int size = 1;
    int first = 0;      ///< of its components in s and z
    int matrix = 0;     ///< of its rows of G, row-major size × (rows of the group)
    double offset = 0;  ///< h of its first component
  };
  struct Group {
    int first_row = 0;
    int size = 0;
    int first_cone = 0;
    int cones = 0;
    int first_part = 0;  ///< of De Saxcé's term
    int parts = 0;
    bool diagonal = true;   ///< GᵀG is, whatever weighs the cones
    bool one_cone = false;  ///< a single cone in all rows: G is square and diagonal
  };

  /// Reuses memory.
  void Prepare(const FeasibleSet& set);

  int rows() const { return static_cast<int>(scale_.size()); }
  int components() const { return components_; }
  const std::vector<Cone>& cones() const { return cones_; }
  const std::vector<Group>& groups() const { return groups_; }
  const double* matrix(const Cone& cone) const { return matrix_.data() + cone.matrix; }

  const std::vector<double>& scale() const { return scale_; }  ///< S
  double unit() const { return unit_; }                        ///< β
  bool held(int row) const { return held_[row] != 0; }
  bool shifted() const { return !parts_.empty(); }

  /// x ← β S x̂, held rows at their value.
  void Unscale(const double* scaled, double* x) const;
  /// x̂ ← x / (β S), held rows 0.
  void Scale(const double* x, double* scaled) const;
  /// ŵ ← w S / β.
  void ScaleVelocity(const double* w, double* scaled) const;

  /// s ← G x̂ − h, or G x̂ if `homogeneous`.
  void Slack(const double* x, bool homogeneous, double* s) const;
  /// w ← Gᵀ z; 0 in held rows.
  void Transpose(const double* z, double* w) const;
  /// z ← a z of group g with Gᵀ z = ŵ + σ e_n, without regard to the cones.
  void Multipliers(int g, const double* w, double* z) const;

  /// σ of group g at its w (pointer at its first row), and ∂σ/∂w in `gradient`, if not null.
  double Shift(int g, const double* w, double* gradient) const;

 private:
  void AddGroup(int g);
  void AddLine(int group_rows, int row, double coefficient, double offset);
  void AddBounds(int g, int row, double lower, double upper);
  void AddPart(int g, const FrictionPart& part);
  Cone& NewCone(int size, int group_rows);
  void Hold(int row, double value);

  const FeasibleSet* set_ = nullptr;
  int components_ = 0;
  double unit_ = 1;
  std::vector<double> scale_;
  std::vector<char> held_;
  std::vector<double> held_value_;
  std::vector<Cone> cones_;
  std::vector<Group> groups_;
  std::vector<double> matrix_;
  std::vector<FrictionPart> parts_;  ///< with scaled coefficients
};

}  // namespace nonsmooth
