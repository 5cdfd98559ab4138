// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/csr_matrix.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/expect_refusal.h"

namespace nonsmooth {
namespace {

using test::ExpectRefusal;

/// [[1, 0, 2], [0, 3, 0]]
CsrMatrix Sample() { return {2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}}; }

// Unordered entries are sorted by row and column, and those at one place added.
TEST(CsrMatrix, TripletsAreSortedAndAdded) {
  const CsrMatrix matrix = FromTriplets("m", 2, 3, {{1, 1, 1}, {0, 2, 2}, {0, 0, 1}, {1, 1, 2}});
  EXPECT_EQ(matrix.row_start, Sample().row_start);
  EXPECT_EQ(matrix.column, Sample().column);
  EXPECT_EQ(matrix.value, Sample().value);
}

TEST(CsrMatrix, TripletOutsideIsRefused) {
  ExpectRefusal(
      [] {
        FromTriplets("jacobian", 2, 3, {{0, 0, 1}, {2, 1, 1}});
      },
      {"jacobian", "entry 1", "(2, 1)", "2 x 3"});
  ExpectRefusal([] { FromTriplets("jacobian", 2, 3, {{0, -1, 1}}); }, {"entry 0", "(0, -1)"});
}

TEST(CsrMatrix, TransposeSwapsRowsAndColumns) {
  const CsrMatrix transposed = Transpose(Sample());
  EXPECT_EQ(transposed.rows, 3);
  EXPECT_EQ(transposed.columns, 2);
  EXPECT_EQ(transposed.row_start, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(transposed.column, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(transposed.value, (std::vector<double>{1, 3, 2}));
}

// [[1, 0, 2], [0, 3, 0]] (1, 10, 100) = (201, 30).
TEST(CsrMatrix, MultipliesAndAdds) {
  const double x[3] = {1, 10, 100};
  double y[2] = {5, 5};
  Multiply(Sample(), x, y);
  EXPECT_EQ(y[0], 201);
  EXPECT_EQ(y[1], 30);
  Multiply(Sample(), x, y, /*add=*/true);
  EXPECT_EQ(y[0], 402);
  EXPECT_EQ(y[1], 60);
}

// max |M − Mᵀ| / max |M|: |2 − 1| / 4; an entry without a partner differs from zero.
TEST(CsrMatrix, AsymmetryIsRelativeToTheLargestEntry) {
  EXPECT_EQ(Asymmetry(FromTriplets("m", 2, 2, {{0, 0, 4}, {0, 1, 2}, {1, 0, 1}})), 0.25);
  EXPECT_EQ(Asymmetry(FromTriplets("m", 2, 2, {{0, 0, 4}, {0, 1, 2}})), 0.5);
  EXPECT_EQ(Asymmetry(FromTriplets("m", 2, 2, {{0, 0, 4}, {0, 1, 2}, {1, 0, 2}})), 0);
  EXPECT_EQ(Asymmetry(FromTriplets("m", 0, 0, {})), 0);
}

TEST(CsrMatrix, ValidMatrixPasses) { EXPECT_NO_THROW(Validate("m", Sample())); }

TEST(CsrMatrix, InconsistentPartsAreRefused) {
  CsrMatrix m = Sample();
  m.row_start.pop_back();
  ExpectRefusal([&] { Validate("mass", m); }, {"mass", "row_start", "2", "3"});
  m = Sample();
  m.column.pop_back();
  ExpectRefusal([&] { Validate("mass", m); }, {"mass", "column", "2", "3"});
  m = Sample();
  m.row_start.back() = 2;
  ExpectRefusal([&] { Validate("mass", m); }, {"row_start runs from 0 to 2", "3"});
  m = Sample();
  m.row_start[1] = 9;
  ExpectRefusal([&] { Validate("mass", m); }, {"row_start[1] = 9"});
  m = Sample();
  m.column[2] = 3;
  ExpectRefusal([&] { Validate("mass", m); }, {"row 1", "column 3"});
  m = Sample();
  m.column[1] = 0;
  ExpectRefusal([&] { Validate("mass", m); }, {"row 0", "ascend"});
  m = Sample();
  m.value[1] = std::numeric_limits<double>::quiet_NaN();
  ExpectRefusal([&] { Validate("mass", m); }, {"(0, 2)", "not finite"});
  m = Sample();
  m.rows = -1;
  ExpectRefusal([&] { Validate("mass", m); }, {"negative size"});
}

}  // namespace
}  // namespace nonsmooth
