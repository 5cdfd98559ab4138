// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "../util/thread_team.h"
#include "dynamics.h"

namespace nonsmooth {

/// A rigid body in world axes, linear components before angular ones. A fixed or kinematic body has
/// zero inverse mass and inertia; its velocity still counts.
struct Body {
  std::array<double, 3> inverse_mass{};     ///< [1/kg] per axis, ≥ 0
  std::array<double, 9> inverse_inertia{};  ///< [1/(kg m²)], symmetric to 1e-5, row-major
  std::array<double, 6> velocity{};         ///< v [m/s, rad/s]
  std::array<double, 6> applied_impulse{};  ///< h f [N s, N m s]

  /// False for a body that no impulse moves.
  bool movable() const {
    const auto& m = inverse_mass;
    const auto& i = inverse_inertia;
    return m[0] != 0 || m[1] != 0 || m[2] != 0 || i[0] != 0 || i[4] != 0 || i[8] != 0 ||
           i[1] != 0 || i[2] != 0 || i[5] != 0;
  }
};

/// One row of J with its two 6-blocks: w = J_a v_a + J_b v_b + b₀ + c x.
struct TwoBodyRow {
  int body_a = -1;  ///< −1: none, its block counts for nothing
  int body_b = -1;
  std::array<double, 12> jacobian{};  ///< linear and angular part on a, then on b
  double bias = 0;        ///< b₀: stabilisation, restitution, motor speed [m/s or rad/s]
  double compliance = 0;  ///< c, diagonal of C, ≥ 0 [1/kg or 1/(kg m²)]
};

/// Rigid bodies and rows that touch at most two of them: what engines mostly pose. M⁻¹ is applied
/// body by body; A is never formed unless asked for.
class TwoBodyDynamics final : public Dynamics {
 public:
  /// Throws std::invalid_argument naming field, index and rule.
  TwoBodyDynamics(std::vector<Body> bodies, std::vector<TwoBodyRow> rows);

  /// For an engine that knows b rather than b₀: `bias` of the rows is b = J v_free + b₀, and
  /// becomes b₀ here, rounded to a float if `in_float`. Otherwise as the constructor.
  static std::shared_ptr<TwoBodyDynamics> FromFreeBias(std::vector<Body> bodies,
                                                       std::vector<TwoBodyRow> rows, bool in_float);

  /// As given, but with their inertia symmetric to the bit.
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<TwoBodyRow>& body_rows() const { return rows_; }

  /// Hands bodies and rows back for their memory to be used again, and is without any afterwards:
  /// for whoever made the object and knows that nobody else still looks at it.
  void TakeApart(std::vector<Body>* bodies, std::vector<TwoBodyRow>* rows);

  double Compliance(int row) const override { return rows_[row].compliance; }
  int velocity_size() const override { return 6 * static_cast<int>(bodies_.size()); }
  void Multiply(const double* x, double* y, OperatorWorkspace& workspace) const override;
  void DiagonalBlock(int first, int size, double* block) const override;
  void FreeVelocity(double* v) const override;
  double FreeKineticEnergy() const override;
  void Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace) const override;

  /// The same, to the bit, on several threads.
  void Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace,
                ThreadTeam& team, int threads) const;

 private:
  friend class ProblemPart;
  enum class Bias { kOwn, kFree, kFreeInFloat };
  TwoBodyDynamics(std::vector<Body> bodies, std::vector<TwoBodyRow> rows, Bias given);
  TwoBodyDynamics() = default;
  void Assemble(CsrMatrix& matrix) const override;
  double Couple(const TwoBodyRow& left, const TwoBodyRow& right) const;
  double RowVelocity(const TwoBodyRow& row, const double* v) const;
  void AddImpulses(const double* x, double* impulse) const;
  void MoveBodies(const double* x, OperatorWorkspace& workspace) const;
  void MultiplyRows(const double* x, double* y, const OperatorWorkspace& workspace,
                    std::size_t first, std::size_t last) const;
  void AddMassInverseTimes(const double* impulse, double* v) const;

  std::vector<Body> bodies_;
  std::vector<TwoBodyRow> rows_;
};

}  // namespace nonsmooth
