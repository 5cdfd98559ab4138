// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/fclib_error.h"

#include <algorithm>
#include <cmath>

#include "common/law/cone.h"

namespace nonsmooth {
namespace {

/// z ← Π_K(x − w − Σ c_k‖w_k‖ e_n) of a contact.
void ProjectContact(const RowGroup& group, const double* x, const double* w, double* z) {
  const int size[3] = {group.tangents, group.spinning, group.rolling};
  const double coefficient[3] = {group.friction, group.spinning_friction, group.rolling_friction};
  for (int i = 0; i < group.size; ++i) z[i] = x[i] - w[i];
  FrictionPart part[3];
  int offset = 1;
  for (int k = 0; k < 3; ++k) {
    part[k].offset = offset;
    part[k].size = size[k];
    part[k].coefficient = coefficient[k];
    part[k].weight = 1;
    z[0] -= coefficient[k] * SlidingSpeed(part[k], w + offset);
    offset += size[k];
  }
  if (group.spinning + group.rolling == 0) {
    ProjectOntoCone(group.friction, 1, 1, group.tangents, z);
  } else {
    ProjectOntoParts(1, part, 3, z);
  }
}

double SumOfSquares(const double* values, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += values[i] * values[i];
  return sum;
}

}  // namespace

FclibError MeasureFclib(const Problem& problem, const double* x, const double* w,
                        double* per_group) {
  FclibError error;
  const int rows = problem.rows();
  if (rows == 0) return error;
  double sum = 0;
  const std::vector<RowGroup>& groups = problem.groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const RowGroup& group = groups[g];
    const int first = group.first_row;
    double z[kMostGroupRows];
    if (group.kind == GroupKind::kContact) {
      ProjectContact(group, x + first, w + first, z);
    } else {
      for (int i = 0; i < group.size; ++i) {
        z[i] = std::clamp(x[first + i] - w[first + i], problem.lower()[first + i],
                          problem.upper()[first + i]);
      }
    }
    for (int i = 0; i < group.size; ++i) z[i] = x[first + i] - z[i];
    const double squares = SumOfSquares(z, group.size);
    if (per_group != nullptr) per_group[g] = std::sqrt(squares);
    sum += squares;
  }
  error.absolute = std::sqrt(sum);
  error.scale = std::sqrt(std::max({SumOfSquares(problem.dynamics().bias().data(), rows),
                                    SumOfSquares(x, rows), SumOfSquares(w, rows)}));
  error.relative = error.absolute == 0 ? 0.0 : error.absolute / error.scale;
  return error;
}

}  // namespace nonsmooth
