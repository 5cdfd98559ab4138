// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../captured_step.h"

namespace nonsmooth {

/// Impulses of the steps before, to start the next solve from. Groups are matched by their keys;
/// where groups have none, by position, if the problem has the same groups as the one before.
class PreviousImpulses {
 public:
  /// x ← what is known for the groups of `step`, zero elsewhere. Impulses older than the time step
  /// before are forgotten: a contact that was gone for a while starts anew.
  void Predict(const CapturedStep& step, std::vector<double>* x) const;

  void Remember(const CapturedStep& step, const std::vector<double>& x);

 private:
  struct Entry {
    std::int64_t step = 0;
    std::vector<double> impulses;
  };
  std::unordered_map<std::uint64_t, Entry> by_key_;
  std::vector<RowGroup> last_groups_;
  std::vector<double> last_x_;
};

}  // namespace nonsmooth
