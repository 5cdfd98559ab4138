// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "monitor.h"

namespace nonsmooth {

/// A piece of work that cannot be interrupted, such as a factorisation: asks beforehand whether it
/// would end before the deadline, and learns from every time how long it takes.
class TimedWork {
 public:
  /// False: the solve ends here, for lack of time. Otherwise the work follows, and End(). `units`
  /// is its size, say in multiplications.
  bool Begin(double units, Monitor& monitor) {
    if (!monitor.has_deadline()) return true;
    units_ = units;
    if (monitor.OutOfTime(kMargin * seconds_per_unit_ * units)) return false;
    begin_ = monitor.Seconds();
    return true;
  }

  void End(const Monitor& monitor) {
    if (monitor.has_deadline() && units_ > 0) {
      seconds_per_unit_ = (monitor.Seconds() - begin_) / units_;
    }
  }

 private:
  static constexpr double kMargin = 1.2;  ///< that a noisy machine may take longer

  double seconds_per_unit_ = 1e-9;  ///< a multiplication, before anything is known
  double units_ = 0;
  double begin_ = 0;
};

}  // namespace nonsmooth
