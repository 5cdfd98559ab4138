// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"

namespace nonsmooth {

/// Which rows of the contacts a stage moves; rows of joints always move.
enum class StageKind {
  kWhole,       ///< all of them
  kNormal,      ///< normals, x_n ≥ 0; friction stays as it is
  kTangential,  ///< friction within the bounds that the present normals allow; these stay
};

/// A convex problem that the law is replaced by for a while,
///
///     find x ∈ K:  (A x + b + s)ᵀ (y − x) ≥ 0  for all y ∈ K,
///
/// with K convex and s constant. Laws `ccp` and `box` are of this form with s = 0. For the others K
/// and s are what the law is at some x, and are renewed from time to time: De Saxcé's term of `ncp`
/// and `pyramid` is frozen as s (the fixed point of Acary, Cadoux, Lemaréchal, Malick, "A
/// formulation of the linear discrete Coulomb friction problem via convex optimization", ZAMM 2011,
/// Sect. 3.3), the bounds of `coupled_box` at the normal impulses. The one place that freezes laws.
class ConvexStage {
 public:
  /// `set` outlives it. Reuses memory.
  void Prepare(const FeasibleSet& set);

  /// Becomes the stage of this kind at (x, w), w = A x + b; x ∈ K afterwards need not hold. What is
  /// frozen, the normals that bound friction and s, moves from what it was by `relaxation`, 1 at
  /// the first time: turns that overshoot settle with less.
  void Freeze(StageKind kind, const double* x, const double* w, double relaxation);

  int rows() const { return static_cast<int>(shift_.size()); }
  const std::vector<double>& weights() const { return set_->weights(); }
  const std::vector<double>& shift() const { return shift_; }  ///< s

  /// y ← Π_K(y) in the metric of the weights.
  void Project(double* y) const;

  /// The same for group `g` alone, `y` at its first row.
  void Project(int g, double* y) const;

  /// The energy error [J] of (x, w) as a solution of this stage, of kind kWhole.
  double Energy(const double* x, const double* w) const;

 private:
  friend class ConvexFace;
  void ProjectContact(int g, double* y) const;

  const FeasibleSet* set_ = nullptr;
  FeasibleSet frozen_;
  StageKind kind_ = StageKind::kWhole;
  std::vector<double> anchor_;  ///< x that the stage was frozen at
  std::vector<double> bounds_;  ///< the same, relaxed: its normals bound friction
  std::vector<double> shift_;
};

/// The directions in which x can move without leaving the face of K that it lies on: x + P z with
/// one column of P per free direction,
///
/// - a free row, or one strictly between its bounds: the row itself;
/// - a contact that sticks: each of its rows;
/// - one that slides: its normal together with the friction in proportion to it, (1, x_t / x_n) in
///   the whole stage, nothing in the others. The direction of sliding and, on a k-gon, the place on
///   a facet are left to whoever moves across faces;
/// - an open contact, a row at its bound, an inert row: none.
class ConvexFace {
 public:
  /// Makes room for faces of a problem with so many rows; the face is empty afterwards.
  void Reserve(int rows);

  /// The face at x, which lies in K.
  void Find(const ConvexStage& stage, const double* x);

  int size() const { return static_cast<int>(start_.size()) - 1; }

  /// y ← P z.
  void Expand(const double* z, double* y) const;

  /// z ← Pᵀ y.
  void Restrict(const double* y, double* z) const;

  /// Diagonal of Pᵀ D P, D = diag(weights): all positive.
  const std::vector<double>& diagonal() const { return diagonal_; }

  /// The same face as another.
  bool operator==(const ConvexFace& other) const {
    return start_ == other.start_ && row_ == other.row_;
  }

 private:
  void AddRow(int row, double value);
  void CloseColumn();
  void AddContact(const ConvexStage& stage, int g, const double* x);

  const double* weights_ = nullptr;
  int rows_ = 0;
  std::vector<int> start_{0};  ///< of each column, size + 1 offsets
  std::vector<int> row_;
  std::vector<double> value_;
  std::vector<double> diagonal_;
};

}  // namespace nonsmooth
