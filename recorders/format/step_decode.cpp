// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <utility>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"
#include "recorders/format/step_codec.h"

namespace nonsmooth {
namespace {

using schema::Data;
using schema::Pool;

class Decoder {
 public:
  Decoder(const StepBuffers& buffers, ScalarType scalar) : scalar_(scalar), buffers_(buffers) {}

  std::size_t count(Pool pool) const { return buffers_.count[static_cast<std::size_t>(pool)]; }

  void Scalars(Data data, std::size_t first, double* values, std::size_t count) const {
    const std::uint8_t* from = Bytes(data);
    if (count == 0) return;
    if (scalar_ == ScalarType::kFloat64) {
      std::memcpy(values, from + first * sizeof(double), count * sizeof(double));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      float narrow;
      std::memcpy(&narrow, from + (first + i) * sizeof(float), sizeof narrow);
      values[i] = narrow;
    }
  }
  double Scalar(Data data, std::size_t entry) const {
    double value;
    Scalars(data, entry, &value, 1);
    return value;
  }
  void Vector(Pool pool, Data data, std::vector<double>& values) const {
    values.resize(count(pool));
    Scalars(data, 0, values.data(), values.size());
  }
  std::vector<double> Vector(Pool pool, Data data) const {
    std::vector<double> values;
    Vector(pool, data, values);
    return values;
  }

  template <class Integer>
  Integer Get(Data data, std::size_t entry) const {
    Integer value;
    std::memcpy(&value, Bytes(data) + entry * sizeof value, sizeof value);
    return value;
  }
  std::vector<int> Integers(Pool pool, Data data) const {
    std::vector<int> values(count(pool));
    if (!values.empty()) std::memcpy(values.data(), Bytes(data), values.size() * sizeof(int));
    return values;
  }

 private:
  const std::uint8_t* Bytes(Data data) const {
    return buffers_.bytes[static_cast<std::size_t>(data)].data();
  }

  ScalarType scalar_;
  const StepBuffers& buffers_;
};

std::shared_ptr<const Dynamics> DecodeTwoBody(const Decoder& decoder) {
  std::vector<Body> bodies(decoder.count(Pool::kBodies));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    decoder.Scalars(Data::kBodyInverseMass, 3 * i, bodies[i].inverse_mass.data(), 3);
    decoder.Scalars(Data::kBodyInverseInertia, 9 * i, bodies[i].inverse_inertia.data(), 9);
    decoder.Scalars(Data::kBodyVelocities, 6 * i, bodies[i].velocity.data(), 6);
    decoder.Scalars(Data::kBodyImpulses, 6 * i, bodies[i].applied_impulse.data(), 6);
  }
  std::vector<TwoBodyRow> rows(decoder.count(Pool::kRows));
  RequireSize("step", "row_blocks", decoder.count(Pool::kRowBlocks), rows.size());
  const bool compliant = decoder.count(Pool::kCompliance) > 0;
  if (compliant) RequireSize("step", "compliance", decoder.count(Pool::kCompliance), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].body_a = decoder.Get<std::int32_t>(Data::kRowBodies, 2 * i);
    rows[i].body_b = decoder.Get<std::int32_t>(Data::kRowBodies, 2 * i + 1);
    decoder.Scalars(Data::kRowJacobian, 12 * i, rows[i].jacobian.data(), 12);
    rows[i].bias = decoder.Scalar(Data::kRowBias, i);
    if (compliant) rows[i].compliance = decoder.Scalar(Data::kRowCompliance, i);
  }
  return std::make_shared<TwoBodyDynamics>(std::move(bodies), std::move(rows));
}

CsrMatrix DecodeMatrix(const Decoder& decoder, Pool rows, Data row_start, Pool entries, Data column,
                       Data value, std::size_t columns) {
  Require(decoder.count(rows) > 0, "step: a matrix has no row_start");
  CsrMatrix matrix;
  matrix.rows = static_cast<int>(decoder.count(rows) - 1);
  matrix.columns = static_cast<int>(columns);
  matrix.row_start = decoder.Integers(rows, row_start);
  matrix.column = decoder.Integers(entries, column);
  matrix.value = decoder.Vector(entries, value);
  return matrix;
}

