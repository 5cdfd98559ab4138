// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <typeinfo>
#include <vector>

#include "../common/problem/problem.h"
#include "../common/problem/sparse_dynamics.h"
#include "../common/problem/two_body_dynamics.h"
#include "../common/solver/result.h"

namespace chrono {
class ChConstraint;
class ChSystemDescriptor;
class ChVariables;
}  // namespace chrono

namespace nonsmooth::chrono {

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
/// The general sparse form takes what the packed one cannot: stiffness and damping blocks,
/// variables that are not rigid bodies, rows on more than two of them.
class Extractor {
 public:
  /// Reads the descriptor. Throws std::invalid_argument for what is not finite or not understood,
  /// naming the row. Reuses memory.
  void Read(::chrono::ChSystemDescriptor& descriptor);

  const Problem& problem() const { return problem_; }

  /// Chrono's multipliers, as a starting point for problem().
  const std::vector<double>& warm_start() const { return warm_start_; }

  /// True if the last problem is packed rows on bodies.
  bool packed() const { return packed_; }

  /// Writes multipliers and velocities to the descriptor that was read last. Rows that are switched
  /// off get zero: they carry no force.
  void Write(const Solution& solution) const;

  /// x and v as they stand in the descriptor, whoever has solved it.
  void ReadSolution(std::vector<double>& x, std::vector<double>& v) const;

  /// Cohesion of a normal row, as Chrono has it: in the unit of multipliers [N s]; otherwise 0.
  double cohesion(int row) const { return cohesion_.empty() ? 0.0 : cohesion_[row]; }

  /// The constraint behind a row, and the active variables in the order of velocities.
  ::chrono::ChConstraint* constraint(int row) const { return constraints_[row]; }
  const std::vector<::chrono::ChVariables*>& variables() const { return variables_; }

 private:
  enum class RowType : unsigned char;

  void Clear();
  void CollectVariables(::chrono::ChSystemDescriptor& descriptor);
  void CollectRows(::chrono::ChSystemDescriptor& descriptor);
  std::size_t AddContact(const std::vector<::chrono::ChConstraint*>& all, std::size_t i);
  int AddRow(::chrono::ChConstraint* constraint, RowType type);
  void FetchAhead(const std::vector<::chrono::ChConstraint*>& all, std::size_t i);
  void AddSingle(::chrono::ChConstraint* constraint, RowType type);
  void ReadBodies(double mass_factor);
  static bool ReadBlocks(::chrono::ChConstraint* constraint, RowType type, TwoBodyRow& row);
  RowType TypeOf(const ::chrono::ChConstraint& constraint);
  RowType NewType(const ::chrono::ChConstraint& constraint);
  void MakePacked();
  void MakeSparse(::chrono::ChSystemDescriptor& descriptor);

  bool packed_ = true;
  int velocities_ = 0;
  int row_count_ = 0;  ///< so far; the vectors by row are longer while reading
  std::vector<::chrono::ChVariables*> variables_;      ///< active ones
  std::vector<::chrono::ChConstraint*> constraints_;   ///< active ones, by row
  std::vector<::chrono::ChConstraint*> switched_off_;  ///< the others
  std::vector<Body> bodies_;      ///< with rows_, the memory of the last packed problem
  std::vector<TwoBodyRow> rows_;  ///< while the next one is read
  std::shared_ptr<TwoBodyDynamics> dynamics_;
  std::vector<RowGroup> groups_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> cohesion_;  ///< c of the row, 0 but for normals; empty: none anywhere
  std::vector<double> warm_start_;

  struct KnownType {
    const std::type_info* info;
    RowType type;
  };
  std::vector<KnownType> known_types_;  ///< in the order in which they were met

  Problem problem_;
};

}  // namespace nonsmooth::chrono
