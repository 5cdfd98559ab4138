// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/explain/load_path.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <queue>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr double kLoaded = 1e-6;  ///< of the largest impulse
constexpr double kNever = std::numeric_limits<double>::infinity();

double MassOf(const Body& body) {
  const double inverse =
      std::max({body.inverse_mass[0], body.inverse_mass[1], body.inverse_mass[2]});
  return inverse > 0 ? 1 / inverse : kNever;
}

double Impulse(const RowGroup& group, const std::vector<double>& x) {
  const int last = group.kind == GroupKind::kContact ? 1 + group.tangents : group.size;
  double sum = 0;
  for (int i = 0; i < last; ++i) sum += x[group.first_row + i] * x[group.first_row + i];
  return std::sqrt(sum);
}

using Neighbours = std::vector<std::vector<int>>;

/// Bodies that press on each other; the ground is the last one.
Neighbours LoadGraph(const Problem& problem, const TwoBodyDynamics& dynamics,
                     const std::vector<double>& x) {
  const int ground = static_cast<int>(dynamics.bodies().size());
  const auto node = [&](int body) {
    return body < 0 || !dynamics.bodies()[body].movable() ? ground : body;
  };
  double most = 0;
  for (const RowGroup& group : problem.groups()) most = std::max(most, Impulse(group, x));
  Neighbours graph(static_cast<std::size_t>(ground) + 1);
  for (const RowGroup& group : problem.groups()) {
    if (!(Impulse(group, x) > kLoaded * most)) continue;
    const TwoBodyRow& row = dynamics.body_rows()[group.first_row];
    graph[node(row.body_a)].push_back(node(row.body_b));
    graph[node(row.body_b)].push_back(node(row.body_a));
  }
  return graph;
}

}  // namespace

LoadPath LoadPathOf(const CapturedStep& step, const std::vector<double>& x) {
  LoadPath path;
  if (step.problem.rows() == 0) return path;
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(&step.problem.dynamics());
  if (dynamics == nullptr || x.size() != static_cast<std::size_t>(step.problem.rows())) return path;
  const Neighbours graph = LoadGraph(step.problem, *dynamics, x);
  const int ground = static_cast<int>(graph.size()) - 1;
  std::vector<double> mass;
  for (const Body& body : dynamics->bodies()) mass.push_back(MassOf(body));
  mass.push_back(kNever);
  // Lightest body on the way from the start, and how far that is.
  std::vector<int> lightest(graph.size(), -1);
  std::vector<int> distance(graph.size(), -1);
  const auto spread = [&](int start) {
    std::queue<int> open;
    distance[start] = 0;
    lightest[start] = start;
    open.push(start);
    while (!open.empty()) {
      const int body = open.front();
      open.pop();
      for (int next : graph[body]) {
        if (distance[next] >= 0) continue;
        distance[next] = distance[body] + 1;
        lightest[next] = mass[next] < mass[lightest[body]] ? next : lightest[body];
        path.length = std::max(path.length, distance[next]);
        const double ratio = mass[next] / mass[lightest[body]];
        if (ratio > path.ratio) {
          path.ratio = ratio;
          path.heavy = next;
          path.light = lightest[body];
        }
        open.push(next);
      }
    }
  };
  spread(ground);
  std::vector<int> floating;
  for (int body = 0; body < ground; ++body) {
    if (distance[body] < 0 && !graph[body].empty()) floating.push_back(body);
  }
  // From the lightest: every heavier one of what floats together is compared with it.
  std::stable_sort(floating.begin(), floating.end(),
                   [&](int a, int b) { return mass[a] < mass[b]; });
  for (int body : floating) {
    if (distance[body] < 0) spread(body);
  }
  return path;
}

}  // namespace nonsmooth
