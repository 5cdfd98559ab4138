// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "recorders/capture/capture_reader.h"
#include "recorders/hdf5/handle.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

CaptureInfo Info(ScalarType scalar = ScalarType::kFloat64) {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  info.scalar = scalar;
  return info;
}

RecorderOptions AsGiven() {
  RecorderOptions options;
  options.measure = false;
  return options;
}

std::vector<std::int64_t> StepNumbers(const std::string& path) {
  const CaptureReader reader(path);
  std::vector<std::int64_t> numbers;
  for (const StepSummary& summary : reader.Summaries(0, reader.steps())) {
    numbers.push_back(summary.info.step);
  }
  return numbers;
}

void ExpectBalanced(const RecorderStatus& status) {
  EXPECT_EQ(status.offered, status.left_out + status.written + status.dropped + status.pending);
}

constexpr double kMass = 2, kGravity = 9.81, kStep = 0.01;

/// A sphere at rest on the ground, with the given normal impulse as the engine's solution.
CapturedStep RestingSphere(std::int64_t number, double impulse) {
  ProblemBuilder builder;
  ContactPoint point;
  point.body_a = builder.AddBody(Body());
  point.body_b = builder.AddSphere(kMass, 0.5, {0, 0, -kGravity * kStep});
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -0.5};
  builder.AddContact(point, ContactMaterial());
  CapturedStep step;
  step.info.step = number;
  step.problem = builder.Build();
  step.x = {impulse, 0, 0};
  return step;
}

// Without conditions everything is kept, and comes back as it was given, bit for bit.
TEST(Recorder, KeepsEverythingAsItWasGiven) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("all.h5");
  const std::vector<NamedStep> zoo = StepZoo(false);
  Recorder recorder(path, Info(), AsGiven());
  for (const NamedStep& named : zoo) EXPECT_TRUE(recorder.Record(named.step));
  recorder.Close();
  const RecorderStatus status = recorder.status();
  EXPECT_EQ(status.written, static_cast<std::int64_t>(zoo.size()));
  EXPECT_EQ(status.trouble, "");
  EXPECT_FALSE(status.recording);
  ExpectBalanced(status);
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), static_cast<std::int64_t>(zoo.size()));
  for (std::size_t i = 0; i < zoo.size(); ++i) {
    SCOPED_TRACE(zoo[i].name);
    ExpectSame(zoo[i].step, reader.Read(static_cast<std::int64_t>(i)));
  }
}

// Buffers are reused: nothing of a large step shows up in a small one that follows.
TEST(Recorder, NothingIsLeftOverFromFormerSteps) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("reuse.h5");
  RecorderOptions options = AsGiven();
  options.queue = 1;
  Recorder recorder(path, Info(), options);
  const CapturedStep bare = RestingSphere(1, 0);
  for (int i = 0; i < 6; ++i) {
    recorder.Record(ContactStep(20, 1));
    recorder.Flush();
    StepView view;
    view.info = bare.info;
    view.problem = &bare.problem;
    recorder.Record(view);
    recorder.Flush();
    Recorder::Slot slot = recorder.Begin(bare.info);
    ASSERT_TRUE(slot);
    EXPECT_EQ(slot->problem.rows(), 0);
    slot->problem = bare.problem;
    recorder.Submit(std::move(slot));
  }
  recorder.Close();
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), 18);
  CapturedStep expected = bare;
  expected.x.clear();
  for (int i = 0; i < 6; ++i) {
    ExpectSame(expected, reader.Read(3 * i + 1));
    ExpectSame(expected, reader.Read(3 * i + 2));
  }
}

// Steps 0 … 9 of two islands each, every third: 0, 3, 6, 9, both islands.
TEST(Recorder, KeepsEveryThirdStepWithAllIslands) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("third.h5");
  RecorderOptions options = AsGiven();
  options.every = 3;
  Recorder recorder(path, Info(), options);
  CapturedStep step = ContactStep(2, 1);
  for (step.info.step = 0; step.info.step < 10; ++step.info.step) {
    for (step.info.island = 0; step.info.island < 2; ++step.info.island) {
      EXPECT_EQ(recorder.Wants(step.info), step.info.step % 3 == 0);
      EXPECT_EQ(recorder.Record(step), step.info.step % 3 == 0);
    }
  }
  recorder.Close();
  EXPECT_EQ(StepNumbers(path), (std::vector<std::int64_t>{0, 0, 3, 3, 6, 6, 9, 9}));
  EXPECT_EQ(recorder.status().left_out, 12);
  EXPECT_EQ(recorder.status().dropped, 0);
}

