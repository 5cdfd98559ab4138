// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/glocker/glocker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "demos/papers/glocker/woodpecker.h"

namespace nonsmooth::papers {
namespace {

constexpr double kSeconds = 1.25;  // eight whole cycles, of which the first is left out
constexpr double kShown = 0.32;    // of the figures [s]

// The paper prints figures only; these come from recomputing it with independent programs.
constexpr double kPeriod = 0.1460, kPeriodSpread = 0.0002;  // [s]
constexpr double kDrop = 19.45e-3, kDropSpread = 0.15e-3;   // [m]

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void Include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool Near(double l, double h, double slack) const {
    return std::abs(low - l) <= slack && std::abs(high - h) <= slack;
  }
};

std::string Text(const Range& range, const char* unit) {
  return fmt::format("{:.4g} to {:.4g} {}", range.low, range.high, unit);
}

/// The motion, thinned out where it is smooth.
void WriteMotion(PaperOutput& output, const std::vector<WoodpeckerStep>& steps) {
  constexpr double kEvery = 1e-4, kJump = 0.2;  // [s], [rad/s]
  std::vector<std::vector<double>> rows;
  double last = -1;
  for (const WoodpeckerStep& step : steps) {
    if (step.after.time > kShown) break;
    const double jump = std::max(std::abs(step.after.u[1] - step.before.u[1]),
                                 std::abs(step.after.u[2] - step.before.u[2]));
    if (jump < kJump && step.after.time - last < kEvery) continue;
    if (jump >= kJump && last < step.before.time) {
      const WoodpeckerState& s = step.before;
      rows.push_back({s.time, s.q[0], s.q[1], s.q[2], s.u[0], s.u[1], s.u[2]});
    }
    const WoodpeckerState& s = step.after;
    rows.push_back({s.time, s.q[0], s.q[1], s.q[2], s.u[0], s.u[1], s.u[2]});
    last = s.time;
  }
  output.Table(
      "motion",
      {"time_s", "y_m", "phi_M_rad", "phi_S_rad", "v_m_s", "omega_M_rad_s", "omega_S_rad_s"}, rows);
}

void DrawMotion(PaperOutput& output) {
  const auto history = [&](const char* figure, const char* subject, int angle, int speed,
                           const char* index) {
    output.Picture(
        figure,
        fmt::format("set multiplot layout 2,1 title '{}'\n"
                    "unset key\nset lmargin 10\nset xrange [0:{}]\nset format x ''\n"
                    "set ylabel '{{/Symbol j}}_{} [rad]'\n"
                    "plot 'motion.csv' using 1:{} with lines linewidth 2 linecolor '#1f5f99'\n"
                    "set format x '%g'\nset xlabel 'time [s]'\n"
                    "set ylabel '{{/Symbol w}}_{} [rad/s]'\n"
                    "plot 'motion.csv' using 1:{} with lines linewidth 2 linecolor '#b03030'\n"
                    "unset multiplot",
                    subject, kShown, index, angle, index, speed),
        900, 560);
  };
  history("fig4", "Woodpecker: angle and angular velocity (Fig. 4)", 4, 7, "S");
  history("fig5", "Sleeve: angle and angular velocity (Fig. 5)", 3, 6, "M");
  output.Picture("fig6",
                 "set multiplot layout 1,2 title 'Limit cycle in phase space (Fig. 6)'\nunset key\n"
                 "set xlabel '{/Symbol j}_S [rad]'\nset ylabel '{/Symbol w}_S [rad/s]'\n"
                 "set title 'woodpecker'\nset xtics 0.2\n"
                 "plot 'motion.csv' using 4:7 with lines linewidth 1.5 linecolor '#1f5f99'\n"
                 "set xlabel '{/Symbol j}_M [rad]'\nset ylabel '{/Symbol w}_M [rad/s]'\n"
                 "set title 'sleeve'\nset xtics 0.05\n"
                 "plot 'motion.csv' using 3:6 with lines linewidth 1.5 linecolor '#b03030'\n"
                 "unset multiplot",
                 900, 440);
}

void ClaimRanges(PaperOutput& output, const std::vector<WoodpeckerStep>& steps, double settled) {
  Range angle_s, angle_m, speed_s, speed_m, before, after;
  int contacts = 0;
  for (const WoodpeckerStep& step : steps) {
    contacts = std::max(contacts, step.closed);
    if (step.before.time < settled) continue;
    angle_m.Include(step.after.q[1]);
    angle_s.Include(step.after.q[2]);
    speed_m.Include(step.after.u[1]);
    speed_s.Include(step.after.u[2]);
    if (step.carrying[kBeak]) {
      before.Include(step.before.u[2]);
      after.Include(step.after.u[2]);
    }
  }
  output.Add({"Fig. 4", "range of the woodpecker's angle", "-0.530 to 0.120 rad (recomputed)",
              Text(angle_s, "rad"), angle_s.Near(-0.530, 0.120, 0.003)});
  output.Add({"Fig. 4", "range of the woodpecker's angular velocity",
              "-10.5 to 17.6 rad/s (recomputed)", Text(speed_s, "rad/s"),
              speed_s.Near(-10.5, 17.6, 0.15)});
  output.Add({"Fig. 5", "range of the sleeve's angle", "-0.1035 to 0.1037 rad (recomputed)",
              Text(angle_m, "rad"), angle_m.Near(-0.1035, 0.1037, 0.0005)});
  output.Add({"Fig. 5", "range of the sleeve's angular velocity",
              "-11.4 to 31.9 rad/s (recomputed)", Text(speed_m, "rad/s"),
              speed_m.Near(-11.4, 31.9, 0.3)});
  const double in = 0.5 * (before.low + before.high), out = 0.5 * (after.low + after.high);
  output.Add({"Fig. 4", "the beak's impact halves and reverses the velocity",
              "16.92 to -8.46 rad/s (recomputed)", fmt::format("{:.2f} to {:.2f} rad/s", in, out),
              std::abs(in - 16.92) < 0.1 && std::abs(out + 8.46) < 0.05});
  output.Add({"section 4", "size of the largest LCP: never more than two contacts are closed", "6",
              fmt::format("{} on the limit cycle", 3 * contacts), 3 * contacts <= 6});
}

/// Solves every step of a cycle by all three and follows the first.
void CompareSolvers(PaperOutput& output, double dt) {
  const WoodpeckerParameters parameters;
  const std::vector<std::string> names{"lemke", "enumeration", "bpp"};
  std::vector<PlanarSolver> solvers;
  for (const std::string& name : names) solvers.emplace_back(name);
  std::vector<double> speed(names.size(), 0.0);
  const auto steps = static_cast<int>(std::lround(kPeriod / dt));
  WoodpeckerState state;
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    WoodpeckerState next;
    for (std::size_t k = 0; k < solvers.size(); ++k) {
      const WoodpeckerState mine = Advance(parameters, state, dt, solvers[k]).after;
      if (k == 0) next = mine;
      for (int c = 0; c < 3; ++c) {
        speed[k] = std::max(speed[k], std::abs(mine.u[c] - next.u[c]));
        largest = std::max(largest, std::abs(next.u[c]));
      }
    }
    state = next;
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < names.size(); ++k) {
    PlanarSolver solver(names[k]);
    const WoodpeckerCycle mean =
        MeanCycle(Cycles(Simulate(parameters, WoodpeckerState(), dt, kSeconds, solver)));
    rows.push_back({mean.period, 1e3 * mean.drop, speed[k], double(solver.fallbacks())});
  }
  output.Table("solvers", {"solver", "period_s", "drop_mm", "largest_difference_of_u", "fallbacks"},
               names, rows);
  const double worst = *std::max_element(speed.begin(), speed.end());
  output.Add({"section 6", "the LCP of every step of a cycle: lemke, all bases and bpp agree",
              "any LCP solver will do",
              fmt::format("{} steps, velocities differ by at most {:.1e} of {:.0f} rad/s", steps,
                          worst, largest),
              worst < 1e-8 * largest});
  output.Add({"section 6", "no step ends on a secondary ray", "-",
              fmt::format("{:.0f} fallbacks of lemke", rows[0][3]), rows[0][3] == 0});
}

