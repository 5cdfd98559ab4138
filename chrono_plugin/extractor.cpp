// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/extractor.h"

#include <algorithm>
#include <utility>

#include "chrono/solver/ChConstraint.h"
#include "chrono/solver/ChSystemDescriptor.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using ::chrono::ChConstraint;
using ::chrono::ChSparseMatrix;
using ::chrono::ChSystemDescriptor;
using ::chrono::ChVariables;

constexpr int kBodySize = VariableReader::kBodySize;

/// Entries that a row of Chrono's matrices mostly has: two bodies.
constexpr int kReservedEntries = 2 * kBodySize;

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

void Extractor::Read(ChSystemDescriptor& descriptor) {
  // The memory of the last problem is used again unless somebody has kept a copy of it.
  problem_ = Problem();
  if (const auto former = dynamics_.Take()) former->TakeApart(&bodies_, &rows_.blocks);
  variables_.Collect(descriptor);
  packed_ =
      !descriptor.HasKRMBlocks() && variables_.ReadBodies(descriptor.GetMassFactor(), bodies_);
  packed_ = rows_.Read(descriptor, variables_, packed_);
  if (packed_) {
    MakePacked();
  } else {
    MakeSparse(descriptor);
  }
}

void Extractor::MakePacked() {
  if (rows_.any_cohesion()) {
    for (std::size_t i = 0; i < rows_.blocks.size(); ++i) {
      const double cohesive = cohesion(static_cast<int>(i));
      if (cohesive == 0) continue;
      TwoBodyRow& row = rows_.blocks[i];
      row.bias -= row.compliance * cohesive;
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? row.body_a : row.body_b;
        if (body < 0) continue;
        for (int k = 0; k < kBodySize; ++k) {
          bodies_[body].applied_impulse[k] -= cohesive * row.jacobian[kBodySize * side + k];
        }
      }
    }
  }
  auto dynamics = std::make_shared<TwoBodyDynamics>(std::move(bodies_), std::move(rows_.blocks));
  problem_ = Problem(dynamics_.Share(std::move(dynamics)), std::move(rows_.groups),
                     std::move(rows_.lower), std::move(rows_.upper));
}

void Extractor::MakeSparse(ChSystemDescriptor& descriptor) {
  const int rows = static_cast<int>(rows_.active().size());
  const int velocities = variables_.velocities();
  SparseSystem system;
  ChSparseMatrix mass(velocities, velocities);
  mass.reserve(Eigen::VectorXi::Constant(velocities, kReservedEntries));
  descriptor.PasteMassKRMMatrixInto(mass);
  system.mass = ToCsr(mass);
  ChSparseMatrix jacobian(rows, velocities);
  jacobian.reserve(Eigen::VectorXi::Constant(rows, kReservedEntries));
  descriptor.PasteConstraintsJacobianMatrixInto(jacobian);
  system.jacobian = ToCsr(jacobian);

  system.velocity.assign(velocities, 0.0);
  system.applied_impulse.resize(velocities);
  for (ChVariables* variables : variables_.all()) {
    const ::chrono::ChVectorRef force = variables->Force();
    std::copy_n(force.data(), force.size(),
                system.applied_impulse.begin() + variables->GetOffset());
  }
  system.bias.resize(rows);
  system.compliance.resize(rows);
  for (int i = 0; i < rows; ++i) {
    const double cohesive = cohesion(i);
    system.compliance[i] = rows_.active()[i]->GetComplianceTerm();
    system.bias[i] = rows_.active()[i]->GetRightHandSide() - system.compliance[i] * cohesive;
    if (cohesive == 0) continue;
    for (int k = system.jacobian.row_start[i]; k < system.jacobian.row_start[i + 1]; ++k) {
      system.applied_impulse[system.jacobian.column[k]] -= cohesive * system.jacobian.value[k];
    }
  }
  problem_ = Problem(std::make_shared<SparseDynamics>(std::move(system)), std::move(rows_.groups),
                     std::move(rows_.lower), std::move(rows_.upper));
}

void Extractor::Write(const Solution& solution) const {
  const std::vector<ChConstraint*>& active = rows_.active();
  for (std::size_t i = 0; i < active.size(); ++i) {
    active[i]->SetLagrangeMultiplier(solution.x[i] - cohesion(static_cast<int>(i)));
  }
  for (ChConstraint* constraint : rows_.switched_off()) constraint->SetLagrangeMultiplier(0);
  variables_.WriteStates(packed_, solution.v);
}

void Extractor::ReadSolution(std::vector<double>& x, std::vector<double>& v) const {
  const std::vector<ChConstraint*>& active = rows_.active();
  x.resize(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    x[i] = active[i]->GetLagrangeMultiplier() + cohesion(static_cast<int>(i));
  }
  variables_.ReadStates(packed_, v);
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
