// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "../capture/body_shape.h"
#include "../replay/replay.h"

namespace nonsmooth {

/// One solution of a frame. Empty: there is none.
struct FrameSolution {
  std::vector<float> x;              ///< [N s, N m s] an entry a row
  std::vector<float> w;              ///< [m/s, rad/s] an entry a row
  std::vector<float> joules;         ///< δe of each group
  std::vector<std::uint32_t> state;  ///< GroupState of each group
};

/// A step as the page shows it, in columns. NaN: not known.
struct WorldFrame {
  std::int64_t step = 0;  ///< index in the file

  std::vector<std::int64_t> body_ids;
  std::vector<float> positions;    ///< three a body
  std::vector<float> quaternions;  ///< four a body

  std::vector<std::uint32_t> kind;   ///< of each group: GroupKind
  std::vector<std::uint32_t> parts;  ///< its rows: contacts tangents + 4 spinning + 8 rolling
  std::vector<std::uint32_t> law;    ///< LawKind of contacts
  std::vector<std::int64_t> body_a;  ///< the engine's identifier; −1: none
  std::vector<std::int64_t> body_b;
  std::vector<float> point;    ///< three a group
  std::vector<float> normal;   ///< three a group
  std::vector<float> tangent;  ///< the first one; the second is normal × tangent
  std::vector<float> gap;
  std::vector<float> friction;  ///< μ, μ_s, μ_r of each group
  std::vector<float> bounds;    ///< l, u of each row of groups of kind box

  std::vector<FrameSolution> solutions;  ///< the engine's, then one a solver
};

/// The bodies of a file, gathered from all of its steps by several threads.
class BodyRegister {
 public:
  struct Entry {
    double mass = 0;
    bool stand_in = false;
    BodyShape shape;  ///< that stands in
  };

  /// Bodies that have a shape need none to stand in.
  explicit BodyRegister(const std::vector<BodyShape>& shapes);

  void Add(const std::vector<BodyState>& bodies);
  const std::map<std::int64_t, Entry>& entries() const { return entries_; }

 private:
  std::map<std::int64_t, bool> shaped_;
  std::map<std::int64_t, Entry> entries_;
  std::mutex mutex_;
};

/// Rows are judged as `options` judge them; `records` hold solutions, the engine's first.
WorldFrame MakeFrame(const CapturedStep& step, const std::vector<ReplayRecord>& records,
                     const ReplayOptions& options);

/// [J] ½ vᵀ M v before the step; NaN where only A and b are known.
double KineticEnergy(const CapturedStep& step);

}  // namespace nonsmooth
