// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/hdf5/file.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/step_zoo.h"

// Nothing that is read here is large. AddressSanitizer ends the process at an allocation above
// this.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=256"; }

namespace nonsmooth {
namespace {

using hdf5::Handle;

/// A capture with one step of three contacts, changed through HDF5 before it is read.
class BadFile : public testing::Test {
 protected:
  BadFile() : path_(directory_.File("bad.h5")) {
    CaptureInfo info;
    info.engine = "none";
    CaptureWriter writer(path_, info);
    writer.Append(ContactStep(3, 1));
    writer.Close();
  }

  /// Opens the file for writing, outside of the reader's care.
  Handle Open() { return Handle(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)); }

  /// The file is not read, and the one who tries is told about `object` and `cause`.
  void ExpectRefused(const std::string& object, const std::string& cause) {
    const Reading reading = ReadAll(path_, nullptr);
    EXPECT_EQ(reading.steps_read, 0);
    ASSERT_FALSE(reading.errors.empty());
    const std::string& message = reading.errors.front();
    EXPECT_NE(message.find(object), std::string::npos) << message;
    EXPECT_NE(message.find(cause), std::string::npos) << message;
  }

  /// A text attribute of the root group gets another value.
  void SetAttribute(const char* name, const std::string& value) {
    const hdf5::Session session;
    const Handle file = Open();
    ASSERT_GE(H5Adelete(file.get(), name), 0);
    hdf5::Group(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT)), path_, "/")
        .WriteAttribute(name, value);
  }

  /// Value `index` of a float64 dataset becomes `value`; the checksum is made to hold.
  void SetNumber(const char* dataset, std::size_t index, double value) {
    {
      const hdf5::Session session;
      const Handle file = Open();
      const Handle data(H5Dopen2(file.get(), dataset, H5P_DEFAULT));
      const Handle space(H5Dget_space(data.get()));
      std::vector<double> values(
          static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
      ASSERT_LT(index, values.size());
      H5Dread(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      values[index] = value;
      H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    EditRow(path_, 0, true, [](schema::StepRow&) {});
  }

  /// The dataset is replaced by one of that size whose data were never written.
  void ReplaceByClaim(const std::string& path, hsize_t entries, hsize_t width, hid_t type,
                      hsize_t chunk) {
    const hdf5::Session session;
    const Handle file = Open();
    ASSERT_GE(H5Ldelete(file.get(), path.c_str(), H5P_DEFAULT), 0);
    const int rank = width == 1 ? 1 : 2;
    const hsize_t dims[2] = {entries, width};
    const Handle space(H5Screate_simple(rank, dims, nullptr));
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    if (chunk > 0) {
      const hsize_t chunks[2] = {chunk, width};
      ASSERT_GE(H5Pset_chunk(creation.get(), rank, chunks), 0);
    }
    const Handle data(H5Dcreate2(file.get(), path.c_str(), type, space.get(), H5P_DEFAULT,
                                 creation.get(), H5P_DEFAULT));
    ASSERT_TRUE(static_cast<bool>(data));
  }

  const TemporaryDirectory directory_;
  const std::string path_;
};

// Each is refused by what it is, at once, without waiting for anything.
TEST_F(BadFile, ThingsThatAreNoFiles) {
  const auto refused = [](const std::string& path, const std::string& cause) {
    SCOPED_TRACE(path);
    const Reading reading = ReadAll(path, nullptr);
    EXPECT_FALSE(reading.opened);
    ASSERT_EQ(reading.errors.size(), 1u);
    EXPECT_EQ(reading.errors[0], path + ": " + cause);
  };
  refused(directory_.path(), "is a directory");
  const std::string fifo = directory_.File("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  refused(fifo, "is not a regular file");
  refused("/dev/zero", "is not a regular file");
  const std::string link = directory_.File("link");
  ASSERT_EQ(::symlink(link.c_str(), link.c_str()), 0);
  refused(link, "Too many levels of symbolic links");
  refused(directory_.File("nowhere"), "No such file or directory");
  refused("", "No such file or directory");
  refused(path_ + "/x", "Not a directory");
}

TEST_F(BadFile, FilesOfOtherFormats) {
  const auto refused = [this](const Bytes& bytes, const std::string& cause) {
    SaveBytes(path_, bytes);
    ExpectRefused("", cause);
  };
  refused({}, "is empty");
  refused({'h', 'e', 'l', 'l', 'o'}, "is not an HDF5 file");
  refused({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, "is not an HDF5 file");
  refused(Bytes(100000, 0), "is not an HDF5 file");
  Bytes signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  refused(signature, "is not an HDF5 file");
  signature.resize(4096);
  refused(signature, "cannot be opened");
}

// An HDF5 file of somebody else's.
TEST_F(BadFile, Hdf5FileThatIsNoCapture) {
  {
    const hdf5::File file = hdf5::File::Create(path_);
    file.CreateGroup("fclib_local").Write("q", std::vector<double>{1, 2, 3});
  }
  EXPECT_FALSE(IsCapture(path_));
  ExpectRefused("/", "is not a capture");
}

TEST_F(BadFile, OtherMajorVersionIsRefusedNamingBoth) {
  SetAttribute("version", "2.0");
  ExpectRefused("version", "the file has version '2.0', this program reads version 1.1");
  SetAttribute("version", "nonsense");
  ExpectRefused("version", "'nonsense'");
}

// A later minor version may have more attributes and datasets; what is not known is ignored.
TEST_F(BadFile, LaterMinorVersionIsRead) {
  SetAttribute("version", "1.7");
  {
    const hdf5::Session session;
    const Handle file = Open();
    hdf5::Group root(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT)), path_, "/");
    root.CreateGroup("novelties").Write("more", std::vector<double>{1, 2});
    root.WriteAttribute("novelty", "yes");
  }
  const std::vector<CapturedStep> expected{ContactStep(3, 1)};
  EXPECT_EQ(ReadAll(path_, &expected).steps_read, 1);
}

TEST_F(BadFile, OtherScalarOrFormatAttribute) {
  SetAttribute("scalar", "float16");
  ExpectRefused("scalar", "is 'float16', expected float32 or float64");
  SetAttribute("scalar", "float32");
  ExpectRefused("/bodies/", "is of another type");
  SetAttribute("format", "something-else");
  ExpectRefused("/", "is not a capture");
}

TEST_F(BadFile, EveryMissingDatasetIsNamed) {
  const Bytes good = LoadBytes(path_);
  std::vector<std::string> names{"/steps"};
  for (const schema::DatasetSpec& spec : schema::kDatasets) {
    names.push_back(std::string("/") + spec.group + "/" + spec.name);
  }
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    SaveBytes(path_, good);
    {
      const hdf5::Session session;
      ASSERT_GE(H5Ldelete(Open().get(), name.c_str(), H5P_DEFAULT), 0);
    }
    ExpectRefused(name, "there is no such dataset");
  }
}

// Links that lead nowhere, in a circle, or into another file.
TEST_F(BadFile, Links) {
  const Bytes good = LoadBytes(path_);
  for (int kind = 0; kind < 3; ++kind) {
    SaveBytes(path_, good);
    {
      const hdf5::Session session;
      const Handle file = Open();
      ASSERT_GE(H5Ldelete(file.get(), "/solution/x", H5P_DEFAULT), 0);
      const char* name = "/solution/x";
      const herr_t made =
          kind == 0 ? H5Lcreate_soft("/nowhere", file.get(), name, H5P_DEFAULT, H5P_DEFAULT)
          : kind == 1
              ? H5Lcreate_soft(name, file.get(), name, H5P_DEFAULT, H5P_DEFAULT)
              : H5Lcreate_external("/etc/passwd", "/x", file.get(), name, H5P_DEFAULT, H5P_DEFAULT);
      ASSERT_GE(made, 0);
    }
    ExpectRefused("/solution/x", "there is no such dataset");
  }
}

// A dataset in place of a group and the other way round; a table without a field.
TEST_F(BadFile, OtherKindsOfObjects) {
  const Bytes good = LoadBytes(path_);
  {
    const hdf5::Session session;
    const Handle file = Open();
    H5Ldelete(file.get(), "/solution", H5P_DEFAULT);
    hdf5::Group(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT)), path_, "/")
        .Write("solution", std::vector<double>{1});
  }
  ExpectRefused("/solution", "there is no such group");
  SaveBytes(path_, good);
  {
    const hdf5::Session session;
    const Handle file = Open();
    H5Ldelete(file.get(), "/steps", H5P_DEFAULT);
    hdf5::Group(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT)), path_, "/")
        .Write("steps", std::vector<double>{1});
  }
  ExpectRefused("/steps", "is not a table");
}

