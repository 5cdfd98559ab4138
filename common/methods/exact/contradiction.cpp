// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/contradiction.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

/// Of bᵀy: what A y may do at x.
constexpr double kMoves = 0.01;

/// yᵀA y / ‖y‖² that counts as nothing, A scaled to a diagonal of 1. Rows that an engine has
/// computed in float and that are redundant come to 1e-14, a mass ratio of a million to 1e-6.
constexpr double kNothing = 1e-9;

}  // namespace

void Contradiction::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  y_.assign(layout.size(), 0.0);
  moved_.assign(layout.size(), 0.0);
}

/// A contact may be pushed and rubbed within its cone.
void Contradiction::ProjectContact(const UnitFamily& f, int i) {
  const bool rows = f.kind == UnitKind::kBox2 || f.kind == UnitKind::kBox5;
  const bool proves = rows || (layout_->shift()[f.first + i] == 0 && f.kind == UnitKind::kDisc);
  double& normal = y_[f.first + i];
  normal = proves ? std::max(0.0, normal) : 0.0;
  double square = 0;
  for (int r = 1; r < f.rows; ++r) {
    double& tangent = y_[f.first + r * f.stride + i];
    if (!proves || rows) tangent = 0;
    square += tangent * tangent;
  }
  const double radius = layout_->coefficient()[f.first_part + i] * normal;
  if (square <= radius * radius) return;
  for (int r = 1; r < f.rows; ++r) y_[f.first + r * f.stride + i] *= radius / std::sqrt(square);
}

void Contradiction::Project(const UnitFamily& f) {
  for (int i = 0; i < f.count; ++i) {
    if (f.kind != UnitKind::kLine) {
      ProjectContact(f, i);
      continue;
    }
    double& y = y_[f.first + i];
    if (!std::isinf(layout_->lower()[f.first + i])) y = std::max(0.0, y);
    if (!std::isinf(layout_->upper()[f.first + i])) y = std::min(0.0, y);
  }
}

double Contradiction::Bound(UnitSystem& system, const AlignedVector& displacement,
                            const AlignedVector& x) {
  y_ = displacement;
  for (const UnitFamily& family : layout_->families()) Project(family);
  system.Multiply(y_.data(), moved_.data());
  double square = 0, reward = 0, moves = 0, energy = 0;
  for (const UnitFamily& f : layout_->families()) {
    for (int r = 0; r < f.rows; ++r) {
      for (int k = f.first + r * f.stride; k < f.first + r * f.stride + f.count; ++k) {
        square += y_[k] * y_[k];
        reward -= layout_->bias()[k] * y_[k];
        const double moved = moved_[k] + layout_->compliance()[k] * y_[k];
        moves += moved * x[k];
        energy += moved * y_[k];
      }
    }
  }
  const double proven = reward - std::abs(moves);
  if (!(square > 0) || std::abs(energy) > kNothing * square || !(proven > (1 - kMoves) * reward))
    return 0;
  return 0.5 * proven * proven / square;
}

void Contradiction::Shorten(AlignedVector* x) const {
  double along = 0, square = 0;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    along += y_[k] * (*x)[k];
    square += y_[k] * y_[k];
  }
  if (!(square > 0)) return;
  double share = along / square;
  for (const UnitFamily& f : layout_->families()) {
    for (int k = f.first; k < f.first + f.count; ++k) {
      if (y_[k] == 0) continue;
      if (f.kind != UnitKind::kLine) return;
      // x − t y stays above its lower and below its upper bound.
      const double lower = layout_->lower()[k], upper = layout_->upper()[k];
      if (!std::isinf(lower)) share = std::min(share, ((*x)[k] - lower) / y_[k]);
      if (!std::isinf(upper)) share = std::min(share, ((*x)[k] - upper) / y_[k]);
    }
  }
  for (std::size_t k = 0; k < y_.size(); ++k) (*x)[k] -= share * y_[k];
}

}  // namespace nonsmooth
