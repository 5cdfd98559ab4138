// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/velocity_system.h"

#include <algorithm>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
const std::vector<std::uint64_t>& VelocitySystem::Keys(const FeasibleSet& set) {
  pattern_.Build(set.problem());
  return pattern_.keys();
}

void VelocitySystem::FindRoots() {
  roots_.clear();
  if (pattern_.bodies() == nullptr) return;
  for (const Body& body : pattern_.bodies()->bodies()) roots_.push_back(RootOf(body));
}

void VelocitySystem::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  own_mass_ = pattern_.mass() != nullptr;
  FindRoots();
  FindRuns(layout);
  factor_.Analyse(pattern_.graph());
  FillJacobian(layout);
  v_.assign(std::size_t{kPadded} * factor_.blocks(), 0.0);
  if (own_mass_) FindMass();
}

/// M in the blocks of H, and factorised by itself for A₀ x.
void VelocitySystem::FindMass() {
  mass_symmetric_ = pattern_.mass_symmetric();
  FindEntries(factor_, &mass_in_factor_);
  mass_factor_.Analyse(pattern_.mass_graph());
  FindEntries(mass_factor_, &mass_entries_);
  mass_factor_.Clear(mass_symmetric_);
  AddMass(mass_entries_, mass_symmetric_, mass_factor_);
  mass_regular_ = mass_factor_.Factorise(mass_symmetric_);
  scratch_.assign(v_.size(), 0.0);
}

void VelocitySystem::FindEntries(const SupernodalFactor& factor,
                                 std::vector<MassEntry>* entries) const {
  const CsrMatrix& mass = *pattern_.mass();
  entries->clear();
  for (int i = 0; i < mass.rows; ++i) {
    const int row_place = factor.place(pattern_.block_of(i));
    for (int k = mass.row_start[i]; k < mass.row_start[i + 1]; ++k) {
      const int j = mass.column[k];
      const int column_place = factor.place(pattern_.block_of(j));
      const bool lower = row_place > column_place;
      // L is kept transposed.
      const int first = lower ? pattern_.member_of(j) : pattern_.member_of(i);
      const int second = lower ? pattern_.member_of(i) : pattern_.member_of(j);
      const int block = factor.Find(std::min(row_place, column_place),  //
                                    std::max(row_place, column_place));
      entries->push_back(
          {std::ptrdiff_t{kBlockSize} * block + first * kPadded + second, mass.value[k], lower});
    }
  }
}

void VelocitySystem::AddMass(const std::vector<MassEntry>& entries, bool symmetric,
                             SupernodalFactor& factor) const {
  double* upper = factor.upper(0);
  double* lower = factor.lower(0);
  for (const MassEntry& entry : entries) {
    if (!entry.lower) upper[entry.at] += entry.value;
    if (entry.lower && !symmetric) lower[entry.at] += entry.value;
  }
  // Blocks that are not full.
  for (int block = 0; block < factor.blocks(); ++block) {
    const int place = factor.place(block);
    double* diagonal = factor.upper(factor.Find(place, place));
    for (int k = pattern_.members(block); k < kBlockRows; ++k) diagonal[k * kPadded + k] = 1;
  }
}

void VelocitySystem::FindRuns(const UnitLayout& layout) {
  const std::vector<std::uint64_t>& keys = pattern_.keys();
  runs_.clear();
  run_group_.clear();
  for (const UnitFamily& family : layout.families()) {
    for (int i = 0; i < family.count; ++i) {
      const int group = layout.group()[family.first + i];
      const bool first = i == 0 || keys[group] != keys[run_group_.back()];
      if (first) {
        VelocityRun run;
        run.family = &family;
        run.first = i;
        run.blocks = pattern_.count(group);
        runs_.push_back(run);
        run_group_.push_back(group);
      }
      runs_.back().end = i + 1;
    }
  }
}

void VelocitySystem::FillRow(int row, int block, double scale, double* to) const {
  if (pattern_.bodies() == nullptr) {
    const CsrMatrix& jacobian = *pattern_.jacobian();
    for (int k = jacobian.row_start[row]; k < jacobian.row_start[row + 1]; ++k) {
      const int j = jacobian.column[k];
      if (pattern_.block_of(j) == block) to[pattern_.member_of(j)] += scale * jacobian.value[k];
    }
    return;
  }
  const TwoBodyRow& from = pattern_.bodies()->body_rows()[row];
  const int body = pattern_.first_of(block);
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
    const int* block = pattern_.begin(run_group_[k]);
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
  if (own_mass_) {
    if (!mass_regular_) return false;
    symmetric = symmetric && mass_symmetric_;
    factor_.Clear(symmetric);
    AddMass(mass_in_factor_, symmetric, factor_);
  } else {
    factor_.Clear(symmetric);
    for (int i = 0; i < factor_.blocks(); ++i) {
      double* diagonal = factor_.upper(factor_.Find(i, i));
      for (int k = 0; k < kBlockRows; ++k) diagonal[k * kPadded + k] = 1;
    }
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
  if (own_mass_) {
    const auto move = [&](const AlignedVector& from, const SupernodalFactor& from_order,
                          AlignedVector& to, const SupernodalFactor& to_order) {
      for (int block = 0; block < factor_.blocks(); ++block) {
        std::copy_n(from.data() + std::ptrdiff_t{kPadded} * from_order.place(block), kPadded,
                    to.data() + std::ptrdiff_t{kPadded} * to_order.place(block));
      }
    };
    move(v_, factor_, scratch_, mass_factor_);
    mass_factor_.Solve(scratch_.data());
    move(scratch_, mass_factor_, v_, factor_);
  }
  RowVelocities(runs_.data(), runs, v_.data(), q);
}

double VelocitySystem::Work(bool symmetric) const { return work_[symmetric ? 1 : 0]; }

}  // namespace nonsmooth
