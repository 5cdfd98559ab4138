// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/problem/problem_builder.h"
#include "common/util/check.h"
#include "recorders/interchange/lu_et_al/lu_convert.h"
#include "recorders/interchange/lu_et_al/ode_dialect.h"

namespace nonsmooth {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kGeometryTolerance = 1e-5;  ///< relative; single-precision engines round

Vector3d Part(const TwoBodyRow& row, int side, int half) {
  return Eigen::Map<const Vector3d>(&row.jacobian[6 * side + 3 * half]);
}

void Push(const Vector3d& value, std::vector<double>* to) {
  to->insert(to->end(), value.data(), value.data() + 3);
}

/// The directions n, t₁, t₂ of a contact's rows, as the second body feels them.
std::vector<Vector3d> Directions(const TwoBodyDynamics& dynamics, int g, const RowGroup& group) {
  std::vector<Vector3d> directions;
  for (int k = 0; k < group.size; ++k) {
    const TwoBodyRow& row = dynamics.body_rows()[group.first_row + k];
    const Vector3d d = row.body_b >= 0 ? Part(row, 1, 0) : Vector3d(-Part(row, 0, 0));
    const bool opposite =
        row.body_a < 0 || row.body_b < 0 || (d + Part(row, 0, 0)).norm() <= kGeometryTolerance;
    bool orthonormal = std::abs(d.norm() - 1) <= kGeometryTolerance;
    for (const Vector3d& other : directions) {
      orthonormal = orthonormal && std::abs(other.dot(d)) <= kGeometryTolerance;
    }
    Require(opposite && orthonormal, "group ", g, ", row ", group.first_row + k,
            ": not a row of a point contact, whose directions are orthonormal and the same for "
            "both bodies; Lu et al.'s interface has no other contacts");
    directions.push_back(d);
  }
  return directions;
}

/// The lever r with r × d = angular part for all rows: least squares, then checked.
Vector3d Lever(const TwoBodyDynamics& dynamics, int g, const RowGroup& group, int side,
               const std::vector<Vector3d>& directions) {
  Matrix3d matrix = Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  const double sign = side == 0 ? -1 : 1;
  for (int k = 0; k < group.size; ++k) {
    const Vector3d& d = directions[k];
    const Vector3d angular = sign * Part(dynamics.body_rows()[group.first_row + k], side, 1);
    matrix += Matrix3d::Identity() - d * d.transpose();
    right += d.cross(angular);
  }
  // Of a lone normal only the lever across it is known; the least-norm solution takes that.
  Vector3d lever = matrix.completeOrthogonalDecomposition().solve(right);
  for (int k = 0; k < group.size; ++k) {
    const Vector3d angular = sign * Part(dynamics.body_rows()[group.first_row + k], side, 1);
    const double off = (lever.cross(directions[k]) - angular).norm();
    Require(off <= kGeometryTolerance * (lever.norm() + angular.norm()) + 1e-12, "group ", g,
            ", row ", group.first_row + k, ": its angular part is off by ", off,
            " from that of a point contact; Lu et al.'s interface has no other contacts");
  }
  return lever;
}

void AddBody(const CapturedStep& step, const Body& body, int b, LuFrame* frame) {
  const BodyState& state = step.bodies[b];
  const bool uniform =
      body.inverse_mass[0] == body.inverse_mass[1] && body.inverse_mass[1] == body.inverse_mass[2];
  Require(uniform, "body ", b, ": its mass differs by axis, which Table 1 cannot say");
  Require(state.id >= 0 && state.id <= std::numeric_limits<int>::max(), "body ", b, ": id ",
          state.id, " is not a 32-bit number >= 0");
  const bool moves = body.inverse_mass[0] > 0;
  Matrix3d inertia = Matrix3d::Zero();
  const Matrix3d inverse =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(body.inverse_inertia.data());
  if (!inverse.isZero(0)) {
    const Eigen::LLT<Matrix3d> llt(inverse);
    Require(moves && llt.info() == Eigen::Success, "body ", b,
            ": it can only turn, or not about all axes, which Table 1 cannot say");
    inertia = llt.solve(Matrix3d::Identity());
  }
  frame->ids.push_back(static_cast<int>(state.id));
  frame->states.push_back(moves ? 1 : -1);
  frame->masses.push_back(moves ? 1.0 / body.inverse_mass[0] : 0.0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) frame->inertia.push_back(0.5 * (inertia(i, j) + inertia(j, i)));
  }
  frame->positions.insert(frame->positions.end(), state.position.begin(), state.position.end());
  frame->quaternions.insert(frame->quaternions.end(), state.quaternion.begin(),
                            state.quaternion.end());
  for (int axis = 0; axis < 6; ++axis) {
    frame->velocities.push_back(body.velocity[axis]);
    frame->forces.push_back(moves ? body.applied_impulse[axis] / frame->step : 0.0);
  }
}

