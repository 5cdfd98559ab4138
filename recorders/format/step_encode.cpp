// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstring>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"
#include "recorders/format/step_codec.h"
#include "recorders/format/xxhash64.h"

namespace nonsmooth {
namespace {

using schema::Data;
using schema::Pool;

std::size_t Index(Data data) { return static_cast<std::size_t>(data); }

class Encoder {
 public:
  Encoder(ScalarType scalar, StepBuffers& buffers) : scalar_(scalar), buffers_(buffers) {
    buffers_.Clear();
  }

  /// Makes room for `count` entries of each dataset of `pool`.
  void Begin(Pool pool, std::size_t count) {
    buffers_.count[static_cast<std::size_t>(pool)] = count;
    for (const schema::DatasetSpec& spec : schema::kDatasets) {
      if (spec.pool == pool) {
        buffers_.bytes[Index(spec.data)].resize(count * schema::EntrySize(spec, scalar_));
      }
    }
  }

  /// Numbers first … first+count−1 of a dataset, counted in values, not in entries.
  void Scalars(Data data, std::size_t first, const double* values, std::size_t count) {
    std::uint8_t* to = buffers_.bytes[Index(data)].data();
    if (count == 0) return;
    if (scalar_ == ScalarType::kFloat64) {
      std::memcpy(to + first * sizeof(double), values, count * sizeof(double));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto narrow = static_cast<float>(values[i]);
      const double back = narrow;
      // Bit by bit, so that -0 stays -0.
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
      Require(std::memcmp(&back, values + i, sizeof back) == 0 ||
                  (std::isnan(back) && std::isnan(values[i])),
              "capture: /", schema::Spec(data).group, "/", schema::Spec(data).name, ": value ",
              first + i, " = ", values[i], " is not a float32, but the file's scalar is");
      std::memcpy(to + (first + i) * sizeof(float), &narrow, sizeof narrow);
    }
  }
  void Scalars(Data data, const std::vector<double>& values) {
    Scalars(data, 0, values.data(), values.size());
  }
  void Scalar(Data data, std::size_t entry, double value) { Scalars(data, entry, &value, 1); }

  template <class Integer>
  void Integers(Data data, std::size_t first, const Integer* values, std::size_t count) {
    if (count == 0) return;
    std::memcpy(buffers_.bytes[Index(data)].data() + first * sizeof(Integer), values,
                count * sizeof(Integer));
  }
  template <class Integer, class Value>
  void Put(Data data, std::size_t entry, Value value) {
    const auto stored = static_cast<Integer>(value);
    Integers(data, entry, &stored, 1);
  }

