// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/penalty_system.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/solvers/mass_root.h"

namespace nonsmooth {
namespace {

/// Below this size a dense factorisation is faster than the bookkeeping of a sparse one.
constexpr int kSmall = 96;

/// Share of nonzeros above which fill-in makes a sparse factor full; and the size up to which a
/// full one is affordable.
constexpr double kNearlyFull = 0.15;
constexpr int kMostDense = 2000;

/// Relative difference of A and Aᵀ that is rounding.
constexpr double kSymmetric = 1e-12;

using SparseMatrix = Eigen::SparseMatrix<double>;
using SparseLu = Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>>;

/// A row of Ĵ: six entries on each of two bodies.
struct ScaledRow {
  double jacobian[12] = {};
  int body[2] = {-1, -1};
};

}  // namespace

struct PenaltySystem::Parts {
  enum class Form { kBodies, kDense, kDenseLu, kSparse, kSparseLu } form = Form::kDense;
  int rows = 0;
  std::vector<double> weights;
  double rho = 0;
  // Assembled.
  Eigen::MatrixXd dense;
  Eigen::LLT<Eigen::MatrixXd> dense_factor;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu;
  SparseMatrix sparse;
  SparseMatrix shifted;
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> sparse_factor;
  SparseLu sparse_lu;
  bool analysed = false;
  // Bodies.
  std::vector<ScaledRow> body_rows;
  std::vector<double> compliance;
  std::vector<double> inverse;  ///< R
  std::vector<int> unknown;     ///< first of a body, −1: it does not move
  int unknowns = 0;
  std::vector<Eigen::Triplet<double>> triplets;
  Eigen::VectorXd z;
};

PenaltySystem::PenaltySystem() : parts_(std::make_unique<Parts>()) {}
PenaltySystem::~PenaltySystem() = default;

void PenaltySystem::Prepare(const Problem& problem, const std::vector<double>& weights) {
  Parts& p = *parts_;
  const Dynamics& dynamics = problem.dynamics();
  p.rows = problem.rows();
  p.weights = weights;
  for (double& weight : p.weights) weight = weight > 0 ? weight : 1.0;
  p.analysed = false;
  if (const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&dynamics)) {
    p.form = Parts::Form::kBodies;
    std::vector<MassRoot> roots;
    p.unknown.clear();
    p.unknowns = 0;
    for (const Body& body : bodies->bodies()) {
      roots.push_back(RootOf(body));
      p.unknown.push_back(roots.back().movable ? p.unknowns : -1);
      if (roots.back().movable) p.unknowns += 6;
    }
    p.body_rows.assign(p.rows, ScaledRow());
    p.compliance.resize(p.rows);
    for (int i = 0; i < p.rows; ++i) {
      const TwoBodyRow& source = bodies->body_rows()[i];
      p.compliance[i] = source.compliance;
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? source.body_a : source.body_b;
        if (body < 0 || p.unknown[body] < 0) continue;
        p.body_rows[i].body[side] = p.unknown[body];
        double* scaled = p.body_rows[i].jacobian + 6 * side;
        for (int k = 0; k < 3; ++k) {
          scaled[k] = roots[body].linear[k] * source.jacobian[6 * side + k];
        }
        TimesRoot(roots[body], source.jacobian.data() + 6 * side + 3, scaled + 3);
      }
    }
    return;
  }
  const auto* only_matrix = dynamic_cast<const MatrixDynamics*>(&dynamics);
  const CsrMatrix& a = only_matrix != nullptr ? only_matrix->matrix() : dynamics.Assembled();
  const bool symmetric = Asymmetry(a) <= kSymmetric;
  const double full = static_cast<double>(p.rows) * p.rows;
  const bool dense =
      p.rows <= kSmall || (p.rows <= kMostDense && a.nonzeros() > kNearlyFull * full);
  p.form = dense ? (symmetric ? Parts::Form::kDense : Parts::Form::kDenseLu)
                 : (symmetric ? Parts::Form::kSparse : Parts::Form::kSparseLu);
  if (dense) {
    p.dense.setZero(p.rows, p.rows);
    for (int i = 0; i < p.rows; ++i) {
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k)
        p.dense(i, a.column[k]) = a.value[k];
    }
    return;
  }
  // All diagonal entries must exist, also those of inert rows.
  p.triplets.clear();
  for (int i = 0; i < p.rows; ++i) {
    p.triplets.emplace_back(i, i, 0.0);
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      p.triplets.emplace_back(i, a.column[k], a.value[k]);
    }
  }
  p.sparse.resize(p.rows, p.rows);
  p.sparse.setFromTriplets(p.triplets.begin(), p.triplets.end());
}

