// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/lcp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// A row of numbers of which few are not zero.
class SparseRow {
 public:
  explicit SparseRow(int size) : value_(size, 0.0), used_(size, 0) {}

  void Add(int column, double value) {
    if (used_[column] == 0) {
      used_[column] = 1;
      columns_.push_back(column);
    }
    value_[column] += value;
  }

  void AddRow(const CsrMatrix& matrix, int row, double factor) {
    for (int k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      Add(matrix.column[k], factor * matrix.value[k]);
    }
  }

  const std::vector<int>& columns() const { return columns_; }
  double value(int column) const { return value_[column]; }

  void Clear() {
    for (int column : columns_) {
      value_[column] = 0;
      used_[column] = 0;
    }
    columns_.clear();
  }

 private:
  std::vector<double> value_;
  std::vector<char> used_;
  std::vector<int> columns_;
};

}  // namespace

Lcp MakeLcp(const LcpMap& map, const CsrMatrix& a, const std::vector<double>& b) {
  Require(a.rows == a.columns && a.rows == map.right.rows, "LCP: A is ", a.rows, " x ", a.columns,
          ", expected ", map.right.rows, " rows and columns");
  RequireSize("LCP", "b", b.size(), static_cast<std::size_t>(a.rows));
  const int size = map.size();
  Lcp lcp;
  lcp.free = map.free;
  lcp.matrix.rows = lcp.matrix.columns = size;
  lcp.matrix.row_start.push_back(0);
  std::vector<double> w = b;
  Multiply(a, map.offset.data(), w.data(), true);
  lcp.vector = map.constant;
  Multiply(map.left, w.data(), lcp.vector.data(), true);

  SparseRow product(a.rows);
  SparseRow row(size);
  for (int i = 0; i < size; ++i) {
    product.Clear();
    row.Clear();
    for (int k = map.left.row_start[i]; k < map.left.row_start[i + 1]; ++k) {
      product.AddRow(a, map.left.column[k], map.left.value[k]);
    }
    for (int j : product.columns()) row.AddRow(map.right, j, product.value(j));
    row.AddRow(map.coupling, i, 1);
    std::vector<int> columns = row.columns();
    std::sort(columns.begin(), columns.end());
    for (int j : columns) {
      lcp.matrix.column.push_back(j);
      lcp.matrix.value.push_back(row.value(j));
    }
    lcp.matrix.row_start.push_back(static_cast<int>(lcp.matrix.column.size()));
  }
  return lcp;
}

void ToImpulses(const LcpMap& map, const double* z, double* x) {
  std::copy(map.offset.begin(), map.offset.end(), x);
  Multiply(map.right, z, x, true);
}

LcpMapBuilder::LcpMapBuilder(const FeasibleSet& set)
    : set_(set), offset_(set.weights().size(), 0.0) {}

int LcpMapBuilder::AddVariable(Block block, double scale) {
  block_.push_back(block);
  scale_.push_back(scale);
  constant_.push_back(0);
  return static_cast<int>(block_.size()) - 1;
}

void LcpMapBuilder::AddBounded(int row, double lower, double upper) {
  if (Inert(row) || lower == upper) {
    offset_[row] = std::clamp(0.0, lower, upper);
    return;
  }
  const double root = std::sqrt(set_.weights()[row]);
  const bool has_lower = std::isfinite(lower);
  const bool has_upper = std::isfinite(upper);
  const int z = AddVariable(has_lower || has_upper ? kPrimal : kFree, root);
  const double sign = !has_lower && has_upper ? -1 : 1;
  left_.push_back({z, row, sign});
  right_.push_back({row, z, sign});
  if (has_lower || has_upper) offset_[row] = has_lower ? lower : upper;
  if (!has_lower || !has_upper) return;
  const int t = AddVariable(kSlack, 1 / root);
  coupling_.push_back({z, t, 1});
  coupling_.push_back({t, z, -1});
  constant_[t] = upper - lower;
}

void LcpMapBuilder::AddRowwise(int group) {
  const RowGroup& rows = set_.problem().groups()[group];
  double lower[kMostGroupRows];
  double upper[kMostGroupRows];
  const double nothing[kMostGroupRows] = {};
  set_.RowBounds(group, nothing, lower, upper);
  for (int i = 0; i < rows.size; ++i) AddBounded(rows.first_row + i, lower[i], upper[i]);
}

int LcpMapBuilder::AddNormal(int group) {
  const int row = set_.problem().groups()[group].first_row;
  if (Inert(row)) return -1;
  const int z = AddVariable(kPrimal, std::sqrt(set_.weights()[row]));
  left_.push_back({z, row, 1});
  right_.push_back({row, z, 1});
  return z;
}

void LcpMapBuilder::AddFacets(int first, int size, int facets, double friction, int normal) {
  if (Inert(first) || normal < 0 || friction == 0) return;
  const double root = std::sqrt(set_.weights()[first]);
  const int s = AddVariable(kSlack, 1 / root);
  coupling_.push_back({s, normal, friction});
  const int directions = size == 1 ? 2 : facets;
  for (int i = 0; i < directions; ++i) {
    const int alpha = AddVariable(kFriction, root);
    const double angle = 2 * kPi * i / directions;
    const double d[2] = {size == 1 ? 1.0 - 2 * i : std::cos(angle), std::sin(angle)};
    for (int k = 0; k < size; ++k) {
      left_.push_back({alpha, first + k, d[k]});
      right_.push_back({first + k, alpha, d[k]});
    }
    coupling_.push_back({alpha, s, 1});
    coupling_.push_back({s, alpha, -1});
  }
}

void LcpMapBuilder::AddRelay(int row, double friction, int normal) {
  if (Inert(row) || normal < 0 || friction == 0) return;
  const double root = std::sqrt(set_.weights()[row]);
  const int right = AddVariable(kFriction, root);  // Λ_R
  const int left = AddVariable(kSlack, 1 / root);  // ξ_L
  right_.push_back({row, right, 1});
  right_.push_back({row, normal, -friction});
  left_.push_back({right, row, 1});
  coupling_.push_back({right, left, 1});
  coupling_.push_back({left, normal, 2 * friction});
  coupling_.push_back({left, right, -1});
}

LcpMap LcpMapBuilder::Build() {
  const int size = static_cast<int>(block_.size());
  const int rows = static_cast<int>(offset_.size());
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return block_[a] < block_[b]; });
  std::vector<int> place(size);
  for (int i = 0; i < size; ++i) place[order[i]] = i;

  LcpMap map;
  for (int i : order) {
    map.constant.push_back(constant_[i]);
    map.scale.push_back(scale_[i]);
    map.free.push_back(block_[i] == kFree ? 1 : 0);
  }
  std::vector<Triplet> left, right, coupling;
  for (const Entry& e : left_) left.push_back({place[e.a], e.b, e.value});
  for (const Entry& e : right_) right.push_back({e.a, place[e.b], e.value});
  for (const Entry& e : coupling_) coupling.push_back({place[e.a], place[e.b], e.value});
  map.left = FromTriplets("LCP left", size, rows, std::move(left));
  map.right = FromTriplets("LCP right", rows, size, std::move(right));
  map.coupling = FromTriplets("LCP coupling", size, size, std::move(coupling));
  map.offset = offset_;
  return map;
}

}  // namespace nonsmooth
