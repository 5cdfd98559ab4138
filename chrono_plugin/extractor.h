// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../common/problem/problem.h"
#include "../common/problem/sparse_dynamics.h"
#include "../common/problem/two_body_dynamics.h"
#include "../common/solver/result.h"
#include "../common/util/reclaimer.h"
#include "alignment.h"
#include "constraint_reader.h"
#include "variable_reader.h"

namespace chrono {
class ChConstraint;
class ChSystemDescriptor;
}  // namespace chrono

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// Reads the problem of one step out of Chrono's descriptor and writes its solution back: with
/// solver.cpp the only code that knows Chrono's types and ours.
///
/// Chrono poses, with l the multipliers (impulses with the Euler steppers) and q the velocities
///
///     H q − Cqᵀ l = f,   c = Cq q + b + cfm l,   f = M v + h F,
///
/// which is docs/problem.md's problem with M = H, J = Cq, x = l, b₀ = b, C = diag(cfm), and f as
/// the applied impulse on velocities that are zero. A body's angular components are in its own axes
/// instead of the world's; nothing but the capture's geometry depends on that.
///
/// Cohesion c moves a contact's cone to ‖x_t‖ ≤ μ (x_n + c), x_n + c ≥ 0. The problem is posed in
/// x_n + c: the impulse −c along the normals is applied beforehand, so that velocities come out
/// right and only the multipliers have to be moved back.
///
/// The general sparse form takes what the packed one cannot: stiffness and damping blocks, rows on
/// more than two variables, and variables that fit no body.
class Extractor {
 public:
  /// Reads the descriptor. Throws std::invalid_argument for what is not finite or not understood,
  /// naming the row. Reuses memory.
  void Read(::chrono::ChSystemDescriptor& descriptor);

  const Problem& problem() const { return problem_; }

  /// Chrono's multipliers, as a starting point for problem().
  const std::vector<double>& warm_start() const { return rows_.warm_start(); }

  /// True if the last problem is packed rows on bodies.
  bool packed() const { return packed_; }

  /// Writes multipliers and velocities to the descriptor that was read last. Rows that are switched
  /// off get zero: they carry no force.
  void Write(const Solution& solution) const;

  /// x and v as they stand in the descriptor, whoever has solved it.
  void ReadSolution(std::vector<double>& x, std::vector<double>& v) const;

  /// Cohesion of a normal row, as Chrono has it: in the unit of multipliers [N s]; otherwise 0.
  double cohesion(int row) const { return rows_.cohesion(row); }

  /// The constraint behind a row.
  ::chrono::ChConstraint* constraint(int row) const { return rows_.active()[row]; }

  /// The active variables: if packed() a body of the problem each.
  const VariableReader& variables() const { return variables_; }

 private:
  void MakePacked();
  void MakeSparse(::chrono::ChSystemDescriptor& descriptor);

  bool packed_ = true;
  VariableReader variables_;
  ConstraintReader rows_;
  std::vector<Body> bodies_;  ///< the memory of the last packed problem, while the next one is read
  Reclaimer<TwoBodyDynamics> dynamics_;  ///< of problem_ and its copies
  Problem problem_;
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
