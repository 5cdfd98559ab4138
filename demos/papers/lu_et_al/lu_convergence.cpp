// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "demos/harness/worlds.h"
#include "demos/papers/lu_et_al/lu.h"
#include "demos/scenes/random.h"

namespace nonsmooth::papers {
namespace {

constexpr double kStays = 0.7;  // |ln| of a ratio: within a factor of two

std::vector<Problem> StepsOf(const std::vector<CapturedStep>& steps, std::int64_t first,
                             std::int64_t last) {
  std::vector<Problem> problems;
  for (const CapturedStep& step : steps) {
    if (step.info.step >= first && step.info.step < last) problems.push_back(step.problem);
  }
  return problems;
}

/// For gnuplot, which takes what follows an underscore for a subscript.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return escaped;
}

/// About five on an axis of this length.
int TickOf(int length) {
  int tick = 1;
  for (const int next : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
    if (4 * tick < length) tick = next;
  }
  return tick;
}

/// A table of all curves and a picture with a panel for every method, as the paper has a figure for
/// each.
std::vector<LuCurve> Draw(PaperOutput& output, const std::string& name, const std::string& title,
                          const std::vector<Problem>& problems) {
  const std::vector<LuMethod> methods = LuMethods();
  std::vector<LuCurve> curves;
  std::vector<std::string> header{"iteration"}, labels;
  std::vector<std::vector<double>> best;
  std::size_t longest = 0;
  for (const LuMethod& method : methods) {
    curves.push_back(Converge(method, problems));
    longest = std::max(longest, curves.back().points.size());
    for (const char* error : {"total", "normal", "friction"})
      header.push_back(method.name + ": " + error);
    const LuPoint point = curves.back().Best();
    labels.push_back(fmt::format("{} ({}; {})", method.name,
                                 method.solver.empty() ? "Eq. 19" : method.solver,
                                 ToString(method.law)));
    best.push_back(
        {static_cast<double>(curves.back().iterations), point.total, point.normal, point.friction});
  }
  std::vector<std::vector<double>> rows(longest);
  for (std::size_t k = 0; k < longest; ++k) {
    rows[k].push_back(static_cast<double>(k));
    for (const LuCurve& curve : curves) {
      const bool there = k < curve.points.size();
      const double none = std::numeric_limits<double>::quiet_NaN();
      rows[k].push_back(there ? curve.points[k].total : none);
      rows[k].push_back(there ? curve.points[k].normal : none);
      rows[k].push_back(there ? curve.points[k].friction : none);
    }
  }
  output.Table(name, header, rows);
  output.Table(name + "_least", {"method", "iterations", "total", "normal", "friction [J]"}, labels,
               best);

  std::string script =
      "set multiplot layout 4,4 title '" + title +
      ": total and normal error [mixed units], friction error [J]' font ',13'\nset logscale y\nset "
      "yrange [1e-24:1e6]\nset ytics 1e6\nunset mytics\n"
      "set format y '10^{%T}'\nset tmargin 2\nset bmargin 2.6\nset lmargin 8\nset rmargin 3\n"
      "set xlabel 'iteration' offset 0,0.6\nset key noautotitle\n";
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::size_t column = 2 + 3 * i;
    script += fmt::format(
        "set title '{0}' offset 0,-0.6\nset xrange [0:{1}]\nset xtics {7}\n{2}\n"
        "plot '{3}.csv' skip 1 using 1:{4} with lines lw 2 lc rgb '#1f4fd0' title 'total', "
        "'' skip 1 using 1:{5} with lines lw 1.5 lc rgb '#2a9d3a' title 'normal', "
        "'' skip 1 using 1:{6} with lines lw 1.5 lc rgb '#d02020' title 'friction'\n",
        Escaped(methods[i].name), std::max(10, curves[i].iterations),
        i == 0 ? "set key bottom left" : "unset key", name, column, column + 1, column + 2,
        TickOf(std::max(10, curves[i].iterations)));
  }
  output.Picture(name, script + "unset multiplot\n", 1150, 950);
  return curves;
}

const LuCurve& Of(const std::vector<LuCurve>& curves, const std::string& name) {
  const std::vector<LuMethod> methods = LuMethods();
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const LuMethod& method) {
    return method.name.rfind(name, 0) == 0;
  });
  return curves.at(static_cast<std::size_t>(found - methods.begin()));
}

/// Iterations until the total error is below a bound; −1: never.
int Until(const LuCurve& curve, double bound) {
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    if (curve.points[k].total <= bound) return static_cast<int>(k);
  }
  return -1;
}

