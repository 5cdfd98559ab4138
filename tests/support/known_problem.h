// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "common/law/feasible_set.h"
#include "common/problem/matrix_dynamics.h"
#include "tests/support/random.h"

namespace nonsmooth::test {

/// A problem with the solution it was built around.
struct KnownProblem {
  Problem problem;
  std::vector<double> x;
  std::vector<double> w;
};

/// A dense matrix as CSR.
inline CsrMatrix DenseMatrix(int rows, int columns, const std::vector<double>& values) {
  std::vector<Triplet> entries;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) entries.push_back({i, j, values[i * columns + j]});
  }
  return FromTriplets("dense", rows, columns, std::move(entries));
}

/// B Bᵀ + I/2 with random B.
inline std::vector<double> RandomPositiveDefinite(int n, Random& random) {
  const std::vector<double> b = random.Vector(n * n, -1, 1);
  std::vector<double> a(n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? 0.5 : 0.0;
      for (int k = 0; k < n; ++k) sum += b[i * n + k] * b[j * n + k];
      a[i * n + j] = sum;
      a[j * n + i] = sum;
    }
  }
  return a;
}

/// Puts groups together, choosing x in K and w so that the law of the group holds: on a face, at
/// the apex, inside. b = w − A x then makes (x, w) the solution.
class KnownProblemMaker {
 public:
  KnownProblemMaker(const Law& law, std::uint64_t seed) : law_(law), random_(seed) {}

  void AddEquality() {
    RowGroup group;
    group.kind = GroupKind::kEquality;
    group.size = 1;
    Push(group, {random_.Uniform(-2, 2)}, {0.0});
  }

  /// A bounded row at its lower bound, its upper bound or between them.
  void AddBox(double lower, double upper) {
    RowGroup group;
    group.kind = GroupKind::kBox;
    group.size = 1;
    const double low = std::isfinite(lower) ? lower : -3;
    const double high = std::isfinite(upper) ? upper : 3;
    const int where = random_.Index(3);
    if (where == 0 && std::isfinite(lower)) {
      Push(group, {lower}, {random_.Uniform(0.1, 2)});
    } else if (where == 1 && std::isfinite(upper)) {
      Push(group, {upper}, {-random_.Uniform(0.1, 2)});
    } else {
      Push(group, {random_.Uniform(low, high)}, {0.0});
    }
    lower_.back() = lower;
    upper_.back() = upper;
  }

  void AddContact(double friction, int tangents, double spinning_friction = 0,
                  double rolling_friction = 0) {
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.tangents = tangents;
    group.spinning = spinning_friction > 0 ? 1 : 0;
    group.rolling = rolling_friction > 0 ? 2 : 0;
    group.size = 1 + tangents + group.spinning + group.rolling;
    group.friction = friction;
    group.spinning_friction = spinning_friction;
    group.rolling_friction = rolling_friction;
    group.law = law_;

    const int state = random_.Index(6);  // 0: detached, 1: just touching, otherwise pressed
    const double normal = state < 2 ? 0.0 : random_.Uniform(0.5, 2);
    const double slack = state == 0 ? random_.Uniform(0.1, 1) : 0.0;
    std::vector<double> x{normal};
    std::vector<double> w{slack};
    // The bound under law `box` need not be the normal impulse of the solution.
    group.normal_estimate = random_.Uniform(0.5, 2);
    const double bounding = law_.kind == LawKind::kBox ? group.normal_estimate : normal;
    AddPart(tangents, friction, bounding, law_.kind == LawKind::kPyramid && tangents == 2, &x, &w);
    AddPart(group.spinning, spinning_friction, bounding, false, &x, &w);
    AddPart(group.rolling, rolling_friction, bounding, false, &x, &w);
    Push(group, x, w);
  }

