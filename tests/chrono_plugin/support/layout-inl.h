// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "common/problem/problem.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"
#include "recorders/capture/captured_step.h"
#include "recorders/recording/recorder.h"

namespace nonsmooth::test {

/// Size and alignment of a type as one translation unit sees it.
struct Layout {
  const char* type;
  std::size_t size;
  std::size_t alignment;
};

/// Those of what goes between code that sees Chrono and code that does not, as code without
/// Chrono's flags has them.
std::vector<Layout> PlainLayouts();

/// True if that code is compiled for vectors of 32 bytes, and if it has seen Eigen.
bool PlainHasAvx();
bool PlainSeesEigen();

namespace {

/// Without linkage, so that every translation unit has its own.
template <class T>
Layout LayoutOf(const char* type) {
  return {type, sizeof(T), alignof(T)};
}

[[maybe_unused]] std::vector<Layout> Layouts() {
  return {LayoutOf<Body>("Body"),
          LayoutOf<TwoBodyRow>("TwoBodyRow"),
          LayoutOf<RowGroup>("RowGroup"),
          LayoutOf<Dynamics>("Dynamics"),
          LayoutOf<TwoBodyDynamics>("TwoBodyDynamics"),
          LayoutOf<CsrMatrix>("CsrMatrix"),
          LayoutOf<SparseSystem>("SparseSystem"),
          LayoutOf<SparseDynamics>("SparseDynamics"),
          LayoutOf<Problem>("Problem"),
          LayoutOf<SolveOptions>("SolveOptions"),
          LayoutOf<Solution>("Solution"),
          LayoutOf<Result>("Result"),
          LayoutOf<Driver>("Driver"),
          LayoutOf<StepInfo>("StepInfo"),
          LayoutOf<BodyState>("BodyState"),
          LayoutOf<ContactGeometry>("ContactGeometry"),
          LayoutOf<CapturedStep>("CapturedStep"),
          LayoutOf<CaptureInfo>("CaptureInfo"),
          LayoutOf<Recorder>("Recorder")};
}

}  // namespace
}  // namespace nonsmooth::test