class Exporter {
 public:
  Exporter(const CapturedStep& step, const TwoBodyDynamics& dynamics, LuFrame* frame)
      : step_(step), dynamics_(dynamics), frame_(*frame) {}

  void AddConstraint(const RowGroup& group) {
    for (int k = 0; k < group.size; ++k) {
      const int r = group.first_row + k;
      const TwoBodyRow& row = dynamics_.body_rows()[r];
      const std::array<int, 2> pair{Id(row.body_a), Id(row.body_b)};
      if (k > 0 && pair == last_pair_) {
        ++frame_.constraint_rows.back();
      } else {
        frame_.constraint_rows.push_back(1);
        frame_.constraint_pairs.insert(frame_.constraint_pairs.end(), pair.begin(), pair.end());
      }
      last_pair_ = pair;
      frame_.jacobian.insert(frame_.jacobian.end(), row.jacobian.begin(), row.jacobian.end());
      frame_.bounds.push_back(step_.problem.lower()[r]);
      frame_.bounds.push_back(step_.problem.upper()[r]);
      frame_.violation.push_back(frame_.step * row.bias);
      Take(r);
    }
  }

  void AddContact(int g, const RowGroup& group) {
    Require(group.spinning == 0 && group.rolling == 0, "group ", g, ", row ", group.first_row,
            ": Lu et al.'s interface has no spinning or rolling friction");
    const TwoBodyRow& normal = dynamics_.body_rows()[group.first_row];
    const std::vector<Vector3d> directions = Directions(dynamics_, g, group);
    const Vector3d centre_a = Centre(normal.body_a);
    const Vector3d centre_b = Centre(normal.body_b);
    Vector3d point = Vector3d::Zero();
    if (normal.body_a >= 0) point = centre_a + Lever(dynamics_, g, group, 0, directions);
    if (normal.body_b >= 0) {
      const Vector3d lever = Lever(dynamics_, g, group, 1, directions);
      if (normal.body_a < 0) point = centre_b + lever;
      mismatch_ = std::max(mismatch_, (point - centre_b - lever).norm());
    }
    frame_.contact_pairs.push_back(Id(normal.body_a));
    frame_.contact_pairs.push_back(Id(normal.body_b));
    Push(point - centre_a, &frame_.points);
    Push(directions[0], &frame_.normals);
    frame_.gap.push_back(frame_.step * normal.bias);
    frame_.mu.push_back(group.tangents > 0 ? group.friction : 0.0);
    for (int k = 0; k < group.size; ++k) {
      const TwoBodyRow& row = dynamics_.body_rows()[group.first_row + k];
      if (k > 0 && row.bias != 0) ++tangential_biases_;
      if (row.compliance > 0) ++compliant_;
    }
    if (group.tangents == 1) ++planar_;
    if (group.law.kind != LawKind::kNcp) ++other_laws_;
    if (step_.x.empty()) return;
    const double* x = &step_.x[group.first_row];
    // In the tangents that a reader will choose.
    Vector3d friction = Vector3d::Zero();
    for (int k = 1; k < group.size; ++k) friction += x[k] * directions[k];
    const Vector3d& n = directions[0];
    Vector3 first;
    Vector3 second;
    TangentBasis({n[0], n[1], n[2]}, &first, &second);
    frame_.z.push_back(x[0]);
    frame_.z.push_back(friction.dot(Eigen::Map<const Vector3d>(first.data())));
    frame_.z.push_back(friction.dot(Eigen::Map<const Vector3d>(second.data())));
    const bool slides = friction.norm() >= (1 - kGeometryTolerance) * group.friction * x[0];
    frame_.slide_or_stick.push_back(x[0] <= 0 ? -1 : slides ? 1 : 0);
  }

