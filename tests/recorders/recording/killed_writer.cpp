// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes five steps into the capture named on the command line, and is killed.
#include <csignal>

#include "recorders/capture/capture_writer.h"
#include "tests/recorders/support/step_zoo.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  nonsmooth::CaptureWriter writer(argv[1], nonsmooth::CaptureInfo());
  for (int i = 0; i < 5; ++i) writer.Append(nonsmooth::ContactStep(3, i));
  std::raise(SIGKILL);
}
