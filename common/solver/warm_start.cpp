// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/warm_start.h"

#include <algorithm>
#include <tuple>

#include "common/util/check.h"

namespace nonsmooth {

bool WarmStart::SameShape(const RowGroup& a, const RowGroup& b) {
  return std::tie(a.kind, a.size, a.tangents, a.spinning, a.rolling) ==
         std::tie(b.kind, b.size, b.tangents, b.spinning, b.rolling);
}

void WarmStart::Collect(const Problem& problem, std::vector<Entry>& keyed,
                        std::vector<Entry>& anonymous) {
  keyed.clear();
  anonymous.clear();
  for (const RowGroup& group : problem.groups()) {
    const Entry entry{group.key, group.first_row, group.first_row, group};
    if (group.key != 0) {
      keyed.push_back(entry);
    } else if (group.kind != GroupKind::kContact) {
      anonymous.push_back(entry);
    }
  }
  std::sort(keyed.begin(), keyed.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.first_row) < std::tie(b.key, b.first_row);
  });
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const bool again = i > 0 && keyed[i - 1].key == keyed[i].key;
    keyed[i].order = again ? keyed[i - 1].order + 1 : 0;
  }
}

void WarmStart::Store(const Problem& problem, const std::vector<double>& x) {
  RequireSize("warm start", "x", x.size(), static_cast<std::size_t>(problem.rows()));
  x_ = x;
  Collect(problem, keyed_, anonymous_);
}

int WarmStart::Load(const Problem& problem, std::vector<double>& x0) {
  Collect(problem, wanted_, wanted_anonymous_);
  x0.assign(problem.rows(), 0.0);
  int found = 0;
  const auto copy = [&](const Entry& from, const Entry& to) {
    std::copy_n(x_.begin() + from.first_row, from.shape.size, x0.begin() + to.first_row);
    ++found;
  };

  // Both lists are sorted alike: one pass merges them.
  auto stored = keyed_.begin();
  for (const Entry& entry : wanted_) {
    const auto before = [&](const Entry& other) {
      return std::tie(other.key, other.order) < std::tie(entry.key, entry.order);
    };
    while (stored != keyed_.end() && before(*stored)) ++stored;
    if (stored == keyed_.end()) break;
    if (stored->key == entry.key && stored->order == entry.order &&
        SameShape(stored->shape, entry.shape)) {
      copy(*stored, entry);
    }
  }

  const bool alike = std::equal(
      anonymous_.begin(), anonymous_.end(), wanted_anonymous_.begin(), wanted_anonymous_.end(),
      [](const Entry& a, const Entry& b) { return SameShape(a.shape, b.shape); });
  if (alike) {
    for (std::size_t i = 0; i < anonymous_.size(); ++i) copy(anonymous_[i], wanted_anonymous_[i]);
  }
  return found;
}

void WarmStart::Clear() {
  x_.clear();
  keyed_.clear();
  anonymous_.clear();
}

}  // namespace nonsmooth