  KnownProblem Make() {
    const int n = static_cast<int>(x_.size());
    const std::vector<double> a = RandomPositiveDefinite(n, random_);
    std::vector<double> b = w_;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) b[i] -= a[i * n + j] * x_[j];
    }
    auto dynamics = std::make_shared<MatrixDynamics>(DenseMatrix(n, n, a), std::move(b));
    return {Problem(std::move(dynamics), groups_, lower_, upper_), x_, w_};
  }

 private:
  bool RowWise() const { return law_.kind == LawKind::kBox || law_.kind == LawKind::kCoupledBox; }

  void AddPart(int size, double coefficient, double normal, bool polygon, std::vector<double>* x,
               std::vector<double>* w) {
    if (size == 0) return;
    const double radius = coefficient * normal;
    if (RowWise() || size == 1) {
      for (int i = 0; i < size; ++i) {
        const bool slides = random_.Index(2) == 0;
        const double sign = random_.Index(2) == 0 ? 1 : -1;
        const double speed = slides ? random_.Uniform(0.1, 2) : 0.0;
        x->push_back(sign * radius * (slides ? 1 : random_.Uniform(0, 0.9)));
        w->push_back(-sign * speed);
        if (law_.kind == LawKind::kCcp) w->front() += coefficient * speed;
      }
      return;
    }
    const bool slides = random_.Index(3) > 0;
    const double speed = slides ? random_.Uniform(0.1, 2) : 0.0;
    double angle = random_.Uniform(-3.1, 3.1);
    double point[2] = {std::cos(angle), std::sin(angle)};
    double support = 1;
    if (polygon) {
      const double width = 2 * std::acos(-1.0) / law_.facets;
      const int vertex = random_.Index(law_.facets);
      if (random_.Index(2) == 0) {  // at a vertex, sliding anywhere into its normal cone
        point[0] = std::cos(vertex * width);
        point[1] = std::sin(vertex * width);
        angle = vertex * width + random_.Uniform(-0.49, 0.49) * width;
        support = std::cos(angle - vertex * width);
      } else {  // on an edge, sliding along its normal
        const double share = random_.Uniform(0.1, 0.9);
        point[0] = share * std::cos(vertex * width) + (1 - share) * std::cos((vertex + 1) * width);
        point[1] = share * std::sin(vertex * width) + (1 - share) * std::sin((vertex + 1) * width);
        angle = (vertex + 0.5) * width;
        support = std::cos(0.5 * width);
      }
    }
    const double inside = slides ? 1 : random_.Uniform(0, 0.9);
    x->push_back(inside * radius * point[0]);
    x->push_back(inside * radius * point[1]);
    w->push_back(-speed * std::cos(angle));
    w->push_back(-speed * std::sin(angle));
    if (law_.kind == LawKind::kCcp) w->front() += coefficient * support * speed;
  }

  void Push(RowGroup group, const std::vector<double>& x, const std::vector<double>& w) {
    group.first_row = static_cast<int>(x_.size());
    groups_.push_back(group);
    x_.insert(x_.end(), x.begin(), x.end());
    w_.insert(w_.end(), w.begin(), w.end());
    lower_.resize(x_.size(), 0.0);
    upper_.resize(x_.size(), 0.0);
  }

  Law law_;
  Random random_;
  std::vector<RowGroup> groups_;
  std::vector<double> x_, w_, lower_, upper_;
};

/// One group of every kind.
inline KnownProblem MakeKnownProblem(const Law& law, std::uint64_t seed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  KnownProblemMaker maker(law, seed);
  maker.AddEquality();
  maker.AddBox(-1, 0.5);
  maker.AddBox(0, kInfinity);
  maker.AddBox(-kInfinity, 1);
  maker.AddContact(0.6, 2);
  maker.AddContact(0.3, 2);
  maker.AddContact(0.8, 1);
  maker.AddContact(0, 0);
  maker.AddContact(0, 2);
  maker.AddContact(0.5, 2, 0.02, 0.05);
  maker.AddContact(0.4, 2, 0, 0.1);
  maker.AddContact(0.7, 0, 0.1, 0);
  return maker.Make();
}

/// All laws, for parametrised tests.
inline std::vector<Law> AllLaws() {
  return {{LawKind::kBox, 0},     {LawKind::kCoupledBox, 0}, {LawKind::kPyramid, 3},
          {LawKind::kPyramid, 4}, {LawKind::kPyramid, 8},    {LawKind::kPyramid, 5},
          {LawKind::kCcp, 0},     {LawKind::kNcp, 0}};
}

/// A name GoogleTest accepts.
inline std::string LawName(const Law& law) {
  std::string name(ToString(law.kind));
  if (law.kind == LawKind::kPyramid) name += std::to_string(law.facets);
  return name;
}

}  // namespace nonsmooth::test
