// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../law/feasible_set.h"
#include "../problem/csr_matrix.h"

namespace nonsmooth {

/// A linear complementarity problem, possibly mixed: y = M z + q with
///
///     0 ≤ y_i ⊥ z_i ≥ 0,   or y_i = 0 and z_i of either sign where `free[i]`.
struct Lcp {
  CsrMatrix matrix;            ///< M
  std::vector<double> vector;  ///< q
  std::vector<char> free;      ///< one entry a row
  int size() const { return static_cast<int>(vector.size()); }
};

/// How a problem w = A x + b with its laws becomes an LCP, whatever A and b are:
///
///     x = offset + right z,   y = left w + coupling z + constant
///     ⇒   M = left A right + coupling,   q = left (A offset + b) + constant.
///
/// `scale` is what a unit of z_i weighs, √a for impulses and 1/√a for velocities: divided by it,
/// all variables of the problem are in √J, and so are the rows of y times the same number.
struct LcpMap {
  CsrMatrix left;      ///< size × rows
  CsrMatrix right;     ///< rows × size
  CsrMatrix coupling;  ///< size × size
  std::vector<double> offset;
  std::vector<double> constant;
  std::vector<double> scale;
  std::vector<char> free;
  int size() const { return static_cast<int>(constant.size()); }
};

Lcp MakeLcp(const LcpMap& map, const CsrMatrix& a, const std::vector<double>& b);

/// x ← offset + right z.
void ToImpulses(const LcpMap& map, const double* z, double* x);

/// Puts an LcpMap together. Variables come out block after block, as the papers print them: free
/// ones, normals and bounded rows, friction, slacks; within a block in the order they were added.
///
/// Equality rows stay in the problem as free variables: that is sound for every A, and whoever
/// needs a standard LCP eliminates them afterwards (EliminateFree). Inert rows get no variable;
/// their impulse is zero, or the bound next to it.
class LcpMapBuilder {
 public:
  enum Block { kFree, kPrimal, kFriction, kSlack };

  explicit LcpMapBuilder(const FeasibleSet& set);

  /// Equality rows, box rows and the rows of contacts with frozen bounds (law `box`):
  ///
  ///     x = l + z,   y = w + t,   y_t = u − l − z      (l finite; without u there is no t)
  ///     x = u − z,   y = −w                            (only u finite)
  ///
  /// with t = w₋ of Enzenhöfer et al., Eqs. 3 and 4. The matrix stays as monotone as A is.
  void AddRowwise(int group);

  /// z = x_n, y = w_n. Returns the variable, or −1 where the normal is inert: then the contact can
  /// do nothing, and neither can its friction.
  int AddNormal(int group);

  /// Rows `first` … of size 1 or 2 with x = Σ d_i α_i, Lu et al., Eqs. 8–11:
  ///
  ///     0 ≤ α ⊥ Dᵀ w + s e ≥ 0,   0 ≤ s ⊥ μ x_n − eᵀα ≥ 0.
  ///
  /// One row has D = (1, −1), two have `facets` directions, the first along the first row.
  void AddFacets(int first, int size, int facets, double friction, int normal);

  /// One row with Λ_R = μ x_n + x_t, Glocker and Studer, Eqs. 24–31:
  ///
  ///     0 ≤ Λ_R ⊥ ξ_R = w_t + ξ_L ≥ 0,   0 ≤ ξ_L ⊥ 2 μ x_n − Λ_R ≥ 0.
  void AddRelay(int row, double friction, int normal);

  LcpMap Build();

 private:
  struct Entry {
    int a, b;
    double value;
  };
  int AddVariable(Block block, double scale);
  void AddBounded(int row, double lower, double upper);
  bool Inert(int row) const { return !(set_.weights()[row] > 0); }

  const FeasibleSet& set_;
  std::vector<int> block_;
  std::vector<Entry> left_, right_, coupling_;
  std::vector<double> offset_, constant_, scale_;
};

}  // namespace nonsmooth