void ClaimSpheres(PaperOutput& output, const std::vector<Problem>& problems,
                  const std::vector<LuCurve>& curves) {
  const LuPoint lemke = Of(curves, "Lemke").Best();
  output.Add({"Fig. 8", "Lemke's total error on the spheres", "order of 1e-10",
              fmt::format("{:.0e} after {} pivots", lemke.total, Of(curves, "Lemke").iterations),
              lemke.total < 1e-10});
  output.Add({"Fig. 8", "its friction error is larger than its total error: facets",
              "order of 1e-5", fmt::format("{:.0e} J", lemke.friction),
              lemke.friction > lemke.total});
  for (const LuMethod& method : LuMethods()) {
    if (!method.solver.empty()) continue;
    int staying = 0;
    std::vector<double> ends;
    for (const Problem& problem : problems) {
      const LuCurve pgs = Converge(method, {problem});
      ends.push_back(pgs.points.back().total);
      staying += std::abs(std::log(ends.back() / pgs.points[100].total)) < kStays ? 1 : 0;
    }
    output.Add(
        {"Fig. 9", method.name + ": stays where it soon is", "about 1e-1",
         fmt::format("from iteration 100 to 200 on {} of {} steps; total error {:.0e} on the "
                     "median step and {:.0e} on the worst",
                     staying, ends.size(), demo::Quantile(ends, 0.5),
                     *std::max_element(ends.begin(), ends.end())),
         staying == static_cast<int>(ends.size())});
  }
  const LuPoint prox = Of(curves, "NCP-prox").Best();
  output.Add({"Fig. 14", "NCP-prox has less friction error than the LCP solvers: on the spheres",
              "order of 1e-5 (on logs)",
              fmt::format("{:.0e} J; Lemke {:.0e} J", prox.friction, lemke.friction),
              prox.friction < lemke.friction});
}

std::string Within(const LuCurve& curve, double bound) {
  const int iterations = Until(curve, bound);
  return iterations < 0 ? fmt::format("not ({:.0e} at best)", curve.Best().total)
                        : fmt::format("in {} iterations", iterations);
}

/// The claims about the logs, each for all the moments; what holds for some does not hold.
void ClaimLogs(PaperOutput& output, const std::vector<std::vector<LuCurve>>& moments) {
  std::string pivots, fischers, interiors, proxes;
  bool lemke_ends = true, facets = true, fischer_ends = true, interior_ends = true, round = true;
  const auto add = [](std::string& list, const std::string& text) {
    list += (list.empty() ? "" : "; ") + text;
  };
  for (const std::vector<LuCurve>& curves : moments) {
    const LuCurve &lemke = Of(curves, "Lemke"), &fischer = Of(curves, "Fischer-Newton"),
                  &interior = Of(curves, "Interior point");
    const LuPoint best = lemke.Best(), prox = Of(curves, "NCP-prox").Best();
    add(pivots,
        fmt::format("{:.0e} after {} pivots ({:.0e} ten before) with friction error {:.0e} J",
                    best.total, lemke.iterations,
                    lemke.points[std::max(0, lemke.iterations - 10)].total, best.friction));
    add(fischers, Within(fischer, 1e-5));
    add(interiors, Within(interior, 1e-15));
    add(proxes, fmt::format("{:.0e} J (Lemke {:.0e} J)", prox.friction, best.friction));
    lemke_ends &= best.total < 1e-15;
    facets &= best.friction > best.total;
    fischer_ends &= Until(fischer, 1e-5) >= 0;
    interior_ends &= Until(interior, 1e-15) >= 0;
    round &= prox.friction < best.friction;
  }
  output.Add({"Fig. 11", "Lemke's error on the logs is large until the last pivots and then zero",
              "1e-20 after 92 pivots", pivots, lemke_ends});
  output.Add({"Fig. 11", "its friction error is large beside the total error", "yes",
              "see the line before", facets});
  output.Add(
      {"Fig. 12", "Fischer-Newton reaches 1e-5", "in about 40 iterations", fischers, fischer_ends});
  output.Add({"Fig. 13", "interior point reaches 1e-15", "in about 30 iterations", interiors,
              interior_ends});
  output.Add({"Fig. 14", "NCP-prox has less friction error than the LCP solvers: on the logs",
              "order of 1e-5", proxes, round});
}

}  // namespace

std::vector<Problem> LuSpheres(PaperOutput& output) {
  demo::World world = demo::SpheresInBox({});
  // Pushed sideways, so that they meet each other and the walls and roll.
  Random random(2);
  for (demo::BodySpec& body : world.bodies) {
    if (body.mass > 0) body.velocity = {random.Uniform(-2, 2), random.Uniform(-2, 2), 0};
  }
  constexpr int kFirst = 40, kCount = 10;
  demo::DemoOptions options;
  options.solver = "ip";
  options.iterations = 200;
  options.steps = kFirst + kCount;
  return StepsOf(Capture(world, options, (output.folder() / "spheres.h5").string()), kFirst,
                 kFirst + (output.quick() ? 3 : kCount));
}

std::vector<Problem> LuLogs(PaperOutput& output) {
  std::vector<std::int64_t> moments{18, 24, 60};
  if (output.quick()) moments.resize(1);
  demo::DemoOptions options;
  options.solver = "alart_curnier";
  options.iterations = 200;
  options.steps = static_cast<int>(moments.back()) + 1;
  const std::vector<CapturedStep> steps =
      Capture(demo::LogPile({}), options, (output.folder() / "logs.h5").string());
  std::vector<Problem> problems;
  for (const std::int64_t moment : moments)
    problems.push_back(StepsOf(steps, moment, moment + 1).front());
  return problems;
}

void LuConvergence(PaperOutput& output) {
  const std::vector<Problem> spheres = LuSpheres(output);
  const std::string title = fmt::format("15 spheres in a box, mean of {} steps", spheres.size());
  ClaimSpheres(output, spheres, Draw(output, "spheres", title, spheres));
  std::vector<std::vector<LuCurve>> moments;
  for (const Problem& logs : LuLogs(output)) {
    moments.push_back(Draw(output, fmt::format("logs_{}", moments.size() + 1),
                           fmt::format("40 logs piling up, {} contacts", logs.contacts()), {logs}));
  }
  ClaimLogs(output, moments);
}

}  // namespace nonsmooth::papers
