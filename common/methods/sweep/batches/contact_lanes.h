// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../../law/feasible_set.h"
#include "../../../linalg/mass_root.h"
#include "body_blocks.h"
#include "contact_kernel.h"

namespace nonsmooth {

/// Where contacts are read from.
struct ContactSource {
  const FeasibleSet* set = nullptr;
  const TwoBodyDynamics* dynamics = nullptr;
  const std::vector<MassRoot>* roots = nullptr;

  const RowGroup& group(int g) const { return set->problem().groups()[g]; }
};

/// 1/√a of the rows of a batch; 0: no such row.
struct RowScales {
  double value[3][kBatch];
};

/// True where a contact, whose law suits, is what contact_kernel.h is made for; the side of it that
/// a batch sees: bodies that move.
bool PlainBetween(const ContactSource& source, int g, BodyPair* pair);

/// Writes contact `g` into a lane, bodies apart.
void FillLane(const ContactSource& source, int g, const BodyPair& pair, int lane,
              ContactBatch& batch, RowScales& scales);

/// An unused lane: rows of zeros.
void ClearLane(int lane, ContactBatch& batch, RowScales& scales);

}  // namespace nonsmooth
