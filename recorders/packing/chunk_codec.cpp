// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/packing/chunk_codec.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace nonsmooth {
namespace {

/// RFC 1950: the header of a zlib stream says deflate with a window of 32 KB; a checksum ends it.
constexpr std::array<std::uint8_t, 2> kZlibHeader{0x78, 0x01};
constexpr std::size_t kZlibChecksumSize = 4;

/// RFC 1951, 3.2.4: a block that is stored has a header of five bytes, after a byte's end.
constexpr std::size_t kStoredHeaderSize = 5;
constexpr std::size_t kMostStored = 65535;

std::size_t StoredSize(std::size_t size) {
  return size + (size + kMostStored - 1) / kMostStored * kStoredHeaderSize;
}

/// `last`: the stream ends with it.
std::uint8_t* PutStored(const std::uint8_t* bytes, std::size_t size, bool last, std::uint8_t* to) {
  while (size > 0) {
    const std::size_t count = std::min(size, kMostStored);
    *to++ = last && count == size ? 1 : 0;
    for (const std::size_t word : {count, ~count}) {
      *to++ = static_cast<std::uint8_t>(word);
      *to++ = static_cast<std::uint8_t>(word >> 8);
    }
    std::memcpy(to, bytes, count);
    to += count;
    bytes += count;
    size -= count;
  }
  return to;
}

/// Values of `Size` bytes, a compile-time constant: several times as fast.
template <std::size_t Size>
void ShuffleValues(const std::uint8_t* bytes, std::size_t values, std::uint8_t* shuffled) {
  // Sixty-four at a time stay in the nearest cache while their bytes are collected.
  constexpr std::size_t kBlock = 64;
  std::size_t begin = 0;
  for (; begin + kBlock <= values; begin += kBlock) {
    for (std::size_t k = 0; k < Size; ++k) {
      const std::uint8_t* from = bytes + begin * Size + k;
      std::uint8_t* to = shuffled + k * values + begin;
      for (std::size_t i = 0; i < kBlock; ++i) to[i] = from[i * Size];
    }
  }
  for (std::size_t k = 0; k < Size; ++k) {
    for (std::size_t i = begin; i < values; ++i) shuffled[k * values + i] = bytes[i * Size + k];
  }
}

void ShuffleValues(const std::uint8_t* bytes, std::size_t values, std::size_t value_size,
                   std::uint8_t* shuffled) {
  for (std::size_t k = 0; k < value_size; ++k) {
    for (std::size_t i = 0; i < values; ++i) {
      shuffled[k * values + i] = bytes[i * value_size + k];
    }
  }
}

std::uint32_t FourBytes(const std::uint8_t* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// How uneven the values' frequencies are: 256 Σ p², which is 1 if all are equal.
double Unevenness(const std::uint8_t* bytes, std::size_t size, std::size_t samples) {
  std::array<std::uint32_t, 256> count{};
  const std::size_t stride = size / samples;
  for (std::size_t i = 0; i < samples; ++i) ++count[bytes[i * stride]];
  double squares = 0;
  for (const std::uint32_t c : count) squares += static_cast<double>(c) * c;
  const auto n = static_cast<double>(samples);
  return 256 * (squares - n) / (n * (n - 1));
}

/// The share of pieces of four bytes that have come before. Pieces are chosen by what they are, one
/// in eight or so, so that a repetition is seen however far away it is.
double Repetition(const std::uint8_t* bytes, std::size_t size) {
  std::array<std::uint32_t, 4096> seen{};
  std::size_t looked = 0;
  std::size_t again = 0;
  for (std::size_t i = 0; i + 4 <= size; ++i) {
    const std::uint32_t word = FourBytes(bytes + i);
    const std::uint32_t hash = word * 2654435761u;
    if ((hash & 7u) != 0) continue;
    std::uint32_t& place = seen[hash >> 20];
    ++looked;
    again += place == word ? 1 : 0;
    place = word;
  }
  return looked == 0 ? 1 : static_cast<double>(again) / static_cast<double>(looked);
}

}  // namespace

void Shuffle(const std::uint8_t* bytes, std::size_t size, std::size_t value_size,
             std::uint8_t* shuffled) {
  const std::size_t values = size / value_size;
  switch (value_size) {
    case 1:
      std::memcpy(shuffled, bytes, size);
      return;
    case 4:
      ShuffleValues<4>(bytes, values, shuffled);
      break;
    case 8:
      ShuffleValues<8>(bytes, values, shuffled);
      break;
    default:
      ShuffleValues(bytes, values, value_size, shuffled);
  }
  std::copy(bytes + values * value_size, bytes + size, shuffled + values * value_size);
}

bool IsNoise(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kSamples = 2048;
  if (size < kSamples) return false;
  // Deflate's codes gain 1 % where the values are this uneven, and its matches likewise.
  return Unevenness(bytes, size, kSamples) < 1.25 && Repetition(bytes, size) < 0.05;
}

void ChunkCodec::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

ChunkCodec::ChunkCodec(int level) : compressor_(libdeflate_alloc_compressor(level)) {
  if (compressor_ == nullptr) throw std::bad_alloc();
}

void ChunkCodec::Pack(const std::uint8_t* bytes, std::size_t size, std::size_t value_size,
                      std::vector<std::uint8_t>& packed) {
  shuffled_.resize(size);
  Shuffle(bytes, size, value_size, shuffled_.data());
  packed.resize(kZlibHeader.size() + StoredSize(size) + kZlibChecksumSize);
  std::uint8_t* to = std::copy(kZlibHeader.begin(), kZlibHeader.end(), packed.data());
  // Little-endian: the last digits come first, and only what comes first can be stored here, since
  // libdeflate ends the stream.
  const std::size_t plane = size / value_size;
  std::size_t noise = 0;
  while (noise + plane < size && value_size > 1 && IsNoise(shuffled_.data() + noise, plane)) {
    noise += plane;
  }
  const std::size_t rest = size - noise;
  std::uint8_t* const end = PutStored(shuffled_.data(), noise, false, to);
  const std::size_t deflated = libdeflate_deflate_compress(
      compressor_.get(), shuffled_.data() + noise, rest, end, StoredSize(rest));
  // Nothing gained: all of it is stored.
  to = deflated > 0 ? end + deflated : PutStored(shuffled_.data(), size, true, to);
  const std::uint32_t checksum = libdeflate_adler32(1, shuffled_.data(), size);
  for (int shift = 24; shift >= 0; shift -= 8) {
    *to++ = static_cast<std::uint8_t>(checksum >> shift);
  }
  packed.resize(static_cast<std::size_t>(to - packed.data()));
}

}  // namespace nonsmooth
