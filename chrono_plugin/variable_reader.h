// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../common/problem/two_body_dynamics.h"
#include "alignment.h"

namespace chrono {
class ChSystemDescriptor;
class ChVariables;
}  // namespace chrono

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// The active variables of a descriptor, and each as a body of the packed form where it fits one.
///
/// A body has six velocities and a mass that couples the last three of them only. Rigid bodies are
/// that; shafts, nodes, and the variables that motors carry along have fewer velocities and leave
/// the others of theirs at rest, without mass to move them. Such variables start at the first
/// component of a body, or, where their mass is full, at the fourth.
class VariableReader {
 public:
  static constexpr int kBodySize = 6;

  /// Collects what is active, numbered as the descriptor numbers it.
  void Collect(::chrono::ChSystemDescriptor& descriptor);

  /// bodies ← all variables, masses multiplied by `mass_factor`. False: one of them fits no body.
  bool ReadBodies(double mass_factor, std::vector<Body>& bodies);

  /// In the descriptor's order.
  const std::vector<::chrono::ChVariables*>& all() const { return all_; }

  /// Velocities of the descriptor's vectors.
  int velocities() const { return velocities_; }

  /// Index of an active variable; nonsense where it is not in the descriptor.
  int IndexOf(const ::chrono::ChVariables& variables) const;

  /// block ← the half row on `variables`, and returns their body; −1 if they are switched off.
  int ReadBlock(const ::chrono::ChVariables* variables, const double* jacobian,
                double* block) const;

  /// Where the velocities of variable i start: in those of the packed form or in the descriptor's.
  int FirstVelocity(int i, bool packed) const;

  /// Velocities as they stand in the descriptor ↔ v of the problem.
  void ReadStates(bool packed, std::vector<double>& v) const;
  void WriteStates(bool packed, const std::vector<double>& v) const;

 private:
  bool ReadOther(int i, double scale, Body& body);

  std::vector<::chrono::ChVariables*> all_;
  int velocities_ = 0;
  bool only_bodies_ = true;
  // Unless there are only bodies:
  std::vector<int> index_;                      ///< by offset in the descriptor's vectors
  std::vector<unsigned char> first_component_;  ///< by index
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
