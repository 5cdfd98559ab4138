// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled without Chrono's flags, as the libraries that do not see Chrono are.
#include "tests/chrono_plugin/support/layout-inl.h"

namespace nonsmooth::test {

std::vector<Layout> PlainLayouts() { return Layouts(); }

bool PlainHasAvx() {
#ifdef __AVX__
  return true;
#else
  return false;
#endif
}

bool PlainSeesEigen() {
#ifdef EIGEN_WORLD_VERSION
  return true;
#else
  return false;
#endif
}

}  // namespace nonsmooth::test
