// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "common/methods/exact/resolvent_kernel.h"

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// y ← the nearest point of the k-gon of this radius. Rows of `d`: ∂x_t/∂y_t, then ∂x_t/∂radius.
void ProjectOnPolygon(int facets, double radius, double* y, double d[2][3]) {
  // In the frame of the edge that y looks at: along its normal and along it.
  const double half = kPi / facets;
  const double angle = std::atan2(y[1], y[0]);
  const double middle = half * (2 * std::floor(angle / (2 * half)) + 1);
  const double n[2] = {std::cos(middle), std::sin(middle)};
  const double t[2] = {-n[1], n[0]};
  const double out = n[0] * y[0] + n[1] * y[1];
  const double along = t[0] * y[0] + t[1] * y[1];
  const double height = std::cos(half), width = std::sin(half);
  const bool inside = out <= radius * height;
  const bool vertex = std::abs(along) > radius * width;
  const double side = along < 0 ? -width : width;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      d[i][j] = inside ? (i == j ? 1.0 : 0.0) : vertex ? 0.0 : t[i] * t[j];
    }
    d[i][2] = inside ? 0.0 : height * n[i] + (vertex ? side * t[i] : 0.0);
  }
  if (inside) return;
  const double kept = vertex ? radius * side : along;
  for (int i = 0; i < 2; ++i) y[i] = radius * height * n[i] + kept * t[i];
}

}  // namespace

void ResolvePolygons(const UnitFamily& family, const UnitLayout& layout, const Resolvent& in) {
  for (int i = 0; i < family.count; ++i) {
    double r[3], y[3], d[2][3];
    for (int k = 0; k < 3; ++k) {
      const int at = family.first + k * family.stride + i;
      // One metric for both tangents; what differs from it acts at the centre.
      r[k] = k == 2 ? r[1] : in.compliance[at] + in.soft[at];
      y[k] = ((r[k] - in.compliance[at]) * in.centre[at] - in.velocity[at] - in.bias[at]) / r[k];
    }
    const double c = in.coefficient[family.first_part + i];
    const double x_n = std::max(0.0, y[0]);
    ProjectOnPolygon(layout.facets()[family.first + i], c * x_n, y + 1, d);
    y[0] = x_n;
    const double own = y[0] > 0 ? 1 / r[0] : 0.0;
    for (int k = 0; k < 3; ++k) in.x[family.first + k * family.stride + i] = y[k];
    if (in.matrix == nullptr) continue;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        const double value = k == 0   ? (j == 0 ? own : 0.0)
                             : j == 0 ? c * own * d[k - 1][2]
                                      : d[k - 1][j - 1] / r[1];
        in.matrix[family.first_matrix + (3 * k + j) * family.stride + i] = value;
      }
    }
  }
}

double UnitEnergyBySet(const UnitFamily& family, const UnitLayout& layout, const double* x,
                       const double* w) {
  const Problem& problem = layout.set().problem();
  double sum = 0;
  for (int i = 0; i < family.count; ++i) {
    const int g = layout.group()[family.first + i];
    const RowGroup& group = problem.groups()[g];
    double own_x[kMostGroupRows] = {}, own_w[kMostGroupRows] = {}, r[kMostGroupRows];
    for (int k = 0; k < family.rows; ++k) {
      const int at = family.first + k * family.stride + i;
      const int row = layout.row()[at];
      if (row < 0) continue;
      own_x[row - group.first_row] = layout.scale()[at] * x[at];
      own_w[row - group.first_row] = w[at] / layout.scale()[at];
    }
    layout.set().NaturalMap(g, own_x, own_w, r);
    for (int k = 0; k < group.size; ++k) {
      sum += 0.5 * layout.set().weights()[group.first_row + k] * r[k] * r[k];
    }
  }
  return sum;
}

}  // namespace nonsmooth
