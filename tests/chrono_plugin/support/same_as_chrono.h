// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace chrono {
class ChSystemDescriptor;
}

namespace nonsmooth::test {

/// A, b and the free velocities that the extractor reads are those of Chrono's own matrices, and it
/// takes the packed form or not as expected.
void ExpectSameAsChrono(::chrono::ChSystemDescriptor& descriptor, bool packed);

}  // namespace nonsmooth::test