TEST(Recorder, KeepsStepsWithManyIterations) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("iterations.h5");
  RecorderOptions options = AsGiven();
  options.iterations_above = 50;
  Recorder recorder(path, Info(), options);
  CapturedStep step = ContactStep(2, 1);
  for (int iterations : {10, 50, 51, 3, 100}) {
    step.info.step = step.info.iterations = iterations;
    recorder.Record(step);
  }
  recorder.Close();
  EXPECT_EQ(StepNumbers(path), (std::vector<std::int64_t>{51, 100}));
}

// A sphere at rest needs the impulse m g h. Without it its energy error is the energy that the fall
// would gain, ½ m (g h)²; with it, zero. The recorder measures that itself, and w = −g h or 0.
TEST(Recorder, MeasuresAndKeepsStepsWithAnEnergyErrorAbove) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("energy.h5");
  const double fall = 0.5 * kMass * kGravity * kStep * kGravity * kStep;
  RecorderOptions options;
  options.energy_error_above = 0.5 * fall;
  Recorder recorder(path, Info(), options);
  for (int i = 0; i < 6; ++i) {
    recorder.Record(RestingSphere(i, i % 2 == 0 ? kMass * kGravity * kStep : 0));
  }
  CapturedStep unsolved = RestingSphere(6, 0);
  unsolved.x.clear();
  recorder.Record(unsolved);
  recorder.Close();
  EXPECT_EQ(StepNumbers(path), (std::vector<std::int64_t>{1, 3, 5}));
  EXPECT_EQ(recorder.status().left_out, 4);
  const CapturedStep step = CaptureReader(path).Read(0);
  EXPECT_NEAR(step.measures.energy_error, fall, 1e-15);
  ASSERT_EQ(step.w.size(), 3u);
  EXPECT_NEAR(step.w[0], -kGravity * kStep, 1e-15);
  EXPECT_TRUE(std::isfinite(step.measures.total_error));
  EXPECT_TRUE(std::isfinite(step.measures.normal_error));
  EXPECT_TRUE(std::isfinite(step.measures.friction_error));
}

// The last three up to the trigger are written; what follows is not, since nothing triggers it.
TEST(Recorder, RingIsWrittenOnTrigger) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("ring.h5");
  RecorderOptions options = AsGiven();
  options.ring = 3;
  Recorder recorder(path, Info(), options);
  for (int i = 0; i < 10; ++i) {
    recorder.Record(ContactStep(2, i));
    if (i == 5) recorder.Trigger();
  }
  recorder.Flush();
  EXPECT_EQ(recorder.status().pending, 3);
  recorder.Close();
  EXPECT_EQ(StepNumbers(path), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(recorder.status().left_out, 7);
  ExpectBalanced(recorder.status());
}

// A step that needs more than 50 iterations is the last of the three that are written.
TEST(Recorder, RingIsWrittenWhenAStepMeetsTheConditions) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("ring.h5");
  RecorderOptions options = AsGiven();
  options.ring = 3;
  options.iterations_above = 50;
  Recorder recorder(path, Info(), options);
  CapturedStep step = ContactStep(2, 1);
  for (int i = 0; i < 10; ++i) {
    step.info.step = i;
    step.info.iterations = i == 7 || i == 8 ? 51 : 10;
    recorder.Record(step);
  }
  recorder.Close();
  EXPECT_EQ(StepNumbers(path), (std::vector<std::int64_t>{5, 6, 7, 8}));
}

// While the test holds HDF5 the writer cannot write: with room for two the third Record() has to
// wait, and the fourth is not even begun. Nothing is lost.
TEST(Recorder, WaitsForRoomInTheQueue) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("wait.h5");
  RecorderOptions options = AsGiven();
  options.queue = 2;
  Recorder recorder(path, Info(), options);
  std::thread simulation;
  {
    const hdf5::Session nobody_else;
    simulation = std::thread([&recorder] {
      for (int i = 0; i < 10; ++i) recorder.Record(ContactStep(2, i));
    });
    while (recorder.status().offered < 3) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(recorder.status().offered, 3);
    EXPECT_EQ(recorder.status().written, 0);
  }
  simulation.join();
  recorder.Close();
  const RecorderStatus status = recorder.status();
  EXPECT_EQ(status.written, 10);
  EXPECT_EQ(status.dropped, 0);
  EXPECT_GT(status.wait_seconds, 0.01);
  EXPECT_EQ(CaptureReader(path).steps(), 10);
}

