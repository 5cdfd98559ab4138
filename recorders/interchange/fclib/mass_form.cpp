// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/fclib/mass_form.h"

#include <Eigen/Dense>
#include <utility>

#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// The parts of one body's M, over the variables that can move.
void AppendBody(int index, const Body& body, std::vector<int>* column_of, MassForm* form,
                std::vector<Triplet>* mass) {
  const int base = 6 * index;
  const auto add_variable = [&](int axis) {
    (*column_of)[base + axis] = static_cast<int>(form->velocity_index.size());
    form->velocity_index.push_back(base + axis);
    return (*column_of)[base + axis];
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (body.inverse_mass[axis] == 0) continue;
    const int column = add_variable(axis);
    mass->push_back({column, column, 1.0 / body.inverse_mass[axis]});
  }
  std::vector<int> free;
  for (int axis = 0; axis < 3; ++axis) {
    if (body.inverse_inertia[4 * axis] != 0) free.push_back(axis);
  }
  const auto n = static_cast<int>(free.size());
  Eigen::MatrixXd inverse(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) inverse(i, j) = body.inverse_inertia[3 * free[i] + free[j]];
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(inverse);
  const Eigen::MatrixXd inertia = llt.solve(Eigen::MatrixXd::Identity(n, n));
  Require(n == 0 || (llt.info() == Eigen::Success && inertia.allFinite()), "body ", index,
          ": the inverse inertia is singular about an oblique axis, which no mass matrix can say");
  std::vector<int> columns;
  columns.reserve(free.size());
  for (int axis : free) columns.push_back(add_variable(3 + axis));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double value = 0.5 * (inertia(i, j) + inertia(j, i));
      if (value != 0) mass->push_back({columns[i], columns[j], value});
    }
  }
}

MassForm FromTwoBody(const TwoBodyDynamics& dynamics) {
  MassForm form;
  form.inverted = true;
  std::vector<int> column_of(dynamics.velocity_size(), -1);
  std::vector<Triplet> mass;
  for (int b = 0; b < static_cast<int>(dynamics.bodies().size()); ++b) {
    AppendBody(b, dynamics.bodies()[b], &column_of, &form, &mass);
  }
  const auto variables = static_cast<int>(form.velocity_index.size());
  SparseSystem& system = form.system;
  system.mass = FromTriplets("mass matrix", variables, variables, std::move(mass));
  for (int index : form.velocity_index) {
    const Body& body = dynamics.bodies()[index / 6];
    system.velocity.push_back(body.velocity[index % 6]);
    system.applied_impulse.push_back(body.applied_impulse[index % 6]);
  }
  std::vector<Triplet> jacobian;
  for (int r = 0; r < dynamics.rows(); ++r) {
    const TwoBodyRow& row = dynamics.body_rows()[r];
    double bias = row.bias;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0) continue;
      for (int axis = 0; axis < 6; ++axis) {
        const double value = row.jacobian[6 * side + axis];
        if (value == 0) continue;
        const int column = column_of[6 * body + axis];
        if (column >= 0) {
          jacobian.push_back({r, column, value});
        } else {
          bias += value * dynamics.bodies()[body].velocity[axis];
        }
      }
    }
    system.bias.push_back(bias);
    system.compliance.push_back(row.compliance);
  }
  system.jacobian = FromTriplets("jacobian", dynamics.rows(), variables, std::move(jacobian));
  return form;
}

}  // namespace

MassForm ToMassForm(const Dynamics& dynamics) {
  if (const auto* two_body = dynamic_cast<const TwoBodyDynamics*>(&dynamics)) {
    return FromTwoBody(*two_body);
  }
  const auto* sparse = dynamic_cast<const SparseDynamics*>(&dynamics);
  Require(sparse != nullptr, "only A and b of this problem are known, or a root of M, not M and J");
  MassForm form;
  form.system = sparse->system();
  for (int k = 0; k < form.system.mass.rows; ++k) form.velocity_index.push_back(k);
  return form;
}

}  // namespace nonsmooth
