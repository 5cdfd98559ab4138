// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "impulse_response.h"

namespace nonsmooth {

/// Of the adaptive factor, docs/tuning.md.
struct ProxTuning {
  /// [-] What a contact's factor grows by while its steps shrink.
  double growth = 1.05;

  /// [-] What it is multiplied with where they grow.
  double cut = 0.7;

  /// [-] Bounds of the factor. A row by itself converges below 2, and nothing is gained near it.
  double least_factor = 0.3;

  /// [-] The upper one.
  double most_factor = 1.5;
};

/// How the factors r are chosen.
enum class ProxStrategy {
  kGlobal,    ///< one for all rows, 1 / max λ_max(A_gg)
  kLocal,     ///< one for each part of a contact, 1 / λ_max of its own block
  kAdaptive,  ///< local, times a factor per contact that grows while the contact's steps shrink
              ///< and is cut when they grow
};

struct ProxOptions {
  ProxStrategy strategy = ProxStrategy::kAdaptive;

  /// [sweeps] Over the normals alone, without friction, before a start from zero: Lu et al. begin
  /// with the frictionless solution.
  int normal_sweeps = 10;
};

/// The fixed point of prox functions, normal and friction in turn: Y. Lu, J. Williams, J. Trinkle,
/// C. Lacoursière, "A framework for problem standardization and algorithm comparison in multibody
/// system", Eq. 15 and Sect. "NCP solver", solved in a Gauss–Seidel manner contact by contact:
///
///     x_n ← prox_{≥ 0}(x_n − r_n w_n),   x_t ← prox_{μ x_n · disc}(x_t − r_t w_t),
///
/// r by the strategies of M. Förg, T. Geier, L. Neumann, H. Ulbrich, "R-factor strategies for the
/// augmented Lagrangian approach in multi-body contact mechanics", ECCM 2006. Coulomb's law without
/// De Saxcé's term: the disc is that of the normal impulse just found.
///
/// Deviations: the frictionless start is a few sweeps instead of a quadratic program; the adaptive
/// factor is kept per contact and bounded.
class ProxSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

 private:
  struct Group {
    int block;      ///< of A_gg in blocks_, row-major
    double factor;  ///< the adaptive one
    double last;    ///< squared length of the last change, in the metric of the weights
  };

  void ChooseFactors(int g);
  void Relax(int g, const double* w, bool normals_only, double* x);
  template <class Response>
  void Sweep(Response& response, bool normals_only, std::vector<double>& x, Monitor& monitor);
  template <class Response>
  void Iterate(Response& response, std::vector<double>& x, Monitor& monitor);

  ProxOptions options_;
  ProxTuning tuning_;
  const FeasibleSet* set_ = nullptr;
  bool packed_ = false;
  MatrixResponse matrix_;
  BodyResponse bodies_;
  std::vector<Group> groups_;
  std::vector<double> blocks_;
  std::vector<double> r_;
};

}  // namespace nonsmooth