 private:
  ScalarType scalar_;
  StepBuffers& buffers_;
};

void EncodeTwoBody(const TwoBodyDynamics& dynamics, Encoder& encoder) {
  const std::vector<Body>& bodies = dynamics.bodies();
  encoder.Begin(Pool::kBodies, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    encoder.Scalars(Data::kBodyInverseMass, 3 * i, bodies[i].inverse_mass.data(), 3);
    encoder.Scalars(Data::kBodyInverseInertia, 9 * i, bodies[i].inverse_inertia.data(), 9);
    encoder.Scalars(Data::kBodyVelocities, 6 * i, bodies[i].velocity.data(), 6);
    encoder.Scalars(Data::kBodyImpulses, 6 * i, bodies[i].applied_impulse.data(), 6);
  }
  const std::vector<TwoBodyRow>& rows = dynamics.body_rows();
  encoder.Begin(Pool::kRows, rows.size());
  encoder.Begin(Pool::kRowBlocks, rows.size());
  bool compliant = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t bodies_of_row[2] = {rows[i].body_a, rows[i].body_b};
    encoder.Integers(Data::kRowBodies, 2 * i, bodies_of_row, 2);
    encoder.Scalars(Data::kRowJacobian, 12 * i, rows[i].jacobian.data(), 12);
    encoder.Scalar(Data::kRowBias, i, rows[i].bias);
    compliant |= rows[i].compliance != 0 || std::signbit(rows[i].compliance);
  }
  if (!compliant) return;
  encoder.Begin(Pool::kCompliance, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    encoder.Scalar(Data::kRowCompliance, i, rows[i].compliance);
  }
}

void EncodeMatrix(const CsrMatrix& matrix, Pool rows, Data row_start, Pool entries, Data column,
                  Data value, Encoder& encoder) {
  encoder.Begin(rows, matrix.row_start.size());
  encoder.Integers(row_start, 0, matrix.row_start.data(), matrix.row_start.size());
  encoder.Begin(entries, matrix.value.size());
  encoder.Integers(column, 0, matrix.column.data(), matrix.column.size());
  encoder.Scalars(value, matrix.value);
}

/// SparseSystem and ArticulatedSystem differ in what they know of M.
template <class System>
void EncodeVariables(const System& system, const CsrMatrix& mass, Encoder& encoder) {
  encoder.Begin(Pool::kVariables, system.velocity.size());
  encoder.Scalars(Data::kVariableVelocities, system.velocity);
  encoder.Scalars(Data::kVariableImpulses, system.applied_impulse);
  encoder.Begin(Pool::kRows, system.bias.size());
  encoder.Scalars(Data::kRowBias, system.bias);
  bool compliant = false;
  for (double c : system.compliance) compliant |= c != 0 || std::signbit(c);
  if (compliant) {
    encoder.Begin(Pool::kCompliance, system.compliance.size());
    encoder.Scalars(Data::kRowCompliance, system.compliance);
  }
  EncodeMatrix(mass, Pool::kMassRows, Data::kMassRowStart, Pool::kMassEntries, Data::kMassColumn,
               Data::kMassValue, encoder);
  EncodeMatrix(system.jacobian, Pool::kJacobianRows, Data::kJacobianRowStart,
               Pool::kJacobianEntries, Data::kJacobianColumn, Data::kJacobianValue, encoder);
}

void EncodeDynamics(const Problem& problem, Encoder& encoder) {
  switch (FormOf(problem)) {
    case DynamicsForm::kNone:
      break;
    case DynamicsForm::kTwoBody:
      EncodeTwoBody(static_cast<const TwoBodyDynamics&>(problem.dynamics()), encoder);
      break;
    case DynamicsForm::kSparse: {
      const auto& system = static_cast<const SparseDynamics&>(problem.dynamics()).system();
      EncodeVariables(system, system.mass, encoder);
      break;
    }
    case DynamicsForm::kArticulated: {
      const auto& system = static_cast<const ArticulatedDynamics&>(problem.dynamics()).system();
      EncodeVariables(system, system.mass_root, encoder);
      break;
    }
    case DynamicsForm::kMatrix: {
      const auto& dynamics = static_cast<const MatrixDynamics&>(problem.dynamics());
      encoder.Begin(Pool::kRows, dynamics.bias().size());
      encoder.Scalars(Data::kRowBias, dynamics.bias());
      EncodeMatrix(dynamics.matrix(), Pool::kMatrixRows, Data::kMatrixRowStart,
                   Pool::kMatrixEntries, Data::kMatrixColumn, Data::kMatrixValue, encoder);
      break;
    }
  }
}

void EncodeContact(const RowGroup& group, std::size_t at, Encoder& encoder) {
  encoder.Put<std::int32_t>(Data::kContactFirstRow, at, group.first_row);
  encoder.Put<std::uint8_t>(Data::kContactTangentRows, at, group.tangents);
  encoder.Put<std::uint8_t>(Data::kContactSpinningRows, at, group.spinning);
  encoder.Put<std::uint8_t>(Data::kContactRollingRows, at, group.rolling);
  encoder.Put<std::uint8_t>(Data::kContactLaw, at, schema::LawCode(group.law.kind));
  encoder.Put<std::int32_t>(Data::kContactFacets, at, group.law.facets);
  encoder.Scalar(Data::kContactMu, at, group.friction);
  encoder.Scalar(Data::kContactMuSpin, at, group.spinning_friction);
  encoder.Scalar(Data::kContactMuRoll, at, group.rolling_friction);
  encoder.Scalar(Data::kContactNormalEstimate, at, group.normal_estimate);
  encoder.Put<std::uint64_t>(Data::kContactKey, at, group.key);
}

void EncodeGroups(const Problem& problem, Encoder& encoder) {
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  std::size_t bounded_rows = 0;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kBox) bounded_rows += static_cast<std::size_t>(group.size);
  }
  encoder.Begin(Pool::kContacts, contacts);
  encoder.Begin(Pool::kConstraints, problem.groups().size() - contacts);
  encoder.Begin(Pool::kBounds, bounded_rows);
  std::size_t contact = 0;
  std::size_t constraint = 0;
  std::size_t bound = 0;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) {
      EncodeContact(group, contact++, encoder);
      continue;
    }
    const bool box = group.kind == GroupKind::kBox;
    encoder.Put<std::uint8_t>(Data::kConstraintKind, constraint,
                              box ? schema::kBoxCode : schema::kEqualityCode);
    encoder.Put<std::int32_t>(Data::kConstraintFirstRow, constraint, group.first_row);
    encoder.Put<std::int32_t>(Data::kConstraintRows, constraint, group.size);
    encoder.Put<std::uint64_t>(Data::kConstraintKey, constraint, group.key);
    ++constraint;
    for (int i = group.first_row; box && i < group.first_row + group.size; ++i) {
      encoder.Scalar(Data::kConstraintBounds, 2 * bound, problem.lower()[i]);
      encoder.Scalar(Data::kConstraintBounds, 2 * bound + 1, problem.upper()[i]);
      ++bound;
    }
  }
}

