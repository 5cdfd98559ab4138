// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/velocity_system.h"

#include <algorithm>
#include <numeric>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {

bool VelocitySystem::Applies(const Dynamics& dynamics) {
  return dynamic_cast<const TwoBodyDynamics*>(&dynamics) != nullptr ||
         dynamics.ScaledJacobian() != nullptr;
}

const std::vector<std::uint64_t>& VelocitySystem::Keys(const FeasibleSet& set) {
  const Problem& problem = set.problem();
  dynamics_ = &problem.dynamics();
  bodies_ = dynamic_cast<const TwoBodyDynamics*>(dynamics_);
  scaled_ = dynamics_->ScaledJacobian();
  if (bodies_ != nullptr) {
    CollectBodies(*bodies_);
  } else {
    CollectScaled(*scaled_);
  }
  group_start_.assign(1, 0);
  group_block_.clear();
  for (const RowGroup& group : problem.groups()) {
    const auto first = static_cast<std::ptrdiff_t>(group_block_.size());
    for (int row = group.first_row; row < group.first_row + group.size; ++row) {
      if (bodies_ != nullptr) {
        const TwoBodyRow& body_row = bodies_->body_rows()[row];
        for (int body : {body_row.body_a, body_row.body_b}) {
          if (body >= 0 && block_of_[body] >= 0) group_block_.push_back(block_of_[body]);
        }
      } else {
        for (int k = scaled_->row_start[row]; k < scaled_->row_start[row + 1]; ++k) {
          group_block_.push_back(block_of_[scaled_->column[k]]);
        }
      }
    }
    std::sort(group_block_.begin() + first, group_block_.end());
    group_block_.erase(std::unique(group_block_.begin() + first, group_block_.end()),
                       group_block_.end());
    group_start_.push_back(static_cast<int>(group_block_.size()));
  }
  MakeKeys();
  return keys_;
}

void VelocitySystem::CollectBodies(const TwoBodyDynamics& dynamics) {
  const int n = static_cast<int>(dynamics.bodies().size());
  roots_.resize(n);
  block_of_.assign(n, -1);
  body_of_.clear();
  for (int i = 0; i < n; ++i) {
    roots_[i] = RootOf(dynamics.bodies()[i]);
    if (!roots_[i].movable) continue;
    block_of_[i] = static_cast<int>(body_of_.size());
    body_of_.push_back(i);
  }
}

/// Neighbours that a row reaches both are likely to be one body's: they make a block, up to six.
void VelocitySystem::CollectScaled(const CsrMatrix& root) {
  block_of_.assign(root.columns, 0);
  member_of_.assign(root.columns, 0);
  body_of_.clear();
  for (int i = 0; i < root.rows; ++i) {
    for (int k = root.row_start[i] + 1; k < root.row_start[i + 1]; ++k) {
      if (root.column[k - 1] + 1 == root.column[k]) member_of_[root.column[k]] = 1;
    }
  }
  int members = kBlockRows;
  for (int j = 0; j < root.columns; ++j) {
    if (member_of_[j] == 0 || members == kBlockRows) {
      body_of_.push_back(j);
      members = 0;
    }
    block_of_[j] = static_cast<int>(body_of_.size()) - 1;
    member_of_[j] = members++;
  }
}

/// Equal lists of blocks get equal keys.
void VelocitySystem::MakeKeys() {
  const int groups = static_cast<int>(group_start_.size()) - 1;
  keys_.resize(groups);
  bool pairs = true;
  for (int g = 0; g < groups; ++g) pairs = pairs && group_start_[g + 1] - group_start_[g] <= 2;
  if (pairs) {
    for (int g = 0; g < groups; ++g) {
      std::uint64_t key = 0;
      for (int k = group_start_[g]; k < group_start_[g + 1]; ++k) {
        key = (key << 32) + static_cast<std::uint64_t>(group_block_[k]) + 1;
      }
      keys_[g] = key;
    }
    return;
  }
  by_list_.resize(groups);
  std::iota(by_list_.begin(), by_list_.end(), 0);
  const auto less = [&](int a, int b) {
    return std::lexicographical_compare(
        group_block_.begin() + group_start_[a], group_block_.begin() + group_start_[a + 1],
        group_block_.begin() + group_start_[b], group_block_.begin() + group_start_[b + 1]);
  };
  std::sort(by_list_.begin(), by_list_.end(),
            [&](int a, int b) { return less(a, b) || (!less(b, a) && a < b); });
  std::uint64_t key = 0;
  for (int i = 0; i < groups; ++i) {
    if (i > 0 && less(by_list_[i - 1], by_list_[i])) ++key;
    keys_[by_list_[i]] = key;
  }
}

