// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "python/body_matrices-inl.h"

#include <algorithm>
#include <array>
#include <limits>

namespace nonsmooth::python {
namespace {

/// Appends one row's six entries of a body, zeros left out.
void AddBlock(const double* values, int body, CsrMatrix* matrix) {
  for (int k = 0; k < 6; ++k) {
    if (values[k] == 0) continue;
    matrix->column.push_back(6 * body + k);
    matrix->value.push_back(values[k]);
  }
}

/// Block-diagonal over the bodies: three masses, then a 3 × 3 inertia.
template <class MassOf, class InertiaOf>
CsrMatrix BlockDiagonal(const TwoBodyDynamics& dynamics, const MassOf& mass_of,
                        const InertiaOf& inertia_of) {
  CsrMatrix matrix;
  matrix.Reset(dynamics.velocity_size(), dynamics.velocity_size());
  const std::vector<Body>& bodies = dynamics.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::array<double, 9> inertia = inertia_of(bodies[i].inverse_inertia);
    for (int k = 0; k < 6; ++k) {
      std::array<double, 6> row{};
      if (k < 3) {
        row[static_cast<std::size_t>(k)] =
            mass_of(bodies[i].inverse_mass[static_cast<std::size_t>(k)]);
      } else {
        std::copy_n(inertia.begin() + 3 * (k - 3), 3, row.begin() + 3);
      }
      AddBlock(row.data(), static_cast<int>(i), &matrix);
      matrix.row_start.push_back(matrix.nonzeros());
    }
  }
  return matrix;
}

/// By cofactors, of the axes that turn; the others are infinite.
std::array<double, 9> Inverse(const std::array<double, 9>& m) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 9> filled = m;
  for (std::size_t k = 0; k < 9; k += 4) {
    if (m[k] == 0) filled[k] = 1;  // semi-definite: its row and column are zero
  }
  const auto& a = filled;
  const auto cofactor = [&a](std::size_t i, std::size_t j) {
    const std::size_t r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return a[3 * r + c] * a[3 * s + d] - a[3 * r + d] * a[3 * s + c];
  };
  const double determinant = a[0] * cofactor(0, 0) + a[1] * cofactor(0, 1) + a[2] * cofactor(0, 2);
  std::array<double, 9> inverse{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) inverse[3 * i + j] = cofactor(j, i) / determinant;
    if (m[4 * i] == 0) inverse[4 * i] = infinity;
  }
  return inverse;
}

}  // namespace

CsrMatrix BodyJacobian(const TwoBodyDynamics& dynamics) {
  CsrMatrix matrix;
  matrix.Reset(0, dynamics.velocity_size());
  matrix.rows = dynamics.rows();
  for (const TwoBodyRow& row : dynamics.body_rows()) {
    const bool swapped = row.body_b < row.body_a;  // columns have to ascend
    for (const bool second : {swapped, !swapped}) {
      const int body = second ? row.body_b : row.body_a;
      if (body >= 0) AddBlock(row.jacobian.data() + (second ? 6 : 0), body, &matrix);
    }
    matrix.row_start.push_back(matrix.nonzeros());
  }
  return matrix;
}

CsrMatrix BodyInverseMass(const TwoBodyDynamics& dynamics) {
  return BlockDiagonal(
      dynamics, [](double inverse) { return inverse; },
      [](const std::array<double, 9>& inverse) { return inverse; });
}

CsrMatrix BodyMass(const TwoBodyDynamics& dynamics) {
  return BlockDiagonal(
      dynamics, [](double inverse) { return 1 / inverse; }, Inverse);
}

}  // namespace nonsmooth::python
