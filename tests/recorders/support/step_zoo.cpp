// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/recorders/support/step_zoo.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <random>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Numbers in (−1, 1) that need all digits of their type; minus zero now and then.
class Numbers {
 public:
  Numbers(int seed, bool float32) : engine_(static_cast<unsigned>(seed)), float32_(float32) {}

  double operator()() {
    const double value = static_cast<double>(engine_()) / 2147483648.0 - 1.0 + 1e-12;
    if (engine_() % 17 == 0) return -0.0;
    return float32_ ? static_cast<float>(value) : value;
  }
  double Positive() { return std::abs((*this)()); }
  double Above(double least) {
    const double value = least + Positive();
    return float32_ ? static_cast<float>(value) : value;
  }

  template <std::size_t N>
  void Fill(std::array<double, N>& values) {
    for (double& value : values) value = (*this)();
  }
  std::vector<double> Vector(int size) {
    std::vector<double> values(static_cast<std::size_t>(size));
    for (double& value : values) value = (*this)();
    return values;
  }

 private:
  std::mt19937 engine_;
  bool float32_;
};

Body MakeBody(Numbers& numbers, bool fixed) {
  Body body;
  numbers.Fill(body.velocity);
  if (fixed) return body;
  for (double& m : body.inverse_mass) m = numbers.Above(1);
  for (int i = 0; i < 3; ++i) {
    body.inverse_inertia[4 * i] = numbers.Above(4);
    for (int j = 0; j < i; ++j) {
      body.inverse_inertia[3 * i + j] = body.inverse_inertia[3 * j + i] = numbers();
    }
  }
  numbers.Fill(body.applied_impulse);
  return body;
}

void AddGroup(RowGroup group, std::vector<RowGroup>& groups) {
  group.first_row = groups.empty() ? 0 : groups.back().first_row + groups.back().size;
  if (group.kind == GroupKind::kContact) {
    group.size = 1 + group.tangents + group.spinning + group.rolling;
  }
  groups.push_back(group);
}

RowGroup MakeContact(Numbers& numbers, Law law, int tangents, int spinning, int rolling) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.tangents = tangents;
  group.spinning = spinning;
  group.rolling = rolling;
  group.law = law;
  group.friction = numbers.Positive();
  group.spinning_friction = numbers.Positive();
  group.rolling_friction = numbers.Positive();
  group.key = 0xFEDCBA9876543210u + static_cast<std::uint64_t>(tangents);
  return group;
}

/// Every law with every number of rows, and constraints between them.
std::vector<RowGroup> MakeGroups(Numbers& numbers) {
  std::vector<RowGroup> groups;
  RowGroup constraint;
  constraint.kind = GroupKind::kBox;
  constraint.size = 2;
  constraint.key = 77;
  AddGroup(constraint, groups);
  for (const char* law : {"box", "coupled_box", "pyramid:3", "pyramid:8", "ccp", "ncp"}) {
    for (int tangents = 0; tangents <= 2; ++tangents) {
      RowGroup contact = MakeContact(numbers, ParseLaw(law), tangents, tangents % 2, tangents);
      if (tangents == 1) contact.normal_estimate = numbers.Positive();
      AddGroup(contact, groups);
    }
    constraint.kind = GroupKind::kEquality;
    constraint.size = kMostGroupRows;
    AddGroup(constraint, groups);
  }
  constraint.kind = GroupKind::kBox;
  AddGroup(constraint, groups);
  return groups;
}

Problem Finish(std::shared_ptr<const Dynamics> dynamics, std::vector<RowGroup> groups,
               Numbers& numbers) {
  const auto rows = static_cast<std::size_t>(dynamics->rows());
  std::vector<double> lower(rows);
  std::vector<double> upper(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    lower[i] = i % 3 == 0 ? -kInfinity : -numbers.Positive();
    upper[i] = i % 4 == 0 ? kInfinity : numbers.Positive();
  }
  return Problem(std::move(dynamics), std::move(groups), std::move(lower), std::move(upper));
}

int RowsOf(const std::vector<RowGroup>& groups) {
  return groups.back().first_row + groups.back().size;
}

