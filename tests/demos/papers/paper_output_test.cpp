// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/paper_output.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace nonsmooth::papers {
namespace {

namespace fs = std::filesystem;

class PaperOutputTest : public testing::Test {
 protected:
  PaperOutputTest()
      : folder_(fs::path(testing::TempDir()) /
                ("paper_output_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
  }
  ~PaperOutputTest() override { fs::remove_all(folder_); }

  std::string Read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  fs::path folder_;
};

// 0.1 is written with the fewest digits that read back to it, NaN as an empty field.
TEST_F(PaperOutputTest, TablesAreCsv) {
  const PaperOutput output(folder_, true);
  output.Table("t", {"x", "y"}, {{0.1, 2}, {1e-300, std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_EQ(Read("t.csv"), "x,y\n0.1,2\n1e-300,\n");
  output.Table("u", {"solver", "y"}, {"psor", "a,b"}, {{1}, {2}});
  EXPECT_EQ(Read("u.csv"), "solver,y\npsor,1\n\"a,b\",2\n");
}

TEST_F(PaperOutputTest, TablesOfWrongSizeAreRefused) {
  const PaperOutput output(folder_, true);
  EXPECT_THROW(output.Table("t", {"x", "y"}, {{1}}), std::invalid_argument);
  EXPECT_THROW(output.Table("t", {"solver", "y"}, {"psor"}, {{1}, {2}}), std::invalid_argument);
}

TEST_F(PaperOutputTest, ClaimsAreWritten) {
  PaperOutput output(folder_, true);
  output.Add({"Fig. 1", "falls", "1, 2", "1.5 J", true});
  output.Add({"Fig. 2", "rises", "3", "4", false});
  output.Finish();
  EXPECT_EQ(Read("claims.csv"),
            "where,what,paper,ours,holds\nFig. 1,falls,\"1, 2\",1.5 J,yes\nFig. 2,rises,3,4,no\n");
}

// With gnuplot a PNG begins with its signature; a script that it does not understand is an error.
TEST_F(PaperOutputTest, PicturesAreMadeByGnuplot) {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot";
  PaperOutput output(folder_, true);
  output.Table("t", {"x", "y"}, {{0, 1}, {1, 2}});
  output.Picture("p", "plot 't.csv' using 1:2 with lines");
  EXPECT_EQ(Read("p.png").substr(0, 4), "\x89PNG");
  EXPECT_THROW(output.Picture("q", "plott nothing"), std::runtime_error);
  EXPECT_EQ(output.skipped_pictures(), 0);
}

}  // namespace
}  // namespace nonsmooth::papers
