// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_cost.h"

#include <algorithm>

#include "common/linalg/supernodal_factor.h"
#include "common/methods/exact/row_system.h"
#include "common/methods/exact/velocity_pattern.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

// Seconds on the nominal core, from docs/benchmarks.md: what a kernel takes for one of its pieces.
constexpr double kBatch = 100e-9;           // up to eight contacts of plain bodies in a sweep
constexpr double kContactsOfBatch = 6;      // as a rule
constexpr double kMoreBatches = 1.5;        // than the most contacts of a body
constexpr double kSweptRow = 15e-9;         // a row that is swept by itself
constexpr double kMatrixEntry = 1e-9;       // of A, in a sweep over A
constexpr double kExactRow = 20e-9;         // residual, scaling, targets, steps of an iteration
constexpr double kJacobianFlop = 0.025e-9;  // assembly of H and products with J
constexpr double kFactorFlop = 0.03e-9;
constexpr double kSolvedBlock = 20e-9;  // of L, in the three solves of an iteration
constexpr double kSetUpRow = 80e-9;
constexpr double kSetUpBlock = 100e-9;  // of L

/// Rows by themselves, contacts in batches: those with a plain cone or box on two bodies.
bool IsBatched(const RowGroup& group) {
  return group.kind == GroupKind::kContact && group.size <= 3;
}

/// Of a row's share in the blocks of velocities that it touches.
double JacobianFlops(const RowGroup& group, int blocks) {
  const double pairs = blocks * (blocks + 1) / 2;
  return 2.0 * kBlockRows * group.size * (pairs * (kBlockRows + group.size) + 6 * blocks);
}

}  // namespace

struct StepCostPredictor::Workspace {
  VelocityPattern velocities;
  RowPattern rows;
  FrontTree tree;
  std::vector<int> column_count;

  /// Rows that share a variable are coupled; those of a body share several.
  double EntriesOfA(const SparseDynamics& dynamics) {
    constexpr double kShared = 4;
    column_count.assign(dynamics.system().mass.rows, 0);
    for (int column : dynamics.system().jacobian.column) ++column_count[column];
    double sum = 0;
    for (double count : column_count) sum += count * count;
    return sum / kShared;
  }

  /// No two contacts of a batch share a movable body: there are at least as many batches as one
  /// body has contacts.
  double SweepOverBodies(const Problem& problem) {
    const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(problem.dynamics());
    column_count.assign(dynamics.bodies().size(), 0);
    double single = 0, contacts = 0;
    int most = 0;
    for (const RowGroup& group : problem.groups()) {
      if (!IsBatched(group)) {
        single += group.size;
        continue;
      }
      ++contacts;
      const TwoBodyRow& row = dynamics.body_rows()[group.first_row];
      for (const int body : {row.body_a, row.body_b}) {
        if (body < 0 || dynamics.bodies()[body].inverse_mass[0] == 0) continue;
        most = std::max(most, ++column_count[body]);
      }
    }
    return kBatch * std::max(contacts / kContactsOfBatch, kMoreBatches * most) + kSweptRow * single;
  }
};

StepCostPredictor::StepCostPredictor() : workspace_(std::make_unique<Workspace>()) {}
StepCostPredictor::~StepCostPredictor() = default;
StepCostPredictor::StepCostPredictor(StepCostPredictor&&) noexcept = default;
StepCostPredictor& StepCostPredictor::operator=(StepCostPredictor&&) noexcept = default;

double StepCostPredictor::Sweep(const Problem& problem) {
  if (problem.rows() == 0) return 0;
  if (const auto* matrix = dynamic_cast<const MatrixDynamics*>(&problem.dynamics())) {
    return kMatrixEntry * matrix->matrix().nonzeros() + kSweptRow * problem.rows();
  }
  if (const auto* sparse = dynamic_cast<const SparseDynamics*>(&problem.dynamics())) {
    return kMatrixEntry * workspace_->EntriesOfA(*sparse) + kSweptRow * problem.rows();
  }
  if (const CsrMatrix* jacobian = problem.dynamics().ScaledJacobian()) {
    return 2 * kMatrixEntry * jacobian->nonzeros() + kSweptRow * problem.rows();
  }
  return workspace_->SweepOverBodies(problem);
}

double StepCostPredictor::LeastOfExact(const Problem& problem) {
  return (StepCost::kExactIterations * kExactRow + kSetUpRow) * problem.rows();
}

StepCost StepCostPredictor::Predict(const Problem& problem) {
  StepCost cost;
  if (problem.rows() == 0) return cost;
  cost.sweep = Sweep(problem);
  double flops = 0;
  const double rows = problem.rows();
  if (RowSystem::Applies(problem.dynamics())) {
    workspace_->rows.Build(problem);
    workspace_->tree.Analyse(workspace_->rows.graph());
    flops = 10.0 * dynamic_cast<const MatrixDynamics&>(problem.dynamics()).matrix().nonzeros();
  } else {
    VelocityPattern& pattern = workspace_->velocities;
    pattern.Build(problem);
    workspace_->tree.Analyse(pattern.graph());
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
      flops += JacobianFlops(problem.groups()[g], pattern.count(static_cast<int>(g)));
    }
  }
  const SupernodalWork work = WorkOf(workspace_->tree);
  // Under De Saxcé's term, as a rule: L U.
  cost.exact_iteration = kExactRow * rows + kJacobianFlop * flops + kFactorFlop * 2 * work.flops +
                         kSolvedBlock * work.blocks;
  cost.exact_setup = kSetUpRow * rows + kSetUpBlock * work.blocks;
  return cost;
}

}  // namespace nonsmooth