/// The other side of EncodeVariables().
template <class Form, class System>
std::shared_ptr<const Dynamics> DecodeVariables(const Decoder& decoder, CsrMatrix System::*mass) {
  System system;
  const std::size_t variables = decoder.count(Pool::kVariables);
  system.*mass = DecodeMatrix(decoder, Pool::kMassRows, Data::kMassRowStart, Pool::kMassEntries,
                              Data::kMassColumn, Data::kMassValue, variables);
  system.jacobian =
      DecodeMatrix(decoder, Pool::kJacobianRows, Data::kJacobianRowStart, Pool::kJacobianEntries,
                   Data::kJacobianColumn, Data::kJacobianValue, variables);
  system.velocity = decoder.Vector(Pool::kVariables, Data::kVariableVelocities);
  system.applied_impulse = decoder.Vector(Pool::kVariables, Data::kVariableImpulses);
  system.bias = decoder.Vector(Pool::kRows, Data::kRowBias);
  system.compliance = decoder.Vector(Pool::kCompliance, Data::kRowCompliance);
  if (system.compliance.empty()) system.compliance.assign(system.bias.size(), 0.0);
  return std::make_shared<Form>(std::move(system));
}

std::shared_ptr<const Dynamics> DecodeMatrixForm(const Decoder& decoder) {
  CsrMatrix a =
      DecodeMatrix(decoder, Pool::kMatrixRows, Data::kMatrixRowStart, Pool::kMatrixEntries,
                   Data::kMatrixColumn, Data::kMatrixValue, decoder.count(Pool::kRows));
  return std::make_shared<MatrixDynamics>(std::move(a),
                                          decoder.Vector(Pool::kRows, Data::kRowBias));
}

RowGroup DecodeContact(const Decoder& decoder, std::size_t at) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.first_row = decoder.Get<std::int32_t>(Data::kContactFirstRow, at);
  group.tangents = decoder.Get<std::uint8_t>(Data::kContactTangentRows, at);
  group.spinning = decoder.Get<std::uint8_t>(Data::kContactSpinningRows, at);
  group.rolling = decoder.Get<std::uint8_t>(Data::kContactRollingRows, at);
  group.size = 1 + group.tangents + group.spinning + group.rolling;
  const auto code = decoder.Get<std::uint8_t>(Data::kContactLaw, at);
  Require(schema::LawFromCode(code, &group.law.kind), "contact ", at, ": law has code ", int{code},
          ", which means nothing");
  group.law.facets = decoder.Get<std::int32_t>(Data::kContactFacets, at);
  group.friction = decoder.Scalar(Data::kContactMu, at);
  group.spinning_friction = decoder.Scalar(Data::kContactMuSpin, at);
  group.rolling_friction = decoder.Scalar(Data::kContactMuRoll, at);
  group.normal_estimate = decoder.Scalar(Data::kContactNormalEstimate, at);
  group.key = decoder.Get<std::uint64_t>(Data::kContactKey, at);
  return group;
}

RowGroup DecodeConstraint(const Decoder& decoder, std::size_t at) {
  RowGroup group;
  const auto code = decoder.Get<std::uint8_t>(Data::kConstraintKind, at);
  Require(code == schema::kEqualityCode || code == schema::kBoxCode, "constraint ", at,
          ": kind has code ", int{code}, ", which means nothing");
  group.kind = code == schema::kBoxCode ? GroupKind::kBox : GroupKind::kEquality;
  group.first_row = decoder.Get<std::int32_t>(Data::kConstraintFirstRow, at);
  group.size = decoder.Get<std::int32_t>(Data::kConstraintRows, at);
  group.key = decoder.Get<std::uint64_t>(Data::kConstraintKey, at);
  return group;
}

/// Contacts and constraints stand in pools of their own; their first rows say how they interleave.
std::vector<RowGroup> DecodeGroups(const Decoder& decoder) {
  const std::size_t contacts = decoder.count(Pool::kContacts);
  const std::size_t constraints = decoder.count(Pool::kConstraints);
  std::vector<RowGroup> groups;
  groups.reserve(contacts + constraints);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < contacts || j < constraints) {
    const bool contact =
        j == constraints ||
        (i < contacts && decoder.Get<std::int32_t>(Data::kContactFirstRow, i) <
                             decoder.Get<std::int32_t>(Data::kConstraintFirstRow, j));
    groups.push_back(contact ? DecodeContact(decoder, i++) : DecodeConstraint(decoder, j++));
  }
  return groups;
}

