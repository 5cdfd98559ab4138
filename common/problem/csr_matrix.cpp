// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/csr_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "common/util/check.h"

namespace nonsmooth {

CsrMatrix FromTriplets(const char* what, int rows, int columns, std::vector<Triplet> entries) {
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Triplet& t = entries[k];
    Require(t.row >= 0 && t.row < rows && t.column >= 0 && t.column < columns, what, ": entry ", k,
            " at (", t.row, ", ", t.column, ") lies outside a ", rows, " x ", columns, " matrix");
  }
  // A stable order makes the sum of entries at one place independent of the sorting algorithm.
  std::stable_sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  CsrMatrix matrix{rows, columns, {}, {}, {}};
  matrix.row_start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Triplet& t = entries[k];
    if (k > 0 && entries[k - 1].row == t.row && entries[k - 1].column == t.column) {
      matrix.value.back() += t.value;
      continue;
    }
    matrix.column.push_back(t.column);
    matrix.value.push_back(t.value);
    ++matrix.row_start[static_cast<std::size_t>(t.row) + 1];
  }
  std::partial_sum(matrix.row_start.begin(), matrix.row_start.end(), matrix.row_start.begin());
  return matrix;
}

void Transpose(const CsrMatrix& matrix, CsrMatrix& result) {
  result.Reset(matrix.columns, matrix.rows);
  std::vector<int>& start = result.row_start;
  start.assign(static_cast<std::size_t>(matrix.columns) + 1, 0);
  result.column.resize(matrix.column.size());
  result.value.resize(matrix.value.size());
  for (int column : matrix.column) ++start[column + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  // start[column] moves to the end of its row while that is filled, and back by one row afterwards.
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      const int to = start[matrix.column[k]]++;
      result.column[to] = i;
      result.value[to] = matrix.value[k];
    }
  }
  std::copy_backward(start.begin(), start.end() - 1, start.end());
  start[0] = 0;
}

CsrMatrix Transpose(const CsrMatrix& matrix) {
  CsrMatrix result;
  Transpose(matrix, result);
  return result;
}

void Multiply(const CsrMatrix& matrix, const double* x, double* y, bool add) {
  const int* start = matrix.row_start.data();
  const int* column = matrix.column.data();
  const double* value = matrix.value.data();
  for (int i = 0; i < matrix.rows; ++i) {
    double sum = add ? y[i] : 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

double DotRows(const CsrMatrix& left, int i, const CsrMatrix& right, int j) {
  double sum = 0;
  int a = left.row_start[i];
  int b = right.row_start[j];
  const int a_end = left.row_start[i + 1];
  const int b_end = right.row_start[j + 1];
  while (a < a_end && b < b_end) {
    if (left.column[a] == right.column[b])
      sum += left.value[a++] * right.value[b++];
    else if (left.column[a] < right.column[b])
      ++a;
    else
      ++b;
  }
  return sum;
}

void MultiplyTransposed(const CsrMatrix& left, const CsrMatrix& right,
                        const std::vector<double>& diagonal, CsrMatrix& result) {
  // Row by row, each the sum of those rows of rightᵀ that the row of left picks.
  const CsrMatrix columns = Transpose(right);
  result.Reset(left.rows, right.rows);
  std::vector<double> sum(right.rows, 0.0);
  std::vector<int> touched_by(right.rows, -1);
  std::vector<int> touched;
  for (int i = 0; i < left.rows; ++i) {
    touched.assign(1, i);
    touched_by[i] = i;
    for (int k = left.row_start[i]; k < left.row_start[i + 1]; ++k) {
      const int variable = left.column[k];
      for (int m = columns.row_start[variable]; m < columns.row_start[variable + 1]; ++m) {
        const int j = columns.column[m];
        if (touched_by[j] != i) touched.push_back(j);
        touched_by[j] = i;
        sum[j] += left.value[k] * columns.value[m];
      }
    }
    std::sort(touched.begin(), touched.end());
    for (int j : touched) {
      result.column.push_back(j);
      result.value.push_back(sum[j] + (j == i ? diagonal[i] : 0.0));
      sum[j] = 0;
    }
    result.row_start.push_back(result.nonzeros());
  }
}

void Validate(const char* what, const CsrMatrix& matrix) {
  Require(matrix.rows >= 0 && matrix.columns >= 0, what, ": negative size ", matrix.rows, " x ",
          matrix.columns);
  RequireSize(what, "row_start", matrix.row_start.size(),
              static_cast<std::size_t>(matrix.rows) + 1);
  RequireSize(what, "column", matrix.column.size(), matrix.value.size());
  Require(matrix.row_start.front() == 0 &&
              static_cast<std::size_t>(matrix.row_start.back()) == matrix.value.size(),
          what, ": row_start runs from ", matrix.row_start.front(), " to ", matrix.row_start.back(),
          ", expected 0 to ", matrix.value.size());
  for (int i = 0; i < matrix.rows; ++i) {
    const int first = matrix.row_start[i];
    const int last = matrix.row_start[i + 1];
    Require(first >= 0 && first <= last && static_cast<std::size_t>(last) <= matrix.value.size(),
            what, ": row_start[", i, "] = ", first, " and row_start[", i + 1, "] = ", last,
            " do not bound a range of the ", matrix.value.size(), " entries");
    for (int k = first; k < last; ++k) {
      const int column = matrix.column[k];
      const double value = matrix.value[k];
      Require(column >= 0 && column < matrix.columns, what, ": row ", i, " has column ", column,
              ", outside 0..", matrix.columns - 1);
      Require(k == first || matrix.column[k - 1] < column, what, ": row ", i,
              " has columns that do not ascend at ", column);
      Require(std::isfinite(value), what, ": entry (", i, ", ", column, ") = ", value,
              " is not finite");
    }
  }
}

double Asymmetry(const CsrMatrix& matrix) {
  const CsrMatrix transposed = Transpose(matrix);
  double largest = 0;
  double difference = 0;
  for (int i = 0; i < matrix.rows; ++i) {
    int a = matrix.row_start[i];
    int b = transposed.row_start[i];
    const int a_end = matrix.row_start[i + 1];
    const int b_end = transposed.row_start[i + 1];
    while (a < a_end || b < b_end) {
      const int column_a = a < a_end ? matrix.column[a] : matrix.columns;
      const int column_b = b < b_end ? transposed.column[b] : matrix.columns;
      double va = 0;
      double vb = 0;
      if (column_a <= column_b) va = matrix.value[a++];
      if (column_b <= column_a) vb = transposed.value[b++];
      largest = std::max({largest, std::abs(va), std::abs(vb)});
      difference = std::max(difference, std::abs(va - vb));
    }
  }
  return largest > 0 ? difference / largest : 0.0;
}

}  // namespace nonsmooth
