// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem_part.h"

#include <algorithm>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/mass_factor.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// Rows of a matrix, with their columns numbered anew. Explicit zeros couple nothing and may stand
/// in columns that are not there.
void AppendRows(const CsrMatrix& from, int first, int count, const Renumbering& columns,
                CsrMatrix& to) {
  for (int i = first; i < first + count; ++i) {
    for (int k = from.row_start[i]; k < from.row_start[i + 1]; ++k) {
      if (!columns.Holds(from.column[k])) continue;
      to.column.push_back(columns.part[from.column[k]]);
      to.value.push_back(from.value[k]);
    }
    to.row_start.push_back(to.nonzeros());
  }
}

}  // namespace

ProblemPart::ProblemPart() : parts_(std::make_shared<Problem::Parts>()) {
  problem_.parts_ = parts_;
}

ProblemPart::~ProblemPart() = default;

void ProblemPart::TakeRows(const std::vector<double>& from, std::vector<double>& to) const {
  to.resize(runs_.empty() ? 0 : runs_.back().part + runs_.back().size);
  for (const Run& run : runs_) {
    std::copy_n(from.begin() + run.whole, run.size, to.begin() + run.part);
  }
}

void ProblemPart::Gather(const double* whole, std::vector<double>& part) const {
  part.resize(problem_.rows());
  for (const Run& run : runs_) {
    std::copy_n(whole + run.whole, run.size, part.begin() + run.part);
  }
}

void ProblemPart::ScatterRows(const std::vector<double>& part, double* whole) const {
  for (const Run& run : runs_) {
    std::copy_n(part.begin() + run.part, run.size, whole + run.whole);
  }
}

void ProblemPart::ScatterVelocities(const std::vector<double>& part, double* whole) const {
  for (int i = 0; i < movable_; ++i) {
    std::copy_n(part.begin() + std::ptrdiff_t{node_size_} * i, node_size_,
                whole + std::ptrdiff_t{node_size_} * nodes_.whole[i]);
  }
}

int ProblemPart::WholeRow(int row) const {
  for (const Run& run : runs_) {
    if (row < run.part + run.size) return run.whole + row - run.part;
  }
  return -1;
}

void ProblemPart::TakeGroups(const Problem& whole, IndexRange groups) {
  runs_.clear();
  parts_->groups.clear();
  parts_->contacts = 0;
  int rows = 0;
  for (const int g : groups) {
    RowGroup group = whole.groups()[g];
    if (!runs_.empty() && runs_.back().whole + runs_.back().size == group.first_row) {
      runs_.back().size += group.size;
    } else {
      runs_.push_back({group.first_row, rows, group.size});
    }
    group.first_row = rows;
    rows += group.size;
    parts_->contacts += group.kind == GroupKind::kContact ? 1 : 0;
    parts_->groups.push_back(group);
  }
  TakeRows(whole.lower(), parts_->lower);
  TakeRows(whole.upper(), parts_->upper);
}

template <class Form>
Form& ProblemPart::Reuse(std::shared_ptr<Form>& form) {
  if (form == nullptr) form.reset(new Form);
  if (parts_->dynamics != form) parts_->dynamics = form;
  dynamics_ = form.get();
  dynamics_->ForgetAssembled();
  return *form;
}

void ProblemPart::TakeMatrixRows(const CsrMatrix& from, const Renumbering& columns,
                                 CsrMatrix& to) const {
  to.Reset(runs_.back().part + runs_.back().size, columns.size());
  for (const Run& run : runs_) AppendRows(from, run.whole, run.size, columns, to);
}

void ProblemPart::TakeBodies(const TwoBodyDynamics& whole, IndexRange movable) {
  TwoBodyDynamics& part = Reuse(bodies_);
  node_size_ = 6;
  nodes_.Reset(static_cast<int>(whole.bodies().size()));
  part.bodies_.clear();
  part.rows_.clear();
  for (const int body : movable) {
    nodes_.Add(body);
    part.bodies_.push_back(whole.bodies()[body]);
  }
  const auto renumber = [&](int& body) {
    if (body < 0) return;
    if (nodes_.Holds(body)) {
      body = nodes_.part[body];
      return;
    }
    // It does not move, and is met by other islands as well.
    part.bodies_.push_back(whole.bodies()[body]);
    body = nodes_.Add(body);
  };
  for (const Run& run : runs_) {
    for (int i = run.whole; i < run.whole + run.size; ++i) {
      part.rows_.push_back(whole.body_rows()[i]);
      renumber(part.rows_.back().body_a);
      renumber(part.rows_.back().body_b);
    }
  }
}

