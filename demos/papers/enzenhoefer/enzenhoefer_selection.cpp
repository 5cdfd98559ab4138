// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bullet_plugin/solver.h"
#include "demos/bullet/bullet_world.h"
#include "demos/papers/enzenhoefer/enzenhoefer.h"

namespace nonsmooth::papers {
namespace {

/// What a wall does whose solver is stopped early.
struct Course {
  std::vector<double> error;     ///< [J] of every step
  std::vector<double> farthest;  ///< [m] of any brick from its place, after every step
  int fell = -1;                 ///< step in which the wall no longer stands; −1: it does
  double mean_error() const {
    double sum = 0;
    for (const double value : error) sum += value;
    return sum / static_cast<double>(error.size());
  }
};

double Farthest(const demo::World& world, const std::vector<demo::Pose>& poses) {
  double most = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (world.bodies[i].mass == 0) continue;
    const demo::Vec3& from = world.bodies[i].pose.position;
    const demo::Vec3& at = poses[i].position;
    most = std::max(most, std::hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]));
  }
  return most;
}

Course Simulate(int pivots, bool warm, bool least_error, int steps) {
  const demo::World world = StandingWall();
  bullet::Options options;
  options.solve.law = {LawKind::kNative, 0};
  options.solve.max_iterations = pivots;
  options.solve.measure_every = 1;
  options.solve.least_error = least_error;
  options.iterations_of_world = false;
  bullet::Solver solver("bpp", options);
  demo::BulletWorld engine(world, &solver);
  btContactSolverInfo& info = engine.world().getSolverInfo();
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  if (!warm) info.m_solverMode &= ~SOLVER_USE_WARMSTARTING;
  Course course;
  for (int step = 0; step < steps; ++step) {
    engine.Step(world.dt);
    const std::vector<demo::Pose> poses = engine.Poses();
    course.error.push_back(solver.result().energy_error);
    course.farthest.push_back(Farthest(world, poses));
    if (course.fell < 0 && !world.stands(world, poses)) course.fell = step;
  }
  return course;
}

/// The three largest limits from a cold start; the other courses are in the table.
void Draw(PaperOutput& output, const std::vector<int>& limits) {
  const char* const colours[] = {"#1f4fd0", "#2a9d3a", "#d07a10"};
  const std::size_t shown = std::min<std::size_t>(3, limits.size());
  std::string errors, places;
  for (std::size_t n = 0; n < 2 * shown; ++n) {
    const std::size_t i = limits.size() - shown + n / 2, last = n % 2;
    const std::size_t column = 2 + 4 * i + 2 * last;
    const std::string style =
        fmt::format("with lines lw 1.6 dt {} lc rgb '{}' title '{} pivots, {}'", last + 1,
                    colours[n / 2], limits[i], last == 0 ? "least error" : "last iterate");
    const char* const comma = n == 0 ? "" : ", ";
    errors += fmt::format("{}'selection_courses.csv' skip 1 using 1:{} {}", comma, column, style);
    places += fmt::format("{}'selection_courses.csv' skip 1 using 1:(1000*${}) {}", comma,
                          column + 1, style);
  }
  output.Picture("selection",
                 "set multiplot layout 2,1\nset xlabel 'time step'\nset key outside right\n"
                 "set key noautotitle\nset logscale y\nset format y '10^{%T}'\n"
                 "set ylabel 'energy error [J]'\n"
                 "set title 'Brick wall, bpp stopped early, every step from zero'\nplot " +
                     errors +
                     "\nunset logscale\nset format y '%g'\nunset title\nset yrange [0:100]\n"
                     "set ylabel 'farthest brick from its place [mm]'\nplot " +
                     places + "\nunset multiplot\n",
                 900, 660);
}

}  // namespace

void EnzenhoeferSelection(PaperOutput& output) {
  const int steps = output.quick() ? 25 : 200;
  const std::vector<int> limits =
      output.quick() ? std::vector<int>{10} : std::vector<int>{2, 3, 5, 10, 20};
  std::vector<std::vector<double>> rows, courses(static_cast<std::size_t>(steps));
  std::vector<std::string> header{"step"};
  for (int step = 0; step < steps; ++step) courses[step].push_back(step);
  int runs = 0, lower = 0, equal = 0, falls_with = 0, falls_without = 0;
  for (const bool warm : {false, true}) {
    for (const int pivots : limits) {
      const Course with = Simulate(pivots, warm, true, steps);
      const Course without = Simulate(pivots, warm, false, steps);
      for (const Course* course : {&with, &without}) {
        header.push_back(fmt::format("{} start, {} pivots, {}: error [J]", warm ? "warm" : "cold",
                                     pivots, course == &with ? "least error" : "last iterate"));
        header.push_back("its displacement [m]");
        for (int step = 0; step < steps; ++step) {
          courses[step].push_back(course->error[step]);
          courses[step].push_back(course->farthest[step]);
        }
        rows.push_back({static_cast<double>(warm), static_cast<double>(pivots),
                        course == &with ? 1.0 : 0.0, course->mean_error(),
                        *std::max_element(course->error.begin(), course->error.end()),
                        course->farthest.back(), static_cast<double>(course->fell)});
      }
      ++runs;
      lower += with.mean_error() < without.mean_error() ? 1 : 0;
      equal += with.mean_error() == without.mean_error() ? 1 : 0;
      falls_with += with.fell < 0 ? 0 : 1;
      falls_without += without.fell < 0 ? 0 : 1;
    }
  }
  output.Table("selection",
               {"warm start", "pivots", "least error", "mean error [J]", "largest error [J]",
                "displacement at the end [m]", "falls in step"},
               rows);
  output.Table("selection_courses", header, courses);
  Draw(output, limits);
  output.Add({"Discussion", "least-error selection gives the better solution of a stopped solver",
              "a better solution",
              fmt::format("of {} pairs of simulations less mean error in {}, the same in {}", runs,
                          lower, equal),
              lower > 0 && lower + equal == runs});
  output.Add({"Discussion", "and may keep the simulation stable", "possibly improves stability",
              fmt::format("of {} walls {} fall with it and {} without it", runs, falls_with,
                          falls_without),
              output.quick() ? falls_with <= falls_without : falls_with < falls_without});
}

}  // namespace nonsmooth::papers
