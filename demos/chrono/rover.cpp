// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/chrono/chrono_engine.h"

int main(int argc, char** argv) {
  return nonsmooth::demo::Main(argc, argv, nonsmooth::demo::Rover, nonsmooth::demo::ChronoEngine());
}