// The same, but steps are dropped instead: two of ten are kept, the others counted, and one message
// at the end says how many.
TEST(Recorder, DropsStepsInsteadIfAskedTo) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("drop.h5");
  std::vector<std::string> messages;
  RecorderOptions options = AsGiven();
  options.queue = 2;
  options.drop_when_full = true;
  options.on_trouble = [&messages](const std::string& text) { messages.push_back(text); };
  Recorder recorder(path, Info(), options);
  {
    const hdf5::Session nobody_else;
    for (int i = 0; i < 10; ++i) recorder.Record(ContactStep(2, i));
  }
  recorder.Close();
  const RecorderStatus status = recorder.status();
  EXPECT_GE(status.written, 2);
  EXPECT_LE(status.written, 3);
  EXPECT_EQ(status.written + status.dropped, 10);
  EXPECT_EQ(CaptureReader(path).steps(), status.written);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0],
            path + ": " + std::to_string(status.dropped) + " of 10 steps to be kept were dropped");
}

// Four threads record 25 steps each, as islands solved in parallel would; all are there once.
TEST(Recorder, SeveralThreadsRecordAtOnce) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("threads.h5");
  Recorder recorder(path, Info(), AsGiven());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&recorder, t] {
      for (int i = 0; i < 25; ++i) recorder.Record(ContactStep(3, 25 * t + i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  recorder.Close();
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), 100);
  std::vector<int> seen(100);
  for (int i = 0; i < 100; ++i) {
    const CapturedStep step = reader.Read(i);
    ++seen[step.info.step];
    ExpectSame(ContactStep(3, static_cast<int>(step.info.step)), step);
  }
  EXPECT_EQ(seen, std::vector<int>(100, 1));
}

// What a driver made of a problem, in one call.
TEST(Recorder, TakesTheResultOfADriver) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("driver.h5");
  const Problem problem = RestingSphere(0, 0).problem;
  Driver driver("psor");
  Solution solution;
  const Result result = driver.Solve(problem, SolveOptions(), solution);
  Recorder recorder(path, Info());
  StepInfo info;
  info.step = 7;
  info.solver = "psor";
  recorder.Record(ViewOf(info, problem, solution, result));
  recorder.Close();
  const CapturedStep step = CaptureReader(path).Read(0);
  EXPECT_EQ(step.info.step, 7);
  EXPECT_EQ(step.info.iterations, result.iterations);
  EXPECT_EQ(step.measures.energy_error, result.energy.sum);
  EXPECT_EQ(step.x, solution.x);
  EXPECT_EQ(step.w, solution.w);
  EXPECT_EQ(step.v, solution.v);
  EXPECT_EQ(ProblemChecksum(step.problem), ProblemChecksum(problem));
}

