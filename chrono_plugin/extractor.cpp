// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/extractor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "chrono/solver/ChConstraintContactNormal.h"
#include "chrono/solver/ChConstraintContactTangential.h"
#include "chrono/solver/ChConstraintRollingNormal.h"
#include "chrono/solver/ChConstraintRollingTangential.h"
#include "chrono/solver/ChConstraintTwo.h"
#include "chrono/solver/ChConstraintTwoGenericBoxed.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "chrono/solver/ChVariablesBodyOwnMass.h"
#include "chrono_plugin/tuple_access-inl.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
namespace {

using ::chrono::ChConstraint;
using ::chrono::ChConstraintContactNormal;
using ::chrono::ChConstraintRollingNormal;
using ::chrono::ChConstraintTwo;
using ::chrono::ChConstraintTwoGenericBoxed;
using ::chrono::ChConstraintTwoTuples;
using ::chrono::ChSparseMatrix;
using ::chrono::ChSystemDescriptor;
using ::chrono::ChVariables;
using ::chrono::ChVariablesBody;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kBodySize = 6;

/// Entries that a row of Chrono's matrices mostly has: two bodies.
constexpr int kReservedEntries = 2 * kBodySize;

/// How far ahead memory is fetched, in rows and in variables. Chrono's objects lie anywhere: those
/// that point to others are fetched early enough for the others to be fetched in time.
constexpr std::size_t kFetchRow = 60, kFetchTuples = 30;
constexpr std::size_t kFetchVariables = 16, kFetchVectors = 8;

/// The first `size` bytes of an object.
inline void Fetch(const void* object, std::size_t size) {
  for (std::size_t offset = 0; offset < size; offset += 64) {
    __builtin_prefetch(static_cast<const char*>(object) + offset);
  }
}

/// Variables further on, and of some before them the vector that `vector_of` names.
template <class VectorOf>
void FetchVariables(const std::vector<ChVariables*>& all, std::size_t i, std::size_t size,
                    VectorOf&& vector_of) {
  if (i + kFetchVariables < all.size()) Fetch(all[i + kFetchVariables], size);
  if (i + kFetchVectors < all.size()) __builtin_prefetch(vector_of(*all[i + kFetchVectors]));
}

void ReadBody(ChVariablesBody& variables, double mass_factor, Body& body) {
  const double scale = 1 / mass_factor;
  body.inverse_mass.fill(scale / variables.GetBodyMass());
  const ::chrono::ChMatrix33<>& inertia = variables.GetBodyInvInertia();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) body.inverse_inertia[3 * i + j] = scale * inertia(i, j);
  }
  body.velocity.fill(0);
  std::copy_n(variables.Force().data(), kBodySize, body.applied_impulse.begin());
}

/// block ← the half row and returns the index of its body, −1 if it is switched off.
inline int ReadBlock(ChVariables* variables, const double* jacobian, double* block) {
  if (variables == nullptr || !variables->IsActive()) {
    std::fill_n(block, kBodySize, 0.0);
    return -1;
  }
  std::copy_n(jacobian, kBodySize, block);
  return static_cast<int>(variables->GetOffset()) / kBodySize;
}

inline bool IsBodyTuple(const ::chrono::ChConstraintTuple& tuple) {
  const std::type_info& type = typeid(tuple);
  return &type == &typeid(BodyTuple) || type == typeid(BodyTuple);
}

CsrMatrix ToCsr(const ChSparseMatrix& matrix) {
  CsrMatrix result{static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), {0}, {}, {}};
  result.column.reserve(matrix.nonZeros());
  result.value.reserve(matrix.nonZeros());
  for (int i = 0; i < result.rows; ++i) {
    for (ChSparseMatrix::InnerIterator it(matrix, i); it; ++it) {
      if (it.value() == 0) continue;
      result.column.push_back(static_cast<int>(it.col()));
      result.value.push_back(it.value());
    }
    result.row_start.push_back(result.nonzeros());
  }
  return result;
}

}  // namespace

enum class Extractor::RowType : unsigned char {
  kTwo,
  kBoxed,
  kContactNormal,
  kRollingNormal,
  kTuples,
  kOther,  ///< rows on three or more variables, and what Chrono may yet invent
};

inline Extractor::RowType Extractor::TypeOf(const ChConstraint& constraint) {
  const std::type_info& info = typeid(constraint);
  for (const KnownType& known : known_types_) {
    if (known.info == &info) return known.type;
  }
  return NewType(constraint);
}

