// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/xxhash64.h"

#include <cstring>

namespace nonsmooth {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "captures are little-endian and are hashed as they stand in memory");

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

std::uint64_t RotateLeft(std::uint64_t value, int bits) {
  return (value << bits) | (value >> (64 - bits));
}

template <class Word>
Word Load(const unsigned char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

std::uint64_t Round(std::uint64_t accumulator, std::uint64_t lane) {
  return RotateLeft(accumulator + lane * kPrime2, 31) * kPrime1;
}

std::uint64_t Merge(std::uint64_t hash, std::uint64_t accumulator) {
  return (hash ^ Round(0, accumulator)) * kPrime1 + kPrime4;
}

}  // namespace

std::uint64_t XxHash64(const void* data, std::size_t size, std::uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(data);
  std::size_t left = size;
  std::uint64_t hash = seed + kPrime5;
  if (left >= 32) {
    std::uint64_t a = seed + kPrime1 + kPrime2;
    std::uint64_t b = seed + kPrime2;
    std::uint64_t c = seed;
    std::uint64_t d = seed - kPrime1;
    for (; left >= 32; left -= 32, at += 32) {
      a = Round(a, Load<std::uint64_t>(at));
      b = Round(b, Load<std::uint64_t>(at + 8));
      c = Round(c, Load<std::uint64_t>(at + 16));
      d = Round(d, Load<std::uint64_t>(at + 24));
    }
    hash = RotateLeft(a, 1) + RotateLeft(b, 7) + RotateLeft(c, 12) + RotateLeft(d, 18);
    hash = Merge(Merge(Merge(Merge(hash, a), b), c), d);
  }
  hash += size;
  for (; left >= 8; left -= 8, at += 8) {
    hash = RotateLeft(hash ^ Round(0, Load<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  if (left >= 4) {
    hash = RotateLeft(hash ^ (Load<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) hash = RotateLeft(hash ^ (*at * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace nonsmooth
