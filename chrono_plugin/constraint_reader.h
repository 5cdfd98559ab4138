// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <typeinfo>
#include <vector>

#include "../common/problem/row_group.h"
#include "../common/problem/two_body_dynamics.h"
#include "alignment.h"
#include "variable_reader.h"

namespace chrono {
class ChConstraint;
}  // namespace chrono

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// The rows of a descriptor that are switched on, in groups: contacts with their friction and
/// rolling rows, joints, and single rows.
class ConstraintReader {
 public:
  /// Reads the descriptor's rows; their packed blocks as well, if `packed` and as long as every row
  /// acts on at most two bodies. Throws std::invalid_argument, naming the row, for what is not
  /// understood. Returns whether the blocks are complete.
  bool Read(::chrono::ChSystemDescriptor& descriptor, const VariableReader& variables, bool packed);

  /// The constraint behind each row, and those that are switched off.
  const std::vector<::chrono::ChConstraint*>& active() const { return active_; }
  const std::vector<::chrono::ChConstraint*>& switched_off() const { return switched_off_; }

  /// Chrono's multipliers, as a starting point; those of cohesive normals are moved by cohesion().
  const std::vector<double>& warm_start() const { return warm_start_; }

  /// Cohesion of a normal row, as Chrono has it: in the unit of multipliers [N s]; otherwise 0.
  bool any_cohesion() const { return !cohesion_.empty(); }
  double cohesion(int row) const { return cohesion_.empty() ? 0.0 : cohesion_[row]; }

  // To be moved into the problem; `blocks` may be given back for their memory.
  std::vector<RowGroup> groups;
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<TwoBodyRow> blocks;

 private:
  enum class RowType : unsigned char;
  struct KnownType {
    const std::type_info* info;
    RowType type;
  };

  RowType TypeOf(const ::chrono::ChConstraint& constraint);
  RowType NewType(const ::chrono::ChConstraint& constraint);
  void FetchAhead(const std::vector<::chrono::ChConstraint*>& all, std::size_t i);
  std::size_t AddContact(const std::vector<::chrono::ChConstraint*>& all, std::size_t i);
  void AddSingle(::chrono::ChConstraint* constraint, RowType type);
  int AddRow(::chrono::ChConstraint* constraint, RowType type);
  bool ReadBlocks(::chrono::ChConstraint* constraint, RowType type, TwoBodyRow& row) const;
  void Resize(std::size_t rows);

  const VariableReader* variables_ = nullptr;  ///< while reading
  bool packed_ = true;
  int row_count_ = 0;  ///< so far; the vectors by row are longer while reading
  std::vector<::chrono::ChConstraint*> active_;
  std::vector<::chrono::ChConstraint*> switched_off_;
  std::vector<double> warm_start_;
  std::vector<double> cohesion_;        ///< 0 but for cohesive normals; empty: none anywhere
  std::vector<KnownType> known_types_;  ///< in the order in which they were met
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
