// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// FCLIB and Lu files have no checksums: damage may pass for other numbers. Whatever it does, there
// is an answer or an error that names the file, and never a crash, a hang or a huge allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "recorders/replay/replay.h"
#include "recorders/replay/reports.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

class OtherFilesFuzz : public testing::TestWithParam<const char*> {
 protected:
  OtherFilesFuzz() : path_(folder_.File("bad.h5")), good_(LoadBytes(DataFile(GetParam()))) {
    options_.solvers = {"psor", "apgd"};
    options_.solve.max_iterations = 3;
    options_.jobs = 1;
    for (std::size_t i = 0; i < good_.size(); ++i) {
      if (good_[i] != 0) used_.push_back(i);
    }
  }

  static int Effort() {
    const char* text = std::getenv("NONSMOOTH_FUZZ_EFFORT");
    return text == nullptr ? 1 : std::max(1, std::atoi(text));
  }
  std::size_t Below(std::size_t end) { return random_() % end; }
  std::size_t UsedByte() { return used_[Below(used_.size())]; }

  /// Reads and solves `bytes`; true if all of it could be read.
  bool Answer(const Bytes& bytes) {
    SaveBytes(path_, bytes);
    const ReplayReport report = Replay({path_}, options_);
    EXPECT_FALSE(JsonText(report, options_).empty());
    for (const std::string& error : report.files[0].errors) {
      EXPECT_NE(error.find(path_), std::string::npos) << error;
    }
    if (!report.files[0].errors.empty()) return false;
    const auto solved = std::count_if(report.records.begin(), report.records.end(),
                                      [](const ReplayRecord& r) { return r.solver == "psor"; });
    EXPECT_EQ(solved, report.files[0].steps);
    return true;
  }

  TemporaryDirectory folder_;
  std::string path_;
  Bytes good_;
  std::vector<std::size_t> used_;
  std::mt19937 random_{20261118u};
  ReplayOptions options_;
};

// The file is read before it is damaged, and cut off at any byte that matters it is an error.
TEST_P(OtherFilesFuzz, Truncated) {
  ASSERT_TRUE(Answer(good_));
  for (int round = 0; round < 40 * Effort(); ++round) {
    const std::size_t size = UsedByte();
    SCOPED_TRACE(size);
    EXPECT_FALSE(Answer(Bytes(good_.begin(), good_.begin() + static_cast<long>(size))));
    if (HasFailure()) return;
  }
}

TEST_P(OtherFilesFuzz, BytesChanged) {
  int read = 0;
  for (int round = 0; round < 150 * Effort(); ++round) {
    SCOPED_TRACE(round);
    Bytes bad = good_;
    for (std::size_t k = 1 + Below(8); k > 0; --k) {
      bad[UsedByte()] = static_cast<unsigned char>(random_());
    }
    read += Answer(bad) ? 1 : 0;
    if (HasFailure()) return;
  }
  // Some damage hits numbers, some the structure: both were met.
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 150 * Effort());
}

TEST_P(OtherFilesFuzz, BlocksOverwritten) {
  for (int round = 0; round < 60 * Effort(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t to = UsedByte();
    const std::size_t from = UsedByte();
    const Bytes bad = WithBlockOverwritten(good_, to, from, std::size_t{1} << Below(13),
                                           static_cast<Overwrite>(round % 3), random_);
    Answer(bad);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, OtherFilesFuzz,
                         testing::Values("balls.fclib-local.hdf5", "chain.fclib-global.hdf5",
                                         "chain.lu.h5", "balls.ode.h5"),
                         [](const auto& file) {
                           std::string name;
                           for (const char* c = file.param; *c != '\0'; ++c) {
                             if (std::isalnum(*c) != 0) name += *c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace nonsmooth
