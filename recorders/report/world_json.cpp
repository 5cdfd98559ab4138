// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/world_json-inl.h"

#include <algorithm>
#include <limits>

#include "recorders/report/packed_array-inl.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

/// Significant bits of what is read as numbers: right to 1.2e-4 and 5e-4 …
constexpr int kImpulseBits = 12;
constexpr int kVelocityBits = 10;
constexpr int kPlaceBits = 14;  ///< … and of where contacts are: 0.06 mm at a metre from the origin

/// Numbers of bodies on the page, by the engine's identifier; 0 is none.
using BodyNumbers = std::map<std::int64_t, std::uint32_t>;

template <typename T>
void Extend(const std::vector<T>& values, std::vector<T>* to) {
  to->insert(to->end(), values.begin(), values.end());
}

Floats Flat(const std::vector<std::array<double, 3>>& points) {
  Floats flat;
  for (const auto& point : points) {
    for (double value : point) flat.push_back(static_cast<float>(value));
  }
  return flat;
}

Json ShapeJson(const BodyShape& shape, std::uint32_t number) {
  Json json{{"body", number},
            {"kind", ToString(shape.kind)},
            {"source", static_cast<int>(shape.source)},
            {"fixed", shape.fixed},
            {"size", shape.size},
            {"position", shape.position},
            {"quaternion", shape.quaternion}};
  if (!shape.points.empty()) json["points"] = PackFloat24(Flat(shape.points));
  if (!shape.triangles.empty()) {
    Words corners;
    for (const auto& triangle : shape.triangles) {
      for (std::int32_t corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
    }
    json["triangles"] = PackUnsigned(corners);
  }
  return json;
}

/// All frames one after another.
struct Columns {
  Words step, body_count, group_count, row_count, bound_count;
  Words body, kind, parts, law, body_a, body_b;
  Floats position, quaternion, point, normal, tangent, gap, friction, bounds;

  void Add(const WorldFrame& frame, const BodyNumbers& numbers) {
    const auto number = [&numbers](std::int64_t id) {
      const auto found = numbers.find(id);
      return found == numbers.end() ? 0U : found->second;
    };
    step.push_back(static_cast<std::uint32_t>(frame.step));
    body_count.push_back(static_cast<std::uint32_t>(frame.body_ids.size()));
    group_count.push_back(static_cast<std::uint32_t>(frame.kind.size()));
    bound_count.push_back(static_cast<std::uint32_t>(frame.bounds.size() / 2));
    std::uint32_t rows = 0;
    for (std::size_t g = 0; g < frame.kind.size(); ++g) rows += RowsOf(frame, g);
    row_count.push_back(rows);
    for (std::int64_t id : frame.body_ids) body.push_back(number(id));
    for (std::int64_t id : frame.body_a) body_a.push_back(number(id));
    for (std::int64_t id : frame.body_b) body_b.push_back(number(id));
    Extend(frame.kind, &kind);
    Extend(frame.parts, &parts);
    Extend(frame.law, &law);
    Extend(frame.positions, &position);
    Extend(frame.quaternions, &quaternion);
    Extend(frame.point, &point);
    Extend(frame.normal, &normal);
    Extend(frame.tangent, &tangent);
    Extend(frame.gap, &gap);
    Extend(frame.friction, &friction);
    Extend(frame.bounds, &bounds);
  }

  static std::uint32_t RowsOf(const WorldFrame& frame, std::size_t g) {
    const std::uint32_t parts = frame.parts[g];
    const bool contact = frame.kind[g] == static_cast<std::uint32_t>(GroupKind::kContact);
    // Two bits of tangents, one of spinning, two of rolling.
    return contact ? 1 + (parts & 3) + (parts >> 2 & 1) + (parts >> 3) : parts;
  }

  Json Packed() const {
    return {{"step", PackUnsigned(step)},
            {"bodyCount", PackUnsigned(body_count)},
            {"groupCount", PackUnsigned(group_count)},
            {"rowCount", PackUnsigned(row_count)},
            {"boundCount", PackUnsigned(bound_count)},
            {"body", PackUnsigned(body)},
            {"position", PackFloat24(position)},
            {"quaternion", PackUnit(quaternion)},
            {"kind", PackUnsigned(kind)},
            {"parts", PackUnsigned(parts)},
            {"law", PackUnsigned(law)},
            {"bodyA", PackUnsigned(body_a)},
            {"bodyB", PackUnsigned(body_b)},
            {"point", PackFloat24(point, kPlaceBits)},
            {"normal", PackUnit(normal)},
            {"tangent", PackUnit(tangent)},
            {"gap", PackFloat24(gap, kVelocityBits)},
            {"friction", PackFloat24(friction)},
            {"bounds", PackFloat24(bounds)}};
  }
};

Json SolutionJson(const std::vector<WorldFrame>& frames, std::size_t s, const std::string& solver,
                  const Words& rows) {
  Words known;
  Words state;
  Floats x, w, joules;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const FrameSolution& solution = frames[f].solutions[s];
    const bool has = !solution.x.empty() || rows[f] == 0;
    known.push_back(has ? 1 : 0);
    if (has) {
      Extend(solution.x, &x);
      Extend(solution.w, &w);
      Extend(solution.joules, &joules);
      Extend(solution.state, &state);
    } else {
      constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
      x.resize(x.size() + rows[f], kNone);
      w.resize(w.size() + rows[f], kNone);
      joules.resize(joules.size() + frames[f].kind.size(), kNone);
      state.resize(state.size() + frames[f].kind.size(), 5);
    }
  }
  return {{"solver", solver},
          {"known", PackUnsigned(known)},
          {"x", PackFloat24(x, kImpulseBits)},
          {"w", PackFloat24(w, kVelocityBits)},
          {"joules", PackFloat24(joules, kVelocityBits)},
          {"state", PackUnsigned(state)}};
}

}  // namespace

