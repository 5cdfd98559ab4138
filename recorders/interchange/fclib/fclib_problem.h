// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../../../common/problem/csr_matrix.h"

namespace nonsmooth {

/// Which group of an FCLIB file: only A and b, or masses and Jacobians too.
enum class FclibKind { kLocal, kGlobal };

/// How FCLIB stores a sparse matrix; its field `nz` is ≥ 0, −1 and −2 in this order.
enum class FclibStorage { kTriplets, kCompressedColumns, kCompressedRows };

/// A matrix as it stands in a file. Triplets: `p` holds columns and `i` rows, as CSparse has it and
/// as all published files do.
struct FclibMatrix {
  int rows = 0;
  int columns = 0;
  FclibStorage storage = FclibStorage::kCompressedRows;
  std::vector<int> p;
  std::vector<int> i;
  std::vector<double> x;
};

/// One entry of /solution or /guesses; vectors that a file does not have are empty.
struct FclibSolution {
  std::vector<double> v;   ///< velocities, global problems only
  std::vector<double> u;   ///< relative velocities at the contacts
  std::vector<double> r;   ///< impulses at the contacts
  std::vector<double> l;   ///< multipliers of the equalities, if any
  bool unwritten = false;  ///< r was declared in the file but its data never written
};

/// One problem in FCLIB's own terms. The fields carry the names they have in the file:
///
///     local:   u = W r + V l + q,   Vᵀ r + R l + s = 0
///     global:  M v = H r + G l + f, Gᵀ v + b = 0,  u = Hᵀ v + w
///     both:    K* ∋ u + μ‖u_T‖ e_N ⊥ r ∈ K, exact Coulomb friction, normal first
struct FclibProblem {
  FclibKind kind = FclibKind::kLocal;
  int spacedim = 3;         ///< rows of one contact, 2 or 3
  bool equalities = false;  ///< V, R, s or G, b are there

  FclibMatrix W, V, R;
  std::vector<double> q, s;

  FclibMatrix M, H, G;
  std::vector<double> f, w, b;

  std::vector<double> mu;  ///< one a contact

  std::string title;
  std::string description;
  std::string math_info;

  bool has_solution = false;
  FclibSolution solution;
  std::vector<FclibSolution> guesses;
};

/// The same matrix by rows. Throws std::invalid_argument naming `what`, the entry and the rule if
/// the parts are inconsistent. Entries at one place are added; explicit zeros are kept.
CsrMatrix ToCsr(const char* what, const FclibMatrix& matrix);

FclibMatrix FromCsr(const CsrMatrix& matrix, FclibStorage storage);

}  // namespace nonsmooth
