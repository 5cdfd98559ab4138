// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "demos/harness/worlds.h"
#include "demos/papers/enzenhoefer/enzenhoefer.h"
#include "demos/papers/iterates.h"

namespace nonsmooth::papers {
namespace {

constexpr int kIterations = 100;
constexpr int kPivotLimit = 1000;

using Curves = std::vector<std::vector<double>>;  // [iteration][step]

std::vector<Spread> Spreads(const Curves& curves) {
  std::vector<Spread> spreads;
  for (const std::vector<double>& values : curves) spreads.push_back(SpreadOf(values));
  return spreads;
}

void WriteCurves(const PaperOutput& output, const std::string& name, const Curves& curves) {
  std::vector<std::string> header{"iteration"};
  for (std::size_t s = 0; s < curves[0].size(); ++s) header.push_back(fmt::format("step {}", s));
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    rows.push_back({static_cast<double>(k)});
    rows.back().insert(rows.back().end(), curves[k].begin(), curves[k].end());
  }
  output.Table("fig5_" + name, header, rows);
}

int Peak(const std::vector<Spread>& spreads) {
  const auto most =
      std::max_element(spreads.begin(), spreads.end(),
                       [](const Spread& a, const Spread& b) { return a.mean < b.mean; });
  return static_cast<int>(most - spreads.begin());
}

/// Share of the steps whose own curve falls in every iteration.
double FallingShare(const Curves& curves) {
  int falling = 0;
  for (std::size_t s = 0; s < curves[0].size(); ++s) {
    bool falls = true;
    for (std::size_t k = 1; k < curves.size(); ++k) falls &= curves[k][s] <= curves[k - 1][s];
    falling += falls ? 1 : 0;
  }
  return static_cast<double>(falling) / static_cast<double>(curves[0].size());
}

bool MeanFalls(const std::vector<Spread>& spreads) {
  for (std::size_t k = 1; k < spreads.size(); ++k) {
    if (spreads[k].mean > spreads[k - 1].mean) return false;
  }
  return true;
}

/// Of the exponential decay over the second half of the iterations.
double Rate(const std::vector<Spread>& spreads) {
  const std::size_t half = spreads.size() / 2;
  return std::log(spreads[half].mean / spreads.back().mean) /
         static_cast<double>(spreads.size() - 1 - half);
}

/// As a share of the mean, over all iterations.
double LargestDeviation(const std::vector<Spread>& spreads) {
  double largest = 0;
  for (const Spread& spread : spreads) largest = std::max(largest, spread.deviation / spread.mean);
  return largest;
}

std::string Panel(const std::string& name, const std::string& symbol, const std::string& unit,
                  int column, std::size_t steps) {
  return fmt::format(
      "set ylabel '{1}{2}'\n"
      "set title 'mean ± standard deviation'\n"
      "plot 'fig5_mean.csv' using 1:{3} with lines lw 2 lc rgb '#1f4fd0' title 'mean', \\\n"
      "  '' using 1:(${3}+${4}) with lines dt 2 lc rgb '#d02020' title '± standard deviation', \\\n"
      "  '' using 1:(${3}-${4}) with lines dt 2 lc rgb '#d02020' notitle\n"
      "set title 'all {5} steps'\n"
      "plot for [i=2:{6}] 'fig5_{0}.csv' using 1:i with lines lc rgb '#b01f4fd0' notitle\n",
      name, symbol, unit, column, column + 1, steps, steps + 1);
}

void Draw(PaperOutput& output, std::size_t steps) {
  output.Picture("fig5_wall",
                 "set multiplot layout 3,2 columnsfirst downwards rowsfirst\n"
                 "set logscale y\nset format y '10^{%T}'\nset xrange [0:100]\n"
                 "set xlabel 'Gauss-Seidel iteration'\nset key top right\nset mytics 10\n" +
                     Panel("fischer_burmeister", "{/Symbol df}_{FB}", " [mixed units]", 2, steps) +
                     Panel("natural", "{/Symbol df}_{res}", " [mixed units]", 4, steps) +
                     Panel("energy", "{/Symbol d}e", " [J]", 6, steps) + "unset multiplot\n",
                 860, 900);
}

}  // namespace

demo::World StandingWall() {
  demo::World world = demo::BrickWall({});
  for (demo::BodySpec& body : world.bodies) {
    if (body.mass > 0) body.pose.position[2] *= 1 - 1e-4;
  }
  return world;
}