Extractor::RowType Extractor::NewType(const ChConstraint& constraint) {
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

void Extractor::Clear() {
  // The memory of the last problem is used again unless somebody has kept a copy of it.
  problem_ = Problem();
  if (dynamics_ && dynamics_.use_count() == 1) dynamics_->TakeApart(&bodies_, &rows_);
  dynamics_.reset();
  variables_.clear();
  switched_off_.clear();
  groups_.clear();
  cohesion_.clear();
  row_count_ = 0;
}

void Extractor::Read(ChSystemDescriptor& descriptor) {
  Clear();
  CollectVariables(descriptor);
  if (packed_) ReadBodies(descriptor.GetMassFactor());
  CollectRows(descriptor);
  if (packed_) {
    MakePacked();
  } else {
    MakeSparse(descriptor);
  }
}

void Extractor::CollectVariables(ChSystemDescriptor& descriptor) {
  packed_ = !descriptor.HasKRMBlocks();
  velocities_ = 0;
  const std::type_info* body_type = nullptr;  // the last that has turned out to be a body's
  const std::vector<ChVariables*>& all = descriptor.GetVariables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + kFetchVariables < all.size()) Fetch(all[i + kFetchVariables], sizeof(ChVariables));
    ChVariables* variables = all[i];
    if (!variables->IsActive()) continue;
    // As the descriptor numbers them; an item may have been switched since it did.
    variables->SetOffset(velocities_);
    velocities_ += static_cast<int>(variables->GetDOF());
    if (packed_ && &typeid(*variables) != body_type) {
      packed_ = dynamic_cast<ChVariablesBody*>(variables) != nullptr;
      body_type = &typeid(*variables);
    }
    variables_.push_back(variables);
  }
}

void Extractor::ReadBodies(double mass_factor) {
  bodies_.resize(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    FetchVariables(variables_, i, sizeof(::chrono::ChVariablesBodyOwnMass),
                   [](ChVariables& ahead) { return ahead.Force().data(); });
    ReadBody(*static_cast<ChVariablesBody*>(variables_[i]), mass_factor, bodies_[i]);
  }
}

