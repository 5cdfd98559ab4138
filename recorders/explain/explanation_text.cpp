// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "recorders/explain/explanation.h"
#include "recorders/explain/si_text.h"
#include "recorders/replay/text_table.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 96;  ///< of a paragraph

std::string_view StateName(GroupState state) {
  switch (state) {
    case GroupState::kOpen:
      return "open";
    case GroupState::kSticking:
      return "sticks";
    case GroupState::kSliding:
      return "slides";
    case GroupState::kJoint:
      return "holds";
    case GroupState::kAtBound:
      return "at its bound";
    case GroupState::kNotFinite:
      return "not finite";
  }
  return "unknown";
}

/// A fact with its name: what both the terminal and the page show.
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string Share(int count, int all) {
  return fmt::format("{:.0f} %", all > 0 ? 100.0 * count / all : 0.0);
}

Facts FactsOf(const Explanation& e) {
  Facts facts;
  if (e.has_solution) {
    facts.emplace_back(
        "off by", fmt::format("{}, {:.2e} of the free energy {}", SiText(e.joules, "J"), e.relative,
                              SiText(e.free_energy, "J")));
    facts.emplace_back("effort",
                       fmt::format("{} iterations, {}",
                                   e.iterations < 0 ? "unknown" : std::to_string(e.iterations),
                                   SiText(e.seconds, "s")));
    if (e.contacts > 0) {
      facts.emplace_back("contacts",
                         fmt::format("{}: {} stick, {} slide, {} are open", e.contacts,
                                     Share(e.sticking, e.contacts), Share(e.sliding, e.contacts),
                                     Share(e.open, e.contacts)));
    }
    facts.emplace_back(
        "load path", e.load.heavy < 0
                         ? fmt::format("{} deep, nothing rests on anything lighter", e.load.length)
                         : fmt::format("{} deep; {} rests on {}, {:.4g} times lighter",
                                       e.load.length, e.heavy, e.light, e.load.ratio));
  }
  if (e.joint_rank.rows > 0) {
    facts.emplace_back(
        "joint rows",
        !e.joint_rank.computed
            ? fmt::format("{}, too many that hang together to find their rank", e.joint_rank.rows)
            : fmt::format("{}, rank {}{}; contradiction {}", e.joint_rank.rows, e.joint_rank.rank,
                          e.joint_rank.compliant ? ", with compliance" : "",
                          SiText(e.joint_rank.contradiction, "J")));
  }
  facts.emplace_back("condition",
                     e.condition.computed
                         ? fmt::format("{:.2e}, {} of {} rows are independent", e.condition.number,
                                       e.condition.rank, e.condition.rows)
                         : fmt::format("not computed for {} rows", e.rows));
  return facts;
}

/// As many entries as a curve needs, the more the earlier, and the last one.
Json HistoryJson(const std::vector<IterationRecord>& history) {
  constexpr double kGrowth = 1.12;
  Json iteration = Json::array();
  Json seconds = Json::array();
  Json energy = Json::array();
  double next = 0;
  for (std::size_t k = 0; k < history.size(); ++k) {
    if (static_cast<double>(k) < next && k + 1 < history.size()) continue;
    iteration.push_back(history[k].iteration);
    // Six digits: nobody sees more in a curve, and they would be most of the page.
    seconds.push_back(static_cast<double>(std::lround(1e7 * history[k].seconds)) * 1e-7);
    energy.push_back(std::strtod(fmt::format("{:.3g}", history[k].energy).c_str(), nullptr));
    next = kGrowth * static_cast<double>(k);
  }
  return {{"iteration", std::move(iteration)},
          {"seconds", std::move(seconds)},
          {"energy", std::move(energy)}};
}