void VelocitySystem::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  FindRuns(layout);
  BuildGraph();
  factor_.Analyse(graph_);
  FillJacobian(layout);
  v_.assign(std::size_t{kPadded} * factor_.blocks(), 0.0);
}

void VelocitySystem::FindRuns(const UnitLayout& layout) {
  runs_.clear();
  run_group_.clear();
  for (const UnitFamily& family : layout.families()) {
    for (int i = 0; i < family.count; ++i) {
      const int group = layout.group()[family.first + i];
      const bool first = i == 0 || keys_[group] != keys_[run_group_.back()];
      if (first) {
        VelocityRun run;
        run.family = &family;
        run.first = i;
        run.blocks = group_start_[group + 1] - group_start_[group];
        runs_.push_back(run);
        run_group_.push_back(group);
      }
      runs_.back().end = i + 1;
    }
  }
}

void VelocitySystem::BuildGraph() {
  const int blocks = static_cast<int>(body_of_.size());
  const auto for_each_pair = [&](auto&& visit) {
    for (int i = 0; i < blocks; ++i) visit(i, i);
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const int g = run_group_[run];
      for (int p = group_start_[g]; p < group_start_[g + 1]; ++p) {
        for (int q = group_start_[g]; q < group_start_[g + 1]; ++q) {
          if (p != q) visit(group_block_[p], group_block_[q]);
        }
      }
    }
  };
  count_.assign(blocks + 1, 0);
  for_each_pair([&](int i, int) { ++count_[i + 1]; });
  for (int i = 0; i < blocks; ++i) count_[i + 1] += count_[i];
  pairs_.resize(count_[blocks]);
  for_each_pair([&](int i, int j) { pairs_[count_[i]++] = j; });
  graph_.weight.assign(blocks, kBlockRows);
  graph_.start.assign(1, 0);
  graph_.neighbour.clear();
  for (int i = 0, begin = 0; i < blocks; begin = count_[i++]) {
    std::sort(pairs_.begin() + begin, pairs_.begin() + count_[i]);
    const auto end = std::unique(pairs_.begin() + begin, pairs_.begin() + count_[i]);
    graph_.neighbour.insert(graph_.neighbour.end(), pairs_.begin() + begin, end);
    graph_.start.push_back(static_cast<int>(graph_.neighbour.size()));
  }
}

void VelocitySystem::FillRow(int row, int block, double scale, double* to) const {
  if (bodies_ != nullptr) {
    const TwoBodyRow& from = bodies_->body_rows()[row];
    const int body = body_of_[block];
    for (int side = 0; side < 2; ++side) {
      if ((side == 0 ? from.body_a : from.body_b) != body) continue;
      const double* j = from.jacobian.data() + 6 * side;
      double angular[3];
      TimesRoot(roots_[body], j + 3, angular);
      for (int k = 0; k < 3; ++k) {
        to[k] += scale * j[k] * roots_[body].linear[k];
        to[3 + k] += scale * angular[k];
      }
    }
    return;
  }
  for (int k = scaled_->row_start[row]; k < scaled_->row_start[row + 1]; ++k) {
    const int column = scaled_->column[k];
    if (block_of_[column] == block) to[member_of_[column]] += scale * scaled_->value[k];
  }
}

