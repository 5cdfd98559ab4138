// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/step_finisher.h"

#include <cmath>

#include "common/error/energy_error.h"
#include "common/error/lu_errors.h"
#include "recorders/recording/step_completion.h"

namespace nonsmooth {
namespace {

/// A call on purpose: inlined, GCC 12.2 (-O2, SLP vectoriser) drops the rounding of two
/// neighbouring fields and stores the double as it was.
[[gnu::noinline]] void Round(double& value) { value = static_cast<float>(value); }

template <class Values>
void RoundAll(Values& values) {
  for (double& value : values) Round(value);
}

void RoundStates(CapturedStep& step) {
  for (BodyState& body : step.bodies) {
    Round(body.mass);
    RoundAll(body.inertia);
    RoundAll(body.position);
    RoundAll(body.quaternion);
  }
  for (ContactGeometry& contact : step.contacts) {
    RoundAll(contact.point);
    RoundAll(contact.normal);
    RoundAll(contact.tangents);
    Round(contact.gap);
    Round(contact.restitution);
    Round(contact.cohesion);
  }
}

}  // namespace

void StepFinisher::Finish(RecordedStep& step) {
  CompleteStep(step);
  const bool round = scalar_ == ScalarType::kFloat32;
  if (round) {
    RoundStates(step);
    RoundAll(step.violation);
    RoundAll(step.x0);
    RoundAll(step.x);
  }
  // The errors are those of the x that is in the file, with w not yet rounded.
  if (measure_ && !step.x.empty()) Measure(step);
  if (round) {
    RoundAll(step.w);
    RoundAll(step.v);
  }
}

void StepFinisher::AddVelocities(CapturedStep& step) {
  const Dynamics& dynamics = step.problem.dynamics();
  const auto velocities = static_cast<std::size_t>(dynamics.velocity_size());
  const bool want_w = step.w.empty();
  const bool want_v = step.v.empty() && velocities > 0;
  if (!want_w && !want_v) return;
  w_.resize(step.x.size());
  v_.resize(velocities);
  dynamics.Evaluate(step.x.data(), w_.data(), v_.data(), workspace_);
  if (want_w) step.w = w_;
  if (want_v) step.v = v_;
}

void StepFinisher::Measure(CapturedStep& step) {
  StepMeasures& known = step.measures;
  const bool want_energy = std::isnan(known.energy_error);
  const bool want_lu = std::isnan(known.total_error) || std::isnan(known.normal_error) ||
                       std::isnan(known.friction_error);
  AddVelocities(step);
  if (!want_energy && !want_lu) return;
  set_.Reset(step.problem, Law(), step.x0.empty() ? nullptr : step.x0.data());
  if (want_energy) {
    known.energy_error = MeasureEnergy(set_, FreeEnergy(set_), step.x.data(), step.w.data()).sum;
  }
  if (!want_lu) return;
  const LuErrors lu = MeasureLu(set_, step.x.data(), step.w.data());
  if (std::isnan(known.total_error)) known.total_error = lu.total;
  if (std::isnan(known.normal_error)) known.normal_error = lu.normal;
  if (std::isnan(known.friction_error)) known.friction_error = lu.friction();
}

}  // namespace nonsmooth