std::string Wrapped(const std::string& text) {
  std::string wrapped;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column > 0 && column + 1 + end - at > kWidth) {
      wrapped += '\n';
      column = 0;
    }
    if (column > 0) wrapped += ' ';
    wrapped.append(text, at, end - at);
    column += end - at + (column > 0 ? 1 : 0);
    at = end + 1;
  }
  return wrapped + '\n';
}

}  // namespace

std::string ExplanationText(const Explanation& e) {
  std::string text = fmt::format(
      "step {} (the engine's {}{}), {} contacts, {} joints, {} rows; solution of {}\n\n", e.step,
      e.info.step, e.info.solver.empty() ? "" : ", by " + e.info.solver, e.contacts, e.joints,
      e.rows, e.solver.empty() ? "nobody" : e.solver);
  text += Wrapped(e.advice) + '\n';
  if (e.rows == 0) return text;
  for (const auto& [name, value] : FactsOf(e)) text += fmt::format("{:<11} {}\n", name, value);
  using Align = TextTable::Align;
  if (!e.worst.empty()) {
    TextTable table({{"worst"},
                     {"between"},
                     {"state"},
                     {"impulse", Align::kRight},
                     {"off by", Align::kRight},
                     {"share", Align::kRight}});
    for (const ExplainedGroup& group : e.worst) {
      table.AddRow({group.name, group.bodies, std::string(StateName(group.state)),
                    SiText(group.impulse, "N s"), SiText(group.joules, "J"),
                    fmt::format("{:.1f} %", 100 * group.share)});
    }
    text += '\n' + table.Text();
  }
  if (!e.trials.empty()) {
    TextTable table({{"solver"},
                     {"status"},
                     {"iterations", Align::kRight},
                     {"time", Align::kRight},
                     {"off by", Align::kRight}});
    for (const Trial& trial : e.trials) {
      table.AddRow({trial.solver, trial.status, std::to_string(trial.iterations),
                    SiText(trial.seconds, "s"), SiText(trial.joules, "J")});
    }
    text += '\n' + table.Text();
  }
  return text;
}

std::string ExplanationJson(const Explanation& e) {
  Json facts = Json::array();
  for (const auto& [name, text] : FactsOf(e)) facts.push_back({{"name", name}, {"text", text}});
  Json worst = Json::array();
  for (const ExplainedGroup& group : e.worst) {
    worst.push_back({{"group", group.group},
                     {"name", group.name},
                     {"bodies", group.bodies},
                     {"state", StateName(group.state)},
                     {"impulse", group.impulse},
                     {"joules", group.joules},
                     {"share", group.share}});
  }
  Json trials = Json::array();
  for (const Trial& trial : e.trials) {
    Json entry{{"solver", trial.solver},         {"status", trial.status},
               {"iterations", trial.iterations}, {"seconds", trial.seconds},
               {"joules", trial.joules},         {"solved", trial.solved}};
    if (!trial.history.empty()) entry["history"] = HistoryJson(trial.history);
    trials.push_back(std::move(entry));
  }
  const Json json{{"step", e.step},
                  {"solver", e.solver},
                  {"law", e.law},
                  {"contacts", e.contacts},
                  {"joints", e.joints},
                  {"rows", e.rows},
                  {"joules", e.has_solution ? Json(e.joules) : Json(nullptr)},
                  {"free_energy", e.free_energy},
                  {"sticking", e.sticking},
                  {"sliding", e.sliding},
                  {"open", e.open},
                  {"joint_rows", e.joint_rank.rows},
                  {"joint_rank", e.joint_rank.computed ? Json(e.joint_rank.rank) : Json(nullptr)},
                  {"contradiction", e.joint_rank.contradiction},
                  {"redundant_joints", e.redundant_joints},
                  {"mass_ratio", e.load.ratio},
                  {"condition", e.condition.computed ? Json(e.condition.number) : Json(nullptr)},
                  {"advice", e.advice},
                  {"facts", std::move(facts)},
                  {"worst", std::move(worst)},
                  {"trials", std::move(trials)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nonsmooth
