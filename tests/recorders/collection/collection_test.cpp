// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/collection/collection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "recorders/capture/capture_reader.h"
#include "recorders/capture/file_error.h"
#include "recorders/interchange/problem_source.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;

/// A box of 8 kg on a floor with contacts under its four corners, and a sphere of 2 kg on top.
Problem BoxAndSphere() {
  ProblemBuilder builder;
  builder.AddBox(8, {1, 1, 1}, {0, 0, -0.1});
  builder.AddSphere(2, 0.5, {0, 0, -0.1});
  ContactMaterial material;
  material.friction = 0.25;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      ContactPoint corner;
      corner.body_b = 0;
      corner.lever_b = {x, y, -0.5};
      corner.normal = {0, 0, 1};
      builder.AddContact(corner, material);
    }
  }
  ContactPoint top;
  top.body_a = 0;
  top.body_b = 1;
  top.lever_a = {0, 0, 0.5};
  top.lever_b = {0, 0, -0.5};
  top.normal = {0, 0, 1};
  material.friction = 0.75;
  builder.AddContact(top, material);
  return builder.Build();
}

// Four corners have twelve rows on the six freedoms of the box: six too many. The sphere's contact
// adds three rows and three freedoms.
TEST(Features, OfABoxAndASphere) {
  const ProblemFeatures features = FeaturesOf(BoxAndSphere(), 100);
  EXPECT_EQ(features.contacts, 5);
  EXPECT_EQ(features.rows, 15);
  EXPECT_EQ(features.velocities, 12);
  EXPECT_EQ(features.rank_deficiency, 6);
  EXPECT_EQ(features.joint_share, 0);
  EXPECT_DOUBLE_EQ(features.mass_ratio, 4);
  EXPECT_DOUBLE_EQ(features.friction_min, 0.25);
  EXPECT_DOUBLE_EQ(features.friction_max, 0.75);
  EXPECT_EQ(features.law, "ncp");
}

TEST(Features, RankIsLeftOutWhereItTakesTooLong) {
  EXPECT_EQ(FeaturesOf(BoxAndSphere(), 14).rank_deficiency, -1);
}

TEST(Features, OfNothing) {
  const ProblemFeatures features = FeaturesOf(Problem(), 100);
  EXPECT_EQ(features.rows, 0);
  EXPECT_TRUE(std::isnan(features.friction_max));
  EXPECT_EQ(features.law, "");
}

/// Problems with 1, …, `count` contacts' worth of features; checksums differ.
Collection Made(const std::vector<int>& contacts) {
  Collection collection;
  collection.sources.resize(1);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    CollectedProblem problem;
    problem.checksum = 1000 + k;
    problem.step = static_cast<std::int64_t>(k);
    problem.features.contacts = contacts[k];
    problem.features.law = "ncp";
    collection.problems.push_back(problem);
  }
  return collection;
}

std::map<std::string, int> Count(const Collection& collection) {
  std::map<std::string, int> strata;
  for (const CollectedProblem& problem : collection.problems) {
    ++strata[StratumOf(collection, problem, {"contacts"})];
  }
  return strata;
}

// 100 problems of 4 contacts, 20 of 16, 2 of 100; 30 drawn: 2 of the rare kind, 14 of each other.
TEST(Sample, EveryKindGivesTheSameAsFarAsItHasIt) {
  std::vector<int> contacts(100, 4);
  contacts.insert(contacts.end(), 20, 16);
  contacts.insert(contacts.end(), 2, 100);
  const Collection sample = Sample(Made(contacts), 30, {"contacts"}, 0);
  EXPECT_EQ(Count(sample),
            (std::map<std::string, int>{
                {"contacts 4-7", 14}, {"contacts 16-31", 14}, {"contacts 64-127", 2}}));
}

TEST(Sample, DoesNotDependOnTheOrder) {
  const Collection forwards = Made(std::vector<int>(50, 4));
  Collection backwards = forwards;
  std::reverse(backwards.problems.begin(), backwards.problems.end());
  const auto checksums = [](const Collection& collection) {
    std::set<std::uint64_t> sums;
    for (const CollectedProblem& problem : collection.problems) sums.insert(problem.checksum);
    return sums;
  };
  const auto drawn = checksums(Sample(forwards, 10, {}, 3));
  EXPECT_EQ(drawn.size(), 10u);
  EXPECT_EQ(drawn, checksums(Sample(backwards, 10, {}, 3)));
  EXPECT_NE(drawn, checksums(Sample(forwards, 10, {}, 4)));
}

TEST(Sample, OfMoreThanThereAreIsAll) {
  EXPECT_EQ(Sample(Made({1, 2, 3}), 10, {"contacts"}, 0).problems.size(), 3u);
}

TEST(Sample, RefusesNonsense) {
  EXPECT_THROW(Sample(Made({1}), 0, {}, 0), std::invalid_argument);
  EXPECT_THROW(Sample(Made({1}), 1, {"colour"}, 0), std::invalid_argument);
}