void DecodeBounds(const Decoder& decoder, const std::vector<RowGroup>& groups,
                  std::vector<double>& lower, std::vector<double>& upper) {
  const std::size_t bounds = decoder.count(Pool::kBounds);
  std::size_t next = 0;
  for (const RowGroup& group : groups) {
    if (group.kind != GroupKind::kBox) continue;
    Require(group.first_row >= 0 && group.size >= 1 && group.size <= kMostGroupRows &&
                static_cast<std::size_t>(group.first_row) + static_cast<std::size_t>(group.size) <=
                    lower.size(),
            "box constraint: rows ", group.first_row, " + ", group.size, " of ", lower.size());
    for (int k = 0; k < group.size; ++k, ++next) {
      Require(next < bounds, "step: ", bounds, " bounds, but its box constraints have more rows");
      lower[group.first_row + k] = decoder.Scalar(Data::kConstraintBounds, 2 * next);
      upper[group.first_row + k] = decoder.Scalar(Data::kConstraintBounds, 2 * next + 1);
    }
  }
  Require(next == bounds, "step: ", bounds, " bounds, but its box constraints have ", next,
          " rows");
}

Problem DecodeProblem(const Decoder& decoder, DynamicsForm form) {
  std::shared_ptr<const Dynamics> dynamics;
  switch (form) {
    case DynamicsForm::kNone:
      Require(decoder.count(Pool::kRows) == 0 && decoder.count(Pool::kContacts) == 0 &&
                  decoder.count(Pool::kConstraints) == 0,
              "step: has rows, but no form of dynamics");
      return Problem();
    case DynamicsForm::kTwoBody:
      dynamics = DecodeTwoBody(decoder);
      break;
    case DynamicsForm::kSparse:
      dynamics = DecodeVariables<SparseDynamics>(decoder, &SparseSystem::mass);
      break;
    case DynamicsForm::kMatrix:
      dynamics = DecodeMatrixForm(decoder);
      break;
    case DynamicsForm::kArticulated:
      dynamics = DecodeVariables<ArticulatedDynamics>(decoder, &ArticulatedSystem::mass_root);
      break;
  }
  std::vector<RowGroup> groups = DecodeGroups(decoder);
  std::vector<double> lower(static_cast<std::size_t>(dynamics->rows()));
  std::vector<double> upper(lower.size());
  DecodeBounds(decoder, groups, lower, upper);
  return Problem(std::move(dynamics), std::move(groups), std::move(lower), std::move(upper));
}

}  // namespace

void DecodeStep(const StepBuffers& buffers, DynamicsForm form, ScalarType scalar,
                CapturedStep& step) {
  const Decoder decoder(buffers, scalar);
  for (std::size_t count : buffers.count) {
    Require(count <= std::numeric_limits<std::int32_t>::max() - 1u, "step: a range of ", count,
            " entries");
  }
  step.problem = DecodeProblem(decoder, form);
  step.bodies.resize(decoder.count(Pool::kBodyStates));
  for (std::size_t i = 0; i < step.bodies.size(); ++i) {
    BodyState& body = step.bodies[i];
    body.id = decoder.Get<std::int64_t>(Data::kBodyIds, i);
    body.mass = decoder.Scalar(Data::kBodyMasses, i);
    decoder.Scalars(Data::kBodyInertia, 9 * i, body.inertia.data(), 9);
    decoder.Scalars(Data::kBodyPositions, 3 * i, body.position.data(), 3);
    decoder.Scalars(Data::kBodyQuaternions, 4 * i, body.quaternion.data(), 4);
  }
  step.contacts.resize(decoder.count(Pool::kContactGeometry));
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    ContactGeometry& contact = step.contacts[i];
    contact.pair = {decoder.Get<std::int32_t>(Data::kContactPairs, 2 * i),
                    decoder.Get<std::int32_t>(Data::kContactPairs, 2 * i + 1)};
    decoder.Scalars(Data::kContactPoints, 3 * i, contact.point.data(), 3);
    decoder.Scalars(Data::kContactNormals, 3 * i, contact.normal.data(), 3);
    decoder.Scalars(Data::kContactTangents, 6 * i, contact.tangents.data(), 6);
    contact.gap = decoder.Scalar(Data::kContactGap, i);
    contact.restitution = decoder.Scalar(Data::kContactRestitution, i);
    contact.cohesion = decoder.Scalar(Data::kContactCohesion, i);
  }
  decoder.Vector(Pool::kViolation, Data::kRowViolation, step.violation);
  decoder.Vector(Pool::kX0, Data::kSolutionX0, step.x0);
  decoder.Vector(Pool::kX, Data::kSolutionX, step.x);
  decoder.Vector(Pool::kW, Data::kSolutionW, step.w);
  decoder.Vector(Pool::kV, Data::kSolutionV, step.v);
  CheckSizes(step);
}

}  // namespace nonsmooth
