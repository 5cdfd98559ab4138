// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/tree_root.h"

#include <cmath>
#include <cstddef>

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
  // R_ij = −Σ_k L_ik R_kj / L_ii over j ≤ k < i: from the left, for L_ij is not needed again.
  for (int i = 0; i < n; ++i) {
    double* of_i = row(i);
    const double inverse = 1 / of_i[i];
    for (int j = 0; j < i; ++j) {
      double sum = 0;
      for (int k = j; k < i; ++k) {
        if (of_i[k] != 0) sum += of_i[k] * row(k)[j];
      }
      of_i[j] = -inverse * sum;
    }
    of_i[i] = inverse;
  }
  return true;
}

}  // namespace nonsmooth