void EncodeBodyStates(const std::vector<BodyState>& bodies, Encoder& encoder) {
  encoder.Begin(Pool::kBodyStates, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    encoder.Put<std::int64_t>(Data::kBodyIds, i, bodies[i].id);
    encoder.Scalar(Data::kBodyMasses, i, bodies[i].mass);
    encoder.Scalars(Data::kBodyInertia, 9 * i, bodies[i].inertia.data(), 9);
    encoder.Scalars(Data::kBodyPositions, 3 * i, bodies[i].position.data(), 3);
    encoder.Scalars(Data::kBodyQuaternions, 4 * i, bodies[i].quaternion.data(), 4);
  }
}

void EncodeGeometry(const std::vector<ContactGeometry>& contacts, Encoder& encoder) {
  encoder.Begin(Pool::kContactGeometry, contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactGeometry& contact = contacts[i];
    encoder.Integers(Data::kContactPairs, 2 * i, contact.pair.data(), 2);
    encoder.Scalars(Data::kContactPoints, 3 * i, contact.point.data(), 3);
    encoder.Scalars(Data::kContactNormals, 3 * i, contact.normal.data(), 3);
    encoder.Scalars(Data::kContactTangents, 6 * i, contact.tangents.data(), 6);
    encoder.Scalar(Data::kContactGap, i, contact.gap);
    encoder.Scalar(Data::kContactRestitution, i, contact.restitution);
    encoder.Scalar(Data::kContactCohesion, i, contact.cohesion);
  }
}

}  // namespace

std::uint64_t StepBuffers::size() const {
  std::uint64_t sum = 0;
  for (const auto& b : bytes) sum += b.size();
  return sum;
}

void StepBuffers::Clear() {
  for (auto& b : bytes) b.clear();
  count.fill(0);
}

DynamicsForm FormOf(const Problem& problem) {
  const Dynamics* dynamics = problem.shared_dynamics().get();
  if (dynamics == nullptr) return DynamicsForm::kNone;
  if (dynamic_cast<const TwoBodyDynamics*>(dynamics) != nullptr) return DynamicsForm::kTwoBody;
  if (dynamic_cast<const SparseDynamics*>(dynamics) != nullptr) return DynamicsForm::kSparse;
  if (dynamic_cast<const ArticulatedDynamics*>(dynamics) != nullptr) {
    return DynamicsForm::kArticulated;
  }
  Require(dynamic_cast<const MatrixDynamics*>(dynamics) != nullptr,
          "capture: dynamics of a form that the file does not know");
  return DynamicsForm::kMatrix;
}

void EncodeProblem(const Problem& problem, ScalarType scalar, StepBuffers& buffers) {
  Encoder encoder(scalar, buffers);
  EncodeDynamics(problem, encoder);
  EncodeGroups(problem, encoder);
}

void EncodeStep(const CapturedStep& step, ScalarType scalar, StepBuffers& buffers) {
  CheckSizes(step);
  Encoder encoder(scalar, buffers);
  EncodeDynamics(step.problem, encoder);
  EncodeGroups(step.problem, encoder);
  EncodeBodyStates(step.bodies, encoder);
  EncodeGeometry(step.contacts, encoder);
  const auto vector = [&encoder](Pool pool, Data data, const std::vector<double>& values) {
    encoder.Begin(pool, values.size());
    encoder.Scalars(data, values);
  };
  vector(Pool::kViolation, Data::kRowViolation, step.violation);
  vector(Pool::kX0, Data::kSolutionX0, step.x0);
  vector(Pool::kX, Data::kSolutionX, step.x);
  vector(Pool::kW, Data::kSolutionW, step.w);
  vector(Pool::kV, Data::kSolutionV, step.v);
}

std::uint64_t DataChecksum(const StepBuffers& buffers) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    if (schema::Since(schema::kDatasets[i]) > 0) continue;
    hash = XxHash64(buffers.bytes[i].data(), buffers.bytes[i].size(), hash);
  }
  return hash;
}

std::uint64_t ProblemChecksum(const Problem& problem) {
  StepBuffers buffers;
  EncodeProblem(problem, ScalarType::kFloat64, buffers);
  return DataChecksum(buffers);
}

}  // namespace nonsmooth
