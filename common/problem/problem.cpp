// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void RequireCoefficient(int index, const char* field, double value) {
  Require(std::isfinite(value) && value >= 0, "group ", index, ": ", field, " = ", value,
          " is not a finite number >= 0");
}

/// False if anything might be wrong with the contact.
bool PlainlyValid(const RowGroup& group) {
  const double zero = 0 * group.friction + 0 * group.spinning_friction + 0 * group.rolling_friction;
  return zero == 0 && group.friction >= 0 && group.spinning_friction >= 0 &&
         group.rolling_friction >= 0 && group.tangents >= 0 && group.tangents <= 2 &&
         group.size == 1 + group.tangents && group.spinning == 0 && group.rolling == 0 &&
         std::isnan(group.normal_estimate) && group.law.kind != LawKind::kNative &&
         group.law.kind != LawKind::kPyramid;
}

void ValidateContact(int index, const RowGroup& group) {
  Require(group.tangents >= 0 && group.tangents <= 2, "group ", index,
          ": tangents = ", group.tangents, ", expected 0, 1 or 2");
  Require(group.spinning == 0 || group.spinning == 1, "group ", index,
          ": spinning = ", group.spinning, ", expected 0 or 1");
  Require(group.rolling >= 0 && group.rolling <= 2, "group ", index, ": rolling = ", group.rolling,
          ", expected 0, 1 or 2");
  const int size = 1 + group.tangents + group.spinning + group.rolling;
  Require(group.size == size, "group ", index, ": size = ", group.size, ", but its parts have ",
          size, " rows");
  RequireCoefficient(index, "friction", group.friction);
  RequireCoefficient(index, "spinning_friction", group.spinning_friction);
  RequireCoefficient(index, "rolling_friction", group.rolling_friction);
  Require(std::isnan(group.normal_estimate) ||
              (std::isfinite(group.normal_estimate) && group.normal_estimate >= 0),
          "group ", index, ": normal_estimate = ", group.normal_estimate,
          " is neither NaN (none) nor a finite number >= 0");
  Require(group.law.kind != LawKind::kNative, "group ", index,
          ": law is native, but a contact must say what its native law is");
  Require(HasValidFacets(group.law), "group ", index, ": law is pyramid with ", group.law.facets,
          " facets, expected ", kFewestFacets, " to ", kMostFacets);
}

}  // namespace

Problem::Problem(std::shared_ptr<const Dynamics> dynamics, std::vector<RowGroup> groups,
                 std::vector<double> lower, std::vector<double> upper) {
  Require(dynamics != nullptr, "problem: dynamics is null");
  const int n = dynamics->rows();
  RequireSize("problem", "lower", lower.size(), static_cast<std::size_t>(n));
  RequireSize("problem", "upper", upper.size(), static_cast<std::size_t>(n));
  int contacts = 0;
  int next = 0;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const RowGroup& group = groups[g];
    Require(group.first_row == next, "group ", g, ": first_row = ", group.first_row, ", expected ",
            next, ": groups cover the rows in order, without gaps");
    Require(group.size >= 1 && group.size <= kMostGroupRows, "group ", g, ": size = ", group.size,
            ", expected 1 to ", kMostGroupRows);
    Require(group.size <= n - next, "group ", g, ": size = ", group.size, ", but ", n - next,
            " rows are left");
    next += group.size;
    if (group.kind == GroupKind::kContact) {
      if (!PlainlyValid(group)) ValidateContact(g, group);
      ++contacts;
    }
    if (group.kind != GroupKind::kBox) {
      std::fill(lower.begin() + group.first_row, lower.begin() + next, -kInfinity);
      std::fill(upper.begin() + group.first_row, upper.begin() + next, kInfinity);
      if (group.kind == GroupKind::kContact) lower[group.first_row] = 0;
      continue;
    }
    for (int i = group.first_row; i < next; ++i) {
      Require(lower[i] <= upper[i] && lower[i] < kInfinity && upper[i] > -kInfinity, "row ", i,
              ": bounds [", lower[i], ", ", upper[i], "] hold no finite number, or one is NaN");
    }
  }
  Require(next == n, "problem: groups cover ", next, " of ", n, " rows");
  parts_ = std::make_shared<const Parts>(
      Parts{std::move(dynamics), std::move(groups), std::move(lower), std::move(upper), contacts});
}

const Problem::Parts& Problem::Nothing() {
  static const Parts nothing;
  return nothing;
}

}  // namespace nonsmooth
