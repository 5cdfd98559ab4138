// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/collection/features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kAsymmetry = 1e-8;   ///< what is less symmetric has no Cholesky factor
constexpr double kRankPivot = 1e-10;  ///< of a matrix with a diagonal of ones

/// Steps of Cholesky's factorisation with complete pivoting of D^-½ A D^-½, which is positive
/// semi-definite: they end where the rest is rounding. N. Higham, "Analysis of the Cholesky
/// decomposition of a semi-definite matrix", 1990.
int Rank(const CsrMatrix& a, const std::vector<double>& diagonal) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> dense(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)]);
      if (diagonal[i] <= 0 || diagonal[j] <= 0) continue;
      dense[n * i + j] =
          a.value[static_cast<std::size_t>(k)] / std::sqrt(diagonal[i] * diagonal[j]);
    }
  }
  std::vector<char> used(n);
  int rank = 0;
  std::vector<double> column(n);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (used[i] == 0 && (pivot == n || dense[n * i + i] > dense[n * pivot + pivot])) pivot = i;
    }
    const double value = dense[n * pivot + pivot];
    if (!(value > kRankPivot)) break;
    ++rank;
    used[pivot] = 1;
    for (std::size_t i = 0; i < n; ++i) column[i] = dense[n * pivot + i];
    for (std::size_t i = 0; i < n; ++i) {
      if (used[i] != 0 || column[i] == 0) continue;
      const double factor = column[i] / value;
      for (std::size_t j = 0; j < n; ++j) dense[n * i + j] -= factor * column[j];
    }
  }
  return rank;
}

double MassRatio(const Problem& problem) {
  const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics());
  if (bodies == nullptr) return kNotKnown;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Body& body : bodies->bodies()) {
    for (const double inverse : body.inverse_mass) {
      if (inverse <= 0) continue;
      least = std::min(least, inverse);
      most = std::max(most, inverse);
    }
  }
  return most > 0 ? most / least : kNotKnown;
}

void AddFriction(const RowGroup& group, ProblemFeatures* features) {
  // std::fmin and fmax pass over NaN.
  features->friction_min = std::fmin(features->friction_min, group.friction);
  features->friction_max = std::fmax(features->friction_max, group.friction);
  const std::string law = ToString(group.law);
  if (features->law.empty()) {
    features->law = law;
  } else if (features->law != law) {
    features->law = "mixed";
  }
}

}  // namespace

ProblemFeatures FeaturesOf(const Problem& problem, int most_rank_rows) {
  ProblemFeatures features;
  features.contacts = problem.contacts();
  features.rows = problem.rows();
  features.friction_min = features.friction_max = kNotKnown;
  features.mass_ratio = features.effective_mass_ratio = kNotKnown;
  if (problem.rows() == 0) {
    features.rank_deficiency = 0;
    return features;
  }
  const Dynamics& dynamics = problem.dynamics();
  features.velocities = dynamics.velocity_size();
  int joint_rows = 0;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) {
      AddFriction(group, &features);
    } else {
      joint_rows += group.size;
    }
  }
  features.joint_share = static_cast<double>(joint_rows) / features.rows;
  features.mass_ratio = MassRatio(problem);
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const double entry : dynamics.diagonal()) {
    if (entry <= 0) continue;
    least = std::min(least, entry);
    most = std::max(most, entry);
  }
  if (most > 0) features.effective_mass_ratio = most / least;
  if (features.rows <= most_rank_rows && Asymmetry(dynamics.Assembled()) <= kAsymmetry) {
    features.rank_deficiency = features.rows - Rank(dynamics.Assembled(), dynamics.diagonal());
  }
  return features;
}

}  // namespace nonsmooth
