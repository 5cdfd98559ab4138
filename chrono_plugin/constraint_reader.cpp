// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/constraint_reader.h"

#include <cmath>
#include <limits>

#include "chrono/solver/ChConstraintContactNormal.h"
#include "chrono/solver/ChConstraintContactTangential.h"
#include "chrono/solver/ChConstraintRollingNormal.h"
#include "chrono/solver/ChConstraintRollingTangential.h"
#include "chrono/solver/ChConstraintTwo.h"
#include "chrono/solver/ChConstraintTwoGenericBoxed.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "chrono_plugin/prefetch-inl.h"
#include "chrono_plugin/tuple_access-inl.h"
#include "chrono_plugin/variable_reader-inl.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using ::chrono::ChConstraint;
using ::chrono::ChConstraintContactNormal;
using ::chrono::ChConstraintRollingNormal;
using ::chrono::ChConstraintTwo;
using ::chrono::ChConstraintTwoGenericBoxed;
using ::chrono::ChConstraintTwoTuples;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kBodySize = VariableReader::kBodySize;

inline bool IsBodyTuple(const ::chrono::ChConstraintTuple& tuple) {
  const std::type_info& type = typeid(tuple);
  return &type == &typeid(BodyTuple) || type == typeid(BodyTuple);
}

}  // namespace

enum class ConstraintReader::RowType : unsigned char {
  kTwo,
  kBoxed,
  kContactNormal,
  kRollingNormal,
  kTuples,
  kOther,  ///< rows on three or more variables, and what Chrono may yet invent
};

inline ConstraintReader::RowType ConstraintReader::TypeOf(const ChConstraint& constraint) {
  const std::type_info& info = typeid(constraint);
  for (const KnownType& known : known_types_) {
    if (known.info == &info) return known.type;
  }
  return NewType(constraint);
}

ConstraintReader::RowType ConstraintReader::NewType(const ChConstraint& constraint) {
  RowType type = RowType::kOther;
  if (dynamic_cast<const ChConstraintTwoGenericBoxed*>(&constraint) != nullptr) {
    type = RowType::kBoxed;
  } else if (dynamic_cast<const ChConstraintTwo*>(&constraint) != nullptr) {
    type = RowType::kTwo;
  } else if (dynamic_cast<const ChConstraintContactNormal*>(&constraint) != nullptr) {
    type = RowType::kContactNormal;
  } else if (dynamic_cast<const ChConstraintRollingNormal*>(&constraint) != nullptr) {
    type = RowType::kRollingNormal;
  } else if (dynamic_cast<const ChConstraintTwoTuples*>(&constraint) != nullptr) {
    type = RowType::kTuples;
  }
  known_types_.push_back({&typeid(constraint), type});
  return type;
}

inline bool ConstraintReader::ReadBlocks(ChConstraint* constraint, RowType type,
                                         TwoBodyRow& row) const {
  double* const block = row.jacobian.data();
  switch (type) {
    case RowType::kContactNormal:
    case RowType::kRollingNormal:
    case RowType::kTuples: {
      auto* tuples = static_cast<ChConstraintTwoTuples*>(constraint);
      if (!IsBodyTuple(*tuples->TupleA()) || !IsBodyTuple(*tuples->TupleB())) return false;
      auto* a = static_cast<BodyTuple*>(tuples->TupleA());
      auto* b = static_cast<BodyTuple*>(tuples->TupleB());
      row.body_a = variables_->ReadBlock(VariablesOf(*a), a->Cq1().data(), block);
      row.body_b = variables_->ReadBlock(VariablesOf(*b), b->Cq1().data(), block + kBodySize);
      break;
    }
    case RowType::kTwo:
    case RowType::kBoxed: {
      auto* two = static_cast<ChConstraintTwo*>(constraint);
      row.body_a = variables_->ReadBlock(two->GetVariables_a(), two->Get_Cq_a().data(), block);
      row.body_b =
          variables_->ReadBlock(two->GetVariables_b(), two->Get_Cq_b().data(), block + kBodySize);
      break;
    }
    case RowType::kOther:
      return false;
  }
  row.bias = constraint->GetRightHandSide();
  row.compliance = constraint->GetComplianceTerm();
  // A row on one body with itself is rare enough to go the general way.
  return row.body_a != row.body_b || row.body_a < 0;
}

inline int ConstraintReader::AddRow(ChConstraint* constraint, RowType type) {
  const int row = row_count_++;
  active_[row] = constraint;
  const double multiplier = constraint->GetLagrangeMultiplier();
  // A memory that is not a number is none.
  warm_start_[row] = std::isfinite(multiplier) ? multiplier : 0.0;
  // Mostly as the descriptor has numbered it; a line that is not written need not go back.
  const auto offset = static_cast<unsigned int>(row);
  if (constraint->GetOffset() != offset) constraint->SetOffset(offset);
  if (packed_) packed_ = ReadBlocks(constraint, type, blocks[row]);
  return row;
}

