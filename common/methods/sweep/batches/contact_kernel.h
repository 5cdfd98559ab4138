// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonsmooth {

inline constexpr int kBatch = 8;  ///< contacts in a batch: lanes of AVX-512 in double precision
inline constexpr int kBodyRecord = 8;  ///< doubles per body, six used: one cache line each

/// Eight contacts that share no movable body, field by field.
///
/// Both the bodies and the rows are scaled until every mass is 1. With M⁻¹ = L Lᵀ body by body and
/// the weights a of the energy error, the kernel works on
///
///     x̂ = √a x,   ŵ = w / √a,   Ĵ = J L / √a,   z = Ĵᵀ x̂,   ŵ = Ĵ z + b̂,
///
/// so that an impulse Δ changes z by ĴᵀΔ, the friction cone keeps its shape with
/// μ̂ = μ √(a_t/a_n), its projection is the Euclidean one and the energy error is ½‖r̂‖². Missing
/// tangents and unused lanes are rows of zeros.
///
/// The linear part of a contact's row on one body is the negative of that on the other; with the
/// scalar mass of a rigid body both are multiples of one direction: 288 bytes a contact, and 24
/// for x̂, which is kept apart. What a sweep over the normals alone reads stands together.
struct alignas(64) ContactBatch {
  struct Row {
    double direction[3][kBatch];  ///< linear part of the row, over √a
    double angular_a[3][kBatch];  ///< angular part of Ĵ on a …
    double angular_b[3][kBatch];  ///< … and on b
    double bias[kBatch];          ///< b̂
  };
  Row normal;
  double mass_a[kBatch];  ///< ±√(1/m): the linear part of Ĵ is this times `direction`
  double mass_b[kBatch];
  std::int32_t body_a[kBatch];  ///< index of a record of z
  std::int32_t body_b[kBatch];
  Row tangent[2];
  double friction[2][kBatch];  ///< μ̂ of both tangents; law `box`: their constant bounds on x̂
  double step[kBatch];         ///< 1/κ of gauss_seidel.h; cones only

  const Row& row(int r) const { return r == 0 ? normal : tangent[r - 1]; }
  Row& row(int r) { return r == 0 ? normal : tangent[r - 1]; }
};

enum class BatchLaw { kCcp, kNcp, kCoupledBox, kBox };

/// Contacts under a cone take one step for all their rows.
constexpr bool IsCone(BatchLaw law) { return law == BatchLaw::kCcp || law == BatchLaw::kNcp; }

/// Which rows a pass relaxes: of cones always all. The tangents take their bounds from the normals
/// as they are.
enum class BatchRows { kAll, kNormals, kTangents };

/// Doubles of x̂ per batch: field by field like the rest, [normal and tangents][kBatch].
inline constexpr int kBatchRows = 3 * kBatch;

/// 1/κ of gauss_seidel.h for all lanes: the Gram matrix of the scaled rows, bounded by Gershgorin's
/// circles.
void FillStepSizes(ContactBatch* batches, int count);

/// One Gauss–Seidel pass over `count` batches in order (or backwards), on the widest vectors that
/// the processor has. x has kBatchRows doubles a batch and z kBodyRecord doubles a body, both
/// aligned to 64 bytes.
void SweepBatches(BatchLaw law, BatchRows rows, double relaxation, bool backwards,
                  const ContactBatch* batches, int count, double* x, double* z);

/// Σ ½ r̂² over the batches [J], with z = Ĵᵀ x̂ at hand; NaN where anything is not a number.
double BatchEnergy(BatchLaw law, const ContactBatch* batches, int count, const double* x,
                   const double* z);

/// z += Ĵᵀ x̂.
void AddBatchImpulses(const ContactBatch* batches, int count, const double* x, double* z);

/// x ← x + β (x − before) and before ← x.
void Extrapolate(double beta, std::size_t size, double* before, double* x);

/// Name of the instruction set in use, for reports: "AVX3", "AVX2", "SSE4", …
const char* KernelTarget();

}  // namespace nonsmooth
