// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../capture/file_error.h"
#include "fclib_problem.h"

namespace nonsmooth {

/// Reads the one problem of an FCLIB file, with its solution and guesses. Sizes are checked against
/// each other and against the file before memory is taken. Throws FileError with file, object and
/// cause; rolling problems (/fclib_global_rolling) are refused by name.
FclibProblem ReadFclib(const std::string& path);

/// Writes a new file, replacing what is there. Throws FileError.
void WriteFclib(const std::string& path, const FclibProblem& problem);

}  // namespace nonsmooth
