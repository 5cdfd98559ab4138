// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <memory>

#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/cli/progress_bar.h"
#include "recorders/collection/collection.h"

namespace nonsmooth::cli {
namespace {

constexpr std::size_t kMostStrata = 50;  ///< printed one by one

struct CollectArguments {
  std::vector<std::string> paths;
  std::string out;
  bool copy = false;
  std::int64_t sample = 0;
  std::vector<std::string> keys;
  std::uint64_t seed = 0;
  CollectOptions options;
};

std::map<std::string, std::int64_t> Strata(const Collection& collection,
                                           const std::vector<std::string>& keys) {
  std::map<std::string, std::int64_t> strata;
  for (const CollectedProblem& problem : collection.problems) {
    ++strata[StratumOf(collection, problem, keys)];
  }
  return strata;
}

int RunCollect(const CollectArguments& arguments) {
  CheckOutput(arguments.out, arguments.paths);
  Collection collection;
  {
    ProgressBar bar;
    collection = Collect(arguments.paths, arguments.options,
                         [&bar](std::int64_t done, std::int64_t of) { bar.Show(done, of); });
  }
  for (const std::string& remark : collection.remarks) PrintWarning(remark);
  if (collection.problems.empty()) {
    PrintError("there was no problem to collect");
    return kFailed;
  }
  std::int64_t copies = 0;
  for (const CollectedProblem& problem : collection.problems) copies += problem.copies;
  fmt::print("{} files, {} problems, {} duplicates left out\n", collection.sources.size(),
             collection.problems.size(), copies);
  try {
    const auto before = Strata(collection, arguments.keys);
    if (arguments.sample > 0) {
      collection = Sample(collection, arguments.sample, arguments.keys, arguments.seed);
    }
    const auto after = Strata(collection, arguments.keys);
    if (!arguments.keys.empty() && before.size() <= kMostStrata) {
      for (const auto& [name, count] : before) {
        const auto drawn = after.find(name);
        fmt::print("  {}: {} of {}\n", name, drawn == after.end() ? 0 : drawn->second, count);
      }
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  WriteCollection(arguments.out, collection,
                  arguments.copy ? CollectHow::kCopy : CollectHow::kLink);
  fmt::print("{}: {} problems of {} files, {}\n", arguments.out, collection.problems.size(),
             collection.sources.size(), arguments.copy ? "copied" : "linked");
  return kOk;
}

}  // namespace

void AddCollect(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "collect", "Make one collection of the problems of many files, or draw a sample of them");
  auto a = std::make_shared<CollectArguments>();
  command->add_option("PATH", a->paths, "Folders, looked through with all below, and files")
      ->required()
      ->option_text("...");
  command->add_option("--out", a->out, "The collection")->required()->option_text("COLLECTION.h5");
  command->add_flag("--copy", a->copy,
                    "Copy the problems: a capture that stands alone, instead of\n"
                    "links to where they lie");
  command->add_option("--sample", a->sample, "Draw this many problems; default: all")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->option_text("N");
  command
      ->add_option("--stratify", a->keys,
                   "Draw the same number of each kind, kinds told apart by these:\n"
                   "contacts, rows, joints, friction, mass_ratio,\n"
                   "rank_deficiency, law, source, format, engine")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("KEY[,KEY...]");
  command->add_option("--seed", a->seed, "Another seed draws other problems, default 0")
      ->option_text("N");
  command
      ->add_option("--rank-rows", a->options.most_rank_rows,
                   fmt::format("Find the rank of problems up to this many rows, default {}",
                               a->options.most_rank_rows))
      ->check(CLI::Range(0, 100000))
      ->option_text("N");
  command
      ->add_option("--licence", a->options.licence,
                   "Licence of sources without a file LICENSE*, LICENCE* or\n"
                   "COPYING* beside or above them")
      ->option_text("TEXT");
  command
      ->add_option("--origin", a->options.origin,
                   "Origin of sources without a file ORIGIN* or README*")
      ->option_text("TEXT");
  command->footer(
      "'nonsmooth replay' and 'nonsmooth info' take a collection like any file. Exit code 1: "
      "there\n"
      "was no problem, or the collection could not be written; files without problems are named.");
  command->callback([&action, a] { action = [a] { return RunCollect(*a); }; });
}

}  // namespace nonsmooth::cli
