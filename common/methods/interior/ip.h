// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "../../solver/timed_work.h"
#include "../sweep/nncg.h"
#include "cone_newton.h"
#include "cone_program.h"

namespace nonsmooth {

/// Of the iteration and, from probe_tau on, of where it starts. Fitted on recorded steps of walls
/// and piles under `ccp` and `ncp`, docs/tuning.md.
struct IpTuning {
  /// [-] How much longer a step Gondzio's correctors aim at.
  double reach = 0.3;

  /// [-] What the products of s and z may be, in units of their target.
  double least_product = 0.1;

  /// [-] And at the most.
  double most_product = 10;

  /// [-] A step that needs no corrector.
  double long_enough = 0.95;

  /// [-] How many times longer a step must have become for another corrector.
  double worth_another = 1.05;

  /// [-] Tried for a corrector.
  int weights = 8;

  /// [-] How many times longer a step must be for a smaller weight.
  double worth_it = 1.1;

  /// [-] Power of what the predictor leaves of the gap, the paper has 3.
  double centring = 4;

  /// [-] A step that hardly moves.
  double short_step = 0.02;

  /// [iterations] So many in a row, and the iterate is put back on the central path.
  int most_short_steps = 4;

  /// [iterations] The same where the least error has not fallen.
  int patience = 6;

  /// [-] Below this share of what it was.
  double progress = 0.7;

  /// [-] Before the method gives up.
  int restarts = 5;

  /// [iterations] Without De Saxcé's term in the matrix after a short step.
  int lagged = 3;

  /// [-] Centre on which the iteration begins after a probe.
  double probe_tau = 0.35;

  /// [-] Restarts from the best iterate, before another start is tried.
  int recentrings = 4;

  /// [-] Centre of the first of them.
  double restart_tau = 1e-3;

  /// [-] What it grows by from one to the next.
  double restart_growth = 4;

  /// [-] Size of s against that of an impulse, after a probe of a convex problem.
  double probe_balance = 0.17;

  /// [-] The same otherwise.
  double balance = 0.58;

  /// [-] And at the most.
  double most_balance = 1e3;
};

/// Where the iteration begins.
enum class IpStart {
  kCentral,   ///< on the central path, at the natural map of the start
  kAffine,    ///< Nocedal and Wright's, the paper's Eq. (21)
  kVelocity,  ///< D'Apuzzo et al.'s, Eq. (22)
  kProbe,     ///< as kCentral, after a few steps of projected gradient
};

/// What is taken from a start other than zero.
enum class IpWarmStart {
  kNothing,
  kVelocities,  ///< the paper's partial warm start
  kImpulses,    ///< velocities and impulses
};

struct IpOptions {
  IpStart start = IpStart::kProbe;
  IpWarmStart warm_start = IpWarmStart::kImpulses;

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
/// iterate that makes no headway is put back on the central path (a fallback), and handed on to
/// `nncg` where that has not helped (another).
class IpSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  IpOptions& options() { return options_; }

 private:
  void Start(const std::vector<double>& x, Monitor& monitor);
  void StartAt(IpStart start, Monitor& monitor);
  void Restart(int count, std::vector<double>& x, Monitor& monitor);
  void StartByAffineStep();
  void StartByVelocities();
  void Probe(Monitor& monitor);
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
  void HandOn(std::vector<double>& x, Monitor& monitor);

  IpOptions options_;
  IpTuning tuning_;
  const FeasibleSet* set_ = nullptr;
  ConeProgram program_;
  ConeNewton newton_;
  NncgSolver stand_in_;
  TimedWork iteration_;  ///< mostly a factorisation
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