inline bool Extractor::ReadBlocks(ChConstraint* constraint, RowType type, TwoBodyRow& row) {
  double* const block = row.jacobian.data();
  switch (type) {
    case RowType::kContactNormal:
    case RowType::kRollingNormal:
    case RowType::kTuples: {
      auto* tuples = static_cast<ChConstraintTwoTuples*>(constraint);
      if (!IsBodyTuple(*tuples->TupleA()) || !IsBodyTuple(*tuples->TupleB())) return false;
      auto* a = static_cast<BodyTuple*>(tuples->TupleA());
      auto* b = static_cast<BodyTuple*>(tuples->TupleB());
      row.body_a = ReadBlock(VariablesOf(*a), a->Cq1().data(), block);
      row.body_b = ReadBlock(VariablesOf(*b), b->Cq1().data(), block + kBodySize);
      break;
    }
    case RowType::kTwo:
    case RowType::kBoxed: {
      auto* two = static_cast<ChConstraintTwo*>(constraint);
      row.body_a = ReadBlock(two->GetVariables_a(), two->Get_Cq_a().data(), block);
      row.body_b = ReadBlock(two->GetVariables_b(), two->Get_Cq_b().data(), block + kBodySize);
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

inline int Extractor::AddRow(ChConstraint* constraint, RowType type) {
  const int row = row_count_++;
  constraints_[row] = constraint;
  const double multiplier = constraint->GetLagrangeMultiplier();
  // A memory that is not a number is none.
  warm_start_[row] = std::isfinite(multiplier) ? multiplier : 0.0;
  // Mostly as the descriptor has numbered it; a line that is not written need not go back.
  const auto offset = static_cast<unsigned int>(row);
  if (constraint->GetOffset() != offset) constraint->SetOffset(offset);
  if (packed_) packed_ = ReadBlocks(constraint, type, rows_[row]);
  return row;
}

inline void Extractor::FetchAhead(const std::vector<ChConstraint*>& all, std::size_t i) {
  if (i + kFetchRow < all.size()) Fetch(all[i + kFetchRow], sizeof(ChConstraintTwoTuples));
  if (i + kFetchTuples >= all.size()) return;
  ChConstraint* constraint = all[i + kFetchTuples];
  const RowType type = TypeOf(*constraint);
  if (type == RowType::kTwo || type == RowType::kBoxed || type == RowType::kOther) return;
  auto* tuples = static_cast<ChConstraintTwoTuples*>(constraint);
  Fetch(tuples->TupleA(), 2 * 64);
  Fetch(tuples->TupleB(), 2 * 64);
}

void Extractor::CollectRows(ChSystemDescriptor& descriptor) {
  const std::vector<ChConstraint*>& all = descriptor.GetConstraints();
  constraints_.resize(all.size());
  lower_.resize(all.size());
  upper_.resize(all.size());
  warm_start_.resize(all.size());
  if (packed_) rows_.resize(all.size());
  groups_.reserve(all.size() / 3 + 1);
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
  constraints_.resize(row_count_);
  lower_.resize(row_count_);
  upper_.resize(row_count_);
  warm_start_.resize(row_count_);
  if (packed_) rows_.resize(row_count_);
}

std::size_t Extractor::AddContact(const std::vector<ChConstraint*>& all, std::size_t i) {
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
  groups_.push_back(group);
  return static_cast<std::size_t>(group.size);
}

void Extractor::AddSingle(ChConstraint* constraint, RowType type) {
  const int row = AddRow(constraint, type);
  const bool boxed = type == RowType::kBoxed;
  Require(boxed || constraint->GetMode() != ChConstraint::Mode::FRICTION, "chrono: row ", row,
          " is a friction row that does not follow its contact's normal");
  const bool unilateral = constraint->GetMode() == ChConstraint::Mode::UNILATERAL;
  if (boxed) {
    auto* bounds = static_cast<ChConstraintTwoGenericBoxed*>(constraint);
    lower_[row] = bounds->GetBoxedMin();
    upper_[row] = bounds->GetBoxedMax();
  } else if (unilateral) {
    lower_[row] = 0;
    upper_[row] = kInfinity;
  }
  RowGroup group;
  group.kind = boxed || unilateral ? GroupKind::kBox : GroupKind::kEquality;
  group.first_row = row;
  group.size = 1;
  // The rows of one joint stand together.
  if (packed_ && !groups_.empty() && groups_.back().kind == group.kind &&
      groups_.back().size < kMostGroupRows && rows_[row - 1].body_a == rows_[row].body_a &&
      rows_[row - 1].body_b == rows_[row].body_b) {
    ++groups_.back().size;
  } else {
    groups_.push_back(group);
  }
}

void Extractor::MakePacked() {
  if (!cohesion_.empty()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (cohesion_[i] == 0) continue;
      TwoBodyRow& row = rows_[i];
      row.bias -= row.compliance * cohesion_[i];
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? row.body_a : row.body_b;
        if (body < 0) continue;
        for (int k = 0; k < kBodySize; ++k) {
          bodies_[body].applied_impulse[k] -= cohesion_[i] * row.jacobian[kBodySize * side + k];
        }
      }
    }
  }
  dynamics_ = std::make_shared<TwoBodyDynamics>(std::move(bodies_), std::move(rows_));
  problem_ = Problem(dynamics_, std::move(groups_), std::move(lower_), std::move(upper_));
}

void Extractor::MakeSparse(ChSystemDescriptor& descriptor) {
  const int rows = static_cast<int>(constraints_.size());
  SparseSystem system;
  ChSparseMatrix mass(velocities_, velocities_);
  mass.reserve(Eigen::VectorXi::Constant(velocities_, kReservedEntries));
  descriptor.PasteMassKRMMatrixInto(mass);
  system.mass = ToCsr(mass);
  ChSparseMatrix jacobian(rows, velocities_);
  jacobian.reserve(Eigen::VectorXi::Constant(rows, kReservedEntries));
  descriptor.PasteConstraintsJacobianMatrixInto(jacobian);
  system.jacobian = ToCsr(jacobian);

  system.velocity.assign(velocities_, 0.0);
  system.applied_impulse.resize(velocities_);
  for (ChVariables* variables : variables_) {
    const ::chrono::ChVectorRef force = variables->Force();
    std::copy_n(force.data(), force.size(),
                system.applied_impulse.begin() + variables->GetOffset());
  }
  system.bias.resize(rows);
  system.compliance.resize(rows);
  for (int i = 0; i < rows; ++i) {
    const double cohesive = cohesion(i);
    system.compliance[i] = constraints_[i]->GetComplianceTerm();
    system.bias[i] = constraints_[i]->GetRightHandSide() - system.compliance[i] * cohesive;
    if (cohesive == 0) continue;
    for (int k = system.jacobian.row_start[i]; k < system.jacobian.row_start[i + 1]; ++k) {
      system.applied_impulse[system.jacobian.column[k]] -= cohesive * system.jacobian.value[k];
    }
  }
  problem_ = Problem(std::make_shared<SparseDynamics>(std::move(system)), std::move(groups_),
                     std::move(lower_), std::move(upper_));
}

void Extractor::Write(const Solution& solution) const {
  const std::size_t rows = constraints_.size();
  for (std::size_t i = 0; i < rows; ++i) {
    constraints_[i]->SetLagrangeMultiplier(solution.x[i] - cohesion(static_cast<int>(i)));
  }
  for (ChConstraint* constraint : switched_off_) constraint->SetLagrangeMultiplier(0);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    FetchVariables(variables_, i, sizeof(ChVariables),
                   [](ChVariables& ahead) { return ahead.State().data(); });
    ::chrono::ChVectorRef state = variables_[i]->State();
    std::copy_n(solution.v.begin() + variables_[i]->GetOffset(), state.size(), state.data());
  }
}

void Extractor::ReadSolution(std::vector<double>& x, std::vector<double>& v) const {
  x.resize(constraints_.size());
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    x[i] = constraints_[i]->GetLagrangeMultiplier() + cohesion(static_cast<int>(i));
  }
  v.resize(velocities_);
  for (ChVariables* variables : variables_) {
    const ::chrono::ChVectorRef state = variables->State();
    std::copy_n(state.data(), state.size(), v.begin() + variables->GetOffset());
  }
}

}  // namespace nonsmooth::chrono
