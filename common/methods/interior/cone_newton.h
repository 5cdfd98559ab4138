// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/regularised_system.h"
#include "cone_program.h"

namespace nonsmooth {

/// A direction in the unknowns of a ConeProgram.
struct ConeStep {
  std::vector<double> x;  ///< Δx̂
  std::vector<double> s;  ///< Δs
  std::vector<double> z;  ///< Δz

  void Resize(const ConeProgram& program);

  /// this ← this + factor · other.
  void Add(double factor, const ConeStep& other);
};

/// The linear system of an interior-point step at a pair (s, z) inside the cones, in the notation
/// of cone_program.h and nt_scaling.h:
///
///     Â Δx − P Gᵀ Δz = −r_x,   P = I − e_n (∂σ/∂w)ᵀ,
///     G Δx − Δs = −r_s,
///     W Δz + W⁻¹ Δs = ρ,
///
/// which is (Â + P GᵀW⁻²G) Δx = P GᵀW⁻¹(ρ − W⁻¹ r_s) − r_x, solved by RegularisedSystem with a
/// proximal term δ on G and on rows without a cone that is taken back by refinement.
class ConeNewton {
 public:
  /// `program` is that of `set`; both outlive the use of this object.
  void Prepare(const FeasibleSet& set, const ConeProgram& program, double proximal);

  /// Scales by s and z and factorises; pairs on the boundary by rounding are moved inside. P from
  /// `gradient`, ∂σ/∂w row by row, which has to stay as it is, or P = I if null. False if a pair is
  /// outside or a pivot singular.
  bool Factorise(std::vector<double>& s, std::vector<double>& z,
                 const std::vector<double>* gradient);

  /// Multiplications of a factorisation, about.
  double work() const { return system_.work(); }

  /// Solves for the step; `r_x` and `r_s` may be null for zero. With the form kVelocities a solve
  /// costs little beside the factorisation.
  void Solve(const std::vector<double>* r_x, const std::vector<double>* r_s,
             const std::vector<double>& rho, ConeStep* step);

  /// W z = W⁻¹ s.
  const std::vector<double>& lambda() const { return lambda_; }
  const NtScaling& scaling(std::size_t cone) const { return scalings_[cone]; }

 private:
  void FillBlock(int g);
  void FillRoot(int g);
  void FillRootByQr(int g, double* root) const;
  void ToRows(const std::vector<double>& components, double* rows) const;
  void TimesMatrix(const double* dx, double* out);

  const ConeProgram* program_ = nullptr;
  const Dynamics* dynamics_ = nullptr;
  const std::vector<double>* gradient_ = nullptr;
  double proximal_ = 0;
  RegularisedSystem system_;
  OperatorWorkspace workspace_;
  std::vector<char> free_;  ///< rows without a cone
  std::vector<NtScaling> scalings_;
  std::vector<double> lambda_;
  std::vector<double> blocks_, right_blocks_;
  std::vector<double> right_, residual_, update_, rows_a_, rows_b_, components_;
};

}  // namespace nonsmooth
