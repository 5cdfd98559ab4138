// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "demos/harness/worlds.h"
#include "demos/papers/lu_et_al/lu.h"

namespace nonsmooth::papers {
namespace {

constexpr int kSweeps = 40;

/// Root mean square of φ over the constraints, from the paper's total error ½ φᵀφ.
double Violation(const FeasibleSet& set, const double* x, const double* w) {
  return std::sqrt(2 * MeasureLu(set, x, w).total / static_cast<double>(set.weights().size()));
}

/// Of every iterate, the start included.
std::vector<double> Violations(Driver& driver, const Problem& problem) {
  SolveOptions solve;
  solve.max_iterations = kSweeps;
  solve.relative_tolerance = 0;
  std::vector<double> violations(kSweeps + 1, 0.0);
  FollowIterates(driver, problem, solve,
                 [&](int k, const FeasibleSet& set, const double* x, const double* w) {
                   violations[k] = Violation(set, x, w);
                 });
  return violations;
}

double ShareBelow(const std::vector<double>& values, double bound) {
  const auto below =
      std::count_if(values.begin(), values.end(), [&](double value) { return value <= bound; });
  return static_cast<double>(below) / static_cast<double>(values.size());
}

/// Share of the values in each of `bins` equal parts of [low, high] of their decadic logarithms;
/// what is outside counts in the outermost.
std::vector<double> Histogram(const std::vector<double>& values, double low, double high,
                              int bins) {
  std::vector<double> shares(static_cast<std::size_t>(bins), 0.0);
  for (const double value : values) {
    const double at = (std::log10(std::max(value, 1e-300)) - low) / (high - low) * bins;
    const int bin = std::clamp(static_cast<int>(std::floor(at)), 0, bins - 1);
    shares[bin] += 1 / static_cast<double>(values.size());
  }
  return shares;
}

}  // namespace

LuGripper LuGripperErrors(PaperOutput& output, int steps) {
  demo::DemoOptions options;
  options.solver = "alart_curnier";
  options.iterations = 200;
  options.steps = steps;
  const std::vector<CapturedStep> captured =
      Capture(demo::Gripper({}), options, (output.folder() / "gripper.h5").string());

  // In the engine's order, as engines sweep; and in the order that `psor` would choose.
  Driver engines = GaussSeidelDriver(), own("psor");
  Set("psor", own.Options(), "momentum", "0");
  LuGripper errors;
  std::vector<double> own_at_40;
  std::vector<std::vector<double>> rows;
  for (const CapturedStep& step : captured) {
    const std::vector<double> violation = Violations(engines, step.problem);
    errors.at_10.push_back(violation[10]);
    errors.at_40.push_back(violation[kSweeps]);
    own_at_40.push_back(Violations(own, step.problem)[kSweeps]);
    rows.push_back({step.info.time, static_cast<double>(step.problem.contacts()), violation[10],
                    violation[kSweeps]});
  }
  output.Table("fig5_gripper", {"time [s]", "contacts", "10 iterations", "40 iterations"}, rows);

  constexpr double kLow = -16, kHigh = 1;
  constexpr int kBins = 68;
  const std::vector<double> ten = Histogram(errors.at_10, kLow, kHigh, kBins);
  const std::vector<double> forty = Histogram(errors.at_40, kLow, kHigh, kBins);
  std::vector<std::vector<double>> bars;
  for (int i = 0; i < kBins; ++i)
    bars.push_back({kLow + (i + 0.5) * (kHigh - kLow) / kBins, ten[i], forty[i]});
  output.Table("fig6_gripper", {"log10 of the violation", "10 iterations", "40 iterations"}, bars);

  output.Picture("fig5_gripper",
                 "set logscale y\nset format y '10^{%T}'\nset xlabel 'time [s]'\n"
                 "set ylabel 'RMS constraint violation [mixed units]'\nset key bottom right\nset "
                 "yrange [1e-16:10]\n"
                 "set title 'Gripper: Gauss-Seidel from zero in every step'\n"
                 "plot 'fig5_gripper.csv' using 1:3 with lines lw 1.5 lc rgb '#d07a10', "
                 "'' using 1:4 with lines lw 1.5 lc rgb '#1f4fd0'\n",
                 800, 450);
  output.Picture("fig6_gripper",
                 "set xlabel 'RMS constraint violation, log_{10} [mixed units]'\n"
                 "set ylabel 'share of the steps'\nset key top left\nset yrange [0:*]\n"
                 "set style fill transparent solid 0.5\nset boxwidth 0.25\n"
                 "set title 'Gripper: distribution of the error over all steps'\n"
                 "plot 'fig6_gripper.csv' using 1:2 with boxes lc rgb '#d07a10', "
                 "'' using 1:3 with boxes lc rgb '#1f4fd0'\n",
                 800, 450);

  const auto claim = [&](const std::string& order, const std::vector<double>& values) {
    const double share = ShareBelow(values, 1e-3);
    output.Add({"Fig. 5", "errors after 40 iterations over the simulation: " + order,
                "mostly bounded by 1e-3 and 1e-4 (Atlas and its hose)",
                fmt::format("{:.0f} % of the steps below 1e-3; nine of ten below {:.1e}",
                            100 * share, demo::Quantile(values, 0.9)),
                share > 0.5});
  };
  claim("sweeps in the engine's order", errors.at_40);
  claim("in an order of our own", own_at_40);
  const double median_10 = demo::Quantile(errors.at_10, 0.5);
  const double median_40 = demo::Quantile(errors.at_40, 0.5);
  output.Add({"Fig. 6", "the distribution at 10 iterations lies to the right of that at 40",
              "to the right", fmt::format("medians {:.1e} and {:.1e}", median_10, median_40),
              median_10 > median_40});
  return errors;
}

}  // namespace nonsmooth::papers
