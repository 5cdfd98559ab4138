// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"

namespace nonsmooth {

/// The equation F(x, w) = 0 by which Newton methods state a law. All have the same zeros.
enum class NewtonMapKind {
  /// x_n − [y_n]₊ and x_t − Π_disc(μ [y_n]₊)(y_t) with y = x − w: P. Alart, A. Curnier, "A mixed
  /// formulation for frictional contact problems prone to Newton like solution methods", CMAME 92,
  /// 1991, Eq. 4.3.
  kAlartCurnier,
  /// The same with the disc of radius μ [x_n]₊: M. Jean, J.J. Moreau, "Dynamics in the presence of
  /// unilateral contacts and dry friction", 1987.
  kJeanMoreau,
  /// Rows with bounds by Fischer and Burmeister's a + b − √(a² + b²), both bounds nested: S.
  /// Billups, "Algorithms for complementarity problems and generalized equations", 1995, Eq. 3.9.
  kFischer,
};

/// F of one group, made linear: dx = T z + c with m ≤ size unknowns z that fulfil
/// R (A dx) + S z = d. What the law alone decides (a contact that takes off, a row at its bound)
/// is in c, so that only rows whose velocity is prescribed remain.
struct NewtonBlock {
  int size = 0;                              ///< m
  bool identity = false;                     ///< T = R = 1, S = 0: the group sticks
  bool normal = false;                       ///< the first unknown is a contact's normal impulse
  double t[kMostGroupRows][kMostGroupRows];  ///< rows of the group × m
  double r[kMostGroupRows][kMostGroupRows];  ///< m × rows of the group
  double s[kMostGroupRows][kMostGroupRows];  ///< m × m
  double c[kMostGroupRows];
  double d[kMostGroupRows];
};

/// The laws of a problem in coordinates scaled by the roots of the weights, x̂ = √a x and
/// ŵ = w/√a, in which all residuals are roots of energies and the steps of y = x − w are those of
/// rows that stand alone. Under law `ccp` the map is the natural one, x − Π_K(x − w), whose Newton
/// matrices are symmetric.
class NewtonMap {
 public:
  /// Resolves the laws; reuses memory. `set` outlives the use.
  void Prepare(const FeasibleSet& set, NewtonMapKind kind);

  int groups() const { return static_cast<int>(groups_.size()); }
  int rows() const { return static_cast<int>(scale_.size()); }
  int first_row(int g) const { return groups_[g].first; }
  int size(int g) const { return groups_[g].size; }

  /// 1/√a of every row, 1 for inert rows.
  const std::vector<double>& scale() const { return scale_; }
  bool inert(int row) const { return inert_[row] != 0; }

  /// ½ Σ F² over the group's rows; pointers at its first row, scaled. `step` is κ in
  /// y = x − κ w, on which the zeros of F do not depend but the way to them does: 1 is right for
  /// rows that stand alone; impulses of loads that many bodies hand on ask for more.
  double Merit(int g, const double* x, const double* w, double step = 1) const;

  /// F made linear at (x, w).
  void Linearise(int g, const double* x, const double* w, double step, NewtonBlock& block) const;

 private:
  struct Part {
    int offset = 0;
    int size = 0;
    int facets = 0;
    double coefficient = 0;  ///< scaled; of a frozen part: the bound itself
    bool frozen = false;
  };
  struct Group {
    int first = 0;
    int size = 0;
    GroupKind kind = GroupKind::kEquality;
    bool joint_cone = false;  ///< `ccp`: normal and parts are projected together
    int parts = 0;
    Part part[kMostGroupRows];
  };

  void AddContact(const FeasibleSet& set, int g, Group& group);
  double JointNormal(const Group& group, const double* y, bool* sliding) const;
  void JointResidual(const Group& group, const double* x, const double* w, double* f) const;
  void Residual(const Group& group, const double* x, const double* w, double* f) const;
  double Radius(const Part& part, const double* x, const double* w) const;
  void LineariseScaled(const Group& group, const double* x, const double* w,
                       NewtonBlock& block) const;
  void LineariseRow(double x, double w, double lower, double upper, int i,
                    NewtonBlock& block) const;
  void LineariseJoint(const Group& group, const double* x, const double* w,
                      NewtonBlock& block) const;
  void LinearisePart(const Group& group, const Part& part, const double* x, const double* w,
                     NewtonBlock& block) const;

  NewtonMapKind kind_ = NewtonMapKind::kAlartCurnier;
  std::vector<Group> groups_;
  std::vector<double> scale_;
  std::vector<double> lower_;  ///< scaled
  std::vector<double> upper_;
  std::vector<char> inert_;
};

}  // namespace nonsmooth