inline void ConstraintReader::FetchAhead(const std::vector<ChConstraint*>& all, std::size_t i) {
  if (i + kFetchRow < all.size()) Fetch(all[i + kFetchRow], sizeof(ChConstraintTwoTuples));
  if (i + kFetchTuples >= all.size()) return;
  ChConstraint* constraint = all[i + kFetchTuples];
  const RowType type = TypeOf(*constraint);
  if (type == RowType::kTwo || type == RowType::kBoxed || type == RowType::kOther) return;
  auto* tuples = static_cast<ChConstraintTwoTuples*>(constraint);
  Fetch(tuples->TupleA(), 2 * 64);
  Fetch(tuples->TupleB(), 2 * 64);
}

void ConstraintReader::Resize(std::size_t rows) {
  active_.resize(rows);
  lower.resize(rows);
  upper.resize(rows);
  warm_start_.resize(rows);
  if (packed_) blocks.resize(rows);
}

bool ConstraintReader::Read(::chrono::ChSystemDescriptor& descriptor,
                            const VariableReader& variables, bool packed) {
  variables_ = &variables;
  packed_ = packed;
  row_count_ = 0;
  switched_off_.clear();
  cohesion_.clear();
  groups.clear();
  const std::vector<ChConstraint*>& all = descriptor.GetConstraints();
  Resize(all.size());
  groups.reserve(all.size() / 3 + 1);
  for (std::size_t i = 0; i < all.size();) {
    ChConstraint* constraint = all[i];
    if (!constraint->IsActive()) {
      switched_off_.push_back(constraint);
      ++i;
      continue;
    }
    const RowType type = TypeOf(*constraint);
    std::size_t rows = 1;
    if (type == RowType::kContactNormal) {
      rows = AddContact(all, i);
    } else {
      AddSingle(constraint, type);
    }
    for (const std::size_t end = i + rows; i < end; ++i) FetchAhead(all, i);
  }
  Resize(row_count_);
  return packed_;
}

std::size_t ConstraintReader::AddContact(const std::vector<ChConstraint*>& all, std::size_t i) {
  const auto* normal = static_cast<const ChConstraintContactNormal*>(all[i]);
  const auto follows = [&](std::size_t k, const ChConstraint* wanted) {
    return i + k < all.size() && all[i + k] == wanted && wanted != nullptr && wanted->IsActive();
  };
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.law = Law{LawKind::kCcp, 0};
  group.first_row = AddRow(all[i], RowType::kContactNormal);
  group.size = 1;
  group.friction = normal->GetFrictionCoefficient();
  if (follows(1, normal->GetTangentialConstraintU()) &&
      follows(2, normal->GetTangentialConstraintV())) {
    AddRow(all[i + 1], RowType::kTuples);
    AddRow(all[i + 2], RowType::kTuples);
    group.tangents = 2;
    group.size += 2;
  }
  const std::size_t next = i + group.size;
  if (next < all.size() && all[next]->IsActive() && TypeOf(*all[next]) == RowType::kRollingNormal) {
    auto* rolling = static_cast<ChConstraintRollingNormal*>(all[next]);
    if (rolling->GetNormalConstraint() == normal && group.tangents == 2 &&
        follows(4, rolling->GetRollingConstraintU()) &&
        follows(5, rolling->GetRollingConstraintV())) {
      for (std::size_t k = 3; k < 6; ++k) AddRow(all[i + k], RowType::kTuples);
      group.spinning = 1;
      group.rolling = 2;
      group.spinning_friction = static_cast<double>(rolling->GetSpinningFrictionCoefficient());
      group.rolling_friction = static_cast<double>(rolling->GetRollingFrictionCoefficient());
      group.size += 3;
    }
  }
  const double cohesion = normal->GetCohesion();
  if (cohesion != 0) {
    if (cohesion_.empty()) cohesion_.resize(all.size(), 0.0);
    cohesion_[group.first_row] = cohesion;
    warm_start_[group.first_row] += cohesion;
  }
  groups.push_back(group);
  return static_cast<std::size_t>(group.size);
}

void ConstraintReader::AddSingle(ChConstraint* constraint, RowType type) {
  const int row = AddRow(constraint, type);
  const bool boxed = type == RowType::kBoxed;
  Require(boxed || constraint->GetMode() != ChConstraint::Mode::FRICTION, "chrono: row ", row,
          " is a friction row that does not follow its contact's normal");
  const bool unilateral = constraint->GetMode() == ChConstraint::Mode::UNILATERAL;
  if (boxed) {
    auto* bounds = static_cast<ChConstraintTwoGenericBoxed*>(constraint);
    lower[row] = bounds->GetBoxedMin();
    upper[row] = bounds->GetBoxedMax();
  } else if (unilateral) {
    lower[row] = 0;
    upper[row] = kInfinity;
  }
  RowGroup group;
  group.kind = boxed || unilateral ? GroupKind::kBox : GroupKind::kEquality;
  group.first_row = row;
  group.size = 1;
  // The rows of one joint stand together.
  if (packed_ && !groups.empty() && groups.back().kind == group.kind &&
      groups.back().size < kMostGroupRows && blocks[row - 1].body_a == blocks[row].body_a &&
      blocks[row - 1].body_b == blocks[row].body_b) {
    ++groups.back().size;
  } else {
    groups.push_back(group);
  }
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
