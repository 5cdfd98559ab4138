// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <filesystem>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/hdf5/file.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

CaptureInfo Info(bool float32) {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  info.scene = "zoo, with an ü";
  info.scalar = float32 ? ScalarType::kFloat32 : ScalarType::kFloat64;
  return info;
}

struct Variant {
  bool float32;
  bool compress;
};

class RoundTrip : public testing::TestWithParam<Variant> {};

// What is read is what was written, bit for bit, for every law, kind of group and form of dynamics;
// the checksum of the problem read equals that of the problem written.
TEST_P(RoundTrip, EveryLawAndFormComesBackBitForBit) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("zoo.h5");
  const std::vector<NamedStep> zoo = StepZoo(GetParam().float32);
  CaptureWriterOptions options;
  options.compress = GetParam().compress;
  CaptureWriter writer(path, Info(GetParam().float32), options);
  for (const NamedStep& named : zoo) writer.Append(named.step);
  writer.Close();

  const CaptureReader reader(path);
  EXPECT_FALSE(reader.live());
  ASSERT_EQ(reader.steps(), static_cast<std::int64_t>(zoo.size()));
  CapturedStep step;
  for (std::int64_t i = reader.steps() - 1; i >= 0; --i) {  // backwards: access is random
    SCOPED_TRACE(zoo[i].name);
    reader.Read(i, step);
    ExpectSame(zoo[i].step, step);
    EXPECT_EQ(ProblemChecksum(zoo[i].step.problem), ProblemChecksum(step.problem));
    const StepSummary summary = reader.Summary(i);
    EXPECT_EQ(summary.problem_checksum, ProblemChecksum(step.problem));
    EXPECT_EQ(summary.rows, step.problem.rows());
    EXPECT_EQ(summary.contacts, step.problem.contacts());
    EXPECT_EQ(summary.has_x, !step.x.empty());
    EXPECT_EQ(summary.info.solver, step.info.solver);
  }
  EXPECT_TRUE(ValidateCapture(path).empty());
}

INSTANTIATE_TEST_SUITE_P(Capture, RoundTrip,
                         testing::Values(Variant{false, true}, Variant{false, false},
                                         Variant{true, true}, Variant{true, false}),
                         [](const auto& variant) {
                           return std::string(variant.param.float32 ? "Float32" : "Float64") +
                                  (variant.param.compress ? "Compressed" : "Plain");
                         });

// Many steps cross chunk boundaries of every pool: 40 steps of 300 contacts have 36,000 rows, a
// chunk of jacobians holds 1,365.
TEST(Capture, ManyStepsCrossChunkBoundaries) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("long.h5");
  CaptureWriter writer(path, Info(false));
  for (int i = 0; i < 40; ++i) writer.Append(ContactStep(300, i));
  writer.Close();
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), 40);
  for (int i : {0, 17, 39}) ExpectSame(ContactStep(300, i), reader.Read(i));
  const std::vector<StepSummary> summaries = reader.Summaries(10, 30);
  ASSERT_EQ(summaries.size(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(summaries[i].info.step, 10 + i);
}

// Steps appended together are the same as one by one; too many at once, or one that is refused, and
// none is written.
TEST(Capture, StepsAppendedTogether) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("together.h5");
  const std::vector<NamedStep> zoo = StepZoo(false);
  std::vector<const CapturedStep*> steps;
  for (const NamedStep& named : zoo) steps.push_back(&named.step);
  CaptureWriter writer(path, Info(false));
  writer.Append(zoo[2].step);
  writer.Append(steps);
  writer.Append(std::vector<const CapturedStep*>());
  CapturedStep bad = zoo[0].step;
  bad.x.pop_back();
  EXPECT_THROW(writer.Append({&zoo[1].step, &bad}), std::invalid_argument);
  EXPECT_THROW(writer.Append(std::vector<const CapturedStep*>(17, steps[0])),
               std::invalid_argument);
  writer.Append(zoo[1].step);
  writer.Close();
  const CaptureReader reader(path);
  const auto count = static_cast<std::int64_t>(zoo.size());
  ASSERT_EQ(reader.steps(), count + 2);
  ExpectSame(zoo[2].step, reader.Read(0));
  for (std::int64_t i = 0; i < count; ++i) ExpectSame(zoo[i].step, reader.Read(i + 1));
  ExpectSame(zoo[1].step, reader.Read(count + 1));
}

// Numbers of a float32 file take four bytes; the arrays of a step are therefore smaller.
TEST(Capture, Float32IsStoredAsFloat32) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("float.h5");
  CaptureWriter writer(path, Info(true));
  writer.Append(ContactStep(10, 1, true));
  writer.Close();
  const hdf5::File file = hdf5::File::Open(path);
  const hdf5::Dataset jacobian = file.OpenGroup("rows").OpenDataset("jacobian");
  EXPECT_EQ(jacobian.value_size(), 4u);
  EXPECT_TRUE(jacobian.is_float());
  EXPECT_EQ(jacobian.ReadTextAttribute("frame"), "world");
  EXPECT_EQ(file.OpenGroup("bodies").OpenDataset("masses").ReadTextAttribute("units"), "kg");
}

