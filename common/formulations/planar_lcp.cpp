// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/planar_lcp.h"

#include <memory>
#include <numeric>
#include <utility>

#include "common/problem/sparse_dynamics.h"
#include "common/util/check.h"

namespace nonsmooth {

LcpMap PlanarLcp(const FeasibleSet& set) {
  LcpMapBuilder builder(set);
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const GroupSet& shape = set.group(g);
    if (groups[g].kind != GroupKind::kContact || shape.frozen) {
      builder.AddRowwise(g);
      continue;
    }
    const bool rowwise = shape.shape == GroupSet::Shape::kRows;
    Require(rowwise || shape.shifted || shape.parts == 0, "planar LCP: group ", g,
            " is under law ccp, which is not Coulomb's");
    const int normal = builder.AddNormal(g);
    for (int k = 0; k < shape.parts; ++k) {
      const FrictionPart& part = shape.part[k];
      Require(rowwise || part.size == 1, "planar LCP: group ", g, " has friction along ", part.size,
              " rows that are not independent; expected one, or law coupled_box");
      for (int i = 0; i < part.size; ++i) {
        builder.AddRelay(groups[g].first_row + part.offset + i, part.coefficient, normal);
      }
    }
  }
  return builder.Build();
}

Problem MakePlanarProblem(const PlanarImpact& impact) {
  const int f = impact.velocities;
  const auto fields = static_cast<std::size_t>(f);
  Require(f > 0, "planar impact: velocities = ", f, " is not positive");
  RequireSize("planar impact", "mass", impact.mass.size(), fields * fields);
  RequireSize("planar impact", "velocity", impact.velocity.size(), fields);
  RequireSize("planar impact", "impulse", impact.impulse.size(), fields);
  const int contacts = static_cast<int>(impact.contacts.size());
  SparseSystem system;
  std::vector<Triplet> mass;
  for (int i = 0; i < f; ++i) {
    for (int j = 0; j < f; ++j) {
      if (impact.mass[i * f + j] != 0) mass.push_back({i, j, impact.mass[i * f + j]});
    }
  }
  std::vector<Triplet> jacobian;
  std::vector<RowGroup> groups;
  for (int c = 0; c < contacts; ++c) {
    const PlanarImpact::Contact& contact = impact.contacts[c];
    for (int k = 0; k < 2; ++k) {
      const std::vector<double>& direction = k == 0 ? contact.normal : contact.tangent;
      const double own_speed = k == 0 ? contact.normal_speed : contact.tangent_speed;
      const double restitution = k == 0 ? contact.normal_restitution : contact.tangent_restitution;
      Require(direction.size() == fields, "planar impact: contact ", c, ": ",
              k == 0 ? "normal" : "tangent", " has ", direction.size(), " entries, expected ", f);
      Require(restitution >= 0 && restitution <= 1, "planar impact: contact ", c,
              ": restitution = ", restitution, " is not in [0, 1]");
      const double before = std::inner_product(direction.begin(), direction.end(),
                                               impact.velocity.begin(), own_speed);
      for (int j = 0; j < f; ++j) {
        if (direction[j] != 0) jacobian.push_back({2 * c + k, j, direction[j]});
      }
      system.bias.push_back(own_speed + restitution * before);
    }
    RowGroup group;
    group.kind = GroupKind::kContact;
    group.first_row = 2 * c;
    group.size = 2;
    group.tangents = 1;
    group.friction = contact.friction;
    group.law = {LawKind::kCoupledBox, 0};
    groups.push_back(group);
  }
  system.mass = FromTriplets("mass", f, f, std::move(mass));
  system.jacobian = FromTriplets("jacobian", 2 * contacts, f, std::move(jacobian));
  system.velocity = impact.velocity;
  system.applied_impulse = impact.impulse;
  system.compliance.assign(system.bias.size(), 0.0);
  std::vector<double> bounds(system.bias.size(), 0.0);
  return {std::make_shared<SparseDynamics>(std::move(system)), std::move(groups), bounds, bounds};
}

}  // namespace nonsmooth
