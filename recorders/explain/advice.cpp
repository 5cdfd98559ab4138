// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "recorders/explain/explanation.h"
#include "recorders/explain/si_text.h"

namespace nonsmooth {
namespace {

/// From here on sweeps need noticeably more iterations: each carries load over one contact.
constexpr double kHeavy = 20;
constexpr double kIll = 1e4;       ///< condition, above which gradients crawl
constexpr double kMatters = 0.01;  ///< share of an error that is worth a sentence
constexpr double kGood = 1e-6;     ///< of the free energy: nobody will see it

std::string AboutJoints(const Explanation& e) {
  const JointRank& rank = e.joint_rank;
  if (!rank.computed || rank.rank == rank.rows) return "";
  const std::string names = fmt::format(
      "{}",
      fmt::join(e.redundant_joints.begin(),
                e.redundant_joints.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                 4, e.redundant_joints.size())),
                ", "));
  if (rank.contradiction > kMatters * std::max(e.joules, kGood * e.free_energy)) {
    return fmt::format(
        "Its joints contradict each other by {}, which no solver can mend: look at {}, leave out "
        "one "
        "of them or give it compliance. ",
        SiText(rank.contradiction, "J"), names);
  }
  return fmt::format(
      "{} of its {} joint rows say what others say already ({}): harmless here, but the forces in "
      "them "
      "are arbitrary. ",
      rank.rows - rank.rank, rank.rows, names);
}

std::string AboutLoad(const Explanation& e) {
  std::string text;
  if (e.load.ratio > kHeavy) {
    text += fmt::format(
        "The load of {} goes through {}, which is {:.0f} times lighter: sweeps carry that slowly; "
        "a method "
        "that factorises does not mind, and equal masses would cure it. ",
        e.heavy, e.light, e.load.ratio);
  }
  if (e.condition.computed && e.condition.number > kIll) {
    text += fmt::format("Its rows are ill-conditioned ({:.1e}). ", e.condition.number);
  }
  return text;
}

std::string AboutWorst(const Explanation& e) {
  if (e.worst.empty() || !(e.joules > 0)) return "";
  const ExplainedGroup& worst = e.worst.front();
  if (worst.share > 0.3) {
    return fmt::format("{:.0f} % of that is at {} between {}: look there first. ",
                       100 * worst.share, worst.name, worst.bodies);
  }
  return fmt::format(
      "It is spread over many contacts; the worst, {} between {}, has {:.0f} % of it. ", worst.name,
      worst.bodies, 100 * worst.share);
}

std::string AboutSolvers(const Explanation& e) {
  const auto solved = std::find_if(e.trials.begin(), e.trials.end(),
                                   [](const Trial& trial) { return trial.solved; });
  if (solved == e.trials.end()) {
    if (e.trials.empty()) return "";
    return fmt::format(
        "No solver reaches the tolerance in the time given; {} comes nearest, to {} in {}.",
        e.trials.front().solver, SiText(e.trials.front().joules, "J"),
        SiText(e.trials.front().seconds, "s"));
  }
  return fmt::format("{} solves it to {} in {}.", solved->solver, SiText(solved->joules, "J"),
                     SiText(solved->seconds, "s"));
}

}  // namespace

std::string AdviceFor(const Explanation& e) {
  if (e.rows == 0) return "Nothing touches and nothing is joined: there is nothing to solve.";
  if (!e.has_solution) {
    return "There is no solution to judge, or it is not finite. " + AboutJoints(e) +
           AboutSolvers(e);
  }
  std::string text;
  if (e.relative < kGood) {
    text = fmt::format(
        "The solution of {} is good: off by {}, {:.1e} of what the step had to change. ", e.solver,
        SiText(e.joules, "J"), e.relative);
  } else {
    text = fmt::format("The solution of {} is off by {}, {:.2g} % of what the step had to change. ",
                       e.solver, SiText(e.joules, "J"), 100 * e.relative);
    text += AboutWorst(e);
  }
  return text + AboutJoints(e) + AboutLoad(e) + AboutSolvers(e);
}

}  // namespace nonsmooth
