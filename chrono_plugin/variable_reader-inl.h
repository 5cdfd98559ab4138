// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "chrono/solver/ChVariables.h"
#include "chrono_plugin/variable_reader.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

inline int VariableReader::IndexOf(const ::chrono::ChVariables& variables) const {
  const std::size_t offset = variables.GetOffset();
  if (only_bodies_) return static_cast<int>(offset) / kBodySize;
  return offset < index_.size() ? index_[offset] : -1;
}

inline int VariableReader::ReadBlock(const ::chrono::ChVariables* variables, const double* jacobian,
                                     double* block) const {
  if (variables == nullptr || !variables->IsActive()) {
    std::fill_n(block, kBodySize, 0.0);
    return -1;
  }
  const int index = IndexOf(*variables);
  if (only_bodies_) {
    std::copy_n(jacobian, kBodySize, block);
  } else {
    std::fill_n(block, kBodySize, 0.0);
    std::copy_n(jacobian, variables->GetDOF(), block + first_component_[index]);
  }
  return index;
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
