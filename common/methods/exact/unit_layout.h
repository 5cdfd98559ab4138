// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../../law/feasible_set.h"
#include "../../linalg/aligned_vector.h"

namespace nonsmooth {

/// What rows can be, once rows that nothing ties together stand for themselves and those that
/// cannot move are left out.
enum class UnitKind {
  kLine,     ///< one row, l ≤ x ≤ u, either may be infinite
  kDisc,     ///< normal and two tangents in a disc of radius c x_n
  kBox2,     ///< normal and two rows, each |x_k| ≤ c_k x_n
  kRolling,  ///< normal, a disc, an interval, a disc
  kBox5,     ///< normal and five rows, each |x_k| ≤ c_k x_n
  kPolygon,  ///< normal and two tangents in a regular polygon of radius c x_n
};
inline constexpr int kUnitKinds = 6;

/// Rows and parts (discs and intervals) of a kind; a line has one "part" for each of its bounds.
int RowsOf(UnitKind kind);
int PartsOf(UnitKind kind);

/// Units of one kind. Everything about them stands side by side, unit by unit, so that as many as a
/// vector register holds are computed at once: entry (row r, unit i) of a vector over rows at
/// first + r · stride + i, of part k at first_part + k · stride + i, and entry (r, c) of a square
/// matrix per unit at first_matrix + (r · rows + c) · stride + i.
struct UnitFamily {
  UnitKind kind = UnitKind::kLine;
  int rows = 0;
  int parts = 0;
  int count = 0;
  int stride = 0;  ///< `count` rounded up; what fills it up is harmless and solved
  int first = 0;
  int first_part = 0;
  int first_matrix = 0;
};

/// The problem without units of measure: with S = diag(a)^-½, a the weights of the energy error,
///
///     x = S x̂,   w = S⁻¹ ŵ,   ŵ = S A S x̂ + b̂,
///
/// so that errors are lengths, δe = ½ ‖x̂ − Π(x̂ − ŵ)‖². Missing tangents are filled up with rows
/// that move nothing.
class UnitLayout {
 public:
  /// `key` of a group: units of one kind are sorted by it. Reuses memory.
  void Build(const FeasibleSet& set, const std::vector<std::uint64_t>& key);

  const FeasibleSet& set() const { return *set_; }
  const std::vector<UnitFamily>& families() const { return families_; }
  int size() const { return static_cast<int>(row_.size()); }  ///< of vectors over rows
  int parts() const { return static_cast<int>(coefficient_.size()); }
  int matrix_size() const { return matrix_size_; }
  int cones() const { return cones_; }      ///< that are there, filling apart
  int shifted() const { return shifted_; }  ///< units with De Saxcé's term

  const std::vector<int>& row() const { return row_; }      ///< of the problem; −1: filling
  const std::vector<int>& group() const { return group_; }  ///< by the unit's first entry
  const AlignedVector& scale() const { return scale_; }     ///< S
  const AlignedVector& bias() const { return bias_; }       ///< b̂, with what is held
  const AlignedVector& compliance() const { return compliance_; }
  const AlignedVector& coefficient() const { return coefficient_; }  ///< by part
  const AlignedVector& shift() const { return shift_; }  ///< by unit at its normal: 1 or 0
  const AlignedVector& lower() const { return lower_; }  ///< of lines; by row
  const AlignedVector& upper() const { return upper_; }
  const std::vector<int>& facets() const { return facets_; }  ///< at the normal

  /// x ← S x̂ in the order of the problem, held rows at their value.
  void ToProblem(const double* scaled, double* x) const;

 private:
  struct Unit {
    UnitKind kind;
    int group;
    int rows[6];            ///< of the problem, −1: filling
    double coefficient[5];  ///< ĉ
    double lower, upper;
    std::uint64_t key;
  };
  void AddGroup(int g, std::uint64_t key);
  void AddLine(int g, int row, double lower, double upper, std::uint64_t key);
  void AddContact(int g, std::uint64_t key);
  void Place();
  void Fill(const UnitFamily& family, int i, const Unit& unit);
  void FillBias();

  const FeasibleSet* set_ = nullptr;
  std::vector<Unit> units_;
  std::vector<UnitFamily> families_;
  std::vector<int> row_, group_, facets_;
  AlignedVector scale_, bias_, compliance_, coefficient_, shift_, lower_, upper_;
  std::vector<double> held_, held_velocity_;
  OperatorWorkspace workspace_;
  bool any_held_ = false;
  int matrix_size_ = 0;
  int cones_ = 0;
  int shifted_ = 0;
};

}  // namespace nonsmooth