Json WorldJson(const std::vector<WorldFrame>& frames, const std::vector<std::string>& solvers,
               const std::vector<BodyShape>& shapes, const BodyRegister& bodies) {
  std::map<std::int64_t, double> masses;
  for (const auto& [id, entry] : bodies.entries()) masses[id] = entry.mass;
  for (const BodyShape& shape : shapes) masses.try_emplace(shape.body, 0);
  for (const WorldFrame& frame : frames) {
    // Bodies of which nothing is known but that rows act on them.
    for (std::int64_t id : frame.body_a) {
      if (id >= 0) masses.try_emplace(id, kUnknown);
    }
    for (std::int64_t id : frame.body_b) {
      if (id >= 0) masses.try_emplace(id, kUnknown);
    }
  }
  BodyNumbers numbers;
  Json ids = Json::array();
  Floats mass;
  for (const auto& [id, value] : masses) {
    const auto number = static_cast<std::uint32_t>(numbers.size() + 1);
    numbers.emplace(id, number);
    ids.push_back(id);
    mass.push_back(static_cast<float>(value));
  }
  Json shape_list = Json::array();
  for (const BodyShape& shape : shapes) shape_list.push_back(ShapeJson(shape, numbers[shape.body]));
  for (const auto& [id, entry] : bodies.entries()) {
    if (entry.stand_in) shape_list.push_back(ShapeJson(entry.shape, numbers[id]));
  }
  Columns columns;
  for (const WorldFrame& frame : frames) columns.Add(frame, numbers);
  Json solutions = Json::array();
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    solutions.push_back(SolutionJson(frames, s, solvers[s], columns.row_count));
  }
  return {{"ids", std::move(ids)},
          {"mass", PackFloat32(mass)},
          {"shapes", std::move(shape_list)},
          {"frames", columns.Packed()},
          {"solutions", std::move(solutions)}};
}

}  // namespace nonsmooth
