// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Prints one hash per solver, law and problem: a change that is not meant to change results leaves
// the output as it was, on the same machine and compiler.
//
//     solution_bits > before.txt;  …;  solution_bits | diff before.txt -
//
// Arguments are files of problems (captures, FCLIB) to take along; every seventh step of each.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "recorders/interchange/problem_source.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr int kIterations = 200;
constexpr int kStride = 7;

/// FNV-1a over the bytes of the doubles.
std::uint64_t Hash(const std::vector<double>& values) {
  std::uint64_t hash = 14695981039346656037u;
  for (double value : values) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  }
  return hash;
}

void Print(Driver& driver, const Law& law, const std::string& name, const Problem& problem,
           const std::vector<double>* start) {
  SolveOptions options;
  options.law = law;
  options.max_iterations = kIterations;
  Solution solution;
  Result result;
  driver.Solve(problem, options, start, solution, result);
  std::printf("%-15s %-12s %-40s %4d %016llx\n", std::string(driver.info().name).c_str(),
              ToString(law).c_str(), name.c_str(), result.iterations,
              static_cast<unsigned long long>(Hash(solution.x)));
}

void PrintFile(const std::string& path) {
  const auto source = OpenSource(path);
  for (std::int64_t k = 0; k < source->steps(); k += kStride) {
    const SourceStep read = source->Read(k);
    const std::string name = path.substr(path.rfind('/') + 1) + ":" + std::to_string(k);
    for (const SolverInfo& solver : Solvers()) {
      Driver driver(solver.name);
      try {
        const std::vector<double>& start = read.step.x0;
        Print(driver, Law{LawKind::kNative, 0}, name, read.step.problem,
              start.empty() ? nullptr : &start);
      } catch (const std::exception& refused) {
        std::printf("%-15s %s %s\n", std::string(solver.name).c_str(), name.c_str(),
                    refused.what());
      }
    }
  }
}

void PrintCollection() {
  for (const SolverInfo& solver : Solvers()) {
    Driver driver(solver.name);
    for (LawKind kind : solver.laws) {
      for (const CollectionEntry& entry : Collection()) {
        const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
        Print(driver, law, entry.name, entry.make(law).problem, nullptr);
      }
    }
  }
}

}  // namespace
}  // namespace nonsmooth

int main(int argc, char** argv) {
  try {
    nonsmooth::PrintCollection();
    for (int k = 1; k < argc; ++k) nonsmooth::PrintFile(argv[k]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "solution_bits: %s\n", error.what());
    return 1;
  }
}
