// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/bullet/robots/robots.h"

int main(int argc, char** argv) {
  return nonsmooth::demo::Main(argc, argv, nonsmooth::demo::RobotGripper,
                               nonsmooth::demo::RobotEngine());
}
