// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/solve/solver_registry.h"
#include "recorders/cli/commands-inl.h"

namespace nonsmooth::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view TypeName(const OptionField& field) {
  static constexpr std::string_view kNames[] = {"boolean", "integer", "number", "law", "choice"};
  return kNames[field.value.index()];
}

/// The value in JSON's own type; an infinite one is null, JSON has none.
Json ValueJson(const OptionField& field) {
  if (const auto* flag = std::get_if<bool*>(&field.value)) return **flag;
  if (const auto* integer = std::get_if<int*>(&field.value)) return **integer;
  if (const auto* number = std::get_if<double*>(&field.value)) {
    return std::isfinite(**number) ? Json(**number) : Json(nullptr);
  }
  return ValueText(field);
}

Json OptionJson(const OptionField& field) {
  Json json{{"name", field.name},
            {"unit", field.unit},
            {"type", TypeName(field)},
            {"default", ValueJson(field)},
            {"help", field.help}};
  const bool number = TypeName(field) == "integer" || TypeName(field) == "number";
  if (number) {
    json["min"] = std::isfinite(field.min) ? Json(field.min) : Json(nullptr);
    json["max"] = std::isfinite(field.max) ? Json(field.max) : Json(nullptr);
    json["open"] = field.open;
  }
  if (const auto* choice = std::get_if<Choice>(&field.value)) json["choices"] = choice->names;
  return json;
}

Json OptionFieldsJson(const OptionFields& fields) {
  Json json = Json::array();
  for (const OptionField& field : fields) json.push_back(OptionJson(field));
  return json;
}

void PrintOptions(std::string_view prefix, const OptionFields& fields) {
  for (const OptionField& field : fields) {
    const bool unitless = field.unit == "-";
    fmt::print("      {}{} = {}{}\n          {}", prefix, field.name, ValueText(field),
               unitless ? "" : fmt::format(" {}", field.unit), field.help);
    const std::string range = RangeText(field);
    fmt::print("{}\n", range.empty() ? "" : fmt::format(" [{}]", range));
  }
}

int PrintSolvers(bool as_json) {
  SolveOptions common;
  const OptionFields common_fields = Fields(common);
  if (as_json) {
    Json solvers = Json::array();
    for (const SolverInfo& info : Solvers()) {
      const std::unique_ptr<Solver> solver = info.make();
      Json laws = Json::array();
      for (LawKind law : info.laws) laws.push_back(ToString(law));
      solvers.push_back({{"name", info.name},
                         {"summary", info.summary},
                         {"reference", info.reference},
                         {"laws", std::move(laws)},
                         {"options", OptionFieldsJson(solver->Options())}});
    }
    const Json json{{"common_options", OptionFieldsJson(common_fields)},
                    {"solvers", std::move(solvers)}};
    fmt::print("{}\n", json.dump(2));
    return kOk;
  }
  for (const SolverInfo& info : Solvers()) {
    std::string laws;
    for (LawKind law : info.laws) laws += (laws.empty() ? "" : ", ") + std::string(ToString(law));
    fmt::print("{}\n  {}\n  after {}\n  laws: {}\n", info.name, info.summary, info.reference, laws);
    const std::unique_ptr<Solver> solver = info.make();
    const OptionFields fields = solver->Options();
    fmt::print("  options{}\n", fields.empty() ? ": none" : " (replay --option NAME=VALUE):");
    PrintOptions(fmt::format("{}.", info.name), fields);
    fmt::print("\n");
  }
  fmt::print("every solver\n");
  PrintOptions("", common_fields);
  return kOk;
}

}  // namespace

void AddSolvers(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("solvers", "List every solver: laws it handles, options, units, defaults");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([&action, as_json] { action = [as_json] { return PrintSolvers(*as_json); }; });
}

}  // namespace nonsmooth::cli
