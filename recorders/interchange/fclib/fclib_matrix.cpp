// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>

#include "common/util/check.h"
#include "recorders/interchange/fclib/fclib_problem.h"

namespace nonsmooth {
namespace {

/// Offsets must ascend from 0 to the number of entries.
void CheckOffsets(const char* what, const FclibMatrix& matrix, int outer) {
  RequireSize(what, "p", matrix.p.size(), static_cast<std::size_t>(outer) + 1);
  Require(matrix.p.front() == 0, what, ": p[0] = ", matrix.p.front(), ", expected 0");
  for (int k = 0; k < outer; ++k) {
    Require(matrix.p[k] <= matrix.p[k + 1], what, ": p[", k, "] = ", matrix.p[k], " and p[", k + 1,
            "] = ", matrix.p[k + 1], " descend");
  }
  Require(static_cast<std::size_t>(matrix.p.back()) <= matrix.x.size(), what, ": p ends at ",
          matrix.p.back(), ", but x has ", matrix.x.size(), " entries");
}

}  // namespace

CsrMatrix ToCsr(const char* what, const FclibMatrix& matrix) {
  Require(matrix.rows >= 0 && matrix.columns >= 0, what, ": negative size ", matrix.rows, " x ",
          matrix.columns);
  RequireSize(what, "i", matrix.i.size(), matrix.x.size());
  std::vector<Triplet> entries;
  entries.reserve(matrix.x.size());
  if (matrix.storage == FclibStorage::kTriplets) {
    RequireSize(what, "p", matrix.p.size(), matrix.x.size());
    for (std::size_t k = 0; k < matrix.x.size(); ++k) {
      entries.push_back({matrix.i[k], matrix.p[k], matrix.x[k]});
    }
  } else {
    const bool by_rows = matrix.storage == FclibStorage::kCompressedRows;
    const int outer = by_rows ? matrix.rows : matrix.columns;
    CheckOffsets(what, matrix, outer);
    for (int o = 0; o < outer; ++o) {
      for (int k = matrix.p[o]; k < matrix.p[o + 1]; ++k) {
        const int inner = matrix.i[k];
        entries.push_back(by_rows ? Triplet{o, inner, matrix.x[k]}
                                  : Triplet{inner, o, matrix.x[k]});
      }
    }
  }
  for (const Triplet& entry : entries) {
    Require(std::isfinite(entry.value), what, ": entry (", entry.row, ", ", entry.column,
            ") = ", entry.value, " is not finite");
  }
  return FromTriplets(what, matrix.rows, matrix.columns, std::move(entries));
}

FclibMatrix FromCsr(const CsrMatrix& matrix, FclibStorage storage) {
  FclibMatrix result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.storage = storage;
  if (storage == FclibStorage::kCompressedColumns) {
    CsrMatrix transposed = Transpose(matrix);
    result.p = std::move(transposed.row_start);
    result.i = std::move(transposed.column);
    result.x = std::move(transposed.value);
  } else if (storage == FclibStorage::kCompressedRows) {
    result.p = matrix.row_start;
    result.i = matrix.column;
    result.x = matrix.value;
  } else {
    result.p = matrix.column;
    result.x = matrix.value;
    result.i.reserve(matrix.value.size());
    for (int row = 0; row < matrix.rows; ++row) {
      result.i.insert(result.i.end(), matrix.row_start[row + 1] - matrix.row_start[row], row);
    }
  }
  return result;
}

}  // namespace nonsmooth
