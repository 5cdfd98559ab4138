// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/world_frame.h"

#include <numeric>

#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "recorders/report/contact_state.h"
#include "recorders/report/group_place.h"

namespace nonsmooth {
namespace {

template <typename Numbers>
void Append(const Numbers& numbers, std::vector<float>* to) {
  for (double number : numbers) to->push_back(static_cast<float>(number));
}

std::int64_t IdOf(const CapturedStep& step, int body) {
  if (body < 0) return -1;
  const auto index = static_cast<std::size_t>(body);
  return index < step.bodies.size() ? step.bodies[index].id : body;
}

/// Rows under each of which a contact's own stand: 1 + tangents + spinning + rolling.
std::uint32_t PartsOf(const RowGroup& group) {
  if (group.kind != GroupKind::kContact) return static_cast<std::uint32_t>(group.size);
  return static_cast<std::uint32_t>(group.tangents + 4 * group.spinning + 8 * group.rolling);
}

void AddGroups(const CapturedStep& step, WorldFrame* frame) {
  const Problem& problem = step.problem;
  int contact = 0;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    const bool is_contact = group.kind == GroupKind::kContact;
    const bool known = is_contact && !step.contacts.empty();
    const ContactGeometry geometry = known ? step.contacts[contact] : ContactGeometry();
    const GroupPlace place = PlaceOf(step, g, contact);
    contact += is_contact ? 1 : 0;
    frame->kind.push_back(static_cast<std::uint32_t>(group.kind));
    frame->parts.push_back(PartsOf(group));
    frame->law.push_back(static_cast<std::uint32_t>(group.law.kind));
    frame->body_a.push_back(IdOf(step, place.bodies[0]));
    frame->body_b.push_back(IdOf(step, place.bodies[1]));
    Append(place.point, &frame->point);
    Append(geometry.normal, &frame->normal);
    for (int k = 0; k < 3; ++k) frame->tangent.push_back(static_cast<float>(geometry.tangents[k]));
    frame->gap.push_back(static_cast<float>(known ? geometry.gap : kUnknown));
    Append(std::array<double, 3>{group.friction, group.spinning_friction, group.rolling_friction},
           &frame->friction);
    if (group.kind != GroupKind::kBox) continue;
    for (int row = group.first_row; row < group.first_row + group.size; ++row) {
      Append(std::array<double, 2>{problem.lower()[row], problem.upper()[row]}, &frame->bounds);
    }
  }
}

FrameSolution MakeSolution(const FeasibleSet& set, double free_energy, const Solution& solution) {
  FrameSolution columns;
  const auto rows = static_cast<std::size_t>(set.problem().rows());
  if (solution.x.size() != rows || solution.w.size() != rows) return columns;
  std::vector<double> joules(rows);
  MeasureEnergy(set, free_energy, solution.x.data(), solution.w.data(), joules.data());
  Append(solution.x, &columns.x);
  Append(solution.w, &columns.w);
  for (const RowGroup& group : set.problem().groups()) {
    const auto first = joules.begin() + group.first_row;
    columns.joules.push_back(static_cast<float>(std::accumulate(first, first + group.size, 0.0)));
  }
  for (GroupState state : StatesOf(set, solution.x.data(), solution.w.data())) {
    columns.state.push_back(static_cast<std::uint32_t>(state));
  }
  return columns;
}

}  // namespace

BodyRegister::BodyRegister(const std::vector<BodyShape>& shapes) {
  for (const BodyShape& shape : shapes) shaped_[shape.body] = true;
}

void BodyRegister::Add(const std::vector<BodyState>& bodies) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const BodyState& body : bodies) {
    const auto [entry, added] = entries_.try_emplace(body.id);
    if (!added) continue;
    entry->second.mass = body.mass;
    entry->second.stand_in = shaped_.count(body.id) == 0;
    if (entry->second.stand_in) entry->second.shape = StandInShape(body);
  }
}

WorldFrame MakeFrame(const CapturedStep& step, const std::vector<ReplayRecord>& records,
                     const ReplayOptions& options) {
  WorldFrame frame;
  for (const BodyState& body : step.bodies) {
    frame.body_ids.push_back(body.id);
    Append(body.position, &frame.positions);
    Append(body.quaternion, &frame.quaternions);
  }
  frame.solutions.resize(records.size());
  const Problem& problem = step.problem;
  if (problem.rows() == 0) return frame;
  AddGroups(step, &frame);
  const bool frozen = options.warm_start != StartFrom::kNone &&
                      step.x0.size() == static_cast<std::size_t>(problem.rows());
  FeasibleSet set;
  set.Reset(problem, options.solve.law, frozen ? step.x0.data() : nullptr);
  const double free_energy = FreeEnergy(set);
  for (std::size_t s = 0; s < records.size(); ++s) {
    frame.solutions[s] = MakeSolution(set, free_energy, records[s].solution);
  }
  return frame;
}

double KineticEnergy(const CapturedStep& step) {
  if (!step.problem.shared_dynamics()) return kUnknown;
  double energy = 0;
  if (const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&step.problem.dynamics())) {
    if (step.bodies.size() != bodies->bodies().size()) return kUnknown;
    for (std::size_t b = 0; b < step.bodies.size(); ++b) {
      const BodyState& state = step.bodies[b];
      const std::array<double, 6>& v = bodies->bodies()[b].velocity;
      for (int i = 0; i < 3; ++i) {
        energy += 0.5 * state.mass * v[i] * v[i];
        if (!(state.mass > 0)) continue;
        for (int j = 0; j < 3; ++j) energy += 0.5 * v[3 + i] * state.inertia[3 * i + j] * v[3 + j];
      }
    }
    return energy;
  }
  const auto* sparse = dynamic_cast<const SparseDynamics*>(&step.problem.dynamics());
  if (sparse == nullptr) return kUnknown;
  const CsrMatrix& mass = sparse->system().mass;
  const std::vector<double>& v = sparse->system().velocity;
  for (int row = 0; row < mass.rows; ++row) {
    for (auto k = mass.row_start[row]; k < mass.row_start[row + 1]; ++k) {
      energy += 0.5 * v[row] * mass.value[k] * v[mass.column[k]];
    }
  }
  return energy;
}

}  // namespace nonsmooth
