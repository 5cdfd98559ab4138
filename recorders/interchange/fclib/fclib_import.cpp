// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/fclib/fclib_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// What rounding leaves of a symmetric assembly is not worth a remark.
constexpr double kRoundingAsymmetry = 1e-12;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void CheckVector(const char* what, const std::vector<double>& values, int size) {
  RequireSize("FCLIB problem", what, values.size(), static_cast<std::size_t>(size));
  for (std::size_t k = 0; k < values.size(); ++k) {
    Require(std::isfinite(values[k]), what, "[", k, "] = ", values[k], " is not finite");
  }
}

void CheckShape(const char* what, const FclibMatrix& matrix, int rows, int columns) {
  Require(matrix.rows == rows && matrix.columns == columns, what, ": ", matrix.rows, " x ",
          matrix.columns, ", expected ", rows, " x ", columns);
}

/// Entries of `block`, shifted, into `entries`; transposed on request.
void Append(const CsrMatrix& block, int row, int column, bool transposed,
            std::vector<Triplet>* entries) {
  for (int i = 0; i < block.rows; ++i) {
    for (int k = block.row_start[i]; k < block.row_start[i + 1]; ++k) {
      const int r = transposed ? block.column[k] : i;
      const int c = transposed ? i : block.column[k];
      entries->push_back({row + r, column + c, block.value[k]});
    }
  }
}

std::vector<double> Joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::shared_ptr<const Dynamics> LocalDynamics(const FclibProblem& file, int contact_rows,
                                              std::vector<std::string>* remarks) {
  CheckShape("W", file.W, contact_rows, contact_rows);
  CsrMatrix w = ToCsr("W", file.W);
  const double asymmetry = Asymmetry(w);
  if (asymmetry > kRoundingAsymmetry) {
    remarks->push_back(fmt::format(
        "W is not symmetric: max|W - W'| / max|W| = {:.3g}; it is solved as it is", asymmetry));
  }
  if (!file.equalities) {
    return std::make_shared<MatrixDynamics>(std::move(w), file.q);
  }
  const int equalities = file.R.rows;
  CheckShape("R", file.R, equalities, equalities);
  CheckShape("V", file.V, contact_rows, equalities);
  CheckVector("s", file.s, equalities);
  const CsrMatrix v = ToCsr("V", file.V);
  std::vector<Triplet> entries;
  Append(w, 0, 0, false, &entries);
  Append(v, 0, contact_rows, false, &entries);
  Append(v, contact_rows, 0, true, &entries);
  Append(ToCsr("R", file.R), contact_rows, contact_rows, false, &entries);
  const int rows = contact_rows + equalities;
  return std::make_shared<MatrixDynamics>(FromTriplets("A", rows, rows, std::move(entries)),
                                          Joined(file.q, file.s));
}

std::shared_ptr<const Dynamics> GlobalDynamics(const FclibProblem& file, int contact_rows) {
  const int velocities = file.M.rows;
  CheckShape("M", file.M, velocities, velocities);
  CheckShape("H", file.H, velocities, contact_rows);
  CheckVector("f", file.f, velocities);
  SparseSystem system;
  system.mass = ToCsr("M", file.M);
  system.jacobian = Transpose(ToCsr("H", file.H));
  system.velocity.assign(velocities, 0.0);
  system.applied_impulse = file.f;
  system.bias = file.w;
  if (file.equalities) {
    const int equalities = file.G.columns;
    CheckShape("G", file.G, velocities, equalities);
    CheckVector("b", file.b, equalities);
    std::vector<Triplet> entries;
    Append(system.jacobian, 0, 0, false, &entries);
    Append(ToCsr("G", file.G), contact_rows, 0, true, &entries);
    system.jacobian = FromTriplets("J", contact_rows + equalities, velocities, std::move(entries));
    system.bias = Joined(file.w, file.b);
  }
  system.compliance.assign(system.bias.size(), 0.0);
  try {
    return std::make_shared<SparseDynamics>(std::move(system));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("M: ") + error.what());
  }
}

bool AllZero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

/// (r, l) if `solution` has them and it is more than the zeros that stand in many files. No impulse
/// at all is a solution where everything parts; then u is not zero.
std::vector<double> Impulses(const char* where, const FclibSolution& solution, int contact_rows,
                             int equalities, std::vector<std::string>* remarks) {
  if (solution.unwritten) {
    remarks->push_back(fmt::format("{} was never written: a placeholder, not used", where));
    return {};
  }
  if (solution.r.empty() && contact_rows > 0) return {};
  CheckVector("r", solution.r, contact_rows);
  std::vector<double> x = solution.r;
  if (equalities > 0 && solution.l.empty()) {
    remarks->push_back(fmt::format("{} has r but no l; it is not used", where));
    return {};
  }
  if (equalities > 0) {
    CheckVector("l", solution.l, equalities);
    x = Joined(std::move(x), solution.l);
  }
  if (AllZero(x) && AllZero(solution.u) && AllZero(solution.v)) {
    remarks->push_back(fmt::format("{} is all zero: a placeholder, not used", where));
    return {};
  }
  return x;
}

}  // namespace

FclibImport ImportFclib(const FclibProblem& file) {
  const bool local = file.kind == FclibKind::kLocal;
  Require(file.spacedim == 2 || file.spacedim == 3, "spacedim = ", file.spacedim,
          ", expected 2 or 3");
  const std::vector<double>& bias = local ? file.q : file.w;
  const auto contact_rows = static_cast<int>(bias.size());
  Require(bias.size() == static_cast<std::size_t>(file.spacedim) * file.mu.size(), "mu has ",
          file.mu.size(), " entries and ", local ? "q " : "w ", contact_rows, ", expected ",
          file.spacedim, " times as many");
  CheckVector(local ? "q" : "w", bias, contact_rows);

  FclibImport result;
  const std::shared_ptr<const Dynamics> dynamics =
      local ? LocalDynamics(file, contact_rows, &result.remarks)
            : GlobalDynamics(file, contact_rows);

  std::vector<RowGroup> groups;
  for (std::size_t c = 0; c < file.mu.size(); ++c) {
    Require(std::isfinite(file.mu[c]) && file.mu[c] >= 0, "mu[", c, "] = ", file.mu[c],
            " is not a coefficient of friction");
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.first_row = static_cast<int>(c) * file.spacedim;
    group.size = file.spacedim;
    group.tangents = file.spacedim - 1;
    group.friction = file.mu[c];
    groups.push_back(group);
  }
  for (int row = contact_rows; row < dynamics->rows(); ++row) {
    RowGroup group;
    group.first_row = row;
    group.size = 1;
    groups.push_back(group);
  }
  const int equalities = dynamics->rows() - contact_rows;
  result.problem =
      Problem(dynamics, std::move(groups), std::vector<double>(dynamics->rows(), -kInfinity),
              std::vector<double>(dynamics->rows(), kInfinity));
  if (file.has_solution) {
    result.x = Impulses("/solution", file.solution, contact_rows, equalities, &result.remarks);
  }
  if (!file.guesses.empty()) {
    result.guess =
        Impulses("/guesses/1", file.guesses.front(), contact_rows, equalities, &result.remarks);
  }
  return result;
}

}  // namespace nonsmooth
