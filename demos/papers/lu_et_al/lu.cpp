// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/lu_et_al/lu.h"

#include <algorithm>

#include "common/formulations/pyramid_lcp.h"

namespace nonsmooth::papers {
namespace {

/// n_d of Eq. 9; the paper does not say how many.
constexpr Law kFacets{LawKind::kPyramid, 8};
constexpr Law kCone{LawKind::kNcp, 0};

void Add(std::vector<LuPoint>& sum, std::size_t iteration, const LuPoint& point) {
  if (sum.size() <= iteration) sum.resize(iteration + 1);
  sum[iteration] = point;
}

LuPoint Measure(const FeasibleSet& set, const FeasibleSet& cone, const double* x, const double* w) {
  const LuErrors own = MeasureLu(set, x, w);
  return {own.total, own.normal, MeasureLu(cone, x, w).friction()};
}

std::vector<LuPoint> Follow(const LuMethod& method, const Problem& problem) {
  std::vector<LuPoint> points;
  FeasibleSet cone;
  cone.Reset(problem, kCone, nullptr);
  if (method.solver.empty()) {
    FeasibleSet set;
    set.Reset(problem, method.law, nullptr);
    std::vector<double> w(static_cast<std::size_t>(problem.rows()));
    OperatorWorkspace workspace;
    LiteralPgs(problem, method.law, method.mixing, method.iterations,
               [&](int sweep, const double* x) {
                 problem.dynamics().ConstraintVelocity(x, w.data(), workspace);
                 Add(points, static_cast<std::size_t>(sweep), Measure(set, cone, x, w.data()));
               });
    return points;
  }
  Driver driver(method.solver);
  for (const auto& [name, value] : method.settings)
    Set(method.solver, driver.Options(), name, value);
  SolveOptions options;
  options.law = method.law;
  options.max_iterations = method.iterations;
  options.relative_tolerance = 1e-18;  // about as far as doubles go
  FollowIterates(driver, problem, options,
                 [&](int k, const FeasibleSet& set, const double* x, const double* w) {
                   Add(points, static_cast<std::size_t>(k), Measure(set, cone, x, w));
                 });
  return points;
}

}  // namespace

std::vector<LuMethod> LuMethods() {
  const std::vector<std::pair<std::string, std::string>> plain{{"strategy", "global"},
                                                               {"normal_sweeps", "0"}};
  const std::vector<std::pair<std::string, std::string>> sweeps{{"momentum", "0"},
                                                                {"in_order", "true"}};
  return {
      {"Lemke, LCP", "lemke", kFacets, {}, 5000},
      {"Fischer-Newton, LCP", "fischer_newton", kFacets, {}, 100},
      // The paper does not state its ε: a large and a small one.
      {"PGS with CFM 0.1, LCP", "", kFacets, {}, 200, 0.1},
      {"PGS with CFM 0.01, LCP", "", kFacets, {}, 200, 0.01},
      {"PGS, LCP", "psor", kFacets, sweeps, 200},
      {"Minmap-Newton, LCP", "minmap_newton", kFacets, {}, 100},
      {"Interior point, LCP", "ip", kFacets, {}, 100},
      {"PATH (alart_curnier), mLCP", "alart_curnier", kFacets, {}, 100},
      {"Fixed point, mLCP", "prox", kFacets, plain, 200},
      {"MinRes, mLCP", "minres", kFacets, {}, 200},
      {"Jacobi, mLCP", "pjacobi", kFacets, {}, 200},
      {"PGS, NCP", "psor", kCone, sweeps, 200},
      {"Fixed point, NCP", "prox", kCone, plain, 200},
      {"MinRes, NCP", "minres", kCone, {}, 200},
      {"NCP-prox, NCP", "prox", kCone, {}, 1000},
      {"Nonsmooth Newton, mNCP", "alart_curnier", kCone, {}, 100},
  };
}

LuPoint LuCurve::Best() const {
  return *std::min_element(points.begin(), points.end(),
                           [](const LuPoint& a, const LuPoint& b) { return a.total < b.total; });
}

LuCurve Converge(const LuMethod& method, const std::vector<Problem>& problems) {
  std::vector<std::vector<LuPoint>> all;
  std::size_t longest = 0;
  for (const Problem& problem : problems) {
    all.push_back(Follow(method, problem));
    longest = std::max(longest, all.back().size());
  }
  LuCurve curve;
  curve.iterations = static_cast<int>(longest) - 1;
  curve.points.resize(longest);
  const double share = 1 / static_cast<double>(problems.size());
  for (const std::vector<LuPoint>& points : all) {
    for (std::size_t k = 0; k < longest; ++k) {
      const LuPoint& point = points[std::min(k, points.size() - 1)];
      curve.points[k].total += share * point.total;
      curve.points[k].normal += share * point.normal;
      curve.points[k].friction += share * point.friction;
    }
  }
  return curve;
}

void LiteralPgs(const Problem& problem, const Law& law, double mixing, int sweeps,
                const std::function<void(int sweep, const double* x)>& see) {
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const LcpMap map = PyramidLcp(set);
  std::vector<double> b(static_cast<std::size_t>(problem.rows()));
  const std::vector<double> zero(b.size(), 0.0);
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(zero.data(), b.data(), workspace);
  const Lcp lcp = MakeLcp(map, problem.dynamics().Assembled(), b);
  double mean = 0;
  for (const double a : set.weights()) mean += a / static_cast<double>(set.weights().size());
  std::vector<double> z(static_cast<std::size_t>(lcp.size()), 0.0), x(b.size());
  for (int sweep = 0; sweep <= sweeps; ++sweep) {
    ToImpulses(map, z.data(), x.data());
    see(sweep, x.data());
    for (int i = 0; i < lcp.size(); ++i) {
      double residual = lcp.vector[i] + mixing * mean * z[i], diagonal = mixing * mean;
      for (int k = lcp.matrix.row_start[i]; k < lcp.matrix.row_start[i + 1]; ++k) {
        residual += lcp.matrix.value[k] * z[lcp.matrix.column[k]];
        if (lcp.matrix.column[k] == i) diagonal += lcp.matrix.value[k];
      }
      z[i] = std::max(0.0, z[i] - residual / diagonal);
    }
  }
}

void ReproduceLu(PaperOutput& output) {
  LuConvergence(output);
  LuGripperErrors(output, output.quick() ? 100 : 300);
}

}  // namespace nonsmooth::papers
