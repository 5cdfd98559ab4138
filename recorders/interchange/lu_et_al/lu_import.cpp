// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "common/problem/problem_builder.h"
#include "common/util/check.h"
#include "recorders/interchange/lu_et_al/lu_convert.h"
#include "recorders/interchange/lu_et_al/ode_dialect.h"

namespace nonsmooth {
namespace {

constexpr double kUnitTolerance = 1e-6;  ///< of a normal's length; float32 writers round

void CheckSize(const LuFrame& frame, const char* field, std::size_t size, std::size_t expected) {
  Require(size == expected, frame.name, "/", field, ": ", size, " entries, expected ", expected);
}

void CheckFinite(const LuFrame& frame, const char* field, const std::vector<double>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    Require(std::isfinite(values[k]), frame.name, "/", field, "[", k, "] = ", values[k],
            " is not finite");
  }
}

void CheckFrame(const LuFrame& frame) {
  const auto n = static_cast<std::size_t>(frame.bodies());
  CheckSize(frame, "bodies/inertia", frame.inertia.size(), 9 * n);
  CheckSize(frame, "bodies/positions", frame.positions.size(), 3 * n);
  CheckSize(frame, "bodies/velocities", frame.velocities.size(), 6 * n);
  CheckSize(frame, "bodies/forces", frame.forces.size(), 6 * n);
  if (!frame.quaternions.empty()) {
    CheckSize(frame, "bodies/quaternions", frame.quaternions.size(), 4 * n);
  }
  if (!frame.ids.empty()) CheckSize(frame, "bodies/ids", frame.ids.size(), n);
  if (!frame.states.empty()) CheckSize(frame, "bodies/states", frame.states.size(), n);
  const auto c = static_cast<std::size_t>(frame.constraints());
  std::size_t rows = 0;
  for (std::size_t k = 0; k < c; ++k) {
    Require(frame.constraint_rows[k] >= 0, frame.name, "/constraints/rows[", k,
            "] = ", frame.constraint_rows[k], " is negative");
    rows += static_cast<std::size_t>(frame.constraint_rows[k]);
  }
  CheckSize(frame, "constraints/pairs", frame.constraint_pairs.size(), 2 * c);
  CheckSize(frame, "constraints/jacobian", frame.jacobian.size(), 12 * rows);
  if (!frame.bounds.empty()) CheckSize(frame, "constraints/bounds", frame.bounds.size(), 2 * rows);
  CheckSize(frame, "constraints/violation", frame.violation.size(), rows);
  if (!frame.time_derivative.empty()) {
    CheckSize(frame, "constraints/time_derivative", frame.time_derivative.size(), rows);
  }
  const auto k = static_cast<std::size_t>(frame.contacts());
  CheckSize(frame, "contacts/pairs", frame.contact_pairs.size(), 2 * k);
  CheckSize(frame, "contacts/points", frame.points.size(), 3 * k);
  CheckSize(frame, "contacts/normals", frame.normals.size(), 3 * k);
  CheckSize(frame, "contacts/mu", frame.mu.size(), k);

  CheckFinite(frame, "bodies/masses", frame.masses);
  CheckFinite(frame, "bodies/inertia", frame.inertia);
  CheckFinite(frame, "bodies/positions", frame.positions);
  CheckFinite(frame, "bodies/velocities", frame.velocities);
  CheckFinite(frame, "bodies/forces", frame.forces);
  CheckFinite(frame, "constraints/jacobian", frame.jacobian);
  CheckFinite(frame, "constraints/violation", frame.violation);
  CheckFinite(frame, "constraints/time_derivative", frame.time_derivative);
  CheckFinite(frame, "contacts/points", frame.points);
  CheckFinite(frame, "contacts/normals", frame.normals);
  CheckFinite(frame, "contacts/gap", frame.gap);
  CheckFinite(frame, "contacts/mu", frame.mu);
}

Vector3 At(const std::vector<double>& values, int index) {
  return {values[3 * index], values[3 * index + 1], values[3 * index + 2]};
}

Vector3 Plus(const Vector3& a, const Vector3& b, double sign) {
  return {a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]};
}