// Poses and places are completed from the problem: a sphere of mass m and radius r has the inertia
// 2/5 m r²; the normal and the tangents are the linear parts of the rows; the pair is theirs, too.
TEST(Recorder, CompletesPosesAndPlaces) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("places.h5");
  const CapturedStep resting = RestingSphere(3, 0);
  Recorder recorder(path, Info());
  std::vector<BodyPose> poses(2);
  poses[1].id = 17;
  poses[1].position = {1, 2, 3};
  poses[1].quaternion = {0, 1, 0, 0};
  std::vector<ContactPlace> places(1);
  places[0] = {{1, 2, 2.5}, -0.01, 0.25, 4};
  StepView view;
  view.info = resting.info;
  view.problem = &resting.problem;
  view.poses = &poses;
  view.places = &places;
  EXPECT_TRUE(recorder.Record(view));
  places.resize(2);
  EXPECT_THROW(recorder.Record(view), std::invalid_argument);
  recorder.Close();

  const CapturedStep read = CaptureReader(path).Read(0);
  ASSERT_EQ(read.bodies.size(), 2u);
  EXPECT_EQ(read.bodies[0].mass, 0);
  EXPECT_EQ(read.bodies[0].inertia, (std::array<double, 9>{}));
  EXPECT_EQ(read.bodies[1].id, 17);
  EXPECT_EQ(read.bodies[1].mass, kMass);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(read.bodies[1].inertia[k], k % 4 == 0 ? 0.4 * kMass * 0.25 : 0, 1e-15);
  }
  EXPECT_EQ(read.bodies[1].position, poses[1].position);
  EXPECT_EQ(read.bodies[1].quaternion, poses[1].quaternion);
  ASSERT_EQ(read.contacts.size(), 1u);
  const ContactGeometry& contact = read.contacts[0];
  EXPECT_EQ(contact.pair, (std::array<std::int32_t, 2>{0, 1}));
  EXPECT_EQ(contact.normal, (std::array<double, 3>{0, 0, 1}));
  Vector3 first;
  Vector3 second;
  TangentBasis({0, 0, 1}, &first, &second);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(contact.tangents[k], first[k]);
    EXPECT_EQ(contact.tangents[3 + k], second[k]);
  }
  EXPECT_EQ(contact.point, places[0].point);
  EXPECT_EQ(contact.gap, -0.01);
  EXPECT_EQ(contact.restitution, 0.25);
  EXPECT_EQ(contact.cohesion, 4);
}

// In a float32 file the solution is rounded to nearest; the problem is not touched.
TEST(Recorder, RoundsSolutionsInAFloat32File) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("float.h5");
  CapturedStep step = ContactStep(2, 1, true);
  step.x[0] = 0.1;
  step.w.clear();
  step.contacts[0].point[1] = 0.3;
  step.bodies[0].mass = 0.7;
  Recorder recorder(path, Info(ScalarType::kFloat32));
  EXPECT_TRUE(recorder.Record(step));
  recorder.Close();
  EXPECT_EQ(recorder.status().trouble, "");
  const CapturedStep read = CaptureReader(path).Read(0);
  EXPECT_EQ(read.x[0], static_cast<double>(0.1f));
  EXPECT_EQ(read.contacts[0].point[1], static_cast<double>(0.3f));
  EXPECT_EQ(read.bodies[0].mass, static_cast<double>(0.7f));
  EXPECT_EQ(read.w.size(), read.x.size());
  EXPECT_EQ(ProblemChecksum(read.problem), ProblemChecksum(step.problem));
}

// A slot that is not submitted counts as left out, and its buffer is used again.
TEST(Recorder, UnusedSlotIsLeftOut) {
  const TemporaryDirectory directory;
  Recorder recorder(directory.File("slot.h5"), Info(), AsGiven());
  const CapturedStep* buffer = nullptr;
  {
    const Recorder::Slot slot = recorder.Begin(StepInfo());
    ASSERT_TRUE(slot);
    buffer = &*slot;
    EXPECT_EQ(recorder.status().pending, 1);
  }
  EXPECT_EQ(recorder.status().left_out, 1);
  EXPECT_EQ(&*recorder.Begin(StepInfo()), buffer);
}

// A caller's mistakes throw where they are made, and the recorder goes on.
TEST(Recorder, RefusesCallersMistakes) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("mistakes.h5");
  RecorderOptions options;
  options.every = 0;
  EXPECT_THROW(Recorder(path, Info(), options), std::invalid_argument);
  options = RecorderOptions();
  options.energy_error_above = std::nan("");
  EXPECT_THROW(Recorder(path, Info(), options), std::invalid_argument);
  EXPECT_TRUE(directory.Names().empty());

  Recorder recorder(path, Info(), AsGiven());
  CapturedStep step = ContactStep(2, 1);
  step.x.pop_back();
  EXPECT_THROW(recorder.Record(step), std::invalid_argument);
  EXPECT_THROW(recorder.Record(StepView()), std::invalid_argument);
  EXPECT_THROW(recorder.Submit(Recorder::Slot()), std::invalid_argument);
  step = ContactStep(2, 1);
  step.info.solver.assign(64, 's');
  EXPECT_THROW(recorder.Record(step), std::invalid_argument);
  EXPECT_TRUE(recorder.Record(ContactStep(2, 1)));
  recorder.Close();
  EXPECT_EQ(CaptureReader(path).steps(), 1);
  ExpectBalanced(recorder.status());
}

}  // namespace
}  // namespace nonsmooth