// 0.1 is not a float32: the step is refused by name, nothing is rounded, and the file goes on.
TEST(Capture, Float32FileRefusesWhatIsNotFloat32) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("float.h5");
  CaptureWriter writer(path, Info(true));
  CapturedStep step = ContactStep(3, 1, true);
  step.x[4] = 0.1;
  try {
    writer.Append(step);
    FAIL() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("/solution/x: value 4 = 0.1"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(writer.steps(), 0);
  step.x[4] = 0.125;
  writer.Append(step);
  writer.Close();
  ExpectSame(step, CaptureReader(path).Read(0));
}

// Vectors of the wrong length are the caller's mistake, named with both lengths.
TEST(Capture, WriterRefusesInconsistentSteps) {
  const TemporaryDirectory directory;
  CaptureWriter writer(directory.File("a.h5"), Info(false));
  CapturedStep step = ContactStep(2, 1);
  step.w.pop_back();
  try {
    writer.Append(step);
    FAIL() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "captured step: w has 5 entries, expected 6 or none");
  }
  step = ContactStep(2, 1);
  step.info.solver.assign(64, 'x');
  EXPECT_THROW(writer.Append(step), std::invalid_argument);
  step = ContactStep(2, 1);
  step.contacts[1].pair[0] = 3;
  EXPECT_THROW(writer.Append(step), std::invalid_argument);
  EXPECT_EQ(writer.steps(), 0);
}

// A solution of NaN is what somebody will want to look at: it is kept, and validation says so.
TEST(Capture, NanSolutionIsKeptAndReported) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("nan.h5");
  CapturedStep step = ContactStep(2, 1);
  step.x[3] = kUnknown;
  CaptureWriter writer(path, Info(false));
  writer.Append(step);
  writer.Close();
  ExpectSame(step, CaptureReader(path).Read(0));
  const std::vector<CaptureFinding> findings = ValidateCapture(path);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].object, "/solution/x");
  EXPECT_EQ(findings[0].step, 0);
  EXPECT_EQ(findings[0].what, "entry 3 is not finite");
}

// Root attributes come back; what was left empty is filled in.
TEST(Capture, InfoComesBack) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("info.h5");
  CaptureWriter writer(path, Info(false));
  writer.Close();
  const CaptureReader reader(path);
  EXPECT_EQ(reader.steps(), 0);
  EXPECT_EQ(reader.info().scene, "zoo, with an ü");
  EXPECT_EQ(reader.info().version, "1.1");
  EXPECT_EQ(reader.info().uuid.size(), 36u);
  EXPECT_EQ(reader.info().created.size(), 20u);
  EXPECT_EQ(reader.info().uuid, writer.info().uuid);
  EXPECT_TRUE(IsCapture(path));
}

// Nothing but the file itself is left behind, whether it is compressed or not.
TEST(Capture, LeavesNoOtherFiles) {
  const TemporaryDirectory directory;
  CaptureWriter writer(directory.File("one.h5"), Info(false));
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"one.h5"});
  writer.Append(ContactStep(2, 1));
  writer.Close();
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"one.h5"});
}

TEST(Capture, ExistingFileIsKeptIfAskedFor) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("one.h5");
  CaptureWriterOptions options;
  options.keep_existing = true;
  CaptureWriter(path, Info(false), options).Append(ContactStep(2, 1));
  EXPECT_THROW(CaptureWriter(path, Info(false), options), FileError);
  EXPECT_EQ(CaptureReader(path).steps(), 1);
  CaptureWriter(path, Info(false)).Close();
  EXPECT_EQ(CaptureReader(path).steps(), 0);
}

// Compression pays: steps that repeat each other shrink.
TEST(Capture, CompressedFileIsSmaller) {
  const TemporaryDirectory directory;
  for (bool compress : {false, true}) {
    CaptureWriterOptions options;
    options.compress = compress;
    CaptureWriter writer(directory.File(compress ? "packed.h5" : "plain.h5"), Info(false), options);
    for (int i = 0; i < 20; ++i) writer.Append(ContactStep(100, 1));
    writer.Close();
  }
  EXPECT_LT(std::filesystem::file_size(directory.File("packed.h5")),
            std::filesystem::file_size(directory.File("plain.h5")) / 2);
}

TEST(Capture, ClosedWriterRefusesSteps) {
  const TemporaryDirectory directory;
  CaptureWriter writer(directory.File("a.h5"), Info(false));
  writer.Close();
  EXPECT_THROW(writer.Append(ContactStep(1, 1)), FileError);
}

}  // namespace
}  // namespace nonsmooth