// For every pool: a first or a count that lies outside, also where their sum overflows.
TEST_F(BadFile, RangesOutsideAPool) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const Bytes good = LoadBytes(path_);
  for (std::size_t pool = 0; pool < schema::kPoolCount; ++pool) {
    const schema::Range had = LoadRow(path_, 0).pools[pool];
    for (const schema::Range range :
         {schema::Range{had.first, had.count + 1}, schema::Range{had.first + 1, had.count},
          schema::Range{kMost, 1}, schema::Range{1, kMost}, schema::Range{0, kMost},
          schema::Range{0, std::uint64_t{1} << 33}, schema::Range{kMost - 2, 8}}) {
      // One past the end with nothing to be read there is inside.
      if (range.first <= had.count && range.count == 0) continue;
      SCOPED_TRACE(std::string(schema::kPools[pool].column) + " " + std::to_string(range.first) +
                   " + " + std::to_string(range.count));
      SaveBytes(path_, good);
      EditRow(path_, 0, false, [&](schema::StepRow& row) { row.pools[pool] = range; });
      ExpectRefused("/steps[0]", "points at entries");
    }
  }
}

// Counts that lie inside their pools but do not fit each other.
TEST_F(BadFile, RangesThatDisagree) {
  const Bytes good = LoadBytes(path_);
  for (std::size_t pool = 0; pool < schema::kPoolCount; ++pool) {
    if (LoadRow(path_, 0).pools[pool].count == 0) continue;
    SCOPED_TRACE(schema::kPools[pool].column);
    SaveBytes(path_, good);
    EditRow(path_, 0, false, [&](schema::StepRow& row) { --row.pools[pool].count; });
    ExpectRefused("/steps[0]", "checksum does not hold");
  }
}

