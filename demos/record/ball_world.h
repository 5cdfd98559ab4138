// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/problem/problem_builder.h"
#include "recorders/capture/captured_step.h"

namespace nonsmooth {

struct BallWorldOptions {
  double h = 0.01;               ///< [s]
  double friction = 0.5;         ///< [-]
  double rolling_friction = 0;   ///< [m]
  double spinning_friction = 0;  ///< [m]
  Law law{LawKind::kNcp, 0};     ///< of the contacts
  double half_width = 0;         ///< [m] from the origin to the four walls; 0: no walls
  bool float32 = false;          ///< pose problems whose numbers are all float32
};

/// Balls over flat ground, stepped in time without an engine: enough of a simulation to record.
/// z is up; joints and motors turn with the balls they hold.
class BallWorld {
 public:
  explicit BallWorld(const BallWorldOptions& options) : options_(options) {}

  /// Returns the ball's index.
  int AddBall(double mass, double radius, const Vector3& position);

  /// Holds the point `anchor` [m, world] of ball `a` and of ball `b` together; a = −1: the world.
  void AddJoint(int a, int b, const Vector3& anchor);

  /// Turns ball `b` about the vertical at `speed` [rad/s], with at most `torque` [N m].
  void AddMotor(int b, double speed, double torque);

  std::array<double, 6>& velocity(int ball) { return balls_[ball].velocity; }

  /// The problem of the next step with all that is known before it is solved. Penetrations and
  /// joint errors are taken back by a fifth a step; contacts open by less than 1 cm take part.
  CapturedStep Pose() const;

  /// Takes the velocities that solve Pose() and moves on by one step.
  void Advance(const std::vector<double>& v);

 private:
  struct Ball {
    double mass = 0;
    double radius = 0;
    Vector3 position{};
    std::array<double, 4> quaternion{1, 0, 0, 0};
    std::array<double, 6> velocity{};
  };
  struct Joint {
    int a = -1;
    int b = -1;
    Vector3 arm_a{};  ///< in a's own axes; of the world: the anchor itself
    Vector3 arm_b{};
  };
  struct Motor {
    int b = -1;
    double speed = 0;
    double torque = 0;
  };

  void PoseJoints(ProblemBuilder* builder, CapturedStep* step) const;
  void PoseContacts(ProblemBuilder* builder, CapturedStep* step) const;
  void Touch(int a, int b, std::uint64_t key, const Vector3& point, const Vector3& normal,
             double gap, ProblemBuilder* builder, CapturedStep* step) const;
  Vector3 Centre(int body) const;

  BallWorldOptions options_;
  std::vector<Ball> balls_;
  std::vector<Joint> joints_;
  std::vector<Motor> motors_;
  std::int64_t steps_ = 0;
};

}  // namespace nonsmooth
