// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/tasora/tasora.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "common/solver/warm_start.h"
#include "demos/papers/tasora/tasora_iteration.h"
#include "demos/papers/tasora/tasora_shaker.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth::papers {
namespace {

constexpr int kSweeps = 50;         // of a step whose iterations are limited
constexpr double kAccuracy = 1e-6;  // of the free energy, where they are not
constexpr double kLemkesMost = 10;  // [s]

/// Slope of y over x in double logarithmic axes, by least squares.
double Exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// `psor` without the momentum that it has beyond the paper.
class PaperDriver : public Driver {
 public:
  PaperDriver() : Driver("psor") { Set("psor", Options(), "momentum", "0"); }
};

/// Processor time of one solve [s]: other programs on the machine do not count.
double Seconds(Driver& driver, const Problem& problem, const SolveOptions& options,
               Solution& solution, Result& result) {
  const std::clock_t start = std::clock();
  driver.Solve(problem, options, nullptr, solution, result);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The least of several solves [s], of which the last is left in `result` and `solution`.
double LeastSeconds(Driver& driver, const Problem& problem, const SolveOptions& options,
                    Solution& solution, Result& result) {
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int i = 0; i < 1000 && (i < 3 || spent < 0.05); ++i) {
    const double seconds = Seconds(driver, problem, options, solution, result);
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least;
}

SolveOptions Sweeps(int sweeps) {
  SolveOptions options;
  options.law = {LawKind::kNcp, 0};
  options.max_iterations = sweeps;
  options.relative_tolerance = std::numeric_limits<double>::min();
  options.measure_every = sweeps;
  return options;
}

SolveOptions ToAccuracy(double relative) {
  SolveOptions options;
  options.law = {LawKind::kNcp, 0};
  options.max_iterations = 20000;
  options.relative_tolerance = relative;
  return options;
}

double LargestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double LargestSize(const std::vector<double>& a) {
  return LargestDifference(a, std::vector<double>(a.size(), 0.0));
}

/// Times of `psor` for a given number of sweeps and for a given accuracy.
void MeasureGrowth(PaperOutput& output) {
  std::vector<int> sizes{100, 200, 500, 1000, 2000, 5000, 10000};
  if (!output.quick()) sizes.insert(sizes.end(), {20000, 50000, 100000});
  std::vector<std::vector<double>> rows;
  std::vector<double> counts, plain, frictional, accurate, sweeps;
  for (const int size : sizes) {
    const Problem with = SpherePile(size);
    const Problem without = WithoutFriction(with);
    PaperDriver driver;
    Solution solution;
    Result result;
    counts.push_back(without.contacts());
    plain.push_back(LeastSeconds(driver, without, Sweeps(kSweeps), solution, result));
    frictional.push_back(LeastSeconds(driver, with, Sweeps(kSweeps), solution, result));
    accurate.push_back(Seconds(driver, without, ToAccuracy(kAccuracy), solution, result));
    sweeps.push_back(result.iterations);
    Driver("psor").Solve(without, ToAccuracy(kAccuracy), nullptr, solution, result);
    rows.push_back({counts.back(), plain.back(), frictional.back(), accurate.back(), sweeps.back(),
                    double(result.iterations)});
  }
  output.Table("growth",
               {"constraints", "psor_50_sweeps_s", "psor_50_sweeps_with_friction_s",
                "psor_to_1e-6_s", "sweeps_to_1e-6", "sweeps_to_1e-6_with_momentum"},
               rows);
  const double exponent = Exponent(counts, plain), coulomb = Exponent(counts, frictional);
  const auto claim = [&](const char* what, double value, const std::vector<double>& seconds) {
    output.Add(
        {"section 3", what, "O(n)",
         fmt::format("n^{:.2f}; {:.3f} ms for {:.0f}, {:.1f} ms for {:.0f}", value,
                     1e3 * seconds.front(), counts.front(), 1e3 * seconds.back(), counts.back()),
         value > 0.9 && value < 1.15});
  };
  claim("time of 50 iterations against the number of constraints", exponent, plain);
  claim("time of 50 iterations with friction, three rows a contact", coulomb, frictional);
  output.Add({"section 3", "iterations to an error of 1e-6 grow too (the paper is silent)", "-",
              fmt::format("{:.0f} to {:.0f} sweeps, n^{:.2f}", sweeps.front(), sweeps.back(),
                          Exponent(counts, sweeps)),
              sweeps.back() > sweeps.front()});
}

/// Lemke's method on the paper's LCP, until it takes too long.
void MeasureLemke(PaperOutput& output) {
  std::vector<int> sizes{50, 100, 200, 400};
  if (!output.quick()) sizes.insert(sizes.end(), {800, 1600, 2000});
  std::vector<std::vector<double>> rows;
  std::vector<double> counts, seconds, pivots, speedup;
  double difference = 0;
  for (const int size : sizes) {
    const Problem problem = WithoutFriction(SpherePile(size));
    SolveOptions options = ToAccuracy(1e-20);
    options.law = {LawKind::kCoupledBox, 0};
    Driver lemke("lemke");
    PaperDriver psor;
    Solution exact, solution;
    Result result;
    const double taken = Seconds(lemke, problem, options, exact, result);
    const double steps = result.iterations;
    const double rough = LeastSeconds(psor, problem, ToAccuracy(kAccuracy), solution, result);
    psor.Solve(problem, ToAccuracy(1e-18), nullptr, solution, result);
    difference =
        std::max(difference, LargestDifference(exact.v, solution.v) / LargestSize(exact.v));
    rows.push_back({double(problem.contacts()), taken, steps, rough});
    if (size >= 100) {
      counts.push_back(problem.contacts());
      seconds.push_back(taken);
      pivots.push_back(steps);
      speedup.push_back(taken / rough);
    }
    if (taken > 0.3 * kLemkesMost) break;  // the next one would take longer
  }
  output.Table("lemke", {"constraints", "lemke_s", "pivots", "psor_to_1e-6_s"}, rows);
  output.Add({"Theorem 2.2", "the fixed point is the LCP's solution", "if and only if",
              fmt::format("velocities of psor and lemke differ by at most {:.1e}", difference),
              difference < 1e-6});
  output.Add({"section 1", "pivots of Lemke's method grow with the constraints",
              "exponential at "
              "worst",
              fmt::format("{:.0f} for {:.0f}, n^{:.2f}", pivots.back(), counts.back(),
                          Exponent(counts, pivots)),
              std::abs(Exponent(counts, pivots) - 1) < 0.2});
  output.Add({"section 1", "time of Lemke's method against the number of constraints",
              "not practical beyond 100 bodies",
              fmt::format("n^{:.2f}; {:.3g} s for {:.0f}", Exponent(counts, seconds),
                          seconds.back(), counts.back()),
              Exponent(counts, seconds) > 2.2});
  output.Add({"section 5", "time of a simplex method over that of the iteration (to 1e-6)",
              "orders of magnitude",
              fmt::format("{:.0f} at {:.0f} constraints", speedup.back(), counts.back()),
              speedup.back() > 10});
}

void DrawGrowth(PaperOutput& output) {
  output.Picture(
      "growth",
      "set logscale xy\nset key right bottom\nset xlabel 'unilateral constraints'\n"
      "set ylabel 'processor time per step [s]'\nset format y '10^{%T}'\nset xrange [40:150000]\n"
      "set yrange [2e-5:60]\n"
      "plot 'lemke.csv' using 1:2 with linespoints linewidth 2 pointtype 5 linecolor '#b03030' "
      "title 'lemke, exact', \\\n"
      "'growth.csv' using 1:4 with linespoints linewidth 2 pointtype 9 linecolor '#308040' "
      "title 'psor to an error of 10^{-6}', \\\n"
      "'' using 1:3 with linespoints linewidth 2 pointtype 6 linecolor '#7fb2dd' "
      "title 'psor, 50 iterations, with friction', \\\n"
      "'' using 1:2 with linespoints linewidth 2 pointtype 7 linecolor '#1f5f99' "
      "title 'psor, 50 iterations', \\\n"
      "4.4e-10*x**3 with lines dashtype 2 linecolor 'gray50' title 'n^3', \\\n"
      "3.5e-7*x with lines dashtype 3 linecolor 'gray50' title 'n'",
      800, 560);
}

/// The shaker's course, and a look into it.
void ShowShaker(PaperOutput& output, const ShakerRun& run) {
  std::vector<std::vector<double>> rows;
  double constraints = 0, seconds = 0;
  const std::size_t half = run.steps.size() / 2;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const ShakerStep& step = run.steps[i];
    rows.push_back({step.time, double(step.constraints), 1e3 * step.seconds, step.relative_error});
    if (i < half) continue;
    constraints += step.constraints / double(run.steps.size() - half);
    seconds += step.seconds / double(run.steps.size() - half);
  }
  output.Table("shaker", {"time_s", "constraints", "solver_ms", "relative_energy_error"}, rows);
  std::vector<std::array<double, 3>> centres = run.centres;
  std::sort(centres.begin(), centres.end(),
            [](const auto& a, const auto& b) { return a[1] > b[1]; });
  rows.clear();
  for (const auto& c : centres) rows.push_back({c[0], c[1], c[2], run.radius});
  output.Table("spheres", {"x_m", "y_m", "z_m", "radius_m"}, rows);
  output.Picture(
      "shaker",
      fmt::format("set multiplot layout 1,2 title 'Shaker with steel spheres (Fig. 2)'\nunset key\n"
                  "set size ratio -1\nset xlabel 'x [m]'\nset ylabel 'z [m]'\nunset colorbox\n"
                  "set palette defined (0 '#f4f6f8', 1 '#5f6b78')\n"
                  "set style fill solid 1 border linecolor '#303030'\nset xtics 0.1\n"
                  "set xrange [-{1}:{1}]\nset yrange [-0.01:{2}]\n"
                  "set arrow 1 from -{0},{2} to -{0},0 nohead linewidth 3 linecolor '#8b5a2b'\n"
                  "set arrow 2 from {0},{2} to {0},0 nohead linewidth 3 linecolor '#8b5a2b'\n"
                  "set arrow 3 from -{0},0 to {0},0 nohead linewidth 3 linecolor '#8b5a2b'\n"
                  "plot 'spheres.csv' using 1:3:4:2 with circles linecolor palette\n"
                  "unset arrow\nset size noratio\nset xtics 0.1\nset xlabel 'time [s]'\n"
                  "set ylabel 'unilateral constraints'\nset xrange [0:*]\nset yrange [0:*]\n"
                  "plot 'shaker.csv' using 1:2 with lines linewidth 2 linecolor '#1f5f99'\n"
                  "unset multiplot",
                  run.half_width, run.half_width + 0.03, 4 * run.half_width),
      720, 380);
  output.Add({"Fig. 2", "shaker with steel spheres: unilateral constraints", "about 6500",
              fmt::format("{} spheres, {:.0f} on average", centres.size(), constraints),
              output.quick() ? constraints > double(centres.size())
                             : std::abs(constraints - 6500) < 1000});
  output.Add({"Fig. 2", "thousands of colliding bodies are handled: none leaves the box", "handled",
              fmt::format("{}; {:.1f} ms a step for {} iterations", run.inside ? "none" : "some",
                          1e3 * seconds, kSweeps),
              run.inside});
}

/// Geometric mean over the last third of the steps of the relative energy error after `budget`
/// iterations, each step solved from zero or from what the one before ended with; by then a chain
/// of warm starts has come into its stride.
double MeanError(const std::vector<Problem>& problems, int budget, bool warm) {
  PaperDriver driver;
  WarmStart memory;
  Solution solution;
  Result result;
  std::vector<double> start;
  const std::size_t first = 2 * problems.size() / 3;
  double sum = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Problem& problem = problems[i];
    if (warm && i > 0) {
      memory.Load(problem, start);
      // The tangents have turned meanwhile: friction starts at zero.
      for (const RowGroup& group : problem.groups()) {
        for (int k = 1; k < group.size; ++k) start[group.first_row + k] = 0;
      }
    }
    driver.Solve(problem, Sweeps(budget), warm && i > 0 ? &start : nullptr, solution, result);
    memory.Store(problem, solution.x);
    if (i < first) continue;
    sum += std::log(std::max(result.energy.relative, 1e-300)) / double(problems.size() - first);
  }
  return std::exp(sum);
}