TEST_F(BadFile, RowsThatMakeNoSense) {
  const Bytes good = LoadBytes(path_);
  for (int form : {0, 2, 3, 4, 255}) {  // the step is of form 1, two bodies a row
    SCOPED_TRACE(form);
    SaveBytes(path_, good);
    EditRow(path_, 0, false,
            [&](schema::StepRow& row) { row.form = static_cast<std::uint8_t>(form); });
    ExpectRefused("/steps[0]", "");
  }
  SaveBytes(path_, good);
  EditRow(path_, 0, false, [](schema::StepRow& row) { ++row.problem_checksum; });
  ExpectRefused("/steps[0]", "the problem read is not the one that was captured");
  SaveBytes(path_, good);
  EditRow(path_, 0, false, [](schema::StepRow& row) { ++row.data_checksum; });
  ExpectRefused("/steps[0]", "the data's checksum does not hold");
}

// NaN and infinity in what defines the problem are refused although all checksums hold.
TEST_F(BadFile, NumbersThatAreNotFinite) {
  const Bytes good = LoadBytes(path_);
  for (const char* dataset :
       {"/rows/jacobian", "/rows/bias", "/bodies/velocities", "/bodies/inverse_mass",
        "/bodies/inverse_inertia", "/bodies/applied_impulses", "/contacts/mu"}) {
    for (double value :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
      SCOPED_TRACE(dataset);
      SaveBytes(path_, good);
      SetNumber(dataset, 2, value);
      ExpectRefused("/steps[0]", std::isnan(value) ? "= nan is not" : "= -inf is not");
    }
  }
}

// Damage that no checksum knows of is found by the data's: a number that is finite but another one.
TEST_F(BadFile, AnotherNumber) {
  SetNumber("/rows/jacobian", 3, 0.25);
  EXPECT_EQ(ReadAll(path_, nullptr).errors.front(),
            path_ + ": /steps[0]: the problem read is not the one that was captured");
}

// 10 GB and more, claimed by a file of a few kB: whether chunked, in one piece, or as rows.
TEST_F(BadFile, HugeClaims) {
  const Bytes good = LoadBytes(path_);
  constexpr hsize_t kValues = 1'250'000'000;  // 10 GB of float64
  for (hsize_t chunk : {hsize_t{0}, hsize_t{1000}}) {
    SaveBytes(path_, good);
    ReplaceByClaim("/solution/x", kValues, 1, H5T_IEEE_F64LE, chunk);
    EditRow(path_, 0, false, [](schema::StepRow& row) {
      for (schema::Range& range : row.pools) {
        if (range.count > 0) range.count = kValues;
      }
    });
    ASSERT_LT(std::filesystem::file_size(path_), 100'000u);
    ExpectRefused("/solution/x", "claims 10000000000 bytes, but the file cannot hold more than");
  }
  SaveBytes(path_, good);
  ReplaceByClaim("/rows/jacobian", std::numeric_limits<hsize_t>::max() / 4, 12, H5T_IEEE_F64LE, 1);
  ExpectRefused("/rows/jacobian", "claims an absurd size");
  SaveBytes(path_, good);
  ReplaceByClaim("/steps", 100'000'000, 1, schema::StepRowType().get(), 100);
  ExpectRefused("/steps", "claims");
  SaveBytes(path_, good);
  ReplaceByClaim("/solution/x", 100'000'000, 1, H5T_IEEE_F64LE, 100'000'000);
  ExpectRefused("/solution/x", "chunks of more than");
}

// A table whose rows are 40 MB each.
TEST_F(BadFile, HugeRows) {
  {
    const hdf5::Session session;
    const Handle file = Open();
    H5Ldelete(file.get(), "/steps", H5P_DEFAULT);
    const Handle row(H5Tcreate(H5T_COMPOUND, 40'000'000));
    H5Tinsert(row.get(), "step", 0, H5T_STD_I64LE);
    const hsize_t one = 1;
    const Handle space(H5Screate_simple(1, &one, nullptr));
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), 1, &one);
    H5Pset_deflate(creation.get(), 9);
    const Handle steps(H5Dcreate2(file.get(), "/steps", row.get(), space.get(), H5P_DEFAULT,
                                  creation.get(), H5P_DEFAULT));
    const std::vector<char> zeros(40'000'000);
    ASSERT_GE(H5Dwrite(steps.get(), row.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), 0);
  }
  ExpectRefused("/steps", "has rows of 40000000 bytes");
}

}  // namespace
}  // namespace nonsmooth
