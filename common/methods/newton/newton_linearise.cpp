// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/methods/newton/newton_map-inl.h"
#include "common/methods/newton/newton_map.h"

namespace nonsmooth {

using newton_internal::BoundedFischer;
using newton_internal::EvaluateBounded;
using newton_internal::Norm;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNoTurn = 1e-10;  // of τ: such a contact cannot turn its friction any more

int AddUnknown(NewtonBlock& block, int rows) {
  const int j = block.size++;
  for (int i = 0; i < rows; ++i) block.t[i][j] = block.r[j][i] = 0;
  for (int k = 0; k <= j; ++k) block.s[j][k] = block.s[k][j] = 0;
  block.d[j] = 0;
  return j;
}

/// A row whose velocity is to vanish.
int AddFreeRow(NewtonBlock& block, int rows, int i, double w) {
  const int j = AddUnknown(block, rows);
  block.t[i][j] = block.r[j][i] = 1;
  block.d[j] = -w;
  return j;
}

}  // namespace

void NewtonMap::LineariseRow(double x, double w, double lower, double upper, int i,
                             NewtonBlock& block) const {
  const int rows = kMostGroupRows;
  if (kind_ == NewtonMapKind::kFischer) {
    const BoundedFischer f = EvaluateBounded(x, w, lower, upper);
    if (f.dw < kNoTurn) {
      block.c[i] = -f.value / f.dx;
      return;
    }
    const int j = AddFreeRow(block, rows, i, 0);
    block.s[j][j] = f.dx / f.dw;
    block.d[j] = -f.value / f.dw;
    return;
  }
  const double y = x - w;
  if (y <= lower) {
    block.c[i] = lower - x;
  } else if (y >= upper) {
    block.c[i] = upper - x;
  } else {
    AddFreeRow(block, rows, i, w);
  }
}

void NewtonMap::LineariseJoint(const Group& group, const double* x, const double* w,
                               NewtonBlock& block) const {
  double y[kMostGroupRows] = {};
  double f[kMostGroupRows] = {};
  bool sliding[kMostGroupRows];
  for (int i = 0; i < group.size; ++i) y[i] = x[i] - w[i];
  const double normal = JointNormal(group, y, sliding);
  if (normal <= 0) {
    for (int i = 0; i < group.size; ++i) {
      if (!inert(group.first + i)) block.c[i] = -x[i];
    }
    return;
  }
  JointResidual(group, x, w, f);
  // The derivative of Π is 1 along g = (1, c_k e_k) and what sticks, τ_k across e_k, 0 otherwise.
  const int along = AddUnknown(block, group.size);
  double g[kMostGroupRows] = {1};
  double squares = 1;
  for (int k = 0; k < group.parts; ++k) {
    const Part& part = group.part[k];
    const int o = part.offset;
    if (!sliding[k]) {
      for (int i = 0; i < part.size; ++i) AddFreeRow(block, group.size, o + i, f[o + i]);
      continue;
    }
    const double length = Norm(y + o, part.size);
    double e[2] = {1, 0};
    for (int i = 0; i < part.size; ++i) e[i] = y[o + i] / length;
    for (int i = 0; i < part.size; ++i) g[o + i] = part.coefficient * e[i];
    squares += part.coefficient * part.coefficient;
    if (part.size == 1) {
      block.c[o] = -f[o];
      continue;
    }
    const double across = -e[1] * f[o] + e[0] * f[o + 1];
    const double tau = part.coefficient * normal / length;
    const double radial = e[0] * f[o] + e[1] * f[o + 1];
    block.c[o] = -radial * e[0];
    block.c[o + 1] = -radial * e[1];
    if (tau < kNoTurn) {
      block.c[o] += across * e[1];
      block.c[o + 1] -= across * e[0];
      continue;
    }
    const int j = AddUnknown(block, group.size);
    block.t[o][j] = block.r[j][o] = -e[1];
    block.t[o + 1][j] = block.r[j][o + 1] = e[0];
    block.s[j][j] = (1 - tau) / tau;
    block.d[j] = -across / tau;
  }
  const double unit = 1 / std::sqrt(squares);
  double on_g = 0;
  for (int i = 0; i < group.size; ++i) {
    g[i] *= unit;
    block.t[i][along] = block.r[along][i] = g[i];
    on_g += g[i] * f[i];
  }
  // c holds −F across g only: its part along g is the unknown's.
  block.c[0] = -f[0];
  for (int i = 0; i < group.size; ++i) block.c[i] += on_g * g[i];
  block.d[along] = -on_g;
}

