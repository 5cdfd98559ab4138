// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/schema.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "common/util/check.h"
#include "recorders/format/step_row.h"

namespace nonsmooth::schema {

const std::array<DatasetSpec, kDataCount> kDatasets{{
    {Data::kBodyInverseMass, Pool::kBodies, "bodies", "inverse_mass", Type::kScalar, 3, "1/kg",
     "world", "inverse mass per axis; 0 for a fixed body"},
    {Data::kBodyInverseInertia, Pool::kBodies, "bodies", "inverse_inertia", Type::kScalar, 9,
     "1/(kg m^2)", "world", "inverse inertia about the centre of mass, row-major"},
    {Data::kBodyVelocities, Pool::kBodies, "bodies", "velocities", Type::kScalar, 6, "m/s, rad/s",
     "world", "linear and angular velocity before the step"},
    {Data::kBodyImpulses, Pool::kBodies, "bodies", "applied_impulses", Type::kScalar, 6,
     "N s, N m s", "world", "h f: force and torque impulse of gravity and all that is not a row"},
    {Data::kBodyIds, Pool::kBodyStates, "bodies", "ids", Type::kInt64, 1, "-", "-",
     "the engine's identifier"},
    {Data::kBodyMasses, Pool::kBodyStates, "bodies", "masses", Type::kScalar, 1, "kg", "-",
     "0 for a fixed body"},
    {Data::kBodyInertia, Pool::kBodyStates, "bodies", "inertia", Type::kScalar, 9, "kg m^2",
     "world", "inertia about the centre of mass, row-major"},
    {Data::kBodyPositions, Pool::kBodyStates, "bodies", "positions", Type::kScalar, 3, "m", "world",
     "centre of mass"},
    {Data::kBodyQuaternions, Pool::kBodyStates, "bodies", "quaternions", Type::kScalar, 4, "-",
     "body to world", "orientation (w, x, y, z)"},
    {Data::kVariableVelocities, Pool::kVariables, "variables", "velocities", Type::kScalar, 1,
     "m/s, rad/s", "engine", "generalised velocities before the step (sparse, articulated form)"},
    {Data::kVariableImpulses, Pool::kVariables, "variables", "applied_impulses", Type::kScalar, 1,
     "N s, N m s", "engine", "h f on each variable (sparse, articulated form)"},
    {Data::kRowBias, Pool::kRows, "rows", "bias", Type::kScalar, 1, "m/s, rad/s", "row",
     "b0 of w = J v + b0 + C x; b of w = A x + b in the matrix form"},
    {Data::kRowBodies, Pool::kRowBlocks, "rows", "bodies", Type::kInt32, 2, "-", "-",
     "bodies a and b, counted from the step's first body; -1: none (two-body form)"},
    {Data::kRowJacobian, Pool::kRowBlocks, "rows", "jacobian", Type::kScalar, 12, "-, m", "world",
     "linear and angular part on a, then on b (two-body form)"},
    {Data::kRowCompliance, Pool::kCompliance, "rows", "compliance", Type::kScalar, 1,
     "1/kg, 1/(kg m^2)", "row", "diagonal of C; no entries: all zero"},
    {Data::kConstraintKind, Pool::kConstraints, "constraints", "kind", Type::kUInt8, 1, "-", "-",
     "0: equality, w = 0; 1: box, l <= x <= u complementary to w"},
    {Data::kConstraintFirstRow, Pool::kConstraints, "constraints", "first_row", Type::kInt32, 1,
     "-", "-", "counted from the step's first row"},
    {Data::kConstraintRows, Pool::kConstraints, "constraints", "rows", Type::kInt32, 1, "-", "-",
     "number of rows, 1 to 6"},
    {Data::kConstraintKey, Pool::kConstraints, "constraints", "key", Type::kUInt64, 1, "-", "-",
     "identity across steps; 0: none"},
    {Data::kConstraintBounds, Pool::kBounds, "constraints", "bounds", Type::kScalar, 2,
     "N s, N m s", "row",
     "l, u of each row of each box constraint, in their order; may be infinite"},
    {Data::kContactFirstRow, Pool::kContacts, "contacts", "first_row", Type::kInt32, 1, "-", "-",
     "the normal's row, counted from the step's first row; the others follow it"},
    {Data::kContactTangentRows, Pool::kContacts, "contacts", "tangent_rows", Type::kUInt8, 1, "-",
     "-", "rows of sliding friction after the normal, 0 to 2"},
    {Data::kContactSpinningRows, Pool::kContacts, "contacts", "spinning_rows", Type::kUInt8, 1, "-",
     "-", "rows of spinning friction after those, 0 or 1"},
    {Data::kContactRollingRows, Pool::kContacts, "contacts", "rolling_rows", Type::kUInt8, 1, "-",
     "-", "rows of rolling friction after those, 0 to 2"},
    {Data::kContactLaw, Pool::kContacts, "contacts", "law", Type::kUInt8, 1, "-", "-",
     "1: box, 2: coupled_box, 3: pyramid, 4: ccp, 5: ncp"},
    {Data::kContactFacets, Pool::kContacts, "contacts", "facets", Type::kInt32, 1, "-", "-",
     "facets of a pyramid"},
    {Data::kContactMu, Pool::kContacts, "contacts", "mu", Type::kScalar, 1, "-", "-",
     "coefficient of sliding friction"},
    {Data::kContactMuSpin, Pool::kContacts, "contacts", "mu_spin", Type::kScalar, 1, "m", "-",
     "coefficient of spinning friction"},
    {Data::kContactMuRoll, Pool::kContacts, "contacts", "mu_roll", Type::kScalar, 1, "m", "-",
     "coefficient of rolling friction"},
    {Data::kContactNormalEstimate, Pool::kContacts, "contacts", "normal_estimate", Type::kScalar, 1,
     "N s", "row", "normal impulse that freezes the bounds of law box; NaN: none"},
    {Data::kContactKey, Pool::kContacts, "contacts", "key", Type::kUInt64, 1, "-", "-",
     "identity across steps; 0: none"},
    {Data::kMassRowStart, Pool::kMassRows, "mass", "row_start", Type::kInt32, 1, "-", "-",
     "M (sparse form) or a root of its inverse (articulated form) by compressed rows: rows + 1 "
     "offsets"},
    {Data::kMassColumn, Pool::kMassEntries, "mass", "column", Type::kInt32, 1, "-", "-",
     "column of each entry, ascending in a row"},
    {Data::kMassValue, Pool::kMassEntries, "mass", "value", Type::kScalar, 1, "kg, kg m^2",
     "engine",
     "M with stiffness and damping blocks h^2 K + h D, if any; articulated form: R with inverse of "
     "M = R R^T, lower triangular"},
    {Data::kJacobianRowStart, Pool::kJacobianRows, "jacobian", "row_start", Type::kInt32, 1, "-",
     "-", "J by compressed rows, its rows + 1 offsets (sparse, articulated form)"},
    {Data::kJacobianColumn, Pool::kJacobianEntries, "jacobian", "column", Type::kInt32, 1, "-", "-",
     "column of each entry, ascending in a row"},
    {Data::kJacobianValue, Pool::kJacobianEntries, "jacobian", "value", Type::kScalar, 1, "-, m",
     "engine", "entries of J"},
    {Data::kMatrixRowStart, Pool::kMatrixRows, "matrix", "row_start", Type::kInt32, 1, "-", "-",
     "A by compressed rows, its rows + 1 offsets (matrix form)"},
    {Data::kMatrixColumn, Pool::kMatrixEntries, "matrix", "column", Type::kInt32, 1, "-", "-",
     "column of each entry, ascending in a row"},
    {Data::kMatrixValue, Pool::kMatrixEntries, "matrix", "value", Type::kScalar, 1,
     "1/kg, 1/(kg m^2)", "row", "entries of A"},
    {Data::kContactPairs, Pool::kContactGeometry, "contacts", "pairs", Type::kInt32, 2, "-", "-",
     "bodies a and b, counted from the step's first body; -1: none"},
    {Data::kContactPoints, Pool::kContactGeometry, "contacts", "points", Type::kScalar, 3, "m",
     "world", "point of contact"},
    {Data::kContactNormals, Pool::kContactGeometry, "contacts", "normals", Type::kScalar, 3, "-",
     "world", "unit normal, from a to b"},
    {Data::kContactTangents, Pool::kContactGeometry, "contacts", "tangents", Type::kScalar, 6, "-",
     "world", "two unit tangents; zero where there is none"},
    {Data::kContactGap, Pool::kContactGeometry, "contacts", "gap", Type::kScalar, 1, "m", "-",
     "distance, negative when penetrating"},
    {Data::kContactRestitution, Pool::kContactGeometry, "contacts", "restitution", Type::kScalar, 1,
     "-", "-", "coefficient of restitution"},
    {Data::kContactCohesion, Pool::kContactGeometry, "contacts", "cohesion", Type::kScalar, 1, "N",
     "-", "force that holds the contact together"},
    {Data::kRowViolation, Pool::kViolation, "rows", "violation", Type::kScalar, 1, "m, rad", "row",
     "violation of each row at position level"},
    {Data::kSolutionX0, Pool::kX0, "solution", "x0", Type::kScalar, 1, "N s, N m s", "row",
     "warm start"},
    {Data::kSolutionX, Pool::kX, "solution", "x", Type::kScalar, 1, "N s, N m s", "row",
     "the engine's impulses"},
    {Data::kSolutionW, Pool::kW, "solution", "w", Type::kScalar, 1, "m/s, rad/s", "row",
     "the engine's constraint velocities A x + b"},
    {Data::kSolutionV, Pool::kV, "solution", "v", Type::kScalar, 1, "m/s, rad/s", "world",
     "the engine's velocities after the step: six a body, or one a variable"},
    {Data::kShapeBody, Pool::kShapes, "shapes", "body", Type::kInt64, 1, "-", "-",
     "the engine's identifier of the body, as in /bodies/ids; several: a compound"},
    {Data::kShapeKind, Pool::kShapes, "shapes", "kind", Type::kUInt8, 1, "-", "-",
     "1: sphere, 2: box, 3: capsule, 4: cylinder, 5: cone, 6: convex hull, 7: triangle mesh, "
     "8: plane"},
    {Data::kShapeSource, Pool::kShapes, "shapes", "source", Type::kUInt8, 1, "-", "-",
     "0: collision shape, 1: visual shape, 2: box of equal inertia"},
    {Data::kShapeFixed, Pool::kShapes, "shapes", "fixed", Type::kUInt8, 1, "-", "-",
     "1: the body stands still and takes no part; position and quaternion are in the world"},
    {Data::kShapeSize, Pool::kShapes, "shapes", "size", Type::kScalar, 3, "m", "shape",
     "box: edges; sphere: radius; capsule, cylinder, cone: radius and length along z"},
    {Data::kShapePosition, Pool::kShapes, "shapes", "position", Type::kScalar, 3, "m", "body",
     "origin of the shape, from the centre of mass"},
    {Data::kShapeQuaternion, Pool::kShapes, "shapes", "quaternion", Type::kScalar, 4, "-",
     "shape to body", "orientation (w, x, y, z)"},
    {Data::kShapePointCount, Pool::kShapes, "shapes", "point_count", Type::kInt32, 1, "-", "-",
     "points of a hull or mesh, one shape's after the other's"},
    {Data::kShapeTriangleCount, Pool::kShapes, "shapes", "triangle_count", Type::kInt32, 1, "-",
     "-", "triangles of a mesh, likewise"},
    {Data::kShapePoints, Pool::kShapePoints, "shapes", "points", Type::kScalar, 3, "m", "shape",
     "points of hulls and meshes"},
    {Data::kShapeTriangles, Pool::kShapeTriangles, "shapes", "triangles", Type::kInt32, 3, "-", "-",
     "points of each triangle, counted from the shape's first"},
}};

std::size_t ValueSize(Type type, ScalarType scalar) {
  switch (type) {
    case Type::kScalar:
      return scalar == ScalarType::kFloat32 ? 4 : 8;
    case Type::kInt32:
      return 4;
    case Type::kInt64:
    case Type::kUInt64:
      return 8;
    case Type::kUInt8:
      return 1;
  }
  return 0;
}

std::size_t EntrySize(const DatasetSpec& spec, ScalarType scalar) {
  return ValueSize(spec.type, scalar) * static_cast<std::size_t>(spec.width);
}

namespace {

constexpr std::array<std::pair<LawKind, std::uint8_t>, 5> kLawCodes{{
    {LawKind::kBox, 1},
    {LawKind::kCoupledBox, 2},
    {LawKind::kPyramid, 3},
    {LawKind::kCcp, 4},
    {LawKind::kNcp, 5},
}};

const char* TypeName(Type type) {
  switch (type) {
    case Type::kScalar:
      return "scalar";
    case Type::kInt32:
      return "int32";
    case Type::kInt64:
      return "int64";
    case Type::kUInt8:
      return "uint8";
    case Type::kUInt64:
      return "uint64";
  }
  return "";
}

}  // namespace

std::uint8_t LawCode(LawKind law) {
  for (const auto& [kind, code] : kLawCodes) {
    if (kind == law) return code;
  }
  Require(false, "capture: law '", ToString(law), "' has no code in the file");
  return 0;
}

bool LawFromCode(std::uint8_t code, LawKind* law) {
  for (const auto& [kind, known] : kLawCodes) {
    if (known != code) continue;
    *law = kind;
    return true;
  }
  return false;
}

static std::string MakeSchemaJson() {
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["version"] = std::to_string(kMajor) + "." + std::to_string(kMinor);
  json["commit"] =
      "a row of /steps is written last; it counts if its row_checksum holds. Fields (first, count) "
      "are ranges of pools.";
  for (const StepField& field : StepFields()) {
    json["steps"][field.name] = {{"units", field.units}, {"meaning", field.meaning}};
  }
  for (const DatasetSpec& spec : kDatasets) {
    json["datasets"][std::string("/") + spec.group + "/" + spec.name] = {
        {"pool", kPools[static_cast<std::size_t>(spec.pool)].column},
        {"type", TypeName(spec.type)},
        {"width", spec.width},
        {"units", spec.units},
        {"frame", spec.frame},
        {"meaning", spec.meaning}};
  }
  return json.dump();
}

// Made once, with the first file: the JSON library ends the program where it has no memory left,
// and a file may be closed when there is none.
std::string SchemaJson() {
  static const std::string text = MakeSchemaJson();
  return text;
}

}  // namespace nonsmooth::schema
