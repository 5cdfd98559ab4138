// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

// Eigen's types cross Chrono's interface, and how they are aligned follows from the vector flags
// (-march) of whoever includes them. The names of this folder live in an inline namespace of that
// alignment, so that what was compiled without Chrono's flags is refused by the linker instead of
// failing at run time. Linking Nonsmooth::chrono or Chrono::Chrono_core brings the flags along.
#define NONSMOOTH_CHRONO_JOIN(prefix, bytes) prefix##bytes
#define NONSMOOTH_CHRONO_EXPAND(prefix, bytes) NONSMOOTH_CHRONO_JOIN(prefix, bytes)
#define NONSMOOTH_CHRONO_ALIGNMENT \
  NONSMOOTH_CHRONO_EXPAND(compiled_with_eigen_aligned_to_, EIGEN_MAX_ALIGN_BYTES)