void NewtonMap::LinearisePart(const Group& group, const Part& part, const double* x,
                              const double* w, NewtonBlock& block) const {
  const int o = part.offset;
  const double radius = Radius(part, x, w);
  // A frozen radius, and that of a disc that has shrunk to nothing, does not follow the normal.
  const bool shrunk = kind_ != NewtonMapKind::kAlartCurnier && x[0] <= 0;
  const bool fixed = part.frozen || inert(group.first) || shrunk;
  const double c = fixed ? 0.0 : part.coefficient;
  const double next = fixed ? radius : c * (x[0] + block.c[0]);  // without the unknown's share
  if (kind_ == NewtonMapKind::kFischer && part.size == 1) {
    const BoundedFischer f = EvaluateBounded(x[o], w[o], -radius, radius);
    const double by_normal = c * f.dbound;
    if (f.dw < kNoTurn) {
      block.c[o] = -(f.value + by_normal * block.c[0]) / f.dx;
      if (block.normal) block.t[o][0] = -by_normal / f.dx;
      return;
    }
    const int j = AddFreeRow(block, group.size, o, 0);
    block.s[j][j] = f.dx / f.dw;
    block.d[j] = -(f.value + by_normal * block.c[0]) / f.dw;
    if (block.normal) block.s[j][0] = by_normal / f.dw;
    return;
  }
  double y[2] = {0, 0};
  for (int i = 0; i < part.size; ++i) y[i] = x[o + i] - w[o + i];
  // The direction in which x_t lies at the bound, and the one in which it may turn.
  double outward[2] = {1, 0};
  double tau = 0;
  bool turns = part.size == 2;
  if (part.facets > 0) {
    const double width = 2 * kPi / part.facets;
    const double middle = (std::floor(std::atan2(y[1], y[0]) / width) + 0.5) * width;
    const double n[2] = {std::cos(middle), std::sin(middle)};
    const double inner = std::cos(0.5 * width);
    if (n[0] * y[0] + n[1] * y[1] <= radius * inner) {
      for (int i = 0; i < 2; ++i) AddFreeRow(block, group.size, o + i, w[o + i]);
      return;
    }
    const double along = -n[1] * y[0] + n[0] * y[1];
    const double half_edge = radius * std::sin(0.5 * width);
    if (std::abs(along) < half_edge) {
      // On an edge: x_t keeps its distance from the centre and slides along it freely.
      const int j = AddUnknown(block, group.size);
      block.t[o][j] = block.r[j][o] = -n[1];
      block.t[o + 1][j] = block.r[j][o + 1] = n[0];
      block.d[j] = -(-n[1] * w[o] + n[0] * w[o + 1]);
      const double lack = next * inner - (n[0] * x[o] + n[1] * x[o + 1]);
      for (int i = 0; i < 2; ++i) {
        block.c[o + i] = lack * n[i];
        if (c > 0 && block.normal) block.t[o + i][0] = c * inner * n[i];
      }
      return;
    }
    const double vertex = middle + (along > 0 ? 0.5 : -0.5) * width;
    outward[0] = std::cos(vertex);
    outward[1] = std::sin(vertex);
    turns = false;
    for (int i = 0; i < 2; ++i) {
      block.c[o + i] = next * outward[i] - x[o + i];
      if (c > 0 && block.normal) block.t[o + i][0] = c * outward[i];
    }
    return;
  }
  const double length = Norm(y, part.size);
  if (length <= radius) {
    for (int i = 0; i < part.size; ++i) AddFreeRow(block, group.size, o + i, w[o + i]);
    return;
  }
  for (int i = 0; i < part.size; ++i) outward[i] = y[i] / length;
  tau = radius / length;
  double across = 0;
  if (turns) across = -outward[1] * x[o] + outward[0] * x[o + 1];
  for (int i = 0; i < part.size; ++i) {
    block.c[o + i] = next * outward[i] - x[o + i];
    if (c > 0 && block.normal) block.t[o + i][0] = c * outward[i];
  }
  if (!turns || tau < kNoTurn) return;
  const int j = AddUnknown(block, group.size);
  block.t[o][j] = block.r[j][o] = -outward[1];
  block.t[o + 1][j] = block.r[j][o + 1] = outward[0];
  block.c[o] += -across * outward[1];
  block.c[o + 1] += across * outward[0];
  block.s[j][j] = (1 - tau) / tau;
  block.d[j] = -across / tau;
}

void NewtonMap::Linearise(int g, const double* x, const double* w, double step,
                          NewtonBlock& block) const {
  double scaled[kMostGroupRows] = {};
  for (int i = 0; i < groups_[g].size; ++i) scaled[i] = step * w[i];
  LineariseScaled(groups_[g], x, scaled, block);
  if (step == 1) return;
  // So far for velocities κ w = κ (A x + b): divided by κ.
  for (int i = 0; i < block.size; ++i) {
    block.d[i] /= step;
    for (int j = 0; j < block.size; ++j) block.s[i][j] /= step;
  }
}

void NewtonMap::LineariseScaled(const Group& group, const double* x, const double* w,
                                NewtonBlock& block) const {
  block.size = 0;
  block.identity = false;
  block.normal = false;
  std::fill(block.c, block.c + group.size, 0.0);
  if (group.kind == GroupKind::kEquality) {
    for (int i = 0; i < group.size; ++i) {
      if (!inert(group.first + i)) AddFreeRow(block, group.size, i, w[i]);
    }
  } else if (group.kind == GroupKind::kBox) {
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first + i;
      if (!inert(row)) LineariseRow(x[i], w[i], lower_[row], upper_[row], i, block);
    }
  } else if (group.joint_cone) {
    LineariseJoint(group, x, w, block);
  } else {
    if (!inert(group.first)) {
      LineariseRow(x[0], w[0], 0, std::numeric_limits<double>::infinity(), 0, block);
    }
    block.normal = block.size > 0;
    const bool off =
        block.size == 0 && !inert(group.first) && kind_ == NewtonMapKind::kAlartCurnier;
    for (int k = 0; k < group.parts; ++k) {
      const Part& part = group.part[k];
      if (off && !part.frozen) {
        for (int i = part.offset; i < part.offset + part.size; ++i) block.c[i] = -x[i];
      } else {
        LinearisePart(group, part, x, w, block);
      }
    }
  }
  if (block.size < group.size) return;
  // All rows free, each by itself: the blocks of A can be taken as they are.
  block.identity = group.kind == GroupKind::kEquality || kind_ != NewtonMapKind::kFischer;
  for (int i = 0; i < group.size && block.identity; ++i) {
    block.identity = block.t[i][i] == 1 && block.c[i] == 0;
  }
}

}  // namespace nonsmooth
