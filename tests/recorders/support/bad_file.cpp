// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/recorders/support/bad_file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>

#include <fstream>
#include <iterator>

#include "recorders/capture/capture_reader.h"
#include "recorders/format/xxhash64.h"
#include "recorders/hdf5/file.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

constexpr unsigned kPatienceSeconds = 60;

/// Runs `work`, which may throw a FileError that names `path` and nothing else.
template <class Work>
void Attempt(const std::string& path, Reading& reading, const Work& work) {
  try {
    work();
  } catch (const FileError& error) {
    reading.errors.emplace_back(error.what());
    EXPECT_EQ(error.file(), path);
    EXPECT_GT(reading.errors.back().size(), path.size() + 4) << reading.errors.back();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a FileError: " << error.what();
  }
}

hdf5::Handle OpenForWriting(const std::string& path) {
  return hdf5::Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
}

/// Moves row `index` of /steps from or to `row`.
template <class Transfer>
void MoveRow(hid_t file, int index, const Transfer& transfer) {
  const hdf5::Handle steps(H5Dopen2(file, "/steps", H5P_DEFAULT));
  const hdf5::Handle space(H5Dget_space(steps.get()));
  const hsize_t start = static_cast<hsize_t>(index);
  const hsize_t count = 1;
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const hdf5::Handle memory(H5Screate_simple(1, &count, nullptr));
  const hdf5::Handle type = schema::StepRowType();
  ASSERT_GE(transfer(steps.get(), type.get(), memory.get(), space.get()), 0);
}

/// The data checksum of a file with one step, from what is in it.
std::uint64_t HashDatasets(hid_t file) {
  std::uint64_t hash = 0;
  for (const schema::DatasetSpec& spec : schema::kDatasets) {
    if (schema::Since(spec) > 0) continue;
    const std::string path = std::string("/") + spec.group + "/" + spec.name;
    const hdf5::Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
    const hdf5::Handle type(H5Dget_type(dataset.get()));
    const hdf5::Handle space(H5Dget_space(dataset.get()));
    Bytes bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())) *
                H5Tget_size(type.get()));
    if (!bytes.empty()) {
      EXPECT_GE(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
    }
    hash = XxHash64(bytes.data(), bytes.size(), hash);
  }
  return hash;
}

}  // namespace

Bytes LoadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

void SaveBytes(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

Bytes WithBlockOverwritten(const Bytes& good, std::size_t to, std::size_t from, std::size_t size,
                           Overwrite with, std::mt19937& random) {
  Bytes bad = good;
  size = std::min({size, bad.size() - to, bad.size() - from});
  for (std::size_t k = 0; k < size; ++k) {
    bad[to + k] = with == Overwrite::kZeros   ? 0
                  : with == Overwrite::kNoise ? static_cast<unsigned char>(random())
                                              : good[from + k];
  }
  return bad;
}

Reading ReadAll(const std::string& path, const std::vector<CapturedStep>* expected) {
  Reading reading;
  ::alarm(kPatienceSeconds);  // the default action ends the process, which no test survives
  Attempt(path, reading, [&] { IsCapture(path); });
  Attempt(path, reading, [&] {
    CaptureReader reader(path);
    reading.opened = true;
    reading.uncommitted = reader.uncommitted();
    Attempt(path, reading, [&] { reader.Summaries(0, reader.steps()); });
    CapturedStep step;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(reader.steps(), 100); ++i) {
      Attempt(path, reading, [&] {
        reader.Read(i, step);
        ++reading.steps_read;
        if (expected != nullptr) ExpectSame(expected->at(static_cast<std::size_t>(i)), step);
      });
    }
    Attempt(path, reading, [&] { reader.Refresh(); });
  });
  const std::vector<CaptureFinding> findings = ValidateCapture(path);
  EXPECT_EQ(findings.empty(), reading.errors.empty() && reading.uncommitted == 0)
      << "reader and validation disagree: "
      << (findings.empty() ? reading.errors.front() : findings.front().what);
  ::alarm(0);
  return reading;
}

schema::StepRow LoadRow(const std::string& path, int index) {
  const hdf5::Session session;
  const hdf5::Handle file = OpenForWriting(path);
  schema::StepRow row;
  MoveRow(file.get(), index, [&row](hid_t set, hid_t type, hid_t memory, hid_t space) {
    return H5Dread(set, type, memory, space, H5P_DEFAULT, &row);
  });
  return row;
}

void StoreRow(const std::string& path, int index, schema::StepRow row, bool data_too) {
  const hdf5::Session session;
  const hdf5::Handle file = OpenForWriting(path);
  if (data_too) row.data_checksum = HashDatasets(file.get());
  row.row_checksum = schema::RowChecksum(reinterpret_cast<const std::uint8_t*>(&row), sizeof row,
                                         offsetof(schema::StepRow, row_checksum));
  MoveRow(file.get(), index, [&row](hid_t set, hid_t type, hid_t memory, hid_t space) {
    return H5Dwrite(set, type, memory, space, H5P_DEFAULT, &row);
  });
}

}  // namespace nonsmooth
