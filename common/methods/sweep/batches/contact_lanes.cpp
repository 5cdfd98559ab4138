// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/contact_lanes.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

void FillFriction(const ContactSource& source, int g, int lane, const RowScales& scales,
                  ContactBatch& batch) {
  const RowGroup& group = source.group(g);
  const GroupSet& shape = source.set->group(g);
  const double* a = source.set->weights().data() + group.first_row;
  // Bounds on √a_t x_t: μ x̄_n √a_t, or per unit of √a_n x_n.
  const double normal = shape.frozen ? shape.normal_estimate : scales.value[0][lane];
  for (int t = 0; t < 2; ++t) {
    batch.friction[t][lane] =
        t < group.tangents ? group.friction * normal * a[1 + t] * scales.value[1 + t][lane] : 0;
  }
}

}  // namespace

bool PlainBetween(const ContactSource& source, int g, BodyPair* pair) {
  const std::vector<MassRoot>& roots = *source.roots;
  const RowGroup& group = source.group(g);
  const TwoBodyRow* row = source.dynamics->body_rows().data() + group.first_row;
  const int a = row[0].body_a;
  const int b = row[0].body_b;
  const bool a_moves = a >= 0 && roots[a].movable;
  const bool b_moves = b >= 0 && roots[b].movable;
  *pair = {a_moves ? a : -1, b_moves ? b : -1};
  bool plain = (!a_moves || roots[a].isotropic) && (!b_moves || roots[b].isotropic);
  for (int r = 0; r < group.size; ++r) {
    plain = plain && row[r].body_a == a && row[r].body_b == b && row[r].compliance == 0 &&
            source.set->weights()[group.first_row + r] > 0;
    if (!a_moves || !b_moves) continue;
    const double* j = row[r].jacobian.data();
    plain = plain && j[0] == -j[6] && j[1] == -j[7] && j[2] == -j[8];
  }
  return plain;
}

void FillLane(const ContactSource& source, int g, const BodyPair& pair, int lane,
              ContactBatch& batch, RowScales& scales) {
  static constexpr MassRoot kFixed;
  const RowGroup& group = source.group(g);
  const MassRoot& a = pair.a >= 0 ? (*source.roots)[pair.a] : kFixed;
  const MassRoot& b = pair.b >= 0 ? (*source.roots)[pair.b] : kFixed;
  // The direction is that of the row on a; on b where a does not move.
  const int side = pair.a >= 0 ? 0 : 6;
  batch.mass_a[lane] = a.linear[0];
  batch.mass_b[lane] = pair.a >= 0 ? -b.linear[0] : b.linear[0];
  // Three at once, which takes little longer than one.
  double scale_of[3];
  for (int r = 0; r < 3; ++r) {
    const int i = group.first_row + std::min(r, group.size - 1);
    scale_of[r] = 1 / std::sqrt(source.set->weights()[i]);
  }
  for (int r = 0; r < 3; ++r) {
    ContactBatch::Row& to = batch.row(r);
    const bool exists = r < group.size;
    const int i = group.first_row + (exists ? r : 0);
    const TwoBodyRow& row = source.dynamics->body_rows()[i];
    const double scale = exists ? scale_of[r] : 0;
    scales.value[r][lane] = scale;
    to.bias[lane] = scale * source.dynamics->bias()[i];
    double on_a[3];
    double on_b[3];
    TimesRoot(a, row.jacobian.data() + 3, on_a);
    TimesRoot(b, row.jacobian.data() + 9, on_b);
    for (int k = 0; k < 3; ++k) {
      to.direction[k][lane] = scale * row.jacobian[side + k];
      to.angular_a[k][lane] = scale * on_a[k];
      to.angular_b[k][lane] = scale * on_b[k];
    }
  }
  FillFriction(source, g, lane, scales, batch);
}

void ClearLane(int lane, ContactBatch& batch, RowScales& scales) {
  for (int r = 0; r < 3; ++r) {
    ContactBatch::Row& row = batch.row(r);
    for (int k = 0; k < 3; ++k) {
      row.direction[k][lane] = row.angular_a[k][lane] = row.angular_b[k][lane] = 0;
    }
    row.bias[lane] = scales.value[r][lane] = 0;
  }
  batch.mass_a[lane] = batch.mass_b[lane] = 0;
  batch.friction[0][lane] = batch.friction[1][lane] = 0;
}

}  // namespace nonsmooth
