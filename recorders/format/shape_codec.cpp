// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/shape_codec.h"

#include <cstring>

#include "common/util/check.h"
#include "recorders/format/xxhash64.h"

namespace nonsmooth {
namespace {

using schema::Data;
using schema::Pool;

std::size_t Index(Data data) { return static_cast<std::size_t>(data); }

std::uint64_t& CountOf(StepBuffers& buffers, Pool pool) {
  return buffers.count[static_cast<std::size_t>(pool)];
}

std::size_t CountOf(const StepBuffers& buffers, Pool pool) {
  return buffers.count[static_cast<std::size_t>(pool)];
}

template <class Value>
void Append(std::vector<std::uint8_t>& bytes, Value value) {
  std::uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

template <std::size_t N>
void AppendScalars(std::vector<std::uint8_t>& bytes, ScalarType scalar,
                   const std::array<double, N>& values) {
  for (double value : values) {
    if (scalar == ScalarType::kFloat32) {
      Append(bytes, static_cast<float>(value));
    } else {
      Append(bytes, value);
    }
  }
}

template <class Value>
Value Get(const StepBuffers& buffers, Data data, std::size_t index) {
  Value value;
  std::memcpy(&value, buffers.bytes[Index(data)].data() + index * sizeof value, sizeof value);
  return value;
}

template <std::size_t N>
void GetScalars(const StepBuffers& buffers, ScalarType scalar, Data data, std::size_t entry,
                std::array<double, N>& values) {
  for (std::size_t k = 0; k < N; ++k) {
    values[k] = scalar == ScalarType::kFloat32
                    ? static_cast<double>(Get<float>(buffers, data, N * entry + k))
                    : Get<double>(buffers, data, N * entry + k);
  }
}

/// Hands out `count` entries of a pool, one shape's after the other's.
std::size_t Take(std::int32_t count, std::size_t available, std::size_t* next, const char* what) {
  Require(count >= 0 && static_cast<std::size_t>(count) <= available - *next, "shapes: ", count,
          " more ", what, " are wanted, there are ", available - *next);
  const std::size_t first = *next;
  *next += static_cast<std::size_t>(count);
  return first;
}

}  // namespace

void EncodeShapes(const std::vector<BodyShape>& shapes, ScalarType scalar, StepBuffers& buffers) {
  const auto bytes = [&buffers](Data data) -> std::vector<std::uint8_t>& {
    return buffers.bytes[Index(data)];
  };
  CountOf(buffers, Pool::kShapes) = shapes.size();
  for (const BodyShape& shape : shapes) {
    Append(bytes(Data::kShapeBody), shape.body);
    Append(bytes(Data::kShapeKind), static_cast<std::uint8_t>(shape.kind));
    Append(bytes(Data::kShapeSource), static_cast<std::uint8_t>(shape.source));
    Append(bytes(Data::kShapeFixed), static_cast<std::uint8_t>(shape.fixed));
    AppendScalars(bytes(Data::kShapeSize), scalar, shape.size);
    AppendScalars(bytes(Data::kShapePosition), scalar, shape.position);
    AppendScalars(bytes(Data::kShapeQuaternion), scalar, shape.quaternion);
    Append(bytes(Data::kShapePointCount), static_cast<std::int32_t>(shape.points.size()));
    Append(bytes(Data::kShapeTriangleCount), static_cast<std::int32_t>(shape.triangles.size()));
    CountOf(buffers, Pool::kShapePoints) += shape.points.size();
    CountOf(buffers, Pool::kShapeTriangles) += shape.triangles.size();
    for (const auto& point : shape.points) AppendScalars(bytes(Data::kShapePoints), scalar, point);
    for (const auto& triangle : shape.triangles) {
      for (std::int32_t index : triangle) Append(bytes(Data::kShapeTriangles), index);
    }
  }
}

void DecodeShapes(const StepBuffers& buffers, ScalarType scalar, std::vector<BodyShape>& shapes) {
  const std::size_t points = CountOf(buffers, Pool::kShapePoints);
  const std::size_t triangles = CountOf(buffers, Pool::kShapeTriangles);
  std::size_t next_point = 0;
  std::size_t next_triangle = 0;
  for (std::size_t i = 0; i < CountOf(buffers, Pool::kShapes); ++i) {
    BodyShape shape;
    shape.body = Get<std::int64_t>(buffers, Data::kShapeBody, i);
    shape.kind = static_cast<ShapeKind>(Get<std::uint8_t>(buffers, Data::kShapeKind, i));
    shape.source = static_cast<ShapeSource>(Get<std::uint8_t>(buffers, Data::kShapeSource, i));
    shape.fixed = Get<std::uint8_t>(buffers, Data::kShapeFixed, i) != 0;
    GetScalars(buffers, scalar, Data::kShapeSize, i, shape.size);
    GetScalars(buffers, scalar, Data::kShapePosition, i, shape.position);
    GetScalars(buffers, scalar, Data::kShapeQuaternion, i, shape.quaternion);
    const auto point_count = Get<std::int32_t>(buffers, Data::kShapePointCount, i);
    const std::size_t first_point = Take(point_count, points, &next_point, "points");
    shape.points.resize(static_cast<std::size_t>(point_count));
    for (std::size_t k = 0; k < shape.points.size(); ++k) {
      GetScalars(buffers, scalar, Data::kShapePoints, first_point + k, shape.points[k]);
    }
    const auto triangle_count = Get<std::int32_t>(buffers, Data::kShapeTriangleCount, i);
    const std::size_t first = Take(triangle_count, triangles, &next_triangle, "triangles");
    shape.triangles.resize(static_cast<std::size_t>(triangle_count));
    for (std::size_t k = 0; k < shape.triangles.size(); ++k) {
      for (std::size_t j = 0; j < 3; ++j) {
        shape.triangles[k][j] =
            Get<std::int32_t>(buffers, Data::kShapeTriangles, 3 * (first + k) + j);
      }
    }
    CheckShape(shape);
    shapes.push_back(std::move(shape));
  }
  Require(next_point == points && next_triangle == triangles, "shapes: ", points, " points and ",
          triangles, " triangles, but shapes have ", next_point, " and ", next_triangle);
}

std::uint64_t ShapeChecksum(const StepBuffers& buffers) {
  std::uint64_t hash = 0;
  for (std::size_t i = Index(Data::kShapeBody); i <= Index(Data::kShapeTriangles); ++i) {
    hash = XxHash64(buffers.bytes[i].data(), buffers.bytes[i].size(), hash);
  }
  return hash;
}

}  // namespace nonsmooth