Problem TwoBodyProblem(Numbers& numbers, bool compliant) {
  std::vector<Body> bodies;
  for (int i = 0; i < 5; ++i) bodies.push_back(MakeBody(numbers, i == 0));
  std::vector<RowGroup> groups = MakeGroups(numbers);
  std::vector<TwoBodyRow> rows(static_cast<std::size_t>(RowsOf(groups)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].body_a = static_cast<int>(i % 5);
    rows[i].body_b = i % 7 == 0 ? -1 : static_cast<int>((i + 1 + i / 5 % 3) % 5);
    numbers.Fill(rows[i].jacobian);
    rows[i].bias = numbers();
    if (compliant) rows[i].compliance = numbers.Positive();
  }
  return Finish(std::make_shared<TwoBodyDynamics>(bodies, rows), groups, numbers);
}

Problem SparseProblem(Numbers& numbers, bool compliant) {
  constexpr int variables = 8;
  std::vector<RowGroup> groups = MakeGroups(numbers);
  const int rows = RowsOf(groups);
  SparseSystem system;
  std::vector<Triplet> entries;
  for (int i = 0; i < variables; ++i) {
    entries.push_back({i, i, numbers.Above(3)});
    if (i == 0) continue;
    const double coupling = numbers();
    entries.push_back({i, i - 1, coupling});
    entries.push_back({i - 1, i, coupling});
  }
  system.mass = FromTriplets("M", variables, variables, entries);
  entries.clear();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 1 + i % 4; ++j) entries.push_back({i, (i + 2 * j) % variables, numbers()});
  }
  system.jacobian = FromTriplets("J", rows, variables, entries);
  system.velocity = numbers.Vector(variables);
  system.applied_impulse = numbers.Vector(variables);
  system.bias = numbers.Vector(rows);
  system.compliance.assign(static_cast<std::size_t>(rows), 0.0);
  for (double& c : system.compliance) c = compliant ? numbers.Positive() : 0.0;
  return Finish(std::make_shared<SparseDynamics>(std::move(system)), groups, numbers);
}

Problem ArticulatedProblem(Numbers& numbers, bool compliant) {
  constexpr int variables = 9;  // a tree of four, one of five; the first variable of it cannot move
  std::vector<RowGroup> groups = MakeGroups(numbers);
  const int rows = RowsOf(groups);
  ArticulatedSystem system;
  std::vector<Triplet> entries;
  for (int i = 0; i < variables; ++i) {
    if (i == 4) continue;
    for (int j = i < 4 ? 0 : 5; j < i; ++j) entries.push_back({i, j, numbers()});
    entries.push_back({i, i, numbers.Above(1)});
  }
  system.mass_root = FromTriplets("R", variables, variables, entries);
  entries.clear();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 1 + i % 4; ++j) entries.push_back({i, (i + 2 * j) % variables, numbers()});
  }
  system.jacobian = FromTriplets("J", rows, variables, entries);
  system.velocity = numbers.Vector(variables);
  system.applied_impulse = numbers.Vector(variables);
  system.bias = numbers.Vector(rows);
  system.compliance.assign(static_cast<std::size_t>(rows), 0.0);
  for (double& c : system.compliance) c = compliant ? numbers.Positive() : 0.0;
  return Finish(std::make_shared<ArticulatedDynamics>(std::move(system)), groups, numbers);
}

Problem MatrixProblem(Numbers& numbers) {
  std::vector<RowGroup> groups = MakeGroups(numbers);
  const int rows = RowsOf(groups);
  std::vector<Triplet> entries;
  for (int i = 0; i < rows; ++i) {
    entries.push_back({i, i, numbers.Above(2)});
    if (i > 2) entries.push_back({i, i - 3, numbers()});
  }
  return Finish(std::make_shared<MatrixDynamics>(FromTriplets("A", rows, rows, entries),
                                                 numbers.Vector(rows)),
                groups, numbers);
}

