// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/measurement.h"

#include <cmath>
#include <cstddef>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// [groups] That a thread takes at a time; smaller problems are measured as one.
constexpr std::size_t kStretch = 8192;

void Add(const EnergyError& part, EnergyError& error) {
  error.sum += part.sum;
  // As in MeasureEnergy(): the first NaN must win.
  if (!(part.max <= error.max) && !std::isnan(error.max)) {
    error.max = part.max;
    error.max_row = part.max_row;
  }
}

}  // namespace

void Measurement::Evaluate(const Problem& problem, Solution& solution) {
  const Dynamics& dynamics = problem.dynamics();
  solution.w.resize(solution.x.size());
  solution.v.resize(dynamics.velocity_size());
  const auto* bodies = dynamic_cast<const TwoBodyDynamics*>(&dynamics);
  if (threads_ > 1 && bodies != nullptr) {
    bodies->Evaluate(solution.x.data(), solution.w.data(), solution.v.data(), workspace_, team_,
                     threads_);
  } else {
    dynamics.Evaluate(solution.x.data(), solution.w.data(), solution.v.data(), workspace_);
  }
}

void Measurement::CountGroups(const Problem& problem) {
  for (std::size_t g = groups_.size(); g < problem.groups().size(); ++g) {
    groups_.push_back(static_cast<int>(g));
  }
  parts_.assign(problem.groups().size() / kStretch + 1, EnergyError());
}

void Measurement::FreeEnergies(const FeasibleSet& set, const Islands& islands,
                               std::vector<EnergyError>& errors) {
  CountGroups(set.problem());
  errors.assign(islands.count(), EnergyError());
  for (std::size_t g = 0; g < set.problem().groups().size(); ++g) {
    errors[islands.of_group(static_cast<int>(g))].free_energy += FreeEnergy(set, Stretch(g, g + 1));
  }
}

void Measurement::Measure(const FeasibleSet& set, const Islands& islands, const Solution& solution,
                          std::vector<EnergyError>& errors) {
  CountGroups(set.problem());
  for (EnergyError& error : errors) {
    const double free_energy = error.free_energy;
    error = EnergyError();
    error.free_energy = free_energy;
  }
  for (std::size_t g = 0; g < set.problem().groups().size(); ++g) {
    Add(MeasureEnergy(set, Stretch(g, g + 1), 0, solution.x.data(), solution.w.data()),
        errors[islands.of_group(static_cast<int>(g))]);
  }
  for (EnergyError& error : errors) {
    error.relative = RelativeEnergy(error.sum, error.free_energy);
  }
}

EnergyError Measurement::Measure(const FeasibleSet& set, double free_energy,
                                 const Solution& solution) {
  CountGroups(set.problem());
  ForStretches(team_, threads_, set.problem().groups().size(), kStretch,
               [&](std::size_t first, std::size_t last) {
                 parts_[first / kStretch] = MeasureEnergy(set, Stretch(first, last), free_energy,
                                                          solution.x.data(), solution.w.data());
               });
  EnergyError error = parts_[0];
  for (std::size_t k = 1; k < parts_.size(); ++k) Add(parts_[k], error);
  error.free_energy = free_energy;
  error.relative = RelativeEnergy(error.sum, free_energy);
  return error;
}

double Measurement::FreeEnergyOf(const FeasibleSet& set) {
  CountGroups(set.problem());
  ForStretches(team_, threads_, set.problem().groups().size(), kStretch,
               [&](std::size_t first, std::size_t last) {
                 parts_[first / kStretch].sum = FreeEnergy(set, Stretch(first, last));
               });
  double sum = 0;
  for (const EnergyError& part : parts_) sum += part.sum;
  return sum;
}

}  // namespace nonsmooth