void CompareSteps(PaperOutput& output, const std::vector<double>& sizes) {
  std::vector<std::vector<double>> rows;
  for (const double dt : sizes) {
    PlanarSolver solver("lemke");
    const WoodpeckerCycle mean = MeanCycle(
        Cycles(Simulate(WoodpeckerParameters(), WoodpeckerState(), dt, kSeconds, solver)));
    rows.push_back({dt, mean.period, 1e3 * mean.drop});
  }
  output.Table("step_size", {"dt_s", "period_s", "drop_mm"}, rows);
}

/// Periods of the cycles from a start that is off by 5 %, and from rest.
void ClaimStable(PaperOutput& output, double dt, const WoodpeckerCycle& mean) {
  constexpr double kFactor = 1.05;
  const double duration = output.quick() ? 3 : 4;  // [s]
  constexpr int kLast = 4;
  WoodpeckerState off, rest;
  off.u[2] *= kFactor;
  rest.q = {0, 0, -0.4};
  rest.u = {0, 0, 0};
  PlanarSolver solver("lemke");
  const auto near_cycles = Cycles(Simulate(WoodpeckerParameters(), off, dt, duration, solver));
  const auto far_cycles = Cycles(Simulate(WoodpeckerParameters(), rest, dt, duration, solver));
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < std::min(near_cycles.size(), far_cycles.size()); ++k)
    rows.push_back({double(k + 1), near_cycles[k].period, far_cycles[k].period});
  output.Table("stability", {"cycle", "period_off_by_5_percent_s", "period_from_rest_s"}, rows);
  output.Picture("stability",
                 "set xlabel 'cycle'\nset ylabel 'period [s]'\nset key right top\n"
                 "set yrange [0.125:0.205]\n"
                 "plot 'stability.csv' using 1:3 with linespoints pointtype 6 linecolor '#b03030' "
                 "title 'let go from rest: ends in a cycle of two pecks', \\\n"
                 "'' using 1:2 with linespoints pointtype 7 linecolor '#1f5f99' "
                 "title '{/Symbol w}_S(0) off by 5 %: returns to the limit cycle'",
                 800, 380);
  const auto count = static_cast<int>(near_cycles.size());
  const double first = count > 0 ? std::abs(near_cycles[0].period / mean.period - 1) : 0;
  double last = count > kLast ? 0 : 1;
  for (int k = std::max(0, count - kLast); k < count; ++k)
    last = std::max(last, std::abs(near_cycles[k].period / mean.period - 1));
  output.Add({"section 4", "the limit cycle is stable", "stable",
              fmt::format("first period {:.2f} % off after a start 5 % off; {:.2f} % after {} "
                          "cycles",
                          100 * first, 100 * last, count - kLast),
              first > 0.01 && last < 0.4 * first});
}

}  // namespace