struct Sequence {
  const char* name;
  std::vector<Problem> problems;
};

void CompareStarts(PaperOutput& output, const std::vector<Sequence>& sequences) {
  std::vector<std::string> columns{"iterations"};
  for (const Sequence& sequence : sequences) {
    columns.push_back(std::string(sequence.name) + " cold");
    columns.push_back(std::string(sequence.name) + " warm");
  }
  std::vector<std::vector<double>> rows;
  for (const int budget : {1, 2, 5, 10, 20, 50, 100, 200}) {
    rows.push_back({double(budget)});
    for (const Sequence& sequence : sequences) {
      for (const bool warm : {false, true})
        rows.back().push_back(MeanError(sequence.problems, budget, warm));
    }
  }
  output.Table("warm_start", columns, rows);
  std::string script = fmt::format(
      "set multiplot layout 1,{}\nset logscale xy\nset format y '10^{{%T}}'\n"
      "set xlabel 'iterations'\nset ylabel 'energy error / free energy'\n"
      "set xrange [1:200]\nset yrange [1e-5:1]\nset key left bottom\n",
      sequences.size());
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    script += fmt::format(
        "set title '{}'\n"
        "plot 'warm_start.csv' using 1:{} with linespoints linewidth 2 pointtype 6 "
        "linecolor '#b03030' title 'from zero', \\\n"
        "'' using 1:{} with linespoints linewidth 2 pointtype 7 linecolor '#1f5f99' "
        "title 'warm start'\n",
        sequences[k].name, 2 * k + 2, 2 * k + 3);
  }
  output.Picture("warm_start", script + "unset multiplot", 960, 380);
  const std::vector<double>& row = rows[5];  // 50 iterations
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    const double cold = row[2 * k + 1], warm = row[2 * k + 2];
    output.Add(
        {"Algorithm 4.1",
         fmt::format("warm start lowers the error after 50 iterations: {}", sequences[k].name),
         "optional; no number", fmt::format("{:.2e} against {:.2e}", warm, cold), warm < cold});
  }
}

