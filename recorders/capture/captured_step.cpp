// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/capture/captured_step.h"

#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"
#include "recorders/capture/capture_info.h"

namespace nonsmooth {
namespace {

void RequireEmptyOr(const char* field, std::size_t actual, std::size_t expected) {
  Require(actual == 0 || actual == expected, "captured step: ", field, " has ", actual,
          " entries, expected ", expected, " or none");
}

}  // namespace

void CheckSizes(const CapturedStep& step) {
  const auto rows = static_cast<std::size_t>(step.problem.rows());
  const Dynamics* dynamics = step.problem.shared_dynamics().get();
  const auto velocities =
      static_cast<std::size_t>(dynamics == nullptr ? 0 : dynamics->velocity_size());
  RequireEmptyOr("violation", step.violation.size(), rows);
  RequireEmptyOr("x0", step.x0.size(), rows);
  RequireEmptyOr("x", step.x.size(), rows);
  RequireEmptyOr("w", step.w.size(), rows);
  RequireEmptyOr("v", step.v.size(), velocities);
  RequireEmptyOr("contacts", step.contacts.size(),
                 static_cast<std::size_t>(step.problem.contacts()));
  const auto* two_body = dynamic_cast<const TwoBodyDynamics*>(dynamics);
  const std::size_t bodies = two_body != nullptr ? two_body->bodies().size() : step.bodies.size();
  if (two_body != nullptr) RequireEmptyOr("bodies", step.bodies.size(), bodies);
  if (bodies == 0) return;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    for (std::int32_t body : step.contacts[i].pair) {
      Require(body >= -1 && body < static_cast<std::int64_t>(bodies), "captured step: contact ", i,
              " is between body ", body, " and another; there are ", bodies);
    }
  }
}

std::string_view ToString(ScalarType scalar) {
  return scalar == ScalarType::kFloat32 ? "float32" : "float64";
}

std::string_view ToString(DynamicsForm form) {
  switch (form) {
    case DynamicsForm::kNone:
      return "none";
    case DynamicsForm::kTwoBody:
      return "two_body";
    case DynamicsForm::kSparse:
      return "sparse";
    case DynamicsForm::kMatrix:
      return "matrix";
    case DynamicsForm::kArticulated:
      return "articulated";
  }
  return "unknown";
}

}  // namespace nonsmooth
