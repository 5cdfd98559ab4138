// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// Projections onto the sets that friction laws are made of. They are taken in a weighted metric
/// Σ a_i (x_i − y_i)², because impulses along the rows of one contact have different effective
/// masses and, with rolling friction, different units. A NaN stays one: nothing that has overflowed
/// may look like a feasible impulse.

/// One part of a contact beside its normal: `size` rows (1 or 2) bounded by coefficient · x_n.
struct FrictionPart {
  int offset = 0;          ///< of its first row, counted from the normal row
  int size = 0;            ///< 1 or 2; 0: no such part
  double coefficient = 0;  ///< μ [-], μ_s or μ_r [m]
  int facets = 0;          ///< 0: disc (for one row, an interval); k ≥ 3: regular k-gon
  double weight = 0;       ///< a of its rows, the same for both
};

/// Support function of the unit disc or k-gon at −w: max over d in it of −d·w. It is De Saxcé's
/// ‖w_t‖ for the disc and the sliding speed s of Lu et al., Eq. 10, for the k-gon.
double SlidingSpeed(const FrictionPart& part, const double* w);

/// Gauge of the unit disc or k-gon: the smallest ρ ≥ 0 with y in ρ · set, dual to SlidingSpeed():
/// y·w + Gauge(y) SlidingSpeed(w) ≥ 0 for all y and w.
double Gauge(const FrictionPart& part, const double* y);

/// A point of the plane as a combination of two neighbouring vertices d_i of the unit k-gon,
/// y = α_i d_i + α_i+1 d_i+1 with the least Σα = Gauge(y): Lu et al., Eqs. 8 and 9.
struct VertexPair {
  int first = 0;             ///< i, counted from 0; its neighbour is (i + 1) mod k
  double alpha[2] = {0, 0};  ///< ≥ 0 up to rounding
};
VertexPair SplitOntoVertices(int facets, const double* y);

/// y ← the nearest point with y in radius · (disc or k-gon); radius ≥ 0.
void ProjectOntoScaledSet(const FrictionPart& part, double radius, double* y);

/// (y_n, y_t) ← Π onto {‖y_t‖ ≤ μ y_n} in the metric diag(a_n, a_t, a_t). Closed form: with
/// q = μ a_t / a_n the boundary case is x_n = (y_n + q‖y_t‖) / (1 + μ q), and the apex is reached
/// from the polar cone y_n + q‖y_t‖ ≤ 0.
void ProjectOntoCone(double mu, double normal_weight, double tangent_weight, int tangents,
                     double* y);

/// y ← Π onto {y_n ≥ 0, y_k ∈ coefficient_k · y_n · set_k for all parts}. One scalar equation for
/// y_n, monotone and piecewise smooth, solved to rounding; parts of weight 0 are left alone.
void ProjectOntoParts(double normal_weight, const FrictionPart* parts, int count, double* y);

}  // namespace nonsmooth
