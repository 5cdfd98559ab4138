// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../solver/solver.h"
#include "cone_program.h"
#include "regularised_system.h"

namespace nonsmooth {

struct IpOptions {
  /// 0: on the central path at the natural map of the start; 1: Nocedal and Wright's, the paper's
  /// Eq. (21); 2: D'Apuzzo et al.'s, Eq. (22).
  int start = 2;

  /// What is taken from a start other than zero. 0: nothing; 1: the velocities, the paper's partial
  /// warm start; 2: velocities and impulses.
  int warm_start = 2;

  /// De Saxcé's term in the Newton matrix, which is unsymmetric then. Off, the term is taken from
  /// the iterate before: half the cost, linear convergence, and none for strong friction.
  bool newton_shift = true;

  /// [-] Share of the way to the boundary that a step may take at the least; it grows to 1 as the
  /// gap closes, the paper's Eq. (17).
  double step_fraction = 0.9;

  /// [1] Proximal term on equality rows in units of A's diagonal: lets redundant joints be. What it
  /// changes is taken back by refinement.
  double proximal = 1e-8;
};

/// Primal-dual interior point method: D. Mangoni, A. Tasora, "Solving unilateral contact problems
/// in multibody dynamics using a primal-dual interior point method", with Mehrotra's predictor and
/// corrector, Eqs. (6)–(20), compliance as in Eq. (39), carried over to friction cones by
/// Nesterov–Todd scaling (nt_scaling.h) and to Coulomb's law by De Saxcé's term in every iteration
/// (V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, "Second-order cone programming for frictional
/// contact mechanics using interior point algorithm", Optim. Methods Softw. 2024, for the convex
/// problem). In the notation of cone_program.h a step solves
///
///     Â Δx − P Gᵀ Δz = −r_x,   r_x = ŵ + σ e_n − Gᵀ z,   P = I − e_n (∂σ/∂w)ᵀ,
///     G Δx − Δs = −r_s,        r_s = G x̂ − h − s,
///     W Δz + W⁻¹ Δs = ρ,       ρ = −λ, then λ⁻¹∘(σ_c μ e − λ∘λ − W⁻¹Δs∘WΔz),
///
/// which is (Â + P GᵀW⁻²G) Δx = …, solved by RegularisedSystem.
///
/// Deviations: η = f + (1 − f) exp(−0.1 μ) (Eq. (17) prints a number above 1) with μ in units of
/// the free energy; the predictor's η is 1; the unknowns are impulses, velocities are eliminated;
/// both steps have the same length, without which Eq. (19) leaves a residual; an iterate that makes
/// no headway is put back on the central path (a fallback).
class IpSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  IpOptions& options() { return options_; }

 private:
  void Start(const std::vector<double>& x);
  void StartAt(int which);
  void Centre(double tau);
  void StartByAffineStep();
  void StartByVelocities();
  void Evaluate(std::vector<double>& x);
  void Residuals();
  double Gap() const;
  double NaturalResidual();
  bool Factorise();
  void FillBlock(int g);
  void FillRoot(int g);
  void FillRootByQr(int g, double* root) const;
  void Direction(const std::vector<double>& rho);
  void Predict();
  void AddShiftCurvature(double affine);
  void Correct(double affine, double centring);
  double Longest(double most) const;
  void TimesMatrix(const double* dx, double* out);
  void ToRows(const std::vector<double>& components, double* rows);
  bool Advance(Monitor& monitor, double* length);

  IpOptions options_;
  const FeasibleSet* set_ = nullptr;
  ConeProgram program_;
  RegularisedSystem system_;
  OperatorWorkspace workspace_;
  bool unsymmetric_ = false;  ///< De Saxcé's term is in the matrix …
  double shift_weight_ = 1;   ///< … with this weight

  std::vector<double> x_, w_;           ///< x̂, ŵ
  std::vector<double> w_rows_;          ///< w as the problem has it
  std::vector<double> s_, z_, lambda_;  ///< slack, multiplier, both scaled
  std::vector<double> r_x_, r_s_;
  std::vector<double> dx_, ds_, dz_, rho_;
  std::vector<char> free_;        ///< rows without a cone
  std::vector<double> gradient_;  ///< ∂σ/∂w, row by row
  std::vector<double> gz_;        ///< Gᵀ z
  std::vector<NtScaling> scalings_;
  std::vector<double> blocks_, right_blocks_;
  std::vector<double> rows_a_, rows_b_, rows_c_, components_;
};

}  // namespace nonsmooth
