// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nonsmooth {

/// A sparse matrix by compressed rows, as plain data. The public interface keeps Eigen out of its
/// types: an engine may be compiled with other vector flags than this library, and Eigen's
/// alignment follows those flags.
struct CsrMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<int> row_start;  ///< rows + 1 offsets into the other two
  std::vector<int> column;     ///< ascending within a row
  std::vector<double> value;

  int nonzeros() const { return static_cast<int>(value.size()); }

  /// Without entries, to be filled row by row; keeps its memory.
  void Reset(int new_rows, int new_columns) {
    rows = new_rows;
    columns = new_columns;
    row_start.assign(1, 0);
    column.clear();
    value.clear();
  }
};

/// One entry of a matrix given as triplets; entries at the same place are added.
struct Triplet {
  int row = 0;
  int column = 0;
  double value = 0;
};

/// Throws std::invalid_argument, naming `what`, the entry and the matrix' size, if one lies
/// outside.
CsrMatrix FromTriplets(const char* what, int rows, int columns, std::vector<Triplet> entries);

CsrMatrix Transpose(const CsrMatrix& matrix);

/// The same into memory that is there.
void Transpose(const CsrMatrix& matrix, CsrMatrix& result);

/// y ← M x (+ y if `add`).
void Multiply(const CsrMatrix& matrix, const double* x, double* y, bool add = false);

/// Row i of one matrix times row j of another. Columns are added up in ascending order, so that the
/// result is the same to the bit if the rows change places.
double DotRows(const CsrMatrix& left, int i, const CsrMatrix& right, int j);

/// result ← left · rightᵀ + diag(diagonal), with all of the diagonal stored.
void MultiplyTransposed(const CsrMatrix& left, const CsrMatrix& right,
                        const std::vector<double>& diagonal, CsrMatrix& result);

/// Throws std::invalid_argument if offsets, columns or values are inconsistent or not finite.
void Validate(const char* what, const CsrMatrix& matrix);

/// max |M − Mᵀ| / max |M|; 0 for an empty matrix. Imported problems are not always symmetric.
double Asymmetry(const CsrMatrix& matrix);

}  // namespace nonsmooth
