// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace nonsmooth {

/// Two bodies that a contact is between; −1: none that moves.
struct BodyPair {
  int a = -1;
  int b = -1;
};

/// Cuts the bodies of a large problem into a line of blocks with about as many contacts in each,
/// so that hardly a contact is between others than one block or two neighbours: contacts inside of
/// different blocks, and those between different pairs of neighbours, know nothing of each other
/// and can be swept at the same time. The cut does not depend on how many threads there are.
///
/// Blocks are stretches of the bodies' own order where that will do, as it does for what was built
/// layer by layer; otherwise of the order of a breadth-first search over contacts, in which nobody
/// is more than one level away from whom it touches. There are as many blocks as are wide enough.
class BodyBlocks {
 public:
  static constexpr int kMostBlocks = 64;
  static constexpr int kFewestBlocks = 4;

  /// Part of a sweep: all parts of one phase at the same time, phase after phase.
  enum Phase { kInside, kEven, kOdd, kElsewhere, kPhases };
  struct Part {
    int phase;
    int number;  ///< below kMostBlocks
  };

  /// Reuses memory.
  void Cut(const std::vector<BodyPair>& pairs, int bodies);

  Part PartOf(const BodyPair& pair) const;

 private:
  bool CutInOrder(const std::vector<BodyPair>& pairs);
  void Search(const std::vector<BodyPair>& pairs);

  std::vector<int> block_;     ///< by body
  std::vector<int> weight_;    ///< contacts by body
  std::int64_t contacts_ = 0;  ///< of all bodies
  std::vector<int> order_;
  std::vector<int> start_;
  std::vector<int> neighbour_;
  std::vector<char> seen_;
};

}  // namespace nonsmooth
