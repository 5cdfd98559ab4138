// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Help, wrong usage and unreadable files: exit codes and what stands on which stream.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/solve/solver_registry.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Arguments = std::vector<std::string>;
using testing::Values;

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct HelpCase {
  const char* command;
  Arguments mentions;
};

void PrintTo(const HelpCase& level, std::ostream* stream) { *stream << level.command; }

class CliHelp : public testing::TestWithParam<HelpCase> {};

// Help goes to standard output, is a success, and names every flag.
TEST_P(CliHelp, IsASuccessAndNamesEveryFlag) {
  Arguments arguments{"--help"};
  if (*GetParam().command != '\0') arguments.insert(arguments.begin(), GetParam().command);
  const CliResult result = RunCli(arguments);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  for (const std::string& flag : GetParam().mentions) {
    EXPECT_TRUE(Contains(result.out, flag)) << flag << "\n" << result.out;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Levels, CliHelp,
    Values(HelpCase{"",
                    {"info", "solvers", "replay", "compare", "convert", "validate", "report",
                     "view", "explain", "--version"}},
           HelpCase{"info", {"FILE", "--json"}}, HelpCase{"solvers", {"--json"}},
           HelpCase{"replay",
                    {"FILE", "--solver", "--law", "--steps", "--iterations", "--tolerance JOULES",
                     "--relative-tolerance", "--deadline-ms", "--warm-start", "--history", "--jobs",
                     "--json", "--csv", "--save OUT.h5", "--save-fclib DIR", "--option"}},
           HelpCase{"compare",
                    {"RESULTS", "--tolerance", "--error", "--by-file", "--profile OUT.csv",
                     "--times OUT.csv"}},
           HelpCase{"report",
                    {"FILE", "--solver", "--law", "--steps", "--every", "--limit", "--iterations",
                     "--deadline-ms", "--explain", "--jobs", "--out OUT.html"}},
           HelpCase{"view", {"FILE", "--solver", "--limit"}},
           HelpCase{"explain",
                    {"FILE", "--step", "--solver", "--try", "--law", "--deadline-ms", "--worst",
                     "--json"}},
           HelpCase{"convert", {"IN", "OUT", "--to", "--steps"}}, HelpCase{"validate", {"FILE"}}),
    [](const testing::TestParamInfo<HelpCase>& level) {
      return *level.param.command == '\0' ? std::string("top") : std::string(level.param.command);
    });

struct MisuseCase {
  const char* name;
  Arguments arguments;
  const char* says;  ///< on standard error
};

void PrintTo(const MisuseCase& misuse, std::ostream* stream) { *stream << misuse.name; }

class CliMisuse : public testing::TestWithParam<MisuseCase> {};

// Wrong usage ends with 2, nothing on standard output, and the reason on standard error.
TEST_P(CliMisuse, EndsWithTwoAndSaysWhy) {
  const CliResult result = RunCli(GetParam().arguments);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(Contains(result.err, GetParam().says)) << result.err;
}

Arguments Replay(const Arguments& more) {
  Arguments arguments{"replay", DataFile("balls.h5")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

INSTANTIATE_TEST_SUITE_P(
    Cli, CliMisuse,
    Values(
        MisuseCase{"NoCommand", {}, "subcommand"}, MisuseCase{"UnknownCommand", {"solve"}, "solve"},
        MisuseCase{"UnknownFlag", Replay({"--solver", "psor", "--fast"}), "--fast"},
        MisuseCase{"NoFile", {"replay", "--solver", "psor"}, "FILE"},
        MisuseCase{"UnknownSolver", Replay({"--solver", "psor,magic"}), "magic"},
        MisuseCase{"UnknownLaw", Replay({"--solver", "psor", "--law", "sticky"}), "sticky"},
        MisuseCase{"TwoFacets", Replay({"--solver", "psor", "--law", "pyramid:2"}), "pyramid:2"},
        MisuseCase{"StepsBackwards", Replay({"--solver", "psor", "--steps", "5:5"}), "5:5"},
        MisuseCase{"StepsNegative", Replay({"--solver", "psor", "--steps=-1:5"}), "-1:5"},
        MisuseCase{"StepsText", Replay({"--solver", "psor", "--steps", "a:b"}), "a:b"},
        MisuseCase{"IterationsText", Replay({"--solver", "psor", "--iterations", "many"}), "many"},
        MisuseCase{"IterationsNegative", Replay({"--solver", "psor", "--iterations=-1"}), "-1"},
        MisuseCase{"ToleranceNegative", Replay({"--solver", "psor", "--tolerance=-1"}), "-1"},
        MisuseCase{"BothTolerances",
                   Replay({"--solver", "psor", "--tolerance", "1", "--relative-tolerance", "1"}),
                   "--tolerance"},
        MisuseCase{"DeadlineZero", Replay({"--solver", "psor", "--deadline-ms", "0"}),
                   "--deadline-ms"},
        MisuseCase{"UnknownWarmStart", Replay({"--solver", "psor", "--warm-start", "hot"}), "hot"},
        MisuseCase{"NoJobs", Replay({"--solver", "psor", "--jobs", "0"}), "--jobs"},
        MisuseCase{"TwoOnStandardOutput", Replay({"--solver", "psor", "--json", "-", "--csv", "-"}),
                   "standard output"},
        MisuseCase{"OptionWithoutSolver", Replay({"--solver", "psor", "--option", "relaxation=1"}),
                   "SOLVER.NAME=VALUE"},
        MisuseCase{"OptionOfAnother",
                   Replay({"--solver", "psor", "--option", "apgd.restart=false"}), "not run"},
        MisuseCase{"OptionUnknown", Replay({"--solver", "psor", "--option", "psor.speed=2"}),
                   "relaxation"},
        MisuseCase{"OptionOutOfRange",
                   Replay({"--solver", "psor", "--option", "psor.relaxation=3"}), "relaxation"},
        MisuseCase{"OutputIsInput", Replay({"--solver", "psor", "--save", DataFile("balls.h5")}),
                   "both read and written"},
        MisuseCase{"CompareNothing", {"compare"}, "RESULTS"},
        MisuseCase{"CompareToZero", {"compare", "a.json", "--tolerance", "1e-4,0"}, "--tolerance"},
        MisuseCase{"CompareByUnknownError", {"compare", "a.json", "--error", "gut"}, "gut"},
        MisuseCase{"CompareTwoOnStandardOutput",
                   {"compare", "a.json", "--profile", "-", "--times", "-"},
                   "standard output"},
        MisuseCase{"ConvertUnknownFormat",
                   {"convert", DataFile("balls.h5"), "out.h5", "--to", "csv"},
                   "csv"},
        MisuseCase{"ConvertNameTellsNothing", {"convert", DataFile("balls.h5"), "out.dat"}, "--to"},
        MisuseCase{"ConvertIntoItself",
                   {"convert", DataFile("balls.h5"), DataFile("balls.h5"), "--to", "capture"},
                   "same file"},
        MisuseCase{"ConvertManyStepsToOneProblem",
                   {"convert", DataFile("balls.h5"), "out.fclib-local.hdf5"},
                   "36 steps"}),
    [](const testing::TestParamInfo<MisuseCase>& misuse) {
      return std::string(misuse.param.name);
    });

TEST(Cli, SaysItsVersion) {
  const CliResult result = RunCli({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out.rfind("nonsmooth ", 0), 0u) << result.out;
}

// Every command names file and cause on standard error and ends with 1; nothing hangs on a FIFO.
TEST(Cli, FilesThatCannotBeReadAreNamed) {
  const TemporaryDirectory folder;
  struct {
    std::string path;
    std::string cause;
  } cases[] = {{folder.File("missing.h5"), "No such file"},
               {folder.path(), "directory"},
               {DataFile("README.md"), "HDF5"}};
  for (const auto& [path, cause] : cases) {
    for (const Arguments& arguments : {Arguments{"info", path}, Arguments{"validate", path},
                                       Arguments{"replay", path, "--solver", "psor"},
                                       Arguments{"convert", path, folder.File("out.h5")}}) {
      const CliResult result = RunCli(arguments);
      EXPECT_EQ(result.code, 1) << arguments[0] << " " << path;
      EXPECT_TRUE(Contains(result.err, path) && Contains(result.err, cause)) << result.err;
    }
  }
  EXPECT_TRUE(folder.Names().empty());  // no half-made output
}

// A bad file does not keep the good ones from being solved, but is not forgotten either.
TEST(Cli, GoodFilesAreSolvedBesideABadOne) {
  const CliResult result =
      RunCli({"replay", "/nowhere.h5", DataFile("balls.fclib-local.hdf5"), "--solver", "psor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(Contains(result.err, "/nowhere.h5"));
  EXPECT_TRUE(Contains(result.out, "balls.fclib-local.hdf5"));
  EXPECT_TRUE(Contains(result.out, "converged"));
}

// Outputs that cannot be written are found out before anything is solved.
TEST(Cli, UnwritableOutputsAreNamedBeforehand) {
  for (const char* flag : {"--json", "--csv", "--save"}) {
    const CliResult result =
        RunCli({"replay", DataFile("balls.h5"), "--solver", "psor", flag, "/nowhere/out"});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(Contains(result.err, "/nowhere/out") && Contains(result.err, "No such file"))
        << result.err;
  }
  const CliResult result =
      RunCli({"replay", DataFile("balls.h5"), "--solver", "psor", "--save-fclib", "/dev/null/out"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(Contains(result.err, "/dev/null/out")) << result.err;
}

// A bar is drawn where standard error is a terminal, and not a byte of it elsewhere.
TEST(Cli, ProgressIsShownOnATerminalOnly) {
  const Arguments arguments{"replay", DataFile("balls.h5"), "--solver", "psor"};
  EXPECT_EQ(RunCli(arguments).err, "");
  const CliResult shown = RunCli(arguments, /*terminal=*/true);
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(Contains(shown.err, "36 of 36 steps")) << shown.err;
}

// All that the registry knows is listed, with units, ranges and defaults.
TEST(Cli, SolversAreListedWithOptions) {
  const CliResult text = RunCli({"solvers"});
  EXPECT_EQ(text.code, 0);
  const CliResult result = RunCli({"solvers", "--json"});
  EXPECT_EQ(result.code, 0);
  const nlohmann::json json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["solvers"].size(), Solvers().size());
  for (std::size_t k = 0; k < Solvers().size(); ++k) {
    const SolverInfo& info = Solvers()[k];
    const nlohmann::json& entry = json["solvers"][k];
    EXPECT_EQ(entry["name"], info.name);
    EXPECT_EQ(entry["laws"].size(), info.laws.size());
    const std::unique_ptr<Solver> solver = info.make();
    const OptionFields fields = solver->Options();
    ASSERT_EQ(entry["options"].size(), fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const nlohmann::json& option = entry["options"][i];
      EXPECT_EQ(option["name"], fields[i].name);
      EXPECT_EQ(option["unit"], fields[i].unit);
      EXPECT_TRUE(option.contains("default") && option.contains("help") && option.contains("type"));
      EXPECT_TRUE(Contains(text.out, std::string(info.name) + "." + std::string(fields[i].name) +
                                         " = " + ValueText(fields[i])));
    }
  }
}

}  // namespace
}  // namespace nonsmooth
