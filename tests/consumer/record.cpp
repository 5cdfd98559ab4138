// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <nonsmooth/common/problem/problem_builder.h>
#include <nonsmooth/common/solve/driver.h>
#include <nonsmooth/recorders/capture/capture_reader.h>
#include <nonsmooth/recorders/recording/recorder.h>

#include <cstdio>

// Solves one step, records it into the file named on the command line, and reads it back.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  nonsmooth::ProblemBuilder builder;
  nonsmooth::ContactPoint point;
  point.body_a = builder.AddBody(nonsmooth::Body());
  point.body_b = builder.AddSphere(2.0, 0.5, {0, 0, -0.0981});
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -0.5};
  builder.AddContact(point, nonsmooth::ContactMaterial());
  const nonsmooth::Problem problem = builder.Build();

  nonsmooth::Driver driver("psor");
  nonsmooth::Solution solution;
  const nonsmooth::Result result = driver.Solve(problem, nonsmooth::SolveOptions(), solution);

  nonsmooth::CaptureInfo info;
  info.engine = "consumer";
  nonsmooth::Recorder recorder(argv[1], info);
  nonsmooth::StepInfo step;
  step.h = 0.01;
  step.solver = "psor";
  recorder.Record(nonsmooth::ViewOf(step, problem, solution, result));
  recorder.Close();

  const nonsmooth::CapturedStep read = nonsmooth::CaptureReader(argv[1]).Read(0);
  std::printf("recorded %lld step, x_n = %g N s\n",
              static_cast<long long>(recorder.status().written), read.x[0]);
  return read.x == solution.x ? 0 : 1;
}
