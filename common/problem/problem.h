// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "dynamics.h"
#include "row_group.h"

namespace nonsmooth {

/// The contact problem of one step, docs/problem.md: w = A x + b (the dynamics) with a law for
/// every group of rows. Constant once made; copies share everything and cost nothing. A problem
/// without rows is valid and solved by doing nothing.
class Problem {
 public:
  Problem() = default;

  /// `groups` cover all rows in order, without gaps. `lower` and `upper` have one entry a row and
  /// are read for rows of box groups only; infinite bounds are welcome. Throws
  /// std::invalid_argument naming field, index and rule.
  Problem(std::shared_ptr<const Dynamics> dynamics, std::vector<RowGroup> groups,
          std::vector<double> lower, std::vector<double> upper);

  int rows() const { return parts().dynamics ? parts().dynamics->rows() : 0; }
  int contacts() const { return parts().contacts; }
  const std::vector<RowGroup>& groups() const { return parts().groups; }

  /// Bounds of every row that has constant ones: given for box rows, infinite for equality rows,
  /// [0, ∞) for normals, infinite for the other rows of a contact.
  const std::vector<double>& lower() const { return parts().lower; }
  const std::vector<double>& upper() const { return parts().upper; }

  /// Not to be called on a default-constructed problem.
  const Dynamics& dynamics() const { return *parts().dynamics; }
  const std::shared_ptr<const Dynamics>& shared_dynamics() const { return parts().dynamics; }

 private:
  friend class ProblemPart;
  struct Parts {
    std::shared_ptr<const Dynamics> dynamics;
    std::vector<RowGroup> groups;
    std::vector<double> lower;
    std::vector<double> upper;
    int contacts = 0;
  };

  static const Parts& Nothing();
  const Parts& parts() const { return parts_ ? *parts_ : Nothing(); }

  std::shared_ptr<const Parts> parts_;
};

}  // namespace nonsmooth