/// `psor` beside the algorithm written down from the paper.
void CheckAlgorithm(PaperOutput& output, const Problem& shaken) {
  const auto psor = [](const Problem& problem, double relaxation, int iterations) {
    PaperDriver driver;
    Set("psor", driver.Options(), "in_order", "true");
    Set("psor", driver.Options(), "relaxation", fmt::format("{}", relaxation));
    Solution solution;
    Result result;
    driver.Solve(problem, Sweeps(iterations), nullptr, solution, result);
    return solution.x;
  };
  const Problem pile = WithoutFriction(SpherePile(500));
  const auto compare = [&](const Problem& problem, double relaxation) {
    const FixedPointRun run = RunAlgorithm41(problem, relaxation, kSweeps);
    return LargestDifference(psor(problem, relaxation, kSweeps), run.gamma) /
           LargestSize(run.gamma);
  };
  const double contacts = compare(pile, 1);
  output.Add({"Algorithm 4.1", "psor's iterates are the algorithm's (as corrected)", "-",
              fmt::format("differ by {:.1e} after {} iterations", contacts, kSweeps),
              contacts < 1e-10});
  const double joints = compare(Chain(20, 1), 1.2);
  output.Add({"section 1", "with bilateral constraints only it is successive over-relaxation",
              "converges to it", fmt::format("iterates differ by {:.1e}, omega 1.2", joints),
              joints < 1e-10});
  const FixedPointRun printed = RunAlgorithm41(pile, 1, 100, Reading::kPrinted);
  const FixedPointRun corrected = RunAlgorithm41(pile, 1, 100);
  output.Add({"Algorithm 4.1", "as printed it does not converge: two slips", "converges",
              fmt::format("objective {:.1e} J as printed and {:.3e} J corrected after 100",
                          printed.objective.back(), corrected.objective.back()),
              !(printed.objective.back() < 0.99 * corrected.objective.back())});
  const FixedPointRun run = RunAlgorithm41(shaken, 1, 200);
  std::vector<std::vector<double>> rows;
  int rises = 0;
  const double rounding = 1e-13 * std::abs(run.objective.back());
  for (std::size_t r = 0; r < run.objective.size(); ++r) {
    rows.push_back({double(r), run.objective[r]});
    if (r > 0 && run.objective[r] > run.objective[r - 1] + rounding) ++rises;
  }
  output.Table("monotone", {"iteration", "objective"}, rows);
  output.Add({"Theorem 2.1", "monotonic approximation on the shaker", "monotonic",
              fmt::format("objective rises in {} of {} iterations", rises, rows.size() - 1),
              rises == 0});
}

}  // namespace

void ReproduceTasora(PaperOutput& output) {
  MeasureGrowth(output);
  MeasureLemke(output);
  DrawGrowth(output);

  ShakerOptions options;
  options.iterations = kSweeps;
  options.steps = output.quick() ? 100 : 200;
  options.kept = output.quick() ? 6 : 24;
  if (output.quick()) options.spheres = 200;
  std::vector<Sequence> sequences;
  ShakerRun run = RunShaker(options);
  ShowShaker(output, run);
  Sequence frictional{"shaken with friction 0.2", std::move(run.problems)};
  options.friction = false;
  sequences.push_back({"shaken without friction", {}});
  for (const Problem& problem : RunShaker(options).problems)
    sequences.back().problems.push_back(WithoutFriction(problem));
  sequences.push_back(std::move(frictional));
  options.friction = true;
  options.shaken = false;
  sequences.push_back({"unshaken with friction 0.2", RunShaker(options).problems});
  CheckAlgorithm(output, sequences.front().problems.back());
  CompareStarts(output, sequences);
}

}  // namespace nonsmooth::papers
