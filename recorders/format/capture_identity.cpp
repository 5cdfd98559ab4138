// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/capture_identity.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <random>

#include "recorders/format/schema.h"

namespace nonsmooth {
namespace {

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// RFC 4122, version 4.
std::string RandomUuid() {
  std::random_device device;
  unsigned word[4];
  for (unsigned& w : word) w = device();
  word[1] = (word[1] & 0xFFFF0FFFu) | 0x00004000u;
  word[2] = (word[2] & 0x3FFFFFFFu) | 0x80000000u;
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%04x%08x", word[0], word[1] >> 16,
                word[1] & 0xFFFFu, word[2] >> 16, word[2] & 0xFFFFu, word[3]);
  return text;
}

}  // namespace

CaptureInfo Complete(CaptureInfo info) {
  info.version = std::to_string(schema::kMajor) + "." + std::to_string(schema::kMinor);
  if (info.producer.empty()) info.producer = "nonsmooth " NONSMOOTH_VERSION;
  if (info.created.empty()) info.created = Now();
  if (info.uuid.empty()) info.uuid = RandomUuid();
  return info;
}

std::string DraftName(const std::string& path, const char* suffix) {
  static std::atomic<int> count{0};
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, name) + "." + path.substr(name) + "." + std::to_string(::getpid()) + "-" +
         std::to_string(count++) + "." + suffix;
}

}  // namespace nonsmooth
