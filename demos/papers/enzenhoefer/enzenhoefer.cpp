// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/enzenhoefer/enzenhoefer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "common/problem/matrix_dynamics.h"

namespace nonsmooth::papers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// δe over the paper's square as a matrix that gnuplot's `matrix nonuniform` reads: the first row
/// is the velocities, the first column the impulses.
double WriteSquare(const PaperOutput& output, const std::string& name, double lower, double upper) {
  constexpr int kCells = 160;
  constexpr double kHalf = 2;
  const auto coordinate = [](int i) { return -kHalf + 2 * kHalf * i / kCells; };
  std::vector<std::string> header{fmt::format("{}", kCells + 1)};
  for (int i = 0; i <= kCells; ++i) header.push_back(fmt::format("{}", coordinate(i)));
  std::vector<std::vector<double>> rows;
  double most = 0;
  for (int j = 0; j <= kCells; ++j) {
    std::vector<double> row{coordinate(j)};
    for (int i = 0; i <= kCells; ++i) {
      row.push_back(RowEnergyError(lower, upper, coordinate(i), coordinate(j)));
      most = std::max(most, row.back());
    }
    rows.push_back(row);
  }
  output.Table(name, header, rows);
  return most;
}

std::string IsolineScript(const std::string& name, const std::string& title,
                          const std::string& overlay) {
  return fmt::format(
      "set key noautotitle\n"
      "set contour base\nset cntrparam levels discrete 0.02,0.1,0.25,0.5,1,1.5,2\n"
      "unset surface\n"
      "set table $isolines\nsplot '{}.csv' matrix nonuniform with lines\nunset table\n"
      "unset contour\n"
      "set xrange [-2:2]\nset yrange [-2:2]\nset size ratio -1\n"
      "set xlabel 'constraint impulse x_i [N s]'\nset ylabel 'constraint velocity w_i [m/s]'\n"
      "set title '{}'\nset datafile separator whitespace\n"
      "{}",
      name, title, overlay);
}

/// Where the isolines' numbers stand: on those above and below the zero line at an impulse each.
std::string Labels(double x_below, double x_above) {
  std::string block = "$labels << EOD\n";
  for (const double level : {0.02, 0.1, 0.25, 0.5, 1.0, 1.5}) {
    const double distance = std::sqrt(2 * level);
    block +=
        fmt::format("{} {} {}\n{} {} {}\n", x_below, -distance, level, x_above, distance, level);
  }
  return block + "EOD\n";
}

// One dashed line of slope a = 1 through a point of the zero line, and the isolines above it.
const char* const kPlotIsolines =
    "plot $isolines using 1:2 with lines lc 'black' lw 1, \\\n"
    "  $labels using 1:2:3 with labels font ',9' offset 0,0.45 tc 'gray20', \\\n"
    "  $zero using 1:2 with lines lc rgb '#1f4fd0' lw 4, \\\n"
    "  $rays using 1:2 with lines dt 2 lc rgb '#d02020' lw 1.5\n";

}  // namespace

double RowEnergyError(double lower, double upper, double x, double w) {
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 1;
  const Problem problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, 1.0}}),
                                                         std::vector<double>{0}),
                        {group}, {lower}, {upper});
  FeasibleSet set;
  set.Reset(problem, {}, nullptr);
  return MeasureEnergy(set, 1, &x, &w).sum;
}

void EnzenhoeferIsolines(PaperOutput& output) {
  const double contact = WriteSquare(output, "fig1_contact", 0, kInfinity);
  output.Picture(
      "fig1_contact",
      IsolineScript("fig1_contact", "Energy error of a contact row, a = 1 kg^{-1} [J]",
                    "$zero << EOD\n0 2\n0 0\n2 0\nEOD\n"
                    "$rays << EOD\n-2 -2\n2 2\n\n-2 -1\n1 2\n\n-1 -2\n2 1\n\n-2 0\n0 2\n\n"
                    "0 -2\n2 0\nEOD\n") +
          Labels(0.6, 1.85) + kPlotIsolines,
      620, 600);
  WriteSquare(output, "fig2_friction", -1, 1);
  output.Picture(
      "fig2_friction",
      IsolineScript("fig2_friction",
                    "Energy error of a friction row, |x| ≤ 1 N s, a = 1 kg^{-1} [J]",
                    "$zero << EOD\n-1 2\n-1 0\n1 0\n1 -2\nEOD\n"
                    "$rays << EOD\n-2 -2\n2 2\n\n-2 -1\n1 2\n\n-1 -2\n2 1\n\n-2 0\n0 2\n\n"
                    "0 -2\n2 0\nEOD\n") +
          Labels(-1, 1) + kPlotIsolines,
      620, 600);

  // Along a dashed line, away from the zero line, the error is ½ a d²; the corner (−2, −2) of a
  // contact is hit by both a wrong impulse and a wrong velocity, and the larger counts.
  double worst = 0;
  for (int i = 1; i <= 20; ++i) {
    const double d = 0.1 * i;
    worst = std::max(worst, std::abs(RowEnergyError(0, kInfinity, d, d) - 0.5 * d * d));
    worst = std::max(worst, std::abs(RowEnergyError(-1, 1, -1 - d, -d) - 0.5 * d * d));
  }
  output.Add({"Figs. 1 and 2", "zero on the law and quadratic along the dashed lines",
              "quadratic growth",
              fmt::format("within {:.0e} J of ½ a d²; {} J at most on the contact's square", worst,
                          contact),
              worst < 1e-14 && RowEnergyError(0, kInfinity, 0, 2) == 0 &&
                  RowEnergyError(-1, 1, 1, -2) == 0});
}

void ReproduceEnzenhoefer(PaperOutput& output) {
  EnzenhoeferRod(output);
  EnzenhoeferIsolines(output);
  EnzenhoeferWall(output, output.quick() ? 20 : 500);
  EnzenhoeferSelection(output);
}

}  // namespace nonsmooth::papers