  void Finish(std::vector<std::string>* remarks) const {
    const auto say = [remarks](int count, const char* what) {
      if (count > 0) remarks->push_back(fmt::format(what, count));
    };
    remarks->push_back("tangents are not stored; readers choose their own");
    say(compliant_, "compliance of {} rows is not stored");
    say(tangential_biases_, "tangential target velocities of {} rows are not stored");
    say(other_laws_, "the laws of {} contacts are not stored");
    say(planar_, "{} contacts have one tangent, which the interface turns into a plane");
    if (mismatch_ > kGeometryTolerance) {
      remarks->push_back(fmt::format(
          "the two bodies of a contact touch it up to {:.3g} m apart; one point is stored",
          mismatch_));
    }
  }

 private:
  int Id(int body) const { return body < 0 ? -1 : static_cast<int>(step_.bodies[body].id); }

  Vector3d Centre(int body) const {
    if (body < 0) return Vector3d::Zero();
    return Eigen::Map<const Vector3d>(step_.bodies[body].position.data());
  }

  void Take(int row) {
    if (dynamics_.body_rows()[row].compliance > 0) ++compliant_;
    if (!step_.x.empty()) frame_.z.push_back(step_.x[row]);
  }

  const CapturedStep& step_;
  const TwoBodyDynamics& dynamics_;
  LuFrame& frame_;
  std::array<int, 2> last_pair_{};
  int compliant_ = 0;
  int tangential_biases_ = 0;
  int other_laws_ = 0;
  int planar_ = 0;
  double mismatch_ = 0;
};

}  // namespace

LuFrame ToLuFrame(const CapturedStep& step, LuDialect dialect, std::vector<std::string>* remarks) {
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(step.problem.shared_dynamics().get());
  Require(dynamics != nullptr,
          "Lu et al.'s interface describes rigid bodies; this problem has none");
  Require(step.bodies.size() == dynamics->bodies().size(),
          "Lu et al.'s interface needs the bodies' positions, which are not known");
  Require(std::isfinite(step.info.h) && step.info.h > 0, "time step h = ", step.info.h,
          " is not known, and Lu et al.'s interface needs it");
  LuFrame frame;
  frame.own = true;
  frame.has_step = true;
  frame.step = step.info.h;
  for (int b = 0; b < static_cast<int>(dynamics->bodies().size()); ++b) {
    AddBody(step, dynamics->bodies()[b], b, &frame);
  }
  Exporter exporter(step, *dynamics, &frame);
  const std::vector<RowGroup>& groups = step.problem.groups();
  for (const RowGroup& group : groups) {
    if (group.kind != GroupKind::kContact) exporter.AddConstraint(group);
  }
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (groups[g].kind == GroupKind::kContact) exporter.AddContact(g, groups[g]);
  }
  exporter.Finish(remarks);
  if (step.info.iterations >= 0) frame.iterations = step.info.iterations;
  frame.total_error = step.measures.total_error;
  frame.normal_error = step.measures.normal_error;
  frame.friction_error = step.measures.friction_error;
  return dialect == LuDialect::kOde ? ToOde(std::move(frame)) : frame;
}

}  // namespace nonsmooth