/// Body ids to indices; −1 is the world.
class BodyIndex {
 public:
  explicit BodyIndex(const LuFrame& frame) : name_(frame.name) {
    for (int b = 0; b < frame.bodies(); ++b) {
      const int id = frame.ids.empty() ? b : frame.ids[b];
      Require(index_.emplace(id, b).second, name_, "/bodies/ids[", b, "] = ", id, " occurs twice");
    }
  }
  int operator()(const char* field, int id) const {
    if (id == -1) return -1;
    const auto found = index_.find(id);
    Require(found != index_.end(), name_, "/", field, ": there is no body of id ", id);
    return found->second;
  }

 private:
  const std::string& name_;
  std::map<int, int> index_;
};

Body MakeBody(const LuFrame& frame, int b, double h) {
  Body body;
  const bool moves = frame.masses[b] != 0 && (frame.states.empty() || frame.states[b] > 0);
  if (moves) {
    Require(frame.masses[b] > 0, frame.name, "/bodies/masses[", b, "] = ", frame.masses[b],
            " is negative");
    body.inverse_mass.fill(1.0 / frame.masses[b]);
    const Eigen::Matrix3d inertia =
        Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&frame.inertia[9 * b]);
    if (!inertia.isZero(0)) {
      const Eigen::LLT<Eigen::Matrix3d> llt(0.5 * (inertia + inertia.transpose()));
      Require(llt.info() == Eigen::Success, frame.name, "/bodies/inertia: that of body ", b,
              " is not positive definite");
      const Eigen::Matrix3d inverse = llt.solve(Eigen::Matrix3d::Identity());
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          body.inverse_inertia[3 * i + j] = 0.5 * (inverse(i, j) + inverse(j, i));
        }
      }
    }
  }
  for (int axis = 0; axis < 6; ++axis) {
    body.velocity[axis] = frame.velocities[6 * b + axis];
    body.applied_impulse[axis] = moves ? h * frame.forces[6 * b + axis] : 0.0;
  }
  return body;
}

BodyState MakeState(const LuFrame& frame, int b) {
  BodyState state;
  state.id = frame.ids.empty() ? b : frame.ids[b];
  state.mass = frame.masses[b];
  std::copy_n(&frame.inertia[9 * b], 9, state.inertia.begin());
  state.position = At(frame.positions, b);
  if (!frame.quaternions.empty()) {
    std::copy_n(&frame.quaternions[4 * b], 4, state.quaternion.begin());
  }
  return state;
}

void AddConstraints(const LuFrame& frame, const BodyIndex& index, double h, ProblemBuilder* builder,
                    std::vector<double>* violation) {
  int row = 0;
  for (int c = 0; c < frame.constraints(); ++c) {
    for (int k = 0; k < frame.constraint_rows[c]; ++k, ++row) {
      TwoBodyRow entry;
      entry.body_a = index("constraints/pairs", frame.constraint_pairs[2 * c]);
      entry.body_b = index("constraints/pairs", frame.constraint_pairs[2 * c + 1]);
      std::copy_n(&frame.jacobian[12 * row], 12, entry.jacobian.begin());
      entry.bias = frame.violation[row] / h;
      violation->push_back(frame.violation[row]);
      const double infinity = std::numeric_limits<double>::infinity();
      const double lower = frame.bounds.empty() ? -infinity : frame.bounds[2 * row];
      const double upper = frame.bounds.empty() ? infinity : frame.bounds[2 * row + 1];
      if (lower == -infinity && upper == infinity) {
        builder->AddEquality(entry);
      } else {
        builder->AddBounded(entry, lower, upper);
      }
    }
  }
}