WallErrors EnzenhoeferWall(PaperOutput& output, int steps) {
  demo::DemoOptions options;
  options.solver = "bpp";
  options.iterations = kPivotLimit;
  options.steps = steps;
  const std::vector<CapturedStep> captured =
      Capture(StandingWall(), options, (output.folder() / "wall.h5").string());

  WallErrors errors;
  for (Curves* curves : {&errors.energy, &errors.natural, &errors.fischer_burmeister})
    curves->resize(kIterations + 1);
  Driver psor = GaussSeidelDriver();
  SolveOptions solve;
  solve.max_iterations = kIterations;
  solve.relative_tolerance = 0;
  double captured_error = 0;
  for (std::size_t s = 0; s < captured.size(); ++s) {
    const Problem& problem = captured[s].problem;
    captured_error = std::max(captured_error, captured[s].measures.energy_error);
    FollowIterates(
        psor, problem, solve, [&](int k, const FeasibleSet& set, const double* x, const double* w) {
          errors.energy[k].push_back(MeasureEnergy(set, 1, x, w).sum);
          errors.natural[k].push_back(MeasureNaturalResidual(set, x, w).sum);
          errors.fischer_burmeister[k].push_back(MeasureFischerBurmeister(set, x, w).sum);
        });
  }

  const std::vector<Spread> energy = Spreads(errors.energy);
  const std::vector<Spread> natural = Spreads(errors.natural);
  const std::vector<Spread> fischer = Spreads(errors.fischer_burmeister);
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    rows.push_back({static_cast<double>(k), fischer[k].mean, fischer[k].deviation, natural[k].mean,
                    natural[k].deviation, energy[k].mean, energy[k].deviation});
  }
  output.Table("fig5_mean",
               {"iteration", "fischer_burmeister", "its deviation", "natural", "its deviation",
                "energy [J]", "its deviation"},
               rows);
  WriteCurves(output, "energy", errors.energy);
  WriteCurves(output, "natural", errors.natural);
  WriteCurves(output, "fischer_burmeister", errors.fischer_burmeister);
  Draw(output, captured.size());

  output.Add({"Fig. 4", "a direct solver captures every step of the wall of 30 bricks", "500 steps",
              fmt::format("{} steps; {} contacts; errors up to {:.0e} J", captured.size(),
                          captured.back().problem.contacts(), captured_error),
              captured.back().problem.contacts() == 184 && captured_error < 1e-6});
  output.Add(
      {"Fig. 5", "the mean energy error falls from the first iteration", "no increase",
       fmt::format("{}; of the single curves {:.0f} %: {:.2e} J to {:.2e} J",
                   MeanFalls(energy) ? "falls in every iteration" : "rises somewhere",
                   100 * FallingShare(errors.energy), energy.front().mean, energy.back().mean),
       MeanFalls(energy)});
  output.Add(
      {"Fig. 5", "the other two first rise", "increase in the first ten iterations",
       fmt::format("natural residual up to iteration {}: {:.2f} to {:.2f}; "
                   "Fischer-Burmeister up to {}: {:.2f} to {:.2f}",
                   Peak(natural), natural[0].mean, natural[Peak(natural)].mean, Peak(fischer),
                   fischer[0].mean, fischer[Peak(fischer)].mean),
       Peak(natural) >= 5 && Peak(natural) <= 15 && Peak(fischer) >= 5 && Peak(fischer) <= 15});
  const double steeper = Rate(energy) / Rate(natural);
  output.Add({"Fig. 5", "the energy error decays more steeply", "it is quadratic in w and x",
              fmt::format("{:.2f} times the natural residual's rate", steeper),
              steeper > 1.7 && steeper < 2.3});
  output.Add({"Fig. 5", "the errors of the steps differ little", "a motionless example",
              fmt::format("deviation / mean of the energy error at most {:.1f} %",
                          100 * LargestDeviation(energy)),
              LargestDeviation(energy) < 0.05});
  const double first = energy[1].deviation / energy[1].mean;
  const double last = energy.back().deviation / energy.back().mean;
  output.Add({"Fig. 5", "the curves start from similar values and diverge", "diverge",
              fmt::format("deviation / mean {:.2f} % after the first and {:.2f} % after the last "
                          "iteration",
                          100 * first, 100 * last),
              last > first});
  return errors;
}

}  // namespace nonsmooth::papers
