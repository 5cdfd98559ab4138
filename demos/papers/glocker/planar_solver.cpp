// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/glocker/planar_solver.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "common/formulations/planar_lcp.h"
#include "common/util/check.h"

namespace nonsmooth::papers {
namespace {

/// Of the free energy: some 1e-11 of the velocities, which steps of the paper's size need if
/// errors are not to be seen in the figures' last digits.
constexpr double kTolerance = 1e-22;

Eigen::MatrixXd Dense(const CsrMatrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.columns);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      dense(i, matrix.column[k]) = matrix.value[k];
  }
  return dense;
}

}  // namespace

std::vector<double> EnumerateLcp(const Lcp& lcp, double tolerance) {
  const int n = lcp.size();
  Require(n <= kMostEnumerated, "enumeration: ", n, " variables, at most ", kMostEnumerated);
  Require(std::find(lcp.free.begin(), lcp.free.end(), 1) == lcp.free.end(),
          "enumeration: free variables are not handled");
  const Eigen::MatrixXd m = Dense(lcp.matrix);
  const Eigen::Map<const Eigen::VectorXd> q(lcp.vector.data(), n);
  double best = -std::numeric_limits<double>::infinity();
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(n);
  for (unsigned basis = 0; basis < (1U << n); ++basis) {
    // Column i of the system is that of the basic one of (y_i, z_i) in y − M z = q.
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      if ((basis >> i & 1U) != 0) system.col(i) = -m.col(i);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(system);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd basic = lu.solve(q);
    if (n > 0 && !(basic.minCoeff() > best)) continue;
    best = n > 0 ? basic.minCoeff() : 0;
    for (int i = 0; i < n; ++i) solution(i) = (basis >> i & 1U) != 0 ? std::max(0.0, basic(i)) : 0;
  }
  const double scale = n > 0 ? std::max(q.cwiseAbs().maxCoeff(), 1e-300) : 1;
  if (!(best >= -tolerance * scale)) throw std::runtime_error("enumeration: no basis is feasible");
  return {solution.data(), solution.data() + n};
}

std::vector<std::string> PlanarSolver::Names() {
  std::vector<std::string> names{"enumeration"};
  for (const SolverInfo& info : Solvers()) {
    if (info.Handles(LawKind::kCoupledBox)) names.emplace_back(info.name);
  }
  return names;
}

PlanarSolver::PlanarSolver(const std::string& name) {
  if (name == "enumeration") return;
  driver_ = std::make_unique<Driver>(name);
  if (name == "lemke") Set(name, driver_->Options(), "planar", "true");
  options_.law = {LawKind::kCoupledBox, 0};
  options_.relative_tolerance = kTolerance;
  options_.max_iterations = 10000;
}

void PlanarSolver::Enumerate(const Problem& problem) {
  const Dynamics& dynamics = problem.dynamics();
  set_.Reset(problem, {LawKind::kCoupledBox, 0}, nullptr);
  const LcpMap map = PlanarLcp(set_);
  Lcp lcp = MakeLcp(map, dynamics.Assembled(), dynamics.bias());
  for (int i = 0; i < lcp.size(); ++i) {
    for (int k = lcp.matrix.row_start[i]; k < lcp.matrix.row_start[i + 1]; ++k)
      lcp.matrix.value[k] /= map.scale[i] * map.scale[lcp.matrix.column[k]];
    lcp.vector[i] /= map.scale[i];
  }
  std::vector<double> z = EnumerateLcp(lcp);
  for (int i = 0; i < lcp.size(); ++i) z[i] /= map.scale[i];
  solution_.x.resize(problem.rows());
  solution_.w.resize(problem.rows());
  solution_.v.resize(dynamics.velocity_size());
  ToImpulses(map, z.data(), solution_.x.data());
  dynamics.Evaluate(solution_.x.data(), solution_.w.data(), solution_.v.data(), workspace_);
}

const Solution& PlanarSolver::Solve(const Problem& problem) {
  if (problem.rows() == 0) {
    solution_.x.clear();
    solution_.w.clear();
    solution_.v.resize(problem.dynamics().velocity_size());
    problem.dynamics().FreeVelocity(solution_.v.data());
  } else if (!driver_) {
    Enumerate(problem);
  } else {
    driver_->Solve(problem, options_, nullptr, solution_, result_);
    fallbacks_ += result_.fallbacks;
    if (!result_.converged())
      throw std::runtime_error(std::string(driver_->info().name) + ": a step of " +
                               std::to_string(problem.contacts()) + " contacts ended as " +
                               std::string(ToString(result_.status)));
  }
  return solution_;
}

}  // namespace nonsmooth::papers
