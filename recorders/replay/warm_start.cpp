// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/warm_start.h"

#include <algorithm>

namespace nonsmooth {
namespace {

bool SameGroups(const std::vector<RowGroup>& a, const std::vector<RowGroup>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const RowGroup& left, const RowGroup& right) {
                      return left.kind == right.kind && left.size == right.size;
                    });
}

}  // namespace

void PreviousImpulses::Predict(const CapturedStep& step, std::vector<double>* x) const {
  const std::vector<RowGroup>& groups = step.problem.groups();
  x->assign(step.problem.rows(), 0.0);
  const bool same = SameGroups(groups, last_groups_);
  for (const RowGroup& group : groups) {
    const auto to = x->begin() + group.first_row;
    if (group.key == 0) {
      if (same) std::copy_n(last_x_.begin() + group.first_row, group.size, to);
      continue;
    }
    const auto found = by_key_.find(group.key);
    if (found == by_key_.end()) continue;
    const Entry& entry = found->second;
    const bool recent = entry.step == step.info.step || entry.step + 1 == step.info.step;
    if (recent && static_cast<int>(entry.impulses.size()) == group.size) {
      std::copy(entry.impulses.begin(), entry.impulses.end(), to);
    }
  }
}

void PreviousImpulses::Remember(const CapturedStep& step, const std::vector<double>& x) {
  last_groups_ = step.problem.groups();
  last_x_ = x;
  for (const RowGroup& group : last_groups_) {
    if (group.key == 0) continue;
    const auto from = x.begin() + group.first_row;
    by_key_[group.key] = {step.info.step, std::vector<double>(from, from + group.size)};
  }
}

}  // namespace nonsmooth