bool PenaltySystem::FactoriseBodies() {
  Parts& p = *parts_;
  p.inverse.resize(p.rows);
  p.triplets.clear();
  for (int i = 0; i < p.unknowns; ++i) p.triplets.emplace_back(i, i, 1.0);
  for (int i = 0; i < p.rows; ++i) {
    p.inverse[i] = 1 / (p.compliance[i] + p.rho * p.weights[i]);
  }
  // The rows of a contact or joint follow each other: their blocks are added before they are
  // handed on.
  for (int i = 0; i < p.rows;) {
    const int body[2] = {p.body_rows[i].body[0], p.body_rows[i].body[1]};
    Eigen::Matrix<double, 12, 12> block = Eigen::Matrix<double, 12, 12>::Zero();
    for (; i < p.rows && p.body_rows[i].body[0] == body[0] && p.body_rows[i].body[1] == body[1];
         ++i) {
      const Eigen::Map<const Eigen::Matrix<double, 12, 1>> j(p.body_rows[i].jacobian);
      block.noalias() += p.inverse[i] * j * j.transpose();
    }
    for (int left = 0; left < 2; ++left) {
      for (int right = 0; right < 2; ++right) {
        if (body[left] < 0 || body[right] < 0) continue;
        for (int r = 0; r < 6; ++r) {
          for (int c = 0; c < 6; ++c) {
            const int row = body[left] + r;
            const int column = body[right] + c;
            if (row < column) continue;
            p.triplets.emplace_back(row, column, block(6 * left + r, 6 * right + c));
          }
        }
      }
    }
  }
  p.shifted.resize(p.unknowns, p.unknowns);
  p.shifted.setFromTriplets(p.triplets.begin(), p.triplets.end());
  if (!p.analysed) p.sparse_factor.analyzePattern(p.shifted);
  p.analysed = true;
  p.sparse_factor.factorize(p.shifted);
  return p.sparse_factor.info() == Eigen::Success;
}

bool PenaltySystem::Factorise(double rho) {
  Parts& p = *parts_;
  p.rho = rho;
  const Eigen::Map<const Eigen::VectorXd> weights(p.weights.data(), p.rows);
  switch (p.form) {
    case Parts::Form::kBodies:
      return FactoriseBodies();
    case Parts::Form::kDense: {
      Eigen::MatrixXd shifted = p.dense;
      shifted.diagonal() += rho * weights;
      p.dense_factor.compute(shifted);
      return p.dense_factor.info() == Eigen::Success;
    }
    case Parts::Form::kDenseLu: {
      Eigen::MatrixXd shifted = p.dense;
      shifted.diagonal() += rho * weights;
      p.dense_lu.compute(shifted);
      return p.dense_lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
    }
    case Parts::Form::kSparse:
      p.shifted = p.sparse;
      p.shifted.diagonal() += rho * weights;
      if (!p.analysed) p.sparse_factor.analyzePattern(p.shifted);
      p.analysed = true;
      p.sparse_factor.factorize(p.shifted);
      return p.sparse_factor.info() == Eigen::Success;
    case Parts::Form::kSparseLu:
      p.shifted = p.sparse;
      p.shifted.diagonal() += rho * weights;
      p.shifted.makeCompressed();
      if (!p.analysed) p.sparse_lu.analyzePattern(p.shifted);
      p.analysed = true;
      p.sparse_lu.factorize(p.shifted);
      return p.sparse_lu.info() == Eigen::Success;
  }
  return false;
}

void PenaltySystem::Solve(std::vector<double>& x) {
  Parts& p = *parts_;
  Eigen::Map<Eigen::VectorXd> vector(x.data(), p.rows);
  switch (p.form) {
    case Parts::Form::kBodies: {
      p.z.setZero(p.unknowns);
      for (int i = 0; i < p.rows; ++i) {
        x[i] *= p.inverse[i];
        const ScaledRow& row = p.body_rows[i];
        for (int side = 0; side < 2; ++side) {
          if (row.body[side] < 0) continue;
          double* z = p.z.data() + row.body[side];
          for (int k = 0; k < 6; ++k) z[k] += row.jacobian[6 * side + k] * x[i];
        }
      }
      if (p.unknowns > 0) p.z = p.sparse_factor.solve(p.z);
      for (int i = 0; i < p.rows; ++i) {
        const ScaledRow& row = p.body_rows[i];
        double sum = 0;
        for (int side = 0; side < 2; ++side) {
          if (row.body[side] < 0) continue;
          const double* z = p.z.data() + row.body[side];
          for (int k = 0; k < 6; ++k) sum += row.jacobian[6 * side + k] * z[k];
        }
        x[i] -= p.inverse[i] * sum;
      }
      break;
    }
    case Parts::Form::kDense:
      p.dense_factor.solveInPlace(vector);
      break;
    case Parts::Form::kDenseLu:
      vector = p.dense_lu.solve(vector).eval();
      break;
    case Parts::Form::kSparse:
      vector = p.sparse_factor.solve(vector).eval();
      break;
    case Parts::Form::kSparseLu:
      vector = p.sparse_lu.solve(vector).eval();
      break;
  }
}

}  // namespace nonsmooth
