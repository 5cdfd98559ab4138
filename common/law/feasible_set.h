// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../problem/problem.h"
#include "cone.h"

namespace nonsmooth {

/// What the impulses of one group may be, once the law of this solve is known.
struct GroupSet {
  enum class Shape {
    kRows,   ///< every row has its own bounds: equality, box, `box` and `coupled_box` contacts
    kCone,   ///< one disc on the normal: `ccp` and `ncp` contacts without rolling friction
    kParts,  ///< several parts on one normal, or a k-gon
  };
  Shape shape = Shape::kRows;
  bool shifted = false;  ///< De Saxcé's term belongs to w_n: Coulomb, not its convexification
  bool frozen = false;   ///< bounds from normal_estimate instead of x_n (law `box`)
  double normal_estimate = 0;  ///< x̄_n [N s]
  int parts = 0;               ///< of a contact
  FrictionPart part[3];        ///< tangents, spinning, rolling: those that exist
};

/// The set K that x must lie in under the law chosen for a solve, with the weights a_i that turn
/// residuals into joules. One object serves all solvers and error measures, so that they cannot
/// disagree about a law. Holds no reference to the problem's vectors except through `problem()`.
class FeasibleSet {
 public:
  /// Resolves `law` for every contact; `warm_start` (rows() entries, or null) supplies the normal
  /// impulses that freeze law `box` where the problem has no estimate. Reuses its memory.
  void Reset(const Problem& problem, const Law& law, const double* warm_start);

  const Problem& problem() const { return *problem_; }
  const GroupSet& group(int index) const { return groups_[index]; }

  /// a_i > 0 [1/kg, 1/(kg m²)]: diag(A), averaged over the two tangents (and the two rolling rows)
  /// of a contact whose law has no preferred axes. 0 marks an inert row: no impulse along it moves
  /// anything, so it can neither do work nor be in error.
  const std::vector<double>& weights() const { return weights_; }

  /// y ← Π_K(y) for the rows of group `g`, in the metric of the weights; `y` points at its first
  /// row. For `coupled_box` the tangents are clamped by the normal just projected.
  void Project(int g, double* y) const;

  /// w ← ŵ: adds De Saxcé's term to the normal of group `g` where the law has one.
  void AddShift(int g, double* w) const;

  /// l and u of every row of group `g`, whose shape is kRows, at the impulses x of that group:
  /// constant ones, or ±μ x̄_n, or for `coupled_box` ±μ max(0, x_n).
  void RowBounds(int g, const double* x, double* lower, double* upper) const;

  /// r ← x − Π_K(x − ŵ/a), the natural map scaled by the effective mass, docs/error_measures.md
  /// Eq. (1); all pointers at the group's first row. Zero exactly where the group is solved.
  /// `coupled_box` is clamped by the x_n given, so that every row is measured as Enzenhöfer does.
  void NaturalMap(int g, const double* x, const double* w, double* r) const;

  /// The same map with all weights 1, that is in the units of whoever posed the problem.
  void UnscaledNaturalMap(int g, const double* x, const double* w, double* r) const;

  /// Becomes the convex set that `set` is at `x`: no De Saxcé term, `coupled_box` bounds frozen at
  /// the normals of `x`. First-order solvers iterate on it and renew it from time to time.
  void Freeze(const FeasibleSet& set, const double* x);

 private:
  void ResolveContact(int index, const Law& law, const double* warm_start);
  void ProjectRows(int g, double* y, double normal) const;

  const Problem* problem_ = nullptr;
  std::vector<GroupSet> groups_;
  std::vector<double> weights_;
};

}  // namespace nonsmooth
