// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "demos/papers/papers.h"

namespace {

using nonsmooth::papers::Claim;
using nonsmooth::papers::Paper;
using nonsmooth::papers::PaperOutput;
using nonsmooth::papers::Papers;

// Returns how many claims do not hold.
int Reproduce(const Paper& paper, const std::filesystem::path& folder, bool quick) {
  fmt::print("{}: {}\n", paper.name, paper.title);
  const auto start = std::chrono::steady_clock::now();
  PaperOutput output(folder / paper.name, quick);
  paper.reproduce(output);
  output.Finish();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  int failed = 0;
  for (const Claim& claim : output.claims()) {
    fmt::print("  {} {}: {}\n      paper {}; here {}\n", claim.holds ? "yes" : "NO ", claim.where,
               claim.what, claim.paper, claim.ours);
    failed += claim.holds ? 0 : 1;
  }
  fmt::print("  {} in {:.1f} s", output.folder().string(), taken.count());
  if (output.skipped_pictures() > 0)
    fmt::print("; {} pictures left out: no gnuplot", output.skipped_pictures());
  fmt::print("\n");
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Makes figures and tables of the papers anew: CSV, PNG and claims.csv, one folder each"};
  bool all = false;
  bool quick = false;
  bool strict = false;
  std::string folder;
  std::vector<std::string> names;
  std::vector<std::string> known;
  for (const Paper& paper : Papers()) known.emplace_back(paper.name);
  app.add_option("OUT", folder, "folder for the results")->required();
  app.add_flag("--all", all, "every paper");
  app.add_option("--paper", names, "one of them, may be repeated")
      ->check(CLI::IsMember(known))
      ->allow_extra_args(false);
  app.add_flag("--strict", strict, "exit code 1 where a claim does not hold");
  app.add_flag("--quick", quick, "small sizes: seconds instead of minutes, coarser numbers");
  try {
    app.parse(argc, argv);
    if (all == !names.empty()) throw CLI::ValidationError("give --all or --paper NAME");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    int failed = 0;
    for (const Paper& paper : Papers()) {
      if (all || std::find(names.begin(), names.end(), paper.name) != names.end())
        failed += Reproduce(paper, folder, quick);
    }
    if (failed > 0) fmt::print("{} claims do not hold\n", failed);
    return strict && failed > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "reproduce: {}\n", error.what());
    return 1;
  }
}
