// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "cone_newton.h"
#include "cone_program.h"

namespace nonsmooth {

struct IpOptions {
  /// 0: on the central path at the natural map of the start; 1: Nocedal and Wright's, the paper's
  /// Eq. (21); 2: D'Apuzzo et al.'s, Eq. (22); 3: as 0, after a few steps of projected gradient.
  int start = 3;

  /// What is taken from a start other than zero. 0: nothing; 1: the velocities, the paper's partial
  /// warm start; 2: velocities and impulses.
  int warm_start = 2;

  /// De Saxcé's term in the Newton matrix, which is unsymmetric then. Off, the term is taken from
  /// the iterate before: half the cost, linear convergence, and none for strong friction.
  bool newton_shift = true;

  /// [-] Share of the way to the boundary that a step may take at the least; it grows to 1 as the
  /// gap closes, the paper's Eq. (17).
  double step_fraction = 0.9;

  /// Gondzio's correctors at the most in an iteration. Each costs a solve with the factors there
  /// are, and is only tried while the last one has made the step longer.
  int correctors = 3;

  /// [1] Proximal term on cones and equality rows in units of A's diagonal: lets redundant contacts
  /// and joints be; a hundred times as much where the system is solved on the velocities. It slows
  /// down directions in which A is smaller than it, and leaves the solution as it is.
  double proximal = 1e-8;
};

/// Primal-dual interior point method: D. Mangoni, A. Tasora, "Solving unilateral contact problems
/// in multibody dynamics using a primal-dual interior point method", with Mehrotra's predictor and
/// corrector, Eqs. (6)–(20), compliance as in Eq. (39), carried over to friction cones by
/// Nesterov–Todd scaling (nt_scaling.h) and to Coulomb's law by De Saxcé's term in every iteration
/// (V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, "Second-order cone programming for frictional
/// contact mechanics using interior point algorithm", Optim. Methods Softw. 2024, for the convex
/// problem). In the notation of cone_program.h a step solves the system of cone_newton.h with
///
///     r_x = ŵ + σ e_n − Gᵀ z,   r_s = G x̂ − h − s,
///     ρ = −λ, then in addition λ⁻¹∘(σ_c μ e − W⁻¹Δs∘WΔz).
///
/// Deviations: η = f + (1 − f) exp(−0.1 μ) (Eq. (17) prints a number above 1) with μ in units of
/// the free energy; the predictor's η is 1; σ_c is the fourth power where Eq. (14) has the third;
/// correctors are weighted, and Gondzio's are added; the unknowns are impulses, velocities are
/// eliminated; both steps have the same length, without which Eq. (19) leaves a residual; an
/// iterate that makes no headway is put back on the central path (a fallback).
class IpSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  IpOptions& options() { return options_; }

 private:
  void Start(const std::vector<double>& x);
  void StartAt(int which);
  void Restart(int count, const std::vector<double>& best, std::vector<double>& x);
  void StartByAffineStep();
  void StartByVelocities();
  void Probe();
  double Balance(double share) const;
  void FromRows();
  void Centre(double tau, double balance);
  double NaturalResidual(double balance);

  void Evaluate(std::vector<double>& x);
  void Residuals();
  double Gap() const;
  double GapAfter(double length) const;
  double Longest(double most, double weight) const;
  bool Factorise();
  void Predict();
  void Correct(double affine, double centring);
  void CorrectCentrality(double target, double length);
  double AddWeighted(double least);
  void ShiftCurvature(double affine);
  bool Advance(Monitor& monitor, double* length);

  IpOptions options_;
  const FeasibleSet* set_ = nullptr;
  ConeProgram program_;
  ConeNewton newton_;
  OperatorWorkspace workspace_;
  bool unsymmetric_ = false;  ///< De Saxcé's term is in the matrix …
  double shift_weight_ = 1;   ///< … with this weight

  std::vector<double> x_, w_;   ///< x̂, ŵ
  std::vector<double> w_rows_;  ///< w as the problem has it
  std::vector<double> s_, z_;   ///< slack, multiplier
  std::vector<double> r_x_, r_s_, rho_;
  ConeStep step_, correction_;
  std::vector<double> gradient_;   ///< ∂σ/∂w, row by row
  std::vector<double> curvature_;  ///< of De Saxcé's term along the predictor
  std::vector<double> rows_a_, rows_b_, components_;
};

}  // namespace nonsmooth
