// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/option_field.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "common/solve/solver_registry.h"
#include "common/solver/solve_options.h"
#include "tests/support/expect_refusal.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Options {
  bool flag = false;
  int count = 5;
  double factor = 1;
  Law law;

  OptionFields Fields() {
    return {{"flag", "-", "", &flag},
            {"count", "steps", "", &count, 1, 32},
            {"factor", "-", "", &factor, 0, 2, true},
            {"law", "-", "", &law}};
  }
};

TEST(OptionField, TextSetsEveryKindOfField) {
  Options options;
  const OptionFields fields = options.Fields();
  Set("solver", fields, "flag", "true");
  EXPECT_TRUE(options.flag);
  Set("solver", fields, "flag", "0");
  EXPECT_FALSE(options.flag);
  Set("solver", fields, "count", "32");
  EXPECT_EQ(options.count, 32);
  Set("solver", fields, "factor", "1.25e-3");
  EXPECT_EQ(options.factor, 1.25e-3);
  Set("solver", fields, "law", "pyramid:6");
  EXPECT_EQ(options.law, (Law{LawKind::kPyramid, 6}));
}

// Field, text and what would do are named, and the field keeps its value.
TEST(OptionField, TextThatDoesNotFitIsRefused) {
  Options options;
  const auto refused = [&](const char* name, const char* text, const char* rule) {
    const std::string where = std::string("solver.") + name;
    const std::string quoted = std::string("'") + text + "'";
    test::ExpectRefusal([&] { Set("solver", options.Fields(), name, text); },
                        {where.c_str(), quoted.c_str(), rule});
  };
  for (const char* text : {"", "yes", "2", "TRUE"}) refused("flag", text, "true or false");
  for (const char* text : {"", "0", "33", "5.0", "five", "5 ", "99999999999"}) {
    refused("count", text, "1 <= count <= 32");
  }
  for (const char* text : {"", "0", "2", "-1", "nan", "inf", "1,5", "1 m"}) {
    refused("factor", text, "0 < factor < 2");
  }
  for (const char* text : {"", "coulomb", "pyramid:2"}) {
    refused("law", text, "native, box, coupled_box, pyramid:K, ccp or ncp");
  }
  EXPECT_FALSE(options.flag);
  EXPECT_EQ(options.count, 5);
  EXPECT_EQ(options.factor, 1);
  EXPECT_EQ(options.law, Law());
}

TEST(OptionField, UnknownNameIsAnsweredWithTheNamesThereAre) {
  Options options;
  test::ExpectRefusal([&] { Set("solver", options.Fields(), "omega", "1"); },
                      {"solver has no option 'omega'", "flag, count, factor, law"});
  test::ExpectRefusal([&] { Set("solver", {}, "omega", "1"); }, {"no option 'omega'", "none"});
}

// Bounds themselves are allowed unless the range is open; NaN never is.
TEST(OptionField, ValidateKnowsTheRange) {
  const auto valid = [](int count, double factor) {
    Options options;
    options.count = count;
    options.factor = factor;
    try {
      Validate("solver", options.Fields());
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  EXPECT_TRUE(valid(1, 1e-300));
  EXPECT_TRUE(valid(32, 1.999));
  EXPECT_FALSE(valid(0, 1));
  EXPECT_FALSE(valid(33, 1));
  EXPECT_FALSE(valid(5, 0));
  EXPECT_FALSE(valid(5, 2));
  EXPECT_FALSE(valid(5, std::numeric_limits<double>::quiet_NaN()));
  Options options;
  options.factor = 2.5;
  test::ExpectRefusal([&] { Validate("solver", options.Fields()); },
                      {"solver.factor = 2.5 violates 0 < factor < 2"});
}

// Shortest text that is read back to the same bits, infinity included.
TEST(OptionField, ValueTextIsReadBackToTheSameBits) {
  SolveOptions options;
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, 1e9, kInfinity}) {
    options.deadline = value;
    SolveOptions copy;
    const OptionFields from = Fields(options);
    const OptionFields to = Fields(copy);
    for (std::size_t i = 0; i < from.size(); ++i) {
      Set("options", to, from[i].name, ValueText(from[i]));
    }
    EXPECT_EQ(copy.deadline, value);
    EXPECT_EQ(copy.max_iterations, options.max_iterations);
    EXPECT_EQ(copy.relative_tolerance, options.relative_tolerance);
    EXPECT_EQ(copy.law, options.law);
  }
}

// Nobody could set one of two fields with one name, and defaults must be valid.
TEST(OptionField, EverySolverListsValidFieldsOnce) {
  SolveOptions common;
  for (const SolverInfo& info : Solvers()) {
    const std::unique_ptr<Solver> solver = info.make();
    const OptionFields fields = solver->Options();
    EXPECT_NO_THROW(Validate(info.name, fields)) << info.name;
    std::set<std::string_view> names;
    for (const OptionField& field : Fields(common)) names.insert(field.name);
    for (const OptionField& field : fields) {
      EXPECT_TRUE(names.insert(field.name).second) << info.name << "." << field.name;
      EXPECT_FALSE(field.unit.empty()) << info.name << "." << field.name;
      EXPECT_FALSE(field.help.empty()) << info.name << "." << field.name;
    }
  }
}

}  // namespace
}  // namespace nonsmooth