/// Fills everything that is optional.
void Decorate(CapturedStep& step, int bodies, Numbers& numbers) {
  step.info.step = 123456789012;
  step.info.island = 3;
  step.info.solve = 1;
  step.info.time = 1.0 / 3;
  step.info.h = 1.0 / 240;
  step.info.gravity = {0.1, -0.2, -9.81};
  step.info.solver = "btSequentialImpulseConstraintSolver";
  step.info.iterations = 10;
  step.info.seconds = 1.25e-4;
  step.measures = {1e-3, kUnknown, 3e-3, 4e-3};
  for (int i = 0; i < bodies; ++i) {
    BodyState body;
    body.id = -(std::int64_t{1} << 40) + i;
    body.mass = numbers.Positive();
    numbers.Fill(body.inertia);
    numbers.Fill(body.position);
    numbers.Fill(body.quaternion);
    step.bodies.push_back(body);
  }
  for (int i = 0; i < step.problem.contacts(); ++i) {
    ContactGeometry contact;
    contact.pair = {i % 2 == 0 ? -1 : 0, bodies - 1};
    numbers.Fill(contact.point);
    numbers.Fill(contact.normal);
    numbers.Fill(contact.tangents);
    contact.gap = numbers();
    contact.restitution = numbers.Positive();
    contact.cohesion = numbers.Positive();
    step.contacts.push_back(contact);
  }
  const int rows = step.problem.rows();
  step.violation = numbers.Vector(rows);
  step.x0 = numbers.Vector(rows);
  step.x = numbers.Vector(rows);
  step.w = numbers.Vector(rows);
  if (rows > 0) step.v = numbers.Vector(step.problem.dynamics().velocity_size());
}

}  // namespace

std::vector<NamedStep> StepZoo(bool float32) {
  Numbers numbers(7, float32);
  std::vector<NamedStep> zoo;
  for (bool compliant : {false, true}) {
    const std::string suffix = compliant ? "_compliant" : "";
    zoo.push_back({"two_body" + suffix, {}});
    zoo.back().step.problem = TwoBodyProblem(numbers, compliant);
    Decorate(zoo.back().step, 5, numbers);
    zoo.push_back({"sparse" + suffix, {}});
    zoo.back().step.problem = SparseProblem(numbers, compliant);
    Decorate(zoo.back().step, 3, numbers);
  }
  zoo.push_back({"matrix", {}});
  zoo.back().step.problem = MatrixProblem(numbers);
  Decorate(zoo.back().step, 2, numbers);
  zoo.push_back({"nothing_optional", {}});
  zoo.back().step.problem = TwoBodyProblem(numbers, false);
  zoo.push_back({"empty", {}});
  zoo.push_back({"bodies_without_rows", {}});
  zoo.back().step.problem =
      Problem(std::make_shared<TwoBodyDynamics>(std::vector<Body>{MakeBody(numbers, false)},
                                                std::vector<TwoBodyRow>()),
              {}, {}, {});
  for (bool compliant : {false, true}) {
    zoo.push_back({compliant ? "articulated_compliant" : "articulated", {}});
    zoo.back().step.problem = ArticulatedProblem(numbers, compliant);
    Decorate(zoo.back().step, 3, numbers);
  }
  return zoo;
}

CapturedStep ContactStep(int contacts, int seed, bool float32) {
  Numbers numbers(seed, float32);
  std::vector<Body> bodies{MakeBody(numbers, true)};
  for (int i = 0; i < contacts; ++i) bodies.push_back(MakeBody(numbers, false));
  std::vector<RowGroup> groups;
  std::vector<TwoBodyRow> rows;
  for (int i = 0; i < contacts; ++i) {
    AddGroup(MakeContact(numbers, Law{LawKind::kNcp, 0}, 2, 0, 0), groups);
    for (int k = 0; k < 3; ++k) {
      TwoBodyRow row;
      row.body_a = i % 2 == 0 ? 0 : i;
      row.body_b = i + 1;
      numbers.Fill(row.jacobian);
      row.bias = numbers();
      rows.push_back(row);
    }
  }
  CapturedStep step;
  step.problem = Finish(std::make_shared<TwoBodyDynamics>(bodies, rows), groups, numbers);
  Decorate(step, contacts + 1, numbers);
  step.info.step = seed;
  return step;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "nonsmooth-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryDirectory::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nonsmooth
