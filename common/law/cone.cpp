// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/law/cone.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;

double Norm(const double* y, int size) {
  // Not std::hypot: it is ten times as slow for the sake of numbers beyond 1e±154.
  return size == 2 ? std::sqrt(y[0] * y[0] + y[1] * y[1]) : std::abs(y[0]);
}

/// The sector of a k-gon that holds the direction (y₀, y₁): vertices at angles 2πi/k and 2π(i+1)/k.
struct Sector {
  double middle_x, middle_y;  ///< unit normal of the edge
  double half_angle;          ///< π / k
  int first;                  ///< its first vertex
};

Sector FindSector(int facets, const double* y) {
  const double width = 2 * kPi / facets;
  double index = std::floor(std::atan2(y[1], y[0]) / width);
  if (std::isnan(index)) index = 0;  // any sector: y itself carries the NaN on
  const double angle = (index + 0.5) * width;
  const int first = (static_cast<int>(index) + facets) % facets;
  return {std::cos(angle), std::sin(angle), 0.5 * width, first};
}

/// Derivative of ½ dist²(y, t · coefficient · set) with respect to t, negated; ≥ 0 and falling in
/// t.
double Pull(const FrictionPart& part, double t, const double* y) {
  if (part.facets == 0 || part.size == 1) {
    return part.coefficient * std::max(0.0, Norm(y, part.size) - part.coefficient * t);
  }
  if (t <= 0) {
    const double opposite[2] = {-y[0], -y[1]};
    return part.coefficient * SlidingSpeed(part, opposite);
  }
  double p[2] = {y[0], y[1]};
  ProjectOntoScaledSet(part, part.coefficient * t, p);
  return ((y[0] - p[0]) * p[0] + (y[1] - p[1]) * p[1]) / t;
}

}  // namespace

double SlidingSpeed(const FrictionPart& part, const double* w) {
  if (part.size == 0) return 0;
  if (part.facets == 0 || part.size == 1) return Norm(w, part.size);
  const double width = 2 * kPi / part.facets;
  // The vertex nearest to the direction of −w.
  const double angle = std::round(std::atan2(-w[1], -w[0]) / width) * width;
  return -(std::cos(angle) * w[0] + std::sin(angle) * w[1]);
}

double Gauge(const FrictionPart& part, const double* y) {
  if (part.size == 0) return 0;
  if (part.facets == 0 || part.size == 1) return Norm(y, part.size);
  const Sector s = FindSector(part.facets, y);
  return (s.middle_x * y[0] + s.middle_y * y[1]) / std::cos(s.half_angle);
}

VertexPair SplitOntoVertices(int facets, const double* y) {
  const Sector s = FindSector(facets, y);
  const double across = (s.middle_x * y[0] + s.middle_y * y[1]) / std::cos(s.half_angle);
  const double along = (-s.middle_y * y[0] + s.middle_x * y[1]) / std::sin(s.half_angle);
  return {s.first, {0.5 * (across - along), 0.5 * (across + along)}};
}

void ProjectOntoScaledSet(const FrictionPart& part, double radius, double* y) {
  if (part.facets == 0 || part.size == 1) {
    const double length = Norm(y, part.size);
    if (length <= radius) return;
    const double scale = radius / length;
    for (int k = 0; k < part.size; ++k) y[k] *= scale;
    return;
  }
  // By symmetry the nearest point lies in the sector of y: on the edge, or at one of its vertices.
  const Sector s = FindSector(part.facets, y);
  const double across = s.middle_x * y[0] + s.middle_y * y[1];
  const double along = -s.middle_y * y[0] + s.middle_x * y[1];
  const double apothem = radius * std::cos(s.half_angle);
  if (across <= apothem) return;
  const double half_edge = radius * std::sin(s.half_angle);
  const double clamped = std::clamp(along, -half_edge, half_edge);
  y[0] = s.middle_x * apothem - s.middle_y * clamped;
  y[1] = s.middle_y * apothem + s.middle_x * clamped;
}

void ProjectOntoCone(double mu, double normal_weight, double tangent_weight, int tangents,
                     double* y) {
  if (tangents == 0) {
    if (y[0] < 0) y[0] = 0;
    return;
  }
  const double length = Norm(y + 1, tangents);
  if (y[0] >= 0 && length <= mu * y[0]) return;  // μ = 0 makes the second alone hold for y_n < 0
  const double q = mu * tangent_weight / normal_weight;
  const double sum = y[0] + q * length;
  if (sum <= 0) {
    std::fill(y, y + 1 + tangents, 0.0);
    return;
  }
  y[0] = sum / (1 + mu * q);
  const double scale = length > 0 ? mu * y[0] / length : 0.0;
  for (int k = 1; k <= tangents; ++k) y[k] *= scale;
}

void ProjectOntoParts(double normal_weight, const FrictionPart* parts, int count, double* y) {
  // Find the root t = x_n of  a_n (t − y_n) − Σ a_k Pull_k(t), increasing in t.
  const auto slope_at = [&](double t) {
    double value = normal_weight * (t - y[0]);
    for (int k = 0; k < count; ++k) {
      if (parts[k].size > 0 && parts[k].weight > 0) {
        value -= parts[k].weight * Pull(parts[k], t, y + parts[k].offset);
      }
    }
    return value;
  };
  const double at_zero = slope_at(0);
  double t = std::isnan(at_zero) ? at_zero : 0.0;
  if (at_zero < 0) {
    // The pull falls with t, so the root lies between max(0, y_n) and where the pull at 0 leads.
    double low = std::max(0.0, y[0]);
    double high = -at_zero / normal_weight;
    double at_low = slope_at(low);
    double at_high = slope_at(high);
    t = at_low >= 0 ? low : high;
    // The function is piecewise linear for discs: regula falsi with the Illinois rule ends after a
    // few steps; the bound only guards against a stagnating last bit.
    for (int i = 0; i < 200 && at_low < 0 && at_high > 0; ++i) {
      t = low - at_low * (high - low) / (at_high - at_low);
      if (!(t > low && t < high)) break;
      const double value = slope_at(t);
      if (value == 0) break;
      if (value < 0) {
        low = t;
        at_low = value;
        at_high *= 0.5;
      } else {
        high = t;
        at_high = value;
        at_low *= 0.5;
      }
    }
  }
  y[0] = t;
  for (int k = 0; k < count; ++k) {
    if (parts[k].size > 0 && parts[k].weight > 0) {
      ProjectOntoScaledSet(parts[k], parts[k].coefficient * t, y + parts[k].offset);
    }
  }
}

}  // namespace nonsmooth
