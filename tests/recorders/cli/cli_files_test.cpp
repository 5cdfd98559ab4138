// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `nonsmooth info`, `convert` and `validate` from outside, on the files in tests/data.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "recorders/capture/capture_info.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/interchange/problem_source.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

const char* const kAllFiles[] = {"balls.h5",
                                 "balls_float32.h5",
                                 "chain.h5",
                                 "rolling.h5",
                                 "balls.fclib-local.hdf5",
                                 "chain.fclib-global.hdf5",
                                 "chain.lu.h5",
                                 "balls.ode.h5"};

std::vector<std::uint64_t> Checksums(const std::string& path) {
  const std::unique_ptr<ProblemSource> source = OpenSource(path);
  std::vector<std::uint64_t> checksums;
  for (std::int64_t k = 0; k < source->steps(); ++k) {
    checksums.push_back(ProblemChecksum(source->Read(k).step.problem));
  }
  return checksums;
}

void Convert(const std::string& in, const std::string& out, const Arguments& more = {}) {
  Arguments arguments{"convert", in, out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CliResult result = RunCli(arguments);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST(CliInfo, SaysWhatIsInEveryFormat) {
  Arguments arguments{"info", "--json"};
  for (const char* name : kAllFiles) arguments.push_back(DataFile(name));
  const CliResult result = RunCli(arguments);
  ASSERT_EQ(result.code, 0) << result.err;
  const Json files = Json::parse(result.out)["files"];
  ASSERT_EQ(files.size(), std::size(kAllFiles));
  const char* formats[] = {"capture",     "capture",      "capture", "capture",
                           "fclib-local", "fclib-global", "lu",      "ode"};
  const int steps[] = {36, 36, 40, 24, 1, 1, 3, 3};
  for (std::size_t k = 0; k < files.size(); ++k) {
    EXPECT_EQ(files[k]["file"], DataFile(kAllFiles[k]));
    EXPECT_EQ(files[k]["format"], formats[k]);
    EXPECT_EQ(files[k]["steps"], steps[k]);
    EXPECT_EQ(files[k]["has_solutions"], true);
    EXPECT_GT(files[k]["contacts"]["max"].get<int>(), 0);
  }
  EXPECT_EQ(files[1]["scalar"], "float32");
  EXPECT_EQ(files[1]["laws"], Json::array({"coupled_box"}));
  EXPECT_EQ(files[0]["live"], false);
  EXPECT_EQ(files[0]["engine"], "ball_world");

  arguments.erase(arguments.begin() + 1);
  const CliResult text = RunCli(arguments);
  EXPECT_EQ(text.code, 0);
  for (const char* part : {"capture 1.", "float32", "fclib-global", "ode", "36", "step size [s]"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  }
}

// A file that is still being written is told as such, with the steps committed so far.
TEST(CliInfo, ReadsLiveFiles) {
  const TemporaryDirectory folder;
  CaptureWriter writer(folder.File("live.h5"), CaptureInfo());
  for (int k = 0; k < 3; ++k) {
    writer.Append(ContactStep(4, k));
    const CliResult result = RunCli({"info", "--json", folder.File("live.h5")});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json file = Json::parse(result.out)["files"][0];
    EXPECT_EQ(file["live"], true);
    EXPECT_EQ(file["steps"], k + 1);
  }
  writer.Close();
  const CliResult result = RunCli({"info", "--json", folder.File("live.h5")});
  EXPECT_EQ(Json::parse(result.out)["files"][0]["live"], false);
}

TEST(CliValidate, OurOwnFilesAreSound) {
  Arguments arguments{"validate"};
  for (const char* name : kAllFiles) arguments.push_back(DataFile(name));
  const CliResult result = RunCli(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = result.out.find(", ok\n", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, std::size(kAllFiles)) << result.out;
}

// Bytes changed in the middle of a capture's data: found by a checksum, which is named.
TEST(CliValidate, ChangedBytesAreFound) {
  const TemporaryDirectory folder;
  const std::string path = folder.File("bad.h5");
  CaptureWriterOptions options;
  options.compress = false;
  CaptureWriter writer(path, CaptureInfo(), options);
  const CapturedStep step = ContactStep(20, 1);
  writer.Append(step);
  writer.Close();
  std::string bytes = ReadText(path);
  // The solution's first impulse, as it stands in the file.
  const std::string value(reinterpret_cast<const char*>(step.x.data()), 4 * sizeof(double));
  const std::size_t at = bytes.find(value);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
  const CliResult result = RunCli({"validate", path});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("checksum"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("1 findings"), std::string::npos) << result.out;
}

// Captures hold whatever comes: every format goes in and the problems are the same to the bit.
TEST(CliConvert, EveryFormatBecomesTheSameCapture) {
  const TemporaryDirectory folder;
  for (const char* name : kAllFiles) {
    Convert(DataFile(name), folder.File("out.h5"), {"--to", "capture"});
    EXPECT_EQ(OpenSource(folder.File("out.h5"))->format(), FileFormat::kCapture);
    EXPECT_EQ(Checksums(folder.File("out.h5")), Checksums(DataFile(name))) << name;
  }
}

// What was written in a format comes back from it as the same problem: the second generation equals
// the first to the bit, since what a format cannot hold was already gone.
TEST(CliConvert, ExportsComeBackAsTheSameProblem) {
  const TemporaryDirectory folder;
  struct {
    const char* file;
    const char* format;
    double tolerance;
  } cases[] = {{"balls.fclib-local.hdf5", "fclib-local", 0},
               {"chain.fclib-global.hdf5", "fclib-global", 0},
               {"chain.lu.h5", "lu", 1e-13},
               {"balls.ode.h5", "ode", 1e-13}};
  for (const auto& [file, format, tolerance] : cases) {
    const std::string out = folder.File(std::string("again.") + format + ".h5");
    Convert(DataFile(file), out);  // the name tells the format
    const std::unique_ptr<ProblemSource> before = OpenSource(DataFile(file));
    const std::unique_ptr<ProblemSource> after = OpenSource(out);
    EXPECT_EQ(ToString(after->format()), format);
    ASSERT_EQ(after->steps(), before->steps());
    for (std::int64_t k = 0; k < before->steps(); ++k) {
      const CapturedStep a = before->Read(k).step;
      const CapturedStep b = after->Read(k).step;
      if (tolerance == 0) {
        EXPECT_EQ(ProblemChecksum(a.problem), ProblemChecksum(b.problem)) << file;
        EXPECT_EQ(a.x, b.x);
        continue;
      }
      // Masses are inverted on the way, and points are found from levers.
      const CsrMatrix& left = a.problem.dynamics().Assembled();
      const CsrMatrix& right = b.problem.dynamics().Assembled();
      ASSERT_EQ(left.column, right.column);
      for (int i = 0; i < left.nonzeros(); ++i) {
        EXPECT_NEAR(left.value[i], right.value[i], tolerance * 1e3) << file;
      }
      for (int i = 0; i < a.problem.rows(); ++i) {
        EXPECT_NEAR(a.problem.dynamics().bias()[i], b.problem.dynamics().bias()[i], tolerance);
        EXPECT_NEAR(a.x[i], b.x[i], tolerance);
      }
    }
  }
}

// FCLIB holds one problem a file; a folder takes many.
TEST(CliConvert, AFolderTakesManySteps) {
  const TemporaryDirectory folder;
  Convert(DataFile("balls.h5"), folder.File("many/"), {"--to", "fclib-local", "--steps", "3:6"});
  for (const char* name :
       {"many/balls-000003.hdf5", "many/balls-000004.hdf5", "many/balls-000005.hdf5"}) {
    EXPECT_EQ(OpenSource(folder.File(name))->format(), FileFormat::kFclibLocal);
  }
}

// What a format cannot say is refused with file, step and reason, and leaves no file behind.
TEST(CliConvert, RefusesByName) {
  const TemporaryDirectory folder;
  struct {
    const char* file;
    const char* format;
    const char* reason;
  } cases[] = {{"rolling.h5", "fclib-local", "bounded"},
               {"rolling.h5", "lu", "spinning or rolling"},
               {"balls.fclib-local.hdf5", "fclib-global", "only A and b"},
               {"balls.fclib-local.hdf5", "ode", "rigid bodies"}};
  for (const auto& [file, format, reason] : cases) {
    const CliResult result = RunCli(
        {"convert", DataFile(file), folder.File("out.hdf5"), "--to", format, "--steps", "0"});
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.err.find(std::string(file) + ": step 0: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  }
  EXPECT_TRUE(folder.Names().empty());
}

}  // namespace
}  // namespace nonsmooth
