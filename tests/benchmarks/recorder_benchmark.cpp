// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// What recording costs the simulation's thread, as a share of solving the same step, and what a
// contact takes on disk.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "recorders/capture/capture_reader.h"
#include "recorders/recording/recorder.h"

namespace nonsmooth {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kIterations = 50;

/// One step with everything an engine can tell about it. The numbers are as hard to compress as an
/// engine's: taken from the problem.
struct Step {
  explicit Step(int contacts_about, unsigned seed) : problem(SpherePile(contacts_about, seed)) {
    const auto& dynamics = static_cast<const TwoBodyDynamics&>(problem.dynamics());
    for (const Body& body : dynamics.bodies()) {
      BodyPose pose;
      pose.id = static_cast<std::int64_t>(poses.size());
      for (int k = 0; k < 3; ++k) {
        pose.position[k] = body.velocity[k];
        pose.quaternion[k + 1] = body.velocity[k + 3];
      }
      poses.push_back(pose);
    }
    for (const RowGroup& group : problem.groups()) {
      if (group.kind != GroupKind::kContact) continue;
      const TwoBodyRow* rows = &dynamics.body_rows()[group.first_row];
      ContactPlace place;
      for (int k = 0; k < 3; ++k) place.point[k] = rows[1].jacobian[9 + k];
      place.gap = rows[0].bias * kSceneStep;
      places.push_back(place);
    }
  }

  Problem problem;
  std::vector<BodyPose> poses;
  std::vector<ContactPlace> places;
};

/// psor as an engine would run it: a fixed number of iterations, not measured on the way.
class Simulation {
 public:
  Simulation() : driver_("psor") {
    options_.max_iterations = kIterations;
    options_.measure_every = kIterations;
    options_.relative_tolerance = 0;
  }

  StepView Solve(const Step& step, int number) {
    x0_.assign(static_cast<std::size_t>(step.problem.rows()), 0.0);
    driver_.Solve(step.problem, options_, &x0_, solution_, result_);
    StepInfo info;
    info.step = number;
    info.time = number * kSceneStep;
    info.h = kSceneStep;
    info.gravity = {0, 0, -kSceneGravity};
    info.solver = "psor";
    StepView view = ViewOf(info, step.problem, solution_, result_);
    view.x0 = &x0_;
    view.poses = &step.poses;
    view.places = &step.places;
    return view;
  }

  double seconds() const { return result_.seconds.total(); }

 private:
  Driver driver_;
  SolveOptions options_;
  Solution solution_;
  Result result_;
  std::vector<double> x0_;
};

std::string TemporaryFile() {
  const std::string name = "nonsmooth-benchmark-" + std::to_string(::getpid()) + ".h5";
  return (std::filesystem::temp_directory_path() / name).string();
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Solves, records (which is what is timed), solves, … a hundred times; medians.
void RecordStep(benchmark::State& state) {
  const Step step(static_cast<int>(state.range(0)), 1);
  const std::string path = TemporaryFile();
  std::vector<double> solving;
  std::vector<double> recording;
  std::vector<double> writing;
  {
    Recorder recorder(path, CaptureInfo());
    Simulation simulation;
    int number = 0;
    for (auto _ : state) {
      const StepView view = simulation.Solve(step, number++);
      const auto begin = Clock::now();
      recorder.Record(view);
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      state.SetIterationTime(seconds);
      recording.push_back(seconds);
      solving.push_back(simulation.seconds());
      // The disk is no part of this: a simulation that is faster than the disk waits for it, or
      // drops steps, whatever the recorder does.
      const auto wait = Clock::now();
      recorder.Flush();
      writing.push_back(std::chrono::duration<double>(Clock::now() - wait).count());
    }
    if (!recorder.status().trouble.empty()) {
      state.SkipWithError(recorder.status().trouble.c_str());
    }
  }
  std::filesystem::remove(path);
  state.counters["contacts"] = step.problem.contacts();
  state.counters["solve_us"] = 1e6 * Median(solving);
  state.counters["write_us"] = 1e6 * Median(writing);
  state.counters["record_us"] = 1e6 * Median(recording);
  state.counters["share_percent"] = 100 * Median(recording) / Median(solving);
}

/// Four different steps, so that one does not compress against the other.
void BytesOnDisk(benchmark::State& state) {
  constexpr unsigned kSteps = 4;
  const std::string path = TemporaryFile();
  double contacts = 0;
  double raw = 0;
  for (auto _ : state) {
    Recorder recorder(path, CaptureInfo());
    Simulation simulation;
    contacts = 0;
    for (unsigned i = 0; i < kSteps; ++i) {
      const Step step(static_cast<int>(state.range(0)), i + 1);
      recorder.Record(simulation.Solve(step, static_cast<int>(i)));
      contacts += step.problem.contacts();
    }
    recorder.Close();
  }
  const CaptureReader reader(path);
  for (const StepSummary& summary : reader.Summaries(0, reader.steps())) {
    raw += static_cast<double>(summary.bytes);
  }
  state.counters["bytes_per_contact"] =
      static_cast<double>(std::filesystem::file_size(path)) / contacts;
  state.counters["bytes_per_contact_uncompressed"] = raw / contacts;
  std::filesystem::remove(path);
}

BENCHMARK(RecordStep)
    ->Name("recorder/record_step")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->UseManualTime()
    ->Iterations(100)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BytesOnDisk)
    ->Name("recorder/bytes_on_disk")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace nonsmooth