void ReproduceGlocker(PaperOutput& output) {
  const double dt = output.quick() ? 2e-5 : 1e-5;
  const WoodpeckerParameters parameters;
  PlanarSolver solver("lemke");
  const auto steps = Simulate(parameters, WoodpeckerState(), dt, kSeconds, solver);
  const std::vector<WoodpeckerCycle> cycles = Cycles(steps);
  const WoodpeckerCycle mean = MeanCycle(cycles);
  WriteMotion(output, steps);
  DrawMotion(output);

  std::vector<std::vector<double>> rows;
  for (const WoodpeckerCycle& cycle : cycles)
    rows.push_back({cycle.start, cycle.period, 1e3 * cycle.drop, 1e3 * cycle.loss[kBeak],
                    1e3 * cycle.loss[kLowerSleeve], 1e3 * cycle.loss[kUpperSleeve]});
  output.Table("cycles",
               {"start_s", "period_s", "drop_mm", "loss_beak_mJ", "loss_lower_edge_mJ",
                "loss_upper_edge_mJ"},
               rows);
  output.Add({"Figs. 4-6", "period of the limit cycle", "0.1460 +- 0.0002 s (recomputed)",
              fmt::format("{:.5f} s", mean.period),
              std::abs(mean.period - kPeriod) <= kPeriodSpread});
  output.Add({"Figs. 4-6", "drop per cycle", "19.45 +- 0.15 mm (recomputed)",
              fmt::format("{:.3f} mm", 1e3 * mean.drop),
              std::abs(mean.drop - kDrop) <= kDropSpread});
  ClaimRanges(output, steps, mean.start);

  const double lost = mean.loss[0] + mean.loss[1] + mean.loss[2];
  const double gained = (parameters.m_s + parameters.m_m) * parameters.g * mean.drop;
  output.Add(
      {"section 4", "energy gained by falling is what the contacts dissipate", "balance",
       fmt::format("{:.4f} mJ gained and {:.4f} mJ lost per cycle", 1e3 * gained, 1e3 * lost),
       std::abs(lost / gained - 1) < 5e-3});
  output.Add({"section 4", "the lower sleeve contact is the most essential", "most essential",
              fmt::format("{:.0f} % of the losses; beak {:.0f} %, upper edge {:.0f} %",
                          100 * mean.loss[kLowerSleeve] / lost, 100 * mean.loss[kBeak] / lost,
                          100 * mean.loss[kUpperSleeve] / lost),
              mean.loss[kLowerSleeve] > 0.5 * lost});
  ClaimStable(output, output.quick() ? 5e-5 : 2e-5, mean);
  CompareSolvers(output, output.quick() ? 5e-5 : 2e-5);
  std::vector<double> sizes{2e-4, 1e-4, 5e-5};
  if (!output.quick()) sizes.insert(sizes.end(), {2e-5, 1e-5, 5e-6, 2e-6});
  CompareSteps(output, sizes);
}

}  // namespace nonsmooth::papers
