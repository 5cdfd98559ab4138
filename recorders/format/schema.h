// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../capture/capture_info.h"

/// The capture file in tables: every name, unit and frame is spelled here and nowhere else. Writer,
/// reader, the `schema` attribute and docs/file_format.md follow these tables.
namespace nonsmooth::schema {

inline constexpr const char* kFormat = "nonsmooth-capture";
inline constexpr int kMajor = 1;
inline constexpr int kMinor = 1;

inline constexpr const char* kStepsPath = "steps";

/// Root attributes.
inline constexpr const char* kFormatAttribute = "format";
inline constexpr const char* kVersionAttribute = "version";
inline constexpr const char* kEngineAttribute = "engine";
inline constexpr const char* kEngineVersionAttribute = "engine_version";
inline constexpr const char* kScalarAttribute = "scalar";
inline constexpr const char* kProducerAttribute = "producer";
inline constexpr const char* kCreatedAttribute = "created";
inline constexpr const char* kUuidAttribute = "uuid";
inline constexpr const char* kSceneAttribute = "scene";
inline constexpr const char* kSchemaAttribute = "schema";

/// Attributes of every dataset.
inline constexpr const char* kUnitsAttribute = "units";
inline constexpr const char* kFrameAttribute = "frame";

/// Datasets of one pool grow together: entry i of each belongs to the same thing. A step owns one
/// contiguous range of every pool; the range may be empty.
enum class Pool {
  kBodies,
  kBodyStates,
  kVariables,
  kRows,
  kRowBlocks,
  kCompliance,
  kConstraints,
  kBounds,
  kContacts,
  kMassRows,
  kMassEntries,
  kJacobianRows,
  kJacobianEntries,
  kMatrixRows,
  kMatrixEntries,
  kContactGeometry,
  kViolation,
  kX0,
  kX,
  kW,
  kV,
  kShapes,
  kShapePoints,
  kShapeTriangles,
};

struct PoolSpec {
  Pool pool;
  const char* column;  ///< its field (first, count) in /steps
  bool problem;        ///< part of what defines the problem, see ProblemChecksum()
  int since = 0;       ///< minor version that brought it; 1: shapes, see shape_codec.h
};

inline constexpr std::array kPools{
    PoolSpec{Pool::kBodies, "bodies", true},
    PoolSpec{Pool::kBodyStates, "body_states", false},
    PoolSpec{Pool::kVariables, "variables", true},
    PoolSpec{Pool::kRows, "rows", true},
    PoolSpec{Pool::kRowBlocks, "row_blocks", true},
    PoolSpec{Pool::kCompliance, "compliance", true},
    PoolSpec{Pool::kConstraints, "constraints", true},
    PoolSpec{Pool::kBounds, "bounds", true},
    PoolSpec{Pool::kContacts, "contacts", true},
    PoolSpec{Pool::kMassRows, "mass_rows", true},
    PoolSpec{Pool::kMassEntries, "mass_entries", true},
    PoolSpec{Pool::kJacobianRows, "jacobian_rows", true},
    PoolSpec{Pool::kJacobianEntries, "jacobian_entries", true},
    PoolSpec{Pool::kMatrixRows, "matrix_rows", true},
    PoolSpec{Pool::kMatrixEntries, "matrix_entries", true},
    PoolSpec{Pool::kContactGeometry, "contact_geometry", false},
    PoolSpec{Pool::kViolation, "violation", false},
    PoolSpec{Pool::kX0, "x0", false},
    PoolSpec{Pool::kX, "x", false},
    PoolSpec{Pool::kW, "w", false},
    PoolSpec{Pool::kV, "v", false},
    PoolSpec{Pool::kShapes, "shapes", false, 1},
    PoolSpec{Pool::kShapePoints, "shape_points", false, 1},
    PoolSpec{Pool::kShapeTriangles, "shape_triangles", false, 1},
};
inline constexpr std::size_t kPoolCount = kPools.size();

enum class Type : std::uint8_t { kScalar, kInt32, kInt64, kUInt8, kUInt64 };

/// All datasets but /steps, in the order of kDatasets.
enum class Data {
  kBodyInverseMass,
  kBodyInverseInertia,
  kBodyVelocities,
  kBodyImpulses,
  kBodyIds,
  kBodyMasses,
  kBodyInertia,
  kBodyPositions,
  kBodyQuaternions,
  kVariableVelocities,
  kVariableImpulses,
  kRowBias,
  kRowBodies,
  kRowJacobian,
  kRowCompliance,
  kConstraintKind,
  kConstraintFirstRow,
  kConstraintRows,
  kConstraintKey,
  kConstraintBounds,
  kContactFirstRow,
  kContactTangentRows,
  kContactSpinningRows,
  kContactRollingRows,
  kContactLaw,
  kContactFacets,
  kContactMu,
  kContactMuSpin,
  kContactMuRoll,
  kContactNormalEstimate,
  kContactKey,
  kMassRowStart,
  kMassColumn,
  kMassValue,
  kJacobianRowStart,
  kJacobianColumn,
  kJacobianValue,
  kMatrixRowStart,
  kMatrixColumn,
  kMatrixValue,
  kContactPairs,
  kContactPoints,
  kContactNormals,
  kContactTangents,
  kContactGap,
  kContactRestitution,
  kContactCohesion,
  kRowViolation,
  kSolutionX0,
  kSolutionX,
  kSolutionW,
  kSolutionV,
  kShapeBody,
  kShapeKind,
  kShapeSource,
  kShapeFixed,
  kShapeSize,
  kShapePosition,
  kShapeQuaternion,
  kShapePointCount,
  kShapeTriangleCount,
  kShapePoints,
  kShapeTriangles,
};

struct DatasetSpec {
  Data data;
  Pool pool;
  const char* group;
  const char* name;
  Type type;
  int width;          ///< values an entry; 1: a one-dimensional dataset
  const char* units;  ///< SI
  const char* frame;
  const char* meaning;
};

inline constexpr std::size_t kDataCount = 63;
extern const std::array<DatasetSpec, kDataCount> kDatasets;

inline const DatasetSpec& Spec(Data data) { return kDatasets[static_cast<std::size_t>(data)]; }

/// The minor version that brought a dataset; files of an earlier one do not have it.
inline int Since(const DatasetSpec& spec) {
  return kPools[static_cast<std::size_t>(spec.pool)].since;
}

/// Bytes of one value and of one entry as stored.
std::size_t ValueSize(Type type, ScalarType scalar);
std::size_t EntrySize(const DatasetSpec& spec, ScalarType scalar);

/// Codes that stand in the file; they never change their meaning.
inline constexpr std::uint8_t kEqualityCode = 0;
inline constexpr std::uint8_t kBoxCode = 1;
std::uint8_t LawCode(LawKind law);
bool LawFromCode(std::uint8_t code, LawKind* law);  ///< false: no such code

/// The `schema` attribute: meaning, unit and frame of everything in the file.
std::string SchemaJson();

}  // namespace nonsmooth::schema
