// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/chrono/chrono_engine.h"
#include "demos/outcomes/outcome_run.h"

int main(int argc, char** argv) {
  return nonsmooth::demo::OutcomesMain(argc, argv, nonsmooth::demo::ChronoEngine());
}