/// A folder with a capture twice, an FCLIB file with a licence of its own, and what is neither.
class CollectTest : public testing::Test {
 protected:
  CollectTest() {
    fs::create_directories(folder_.File("in/fclib"));
    fs::copy(DataFile("balls.h5"), folder_.File("in/a.h5"));
    fs::copy(DataFile("balls.h5"), folder_.File("in/b.h5"));
    fs::copy(DataFile("chain.fclib-global.hdf5"), folder_.File("in/fclib/chain.hdf5"));
    std::ofstream(folder_.File("in/foreign.h5")) << "no HDF5";
    std::ofstream(folder_.File("in/ORIGIN.txt")) << "made here";
    std::ofstream(folder_.File("in/fclib/LICENSE")) << "Apache 2.0";
  }

  Collection Run() const {
    CollectOptions options;
    options.licence = "BSD";
    return Collect({folder_.File("in")}, options);
  }

  /// Every problem of a collection is the one that was collected.
  static void ExpectProblems(const std::string& path, const Collection& collection) {
    const std::unique_ptr<ProblemSource> source = OpenSource(path);
    ASSERT_EQ(source->steps(), static_cast<std::int64_t>(collection.problems.size()));
    for (std::int64_t k = 0; k < source->steps(); ++k) {
      EXPECT_EQ(ProblemChecksum(source->Read(k).step.problem), collection.problems[k].checksum);
    }
  }

  const TemporaryDirectory folder_;
};

TEST_F(CollectTest, KeepsDuplicatesLicencesAndOriginsApart) {
  const Collection collection = Run();
  ASSERT_EQ(collection.sources.size(), 3u);
  ASSERT_EQ(collection.remarks.size(), 1u);
  EXPECT_NE(collection.remarks[0].find("foreign.h5"), std::string::npos);
  const std::int64_t steps = OpenSource(DataFile("balls.h5"))->steps();
  std::int64_t copies = 0;
  for (const CollectedProblem& problem : collection.problems) copies += problem.copies;
  EXPECT_EQ(static_cast<std::int64_t>(collection.problems.size()) + copies, 2 * steps + 1);
  EXPECT_GE(copies, steps);
  EXPECT_EQ(collection.sources[0].licence, "BSD");
  EXPECT_EQ(collection.sources[0].origin, "made here");
  EXPECT_EQ(collection.sources[2].licence, "Apache 2.0");
  EXPECT_EQ(collection.sources[2].origin, "made here");
}

TEST_F(CollectTest, LinksLeadToTheProblemsAlsoWhenBothAreMoved) {
  const Collection collection = Run();
  WriteCollection(folder_.File("in/all.h5"), collection, CollectHow::kLink);
  ExpectProblems(folder_.File("in/all.h5"), collection);
  fs::rename(folder_.File("in"), folder_.File("moved"));
  ExpectProblems(folder_.File("moved/all.h5"), collection);
}

TEST_F(CollectTest, AnotherProblemInItsPlaceIsRefused) {
  const Collection collection = Run();
  WriteCollection(folder_.File("all.h5"), collection, CollectHow::kLink);
  fs::copy(DataFile("chain.h5"), folder_.File("in/a.h5"), fs::copy_options::overwrite_existing);
  EXPECT_THROW(OpenSource(folder_.File("all.h5"))->Read(0), FileError);
  fs::remove(folder_.File("in/a.h5"));
  EXPECT_THROW(OpenSource(folder_.File("all.h5"))->Read(0), FileError);
}

TEST_F(CollectTest, CopiesStandAloneAndAreACapture) {
  const Collection collection = Sample(Run(), 8, {"format"}, 0);
  WriteCollection(folder_.File("copies.h5"), collection, CollectHow::kCopy);
  fs::remove_all(folder_.File("in"));
  ExpectProblems(folder_.File("copies.h5"), collection);
  EXPECT_TRUE(IsCapture(folder_.File("copies.h5")));
  EXPECT_TRUE(ValidateCapture(folder_.File("copies.h5")).empty());
}

TEST_F(CollectTest, RefusesWhatIsNotThere) {
  EXPECT_THROW(Collect({folder_.File("nowhere")}, {}), FileError);
}

TEST_F(CollectTest, TheCommandLineDrawsReplaysAndMerges) {
  const CliResult collected = RunCli({"collect", folder_.File("in"), "--out", folder_.File("c.h5"),
                                      "--sample", "6", "--stratify", "format,contacts"});
  EXPECT_EQ(collected.code, 0) << collected.err;
  EXPECT_NE(collected.out.find("6 problems of"), std::string::npos) << collected.out;
  const CliResult replayed =
      RunCli({"replay", folder_.File("c.h5"), "--solver", "nncg", "--out-dir", folder_.File("o")});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(RunCli({"merge", folder_.File("o"), "--out", folder_.File("o.json")}).code, 0);
  EXPECT_EQ(RunCli({"info", folder_.File("c.h5")}).code, 0);
  EXPECT_EQ(
      RunCli({"collect", folder_.File("in"), "--out", folder_.File("c.h5"), "--stratify", "colour"})
          .code,
      2);
}

}  // namespace
}  // namespace nonsmooth
