// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/tree_root.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace nonsmooth {

bool TreeRoot(int n, double* matrix) {
  const auto row = [=](int i) { return matrix + static_cast<std::ptrdiff_t>(n) * i; };
  // L from the last row up: every row is subtracted from those above it, where it has entries.
  for (int k = n - 1; k >= 0; --k) {
    double* of_k = row(k);
    if (!(of_k[k] > 0)) return false;
    const double pivot = std::sqrt(of_k[k]);
    for (int j = 0; j < k; ++j) of_k[j] /= pivot;
    of_k[k] = pivot;
    for (int i = 0; i < k; ++i) {
      if (of_k[i] == 0) continue;
      double* of_i = row(i);
      for (int j = 0; j <= i; ++j) of_i[j] -= of_k[i] * of_k[j];
    }
  }
  // R_i = (e_i − Σ_k L_ik R_k) / L_ii, whole rows at a time.
  std::vector<double> sum(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    double* of_i = row(i);
    std::fill_n(sum.begin(), i, 0.0);
    for (int k = 0; k < i; ++k) {
      if (of_i[k] == 0) continue;
      const double* of_k = row(k);
      for (int j = 0; j <= k; ++j) sum[j] += of_i[k] * of_k[j];
    }
    const double inverse = 1 / of_i[i];
    for (int j = 0; j < i; ++j) of_i[j] = -inverse * sum[j];
    of_i[i] = inverse;
  }
  return true;
}

}  // namespace nonsmooth
