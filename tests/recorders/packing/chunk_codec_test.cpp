// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/packing/chunk_codec.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <cstring>
#include <random>

#include "recorders/hdf5/handle.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Bytes = std::vector<std::uint8_t>;
using hdf5::Handle;

Bytes Noise(std::size_t size) {
  std::mt19937 random(7);
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Numbers as a simulation has them: of one size, with digits that mean nothing.
Bytes Doubles(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(1.0, 2.0);
  Bytes bytes(count * sizeof(double));
  for (std::size_t i = 0; i < count; ++i) {
    const double value = number(random);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

/// What HDF5's own filters make of a chunk that the codec has packed.
Bytes ThroughHdf5(const Bytes& bytes, std::size_t value_size, const Bytes& packed) {
  const hdf5::Session session;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.get(), 1 << 20, /*backing_store=*/false);
  const Handle file(H5Fcreate("codec", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  const Handle type(H5Tcreate(H5T_OPAQUE, value_size));
  const hsize_t values = bytes.size() / value_size;
  const Handle space(H5Screate_simple(1, &values, nullptr));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.get(), 1, &values);
  H5Pset_shuffle(creation.get());
  H5Pset_deflate(creation.get(), 1);
  const Handle dataset(H5Dcreate2(file.get(), "data", type.get(), space.get(), H5P_DEFAULT,
                                  creation.get(), H5P_DEFAULT));
  const hsize_t offset = 0;
  EXPECT_GE(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, 0, &offset, packed.size(), packed.data()),
            0);
  Bytes read(bytes.size());
  EXPECT_GE(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  return read;
}

// Bytes of every kind, values of 1 to 581 bytes: HDF5 reads what was packed. Zeros become next to
// nothing; noise grows by the headers of its blocks at most, five bytes in 65,535 and six at all.
TEST(ChunkCodec, Hdf5ReadsWhatItPacks) {
  ChunkCodec codec(1);
  Bytes mixed = Noise(40000);
  std::fill(mixed.begin() + 10000, mixed.begin() + 30000, std::uint8_t{5});
  const Bytes doubles = Doubles(16384);
  for (const std::size_t value_size : {1, 3, 4, 8, 581}) {
    for (const Bytes& all : {Bytes(130000, 0), Noise(130000), Noise(17), mixed, doubles}) {
      const Bytes bytes(all.begin(),
                        all.begin() + static_cast<std::ptrdiff_t>(
                                          std::max<std::size_t>(1, all.size() / value_size) *
                                          std::min(value_size, all.size())));
      if (bytes.size() % value_size != 0) continue;
      SCOPED_TRACE(testing::Message() << bytes.size() << " bytes of " << value_size);
      Bytes packed;
      codec.Pack(bytes.data(), bytes.size(), value_size, packed);
      EXPECT_EQ(ThroughHdf5(bytes, value_size, packed), bytes);
      EXPECT_LE(packed.size(), bytes.size() + 6 + 5 * (bytes.size() / 65535 + 1));
    }
  }
  Bytes packed;
  const Bytes zeros(130000, 0);
  codec.Pack(zeros.data(), zeros.size(), 8, packed);
  EXPECT_LT(packed.size(), 1000U);
  // Of a double in [1, 2) sign and exponent are known, 12 bits of 64.
  codec.Pack(doubles.data(), doubles.size(), 8, packed);
  EXPECT_LT(packed.size(), doubles.size() * 56 / 64);
}

// Random bytes are noise; the same with a period are not, however long that is; nor are bytes of
// which one is frequent.
TEST(ChunkCodec, TellsNoiseFromWhatCanBePacked) {
  Bytes bytes = Noise(16384);
  EXPECT_TRUE(IsNoise(bytes.data(), bytes.size()));
  std::copy_n(bytes.begin(), 8192, bytes.begin() + 8192);
  EXPECT_FALSE(IsNoise(bytes.data(), bytes.size()));
  bytes = Noise(16384);
  for (std::size_t i = 0; i < bytes.size(); i += 5) bytes[i] = 0;
  EXPECT_FALSE(IsNoise(bytes.data(), bytes.size()));
}

}  // namespace
}  // namespace nonsmooth