void ProblemPart::TakeVariables(const SparseDynamics& whole, IndexRange variables) {
  SparseDynamics& part = Reuse(sparse_);
  node_size_ = 1;
  nodes_.Reset(whole.velocity_size());
  for (const int variable : variables) nodes_.Add(variable);
  SparseSystem& system = part.system_;
  const SparseSystem& all = whole.system();
  const int size = variables.size();
  system.mass.Reset(size, size);
  system.velocity.clear();
  system.applied_impulse.clear();
  part.free_velocity_.clear();
  for (const int variable : variables) {
    AppendRows(all.mass, variable, 1, nodes_, system.mass);
    system.velocity.push_back(all.velocity[variable]);
    system.applied_impulse.push_back(all.applied_impulse[variable]);
    part.free_velocity_.push_back(whole.free_velocity_[variable]);
  }
  TakeMatrixRows(all.jacobian, nodes_, system.jacobian);
  Transpose(system.jacobian, part.jacobian_transposed_);
  TakeRows(all.bias, system.bias);
  TakeRows(all.compliance, system.compliance);
  if (part.mass_ == nullptr) part.mass_ = std::make_unique<MassFactor>();
  part.mass_->BecomePart(*whole.mass_, system.mass, nodes_, pivots_);
  if (whole.symmetric()) {
    TakeMatrixRows(whole.left_, pivots_, part.left_);
    part.right_ = CsrMatrix();
  } else {
    TakeMatrixRows(whole.left_, nodes_, part.left_);
    TakeMatrixRows(whole.right_, nodes_, part.right_);
  }
}

void ProblemPart::TakeTrees(const ArticulatedDynamics& whole, IndexRange variables) {
  ArticulatedDynamics& part = Reuse(trees_);
  node_size_ = 1;
  nodes_.Reset(whole.velocity_size());
  for (const int variable : variables) nodes_.Add(variable);
  ArticulatedSystem& system = part.system_;
  const ArticulatedSystem& all = whole.system();
  system.mass_root.Reset(variables.size(), variables.size());
  system.velocity.clear();
  system.applied_impulse.clear();
  part.free_velocity_.clear();
  for (const int variable : variables) {
    AppendRows(all.mass_root, variable, 1, nodes_, system.mass_root);
    system.velocity.push_back(all.velocity[variable]);
    system.applied_impulse.push_back(all.applied_impulse[variable]);
    part.free_velocity_.push_back(whole.free_velocity_[variable]);
  }
  TakeMatrixRows(all.jacobian, nodes_, system.jacobian);
  TakeMatrixRows(whole.scaled_, nodes_, part.scaled_);
  TakeRows(all.bias, system.bias);
  TakeRows(all.compliance, system.compliance);
}

void ProblemPart::TakeMatrix(const MatrixDynamics& whole) {
  MatrixDynamics& part = Reuse(matrix_);
  node_size_ = 0;
  nodes_.Reset(whole.rows());
  for (const Run& run : runs_) {
    for (int i = 0; i < run.size; ++i) nodes_.Add(run.whole + i);
  }
  const CsrMatrix& a = whole.matrix();
  const int rows = static_cast<int>(nodes_.whole.size());
  part.a_.Reset(rows, rows);
  for (const int i : nodes_.whole) AppendRows(a, i, 1, nodes_, part.a_);
}

void ProblemPart::Become(const Problem& whole, const Islands& islands, int island) {
  TakeGroups(whole, islands.groups(island));
  const Dynamics& dynamics = whole.dynamics();
  const IndexRange nodes = islands.nodes(island);
  movable_ = nodes.size();
  if (const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&dynamics)) {
    TakeBodies(*bodies, nodes);
  } else if (const auto* trees = dynamic_cast<const ArticulatedDynamics*>(&dynamics)) {
    TakeTrees(*trees, nodes);
  } else if (const auto* sparse = dynamic_cast<const SparseDynamics*>(&dynamics)) {
    TakeVariables(*sparse, nodes);
  } else {
    TakeMatrix(static_cast<const MatrixDynamics&>(dynamics));
    movable_ = 0;
  }
  TakeRows(dynamics.bias_, dynamics_->bias_);
  TakeRows(dynamics.diagonal_, dynamics_->diagonal_);
}

}  // namespace nonsmooth
