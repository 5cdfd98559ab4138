// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "recorders/capture/capture_writer.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

/// How a file that is fuzzed came about; the bytes differ a lot.
enum class Origin { kCompressed, kGrown, kLive };

/// Times the usual number of rounds; for long searches by hand.
int Effort() {
  const char* text = std::getenv("NONSMOOTH_FUZZ_EFFORT");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

unsigned Seed() {
  const char* text = std::getenv("NONSMOOTH_FUZZ_SEED");
  return text == nullptr ? 20261118u : static_cast<unsigned>(std::atoi(text));
}

class Fuzz : public testing::TestWithParam<Origin> {
 protected:
  Fuzz() : path_(directory_.File("bad.h5")), random_(Seed()) {
    for (const NamedStep& named : StepZoo(false)) steps_.push_back(named.step);
    CaptureInfo info;
    info.engine = "none";
    const std::string good = directory_.File("good.h5");
    CaptureWriterOptions options;
    options.compress = GetParam() == Origin::kCompressed;
    CaptureWriter writer(good, info, options);
    for (const CapturedStep& step : steps_) writer.Append(step);
    if (GetParam() != Origin::kLive) writer.Close();
    good_ = LoadBytes(good);
    for (std::size_t i = 0; i < good_.size(); ++i) {
      if (good_[i] != 0) used_.push_back(i);
    }
  }

  std::size_t Below(std::size_t end) { return random_() % end; }

  /// Most of a grown file is room for more; what is not zero is what matters.
  std::size_t UsedByte() { return used_[Below(used_.size())]; }

  /// Reads `bytes` as a file. Steps that can still be read have to be the ones written.
  Reading Read(const Bytes& bytes) {
    SaveBytes(path_, bytes);
    return ReadAll(path_, &steps_);
  }

  TemporaryDirectory directory_;
  std::string path_;
  std::mt19937 random_;
  std::vector<CapturedStep> steps_;
  Bytes good_;
  std::vector<std::size_t> used_;
};

// Nothing is wrong with the file before it is damaged: all steps are read without an error.
TEST_P(Fuzz, UndamagedFileIsRead) {
  const Reading reading = Read(good_);
  EXPECT_EQ(reading.steps_read, static_cast<int>(steps_.size()));
  EXPECT_TRUE(reading.errors.empty());
}

// Cut off anywhere: an error, or, where only room was cut off, the same steps.
TEST_P(Fuzz, Truncated) {
  for (int round = 0; round < 60 * Effort(); ++round) {
    const std::size_t size = round % 2 == 0 ? UsedByte() : Below(good_.size());
    SCOPED_TRACE(size);
    const Reading reading = Read(Bytes(good_.begin(), good_.begin() + static_cast<long>(size)));
    EXPECT_TRUE(!reading.errors.empty() || reading.steps_read == static_cast<int>(steps_.size()));
    if (HasFailure()) return;
  }
}

// One to eight bytes get other values. Checksums stand over everything, so that a step that is read
// is the one that was written.
TEST_P(Fuzz, BytesFlipped) {
  for (int round = 0; round < 200 * Effort(); ++round) {
    SCOPED_TRACE(round);
    Bytes bad = good_;
    for (std::size_t k = 1 + Below(8); k > 0; --k) {
      bad[UsedByte()] = static_cast<unsigned char>(random_());
    }
    Read(bad);
    if (HasFailure()) return;
  }
}

// A block is overwritten with zeros, with noise, or with another part of the file: what a lost
// write, a bad sector or a bad copy leave.
TEST_P(Fuzz, BlocksOverwritten) {
  for (int round = 0; round < 80 * Effort(); ++round) {
    SCOPED_TRACE(round);
    const std::size_t to = UsedByte();
    const std::size_t from = UsedByte();
    const Bytes bad = WithBlockOverwritten(good_, to, from, std::size_t{1} << Below(13),
                                           static_cast<Overwrite>(round % 3), random_);
    Read(bad);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Capture, Fuzz,
                         testing::Values(Origin::kCompressed, Origin::kGrown, Origin::kLive),
                         [](const auto& variant) {
                           switch (variant.param) {
                             case Origin::kCompressed:
                               return "Compressed";
                             case Origin::kGrown:
                               return "Grown";
                             case Origin::kLive:
                               return "Live";
                           }
                           return "";
                         });

}  // namespace
}  // namespace nonsmooth
