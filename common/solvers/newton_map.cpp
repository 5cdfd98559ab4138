// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/newton_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNoTurn = 1e-10;  // of τ: such a contact cannot turn its friction any more

double Norm(const double* y, int size) {
  return size == 2 ? std::sqrt(y[0] * y[0] + y[1] * y[1]) : std::abs(y[0]);
}

/// φ(a, b) = a + b − √(a² + b²) and its derivatives; at the origin those along (1, 1).
struct Fischer {
  double value, da, db;
};
Fischer EvaluateFischer(double a, double b) {
  if (std::isinf(a)) return {b, 0.0, 1.0};
  const double length = std::sqrt(a * a + b * b);
  if (length == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  // a + b − √(a² + b²) = 2ab / (a + b + √(a² + b²)), without cancellation for a, b > 0.
  const double value = a + b > 0 ? 2 * a * b / (a + b + length) : a + b - length;
  return {value, 1 - a / length, 1 - b / length};
}

/// Φ(x, w) = φ(x − l, −φ(u − x, −w)) with its derivatives by x, w and by a bound b = u = −l.
struct BoundedFischer {
  double value, dx, dw, dbound;
};
BoundedFischer EvaluateBounded(double x, double w, double lower, double upper) {
  const Fischer inner = EvaluateFischer(upper - x, -w);
  const Fischer outer = EvaluateFischer(x - lower, -inner.value);
  return {outer.value, outer.da + outer.db * inner.da, outer.db * inner.db,
          outer.da - outer.db * inner.da};
}

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

void NewtonMap::Prepare(const FeasibleSet& set, NewtonMapKind kind) {
  kind_ = kind;
  symmetric_ = true;
  const Problem& problem = set.problem();
  const std::vector<double>& a = set.weights();
  scale_.resize(a.size());
  inert_.resize(a.size());
  lower_.resize(a.size());
  upper_.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    inert_[i] = a[i] > 0 ? 0 : 1;
    scale_[i] = a[i] > 0 ? 1 / std::sqrt(a[i]) : 1.0;
    lower_[i] = problem.lower()[i] / scale_[i];
    upper_[i] = problem.upper()[i] / scale_[i];
  }
  groups_.resize(problem.groups().size());
  for (int g = 0; g < groups(); ++g) {
    const RowGroup& posed = problem.groups()[g];
    Group& group = groups_[g];
    group.first = posed.first_row;
    group.size = posed.size;
    group.kind = posed.kind;
    group.joint_cone = false;
    group.parts = 0;
    if (posed.kind == GroupKind::kContact) AddContact(set, g, group);
  }
}

void NewtonMap::AddContact(const FeasibleSet& set, int g, Group& group) {
  const GroupSet& law = set.group(g);
  const double normal_scale = scale_[group.first];
  const bool row_wise = law.shape == GroupSet::Shape::kRows;
  group.joint_cone = !row_wise && !law.shifted && !inert(group.first);
  for (int k = 0; k < law.parts; ++k) {
    const FrictionPart& source = law.part[k];
    for (int i = 0; i < source.size; i += row_wise ? 1 : source.size) {
      const int row = group.first + source.offset + i;
      if (inert(row)) continue;
      Part& part = group.part[group.parts++];
      part.offset = source.offset + i;
      part.size = row_wise ? 1 : source.size;
      part.facets = part.size == 2 ? source.facets : 0;
      part.frozen = law.frozen;
      const double of_unscaled = source.coefficient / scale_[row];
      part.coefficient =
          law.frozen ? of_unscaled * law.normal_estimate : of_unscaled * normal_scale;
      if (!law.frozen && !group.joint_cone) symmetric_ = false;
    }
  }
}

double NewtonMap::Radius(const Part& part, const double* x, const double* w) const {
  if (part.frozen) return part.coefficient;
  const double normal = kind_ == NewtonMapKind::kAlartCurnier ? x[0] - w[0] : x[0];
  return part.coefficient * std::max(0.0, normal);
}

double NewtonMap::JointNormal(const Group& group, const double* y, bool* sliding) const {
  // x_n is where  t − y_n = Σ c_k [‖y_k‖ − c_k t]₊: at most three parts, taken in one by one.
  double length[kMostGroupRows];
  for (int k = 0; k < group.parts; ++k) {
    length[k] = Norm(y + group.part[k].offset, group.part[k].size);
    sliding[k] = false;
  }
  double t = y[0];
  for (int pass = 0; pass <= group.parts; ++pass) {
    double top = y[0];
    double bottom = 1;
    bool changed = false;
    for (int k = 0; k < group.parts; ++k) {
      const double c = group.part[k].coefficient;
      const bool slides = length[k] > c * std::max(0.0, t);
      changed = changed || slides != sliding[k];
      sliding[k] = slides;
      if (!slides) continue;
      top += c * length[k];
      bottom += c * c;
    }
    if (!changed && pass > 0) break;
    t = top / bottom;
  }
  return t;
}

void NewtonMap::JointResidual(const Group& group, const double* x, const double* w,
                              double* f) const {
  double y[kMostGroupRows] = {};
  bool sliding[kMostGroupRows];
  for (int i = 0; i < group.size; ++i) y[i] = x[i] - w[i];
  const double normal = std::max(0.0, JointNormal(group, y, sliding));
  f[0] = x[0] - normal;
  for (int k = 0; k < group.parts; ++k) {
    const Part& part = group.part[k];
    const double length = Norm(y + part.offset, part.size);
    const double radius = part.coefficient * normal;
    const double factor = length > radius ? radius / length : 1.0;
    for (int i = part.offset; i < part.offset + part.size; ++i) f[i] = x[i] - factor * y[i];
  }
}

void NewtonMap::Residual(const Group& group, const double* x, const double* w, double* f) const {
  std::fill(f, f + group.size, 0.0);
  const bool fischer = kind_ == NewtonMapKind::kFischer;
  if (group.kind != GroupKind::kContact) {
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first + i;
      if (inert(row)) continue;
      if (group.kind == GroupKind::kEquality) {
        f[i] = w[i];
      } else if (fischer) {
        f[i] = EvaluateBounded(x[i], w[i], lower_[row], upper_[row]).value;
      } else {
        f[i] = x[i] - std::clamp(x[i] - w[i], lower_[row], upper_[row]);
      }
    }
    return;
  }
  if (group.joint_cone) return JointResidual(group, x, w, f);
  if (!inert(group.first)) {
    f[0] = fischer ? EvaluateFischer(x[0], w[0]).value : std::min(x[0], w[0]);
  }
  for (int k = 0; k < group.parts; ++k) {
    const Part& part = group.part[k];
    const double radius = Radius(part, x, w);
    const int o = part.offset;
    if (fischer && part.size == 1) {
      f[o] = EvaluateBounded(x[o], w[o], -radius, radius).value;
      continue;
    }
    double p[2];
    for (int i = 0; i < part.size; ++i) p[i] = x[o + i] - w[o + i];
    FrictionPart shape;
    shape.size = part.size;
    shape.facets = part.facets;
    ProjectOntoScaledSet(shape, radius, p);
    for (int i = 0; i < part.size; ++i) f[o + i] = x[o + i] - p[i];
  }
}

double NewtonMap::Merit(int g, const double* x, const double* w) const {
  double f[kMostGroupRows];
  const Group& group = groups_[g];
  Residual(group, x, w, f);
  double sum = 0;
  for (int i = 0; i < group.size; ++i) sum += f[i] * f[i];
  return 0.5 * sum;
}

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

void NewtonMap::Linearise(int g, const double* x, const double* w, NewtonBlock& block) const {
  const Group& group = groups_[g];
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
