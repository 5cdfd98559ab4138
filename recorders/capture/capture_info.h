// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "captured_step.h"

namespace nonsmooth {

/// The engine's floating-point type, in which its numbers are stored.
enum class ScalarType : std::uint8_t { kFloat32, kFloat64 };

std::string_view ToString(ScalarType scalar);

/// Which of the four forms of dynamics a step has.
enum class DynamicsForm : std::uint8_t { kNone, kTwoBody, kSparse, kMatrix, kArticulated };

std::string_view ToString(DynamicsForm form);

/// What is true of all steps of a file: its root attributes.
struct CaptureInfo {
  std::string engine;          ///< e.g. "bullet"
  std::string engine_version;  ///< e.g. "3.24"
  ScalarType scalar = ScalarType::kFloat64;
  std::string scene;     ///< free text
  std::string producer;  ///< program that wrote the file; the writer fills it if empty
  std::string created;   ///< UTC, ISO 8601; filled by the writer if empty
  std::string uuid;      ///< filled by the writer if empty
  std::string version;   ///< of the format, "major.minor"; set by the writer
};

/// A step without its arrays.
struct StepSummary {
  StepInfo info;
  StepMeasures measures;
  DynamicsForm form = DynamicsForm::kNone;
  std::int64_t rows = 0;
  std::int64_t contacts = 0;     ///< contact groups
  std::int64_t constraints = 0;  ///< other groups
  std::int64_t bodies = 0;       ///< of the two-body form; otherwise body states
  std::int64_t velocities = 0;   ///< 0 if only A and b are known
  bool has_x0 = false;
  bool has_x = false;
  std::uint64_t problem_checksum = 0;  ///< equals ProblemChecksum() of the problem read back
  std::uint64_t bytes = 0;             ///< of all its arrays, before compression
};

/// 64 bits over all that defines a problem, as float64 whatever the file's scalar type: two
/// problems with the same checksum are the same bit for bit, for all practical purposes.
std::uint64_t ProblemChecksum(const Problem& problem);

}  // namespace nonsmooth
