// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "recorders/capture/captured_step.h"

namespace nonsmooth {

struct NamedStep {
  std::string name;
  CapturedStep step;
};

/// Steps of every form with every law, group kind and number of friction rows, with bodies,
/// geometry and solutions that are made up but deterministic. All numbers are float32 if
/// `float32` is set; otherwise they use all digits of a float64.
std::vector<NamedStep> StepZoo(bool float32);

/// `contacts` contacts with two tangents between spheres in a row and the ground, law ncp, all
/// optional parts filled; `seed` moves the numbers.
CapturedStep ContactStep(int contacts, int seed, bool float32 = false);

/// Every field of a and b agrees bit for bit, NaNs included; failures name the field.
void ExpectSame(const CapturedStep& a, const CapturedStep& b);

/// A directory of its own that is removed with all its files at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> Names() const;  ///< of what is in it, sorted

 private:
  std::string path_;
};

}  // namespace nonsmooth