/// Returns how far the longest normal is from unit length.
double AddContacts(const LuFrame& frame, const BodyIndex& index, double h, ProblemBuilder* builder,
                   std::vector<ContactGeometry>* geometries) {
  double worst = 0;
  for (int k = 0; k < frame.contacts(); ++k) {
    ContactPoint point;
    point.body_a = index("contacts/pairs", frame.contact_pairs[2 * k]);
    point.body_b = index("contacts/pairs", frame.contact_pairs[2 * k + 1]);
    const Vector3 origin{};
    const Vector3 centre_a = point.body_a >= 0 ? At(frame.positions, point.body_a) : origin;
    const Vector3 centre_b = point.body_b >= 0 ? At(frame.positions, point.body_b) : origin;
    point.lever_a = At(frame.points, k);
    const Vector3 position = Plus(centre_a, point.lever_a, 1);
    point.lever_b = Plus(position, centre_b, -1);
    point.normal = At(frame.normals, k);
    const double length =
        std::sqrt(point.normal[0] * point.normal[0] + point.normal[1] * point.normal[1] +
                  point.normal[2] * point.normal[2]);
    Require(std::abs(length - 1) < 0.5, frame.name, "/contacts/normals: that of contact ", k,
            " has length ", length, ", expected 1");
    worst = std::max(worst, std::abs(length - 1));
    if (std::abs(length - 1) > kUnitTolerance) {
      for (double& component : point.normal) component /= length;
    }
    point.bias = frame.gap[k] / h;
    ContactMaterial material;
    material.friction = frame.mu[k];
    builder->AddContact(point, material);

    ContactGeometry geometry;
    geometry.pair = {point.body_a, point.body_b};
    geometry.point = position;
    geometry.normal = point.normal;
    Vector3 first;
    Vector3 second;
    TangentBasis(point.normal, &first, &second);
    std::copy(first.begin(), first.end(), geometry.tangents.begin());
    std::copy(second.begin(), second.end(), geometry.tangents.begin() + 3);
    geometry.gap = frame.gap[k];
    geometries->push_back(geometry);
  }
  return worst;
}

}  // namespace

CapturedStep FromLuFrame(const LuFrame& given, double step, std::vector<std::string>* remarks) {
  const double h = given.has_step ? given.step : step;
  const bool ode = given.dialect == LuDialect::kOde;
  Require(std::isfinite(h) && h > 0, given.name, "/", ode ? "timestep" : "step", " = ", h,
          " is not a time step");
  LuFrame frame = given;
  if (ode) DropRowsOfDisabledJoints(&frame);
  CheckFrame(frame);
  if (ode) frame = FromOde(std::move(frame), h, remarks);
  if (!frame.has_step) {
    remarks->push_back(
        fmt::format("{} has no time step; {} s of another frame is used", frame.name, h));
  }
  const BodyIndex index(frame);
  ProblemBuilder builder;
  CapturedStep result;
  result.info.h = h;
  result.info.iterations = frame.iterations;
  for (int b = 0; b < frame.bodies(); ++b) {
    builder.AddBody(MakeBody(frame, b, h));
    result.bodies.push_back(MakeState(frame, b));
  }
  AddConstraints(frame, index, h, &builder, &result.violation);
  const double off = AddContacts(frame, index, h, &builder, &result.contacts);
  if (off > kUnitTolerance) {
    remarks->push_back(
        fmt::format("{}: normals were scaled to unit length, off by {:.3g}", frame.name, off));
  }
  result.problem = builder.Build();
  for (int k = 0; k < frame.contacts(); ++k) {
    result.violation.insert(result.violation.end(), {frame.gap[k], 0.0, 0.0});
  }
  if (static_cast<int>(result.violation.size()) != result.problem.rows()) result.violation.clear();
  const auto rows = static_cast<std::size_t>(result.problem.rows());
  if (frame.own && frame.z.size() == rows) {
    result.x = frame.z;
  } else if (!frame.z.empty()) {
    remarks->push_back(
        fmt::format("{}: the order of solution/z is not known; it is not used", frame.name));
  }
  result.measures.total_error = frame.total_error;
  result.measures.normal_error = frame.normal_error;
  result.measures.friction_error = frame.friction_error;
  return result;
}

}  // namespace nonsmooth