void VelocitySystem::FillJacobian(const UnitLayout& layout) {
  places_.clear();
  targets_.clear();
  std::size_t numbers = 0;
  double flops = 0;
  for (const VelocityRun& run : runs_) {
    const int units = run.end - run.first;
    numbers += std::size_t{kPadded} * run.family->rows * run.blocks * units;
    flops += static_cast<double>(units) * run.blocks * (run.blocks + 1) / 2 * 2 * kBlockRows *
             run.family->rows * (kBlockRows + run.family->rows);
  }
  jacobian_.assign(numbers, 0.0);
  double* to = jacobian_.data();
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    VelocityRun& run = runs_[k];
    const int* block = group_block_.data() + group_start_[run_group_[k]];
    const std::size_t first = places_.size();
    for (int b = 0; b < run.blocks; ++b) places_.push_back(factor_.place(block[b]));
    std::sort(places_.begin() + static_cast<std::ptrdiff_t>(first), places_.end());
    for (int a = 0; a < run.blocks; ++a) {
      for (int b = a; b < run.blocks; ++b) {
        targets_.push_back(factor_.Find(places_[first + a], places_[first + b]));
      }
    }
    run.jacobian = to;
    const UnitFamily& family = *run.family;
    for (int i = run.first; i < run.end; ++i) {
      for (int b = 0; b < run.blocks; ++b) {
        const int at_block = factor_.block(places_[first + b]);
        for (int r = 0; r < family.rows; ++r, to += kPadded) {
          const int at = family.first + r * family.stride + i;
          if (layout.row()[at] < 0) continue;
          FillRow(layout.row()[at], at_block, layout.scale()[at], to);
        }
      }
    }
  }
  const int* place = places_.data();
  const int* target = targets_.data();
  for (VelocityRun& run : runs_) {
    run.places = place;
    run.targets = target;
    place += run.blocks;
    target += run.blocks * (run.blocks + 1) / 2;
  }
  for (int symmetric = 0; symmetric < 2; ++symmetric) {
    work_[symmetric] = factor_.factor_work(symmetric != 0) + (symmetric != 0 ? 1.0 : 1.4) * flops;
  }
}

bool VelocitySystem::Factorise(const double* matrix, bool symmetric) {
  matrix_ = matrix;
  factor_.Clear(symmetric);
  for (int i = 0; i < factor_.blocks(); ++i) {
    double* diagonal = factor_.upper(factor_.Find(i, i));
    for (int k = 0; k < kBlockRows; ++k) diagonal[k * kPadded + k] = 1;
  }
  AddMatrix(runs_.data(), static_cast<int>(runs_.size()), matrix, symmetric, factor_.upper(0),
            factor_.lower(0));
  return factor_.Factorise(symmetric);
}

void VelocitySystem::Solve(const double* y, double* delta, double* q) {
  const int runs = static_cast<int>(runs_.size());
  std::fill(v_.begin(), v_.end(), 0.0);
  AddImpulses(runs_.data(), runs, y, v_.data());
  factor_.Solve(v_.data());
  RowVelocities(runs_.data(), runs, v_.data(), q);
  for (const UnitFamily& family : layout_->families()) {
    const int n = family.rows;
    for (int r = 0; r < n; ++r) {
      double* to = delta + family.first + r * family.stride;
      const double* from = y + family.first + r * family.stride;
      std::copy(from, from + family.count, to);
      for (int c = 0; c < n; ++c) {
        const double* d = matrix_ + family.first_matrix + (r * n + c) * family.stride;
        const double* v = q + family.first + c * family.stride;
        for (int i = 0; i < family.count; ++i) to[i] -= d[i] * v[i];
      }
    }
  }
}

void VelocitySystem::Multiply(const double* x, double* q) {
  const int runs = static_cast<int>(runs_.size());
  std::fill(v_.begin(), v_.end(), 0.0);
  AddImpulses(runs_.data(), runs, x, v_.data());
  RowVelocities(runs_.data(), runs, v_.data(), q);
}

double VelocitySystem::Work(bool symmetric) const { return work_[symmetric ? 1 : 0]; }

}  // namespace nonsmooth
