// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nonsmooth {

/// Anderson's mixing of the iterates of a fixed-point map z ← g(z) (D. Anderson, J. ACM 12, 1965;
/// H. Walker, P. Ni, SIAM J. Numer. Anal. 49, 2011, Algorithm AA, type II): out of the last few
/// residuals f = g − z a combination of least norm is found, and the same combination of the g is
/// the next z. Once the active contacts stay the same the map is all but linear, and mixing does
/// for it what GMRES does for Richardson's iteration.
///
/// Guarded: where a mixed z has a residual `kTolerableRise` times that of the z before it, memory
/// is dropped and the plain g of the z before is the next iterate.
class Anderson {
 public:
  /// `memory` = 0: no mixing at all. Norms are Σ weight z². Reuses memory.
  void Prepare(const std::vector<double>& weights, int memory);

  /// Forgets all iterates: the map has changed.
  void Restart();

  /// z ← the next iterate, where g = g(z) of the z that comes in. True: it is z mixed; false:
  /// plain.
  bool Mix(const std::vector<double>& g, std::vector<double>& z);

  /// ‖g − z‖ of the last Mix().
  double residual() const { return residual_; }

 private:
  double Dot(const double* a, const double* b) const;
  double* Column(std::vector<double>& columns, int k) { return columns.data() + size_ * k; }

  const std::vector<double>* weights_ = nullptr;
  std::size_t size_ = 0;
  int memory_ = 0;
  int used_ = 0;
  int newest_ = 0;
  bool has_last_ = false;
  bool mixed_ = false;
  double residual_ = 0;
  double last_residual_ = 0;
  std::vector<double> f_;         ///< of the last iterate
  std::vector<double> g_;         ///< likewise
  std::vector<double> f_change_;  ///< columns: f_k+1 − f_k
  std::vector<double> g_change_;
  std::vector<double> gram_;  ///< products of the columns of f_change_
};

}  // namespace nonsmooth
