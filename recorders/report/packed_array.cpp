// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "recorders/report/packed_array-inl.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

std::string Base64(const Bytes& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t block = std::uint32_t{bytes[i]} << 16;
    if (i + 1 < bytes.size()) block |= std::uint32_t{bytes[i + 1]} << 8;
    if (i + 2 < bytes.size()) block |= bytes[i + 2];
    for (int k = 0; k < 4; ++k) text += kDigits[block >> (18 - 6 * k) & 63];
  }
  if (bytes.size() % 3 != 0) text.replace(text.size() - (3 - bytes.size() % 3), 3, "=");
  while (text.size() % 4 != 0) text += '=';
  return text;
}

Bytes Deflated(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes packed(size);
  if (compress2(packed.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), 6) != Z_OK) {
    throw std::runtime_error("report: out of memory while compressing");
  }
  packed.resize(size);
  return packed;
}

/// Byte planes of the lowest bytes of words, after dropping the first `skip` of four.
Json Pack(const char* type, const std::vector<std::uint32_t>& words, int skip, int width) {
  Bytes planes;
  planes.reserve(words.size() * static_cast<std::size_t>(width));
  for (int k = skip; k < skip + width; ++k) {
    for (std::uint32_t word : words) planes.push_back(static_cast<std::uint8_t>(word >> 8 * k));
  }
  return {{"type", type}, {"count", words.size()}, {"data", Base64(Deflated(planes))}};
}

std::uint32_t Bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

Json PackFloat24(const std::vector<float>& values, int bits) {
  assert(bits > 1 && bits <= 16);
  // One of the 24 significant bits of a float is not stored.
  const std::uint32_t dropped = std::uint32_t{1} << (24 - bits);
  std::vector<std::uint32_t> words;
  words.reserve(values.size());
  for (float value : values) {
    // Half of what is dropped is added: a carry into the exponent rounds up to the next power of
    // two, and beyond the largest number to infinity, as it should. NaN would become something
    // else.
    const std::uint32_t rounded = Bits(value) + (std::isinf(value) ? 0 : dropped / 2);
    words.push_back(std::isnan(value) ? 0x7fc00000U : rounded & ~(dropped - 1));
  }
  return Pack("f24", words, 1, 3);
}

Json PackFloat32(const std::vector<float>& values) {
  std::vector<std::uint32_t> words;
  words.reserve(values.size());
  for (float value : values) words.push_back(Bits(value));
  return Pack("f32", words, 0, 4);
}

Json PackUnsigned(const std::vector<std::uint32_t>& values) {
  const std::uint32_t most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  if (most < 256) return Pack("u8", values, 0, 1);
  if (most < 65536) return Pack("u16", values, 0, 2);
  return Pack("u32", values, 0, 4);
}

Json PackUnit(const std::vector<float>& values) {
  std::vector<std::uint32_t> words;
  words.reserve(values.size());
  for (float value : values) {
    const float inside = std::isfinite(value) ? std::clamp(value, -1.0F, 1.0F) : 0.0F;
    words.push_back(static_cast<std::uint32_t>(std::lround(inside * 32767)));
  }
  return Pack("unit16", words, 0, 2);
}

}  // namespace nonsmooth
