// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nonsmooth {

/// "0.1.0", of this project.
std::string Version();

/// Names and values that tell where results come from, in a fixed order.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// name, system, machine, cpu, cores: of the machine, whatever part of it this process may use.
/// What cannot be found out is "unknown".
NamedTexts Host();

/// nonsmooth, compiler, build type, HDF5.
NamedTexts Versions();

}  // namespace nonsmooth
