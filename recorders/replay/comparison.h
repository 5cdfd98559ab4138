// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "results_reader.h"

namespace nonsmooth {

/// What has to fall below a tolerance.
enum class ComparedError {
  kRelativeEnergy,  ///< energy error / free energy; its history is known
  kFclib,           ///< FCLIB's error of what was returned; only the whole solve's time is known
};

/// What to do with times from several machines.
enum class SeveralMachines {
  kRefuse,
  kNormalise,  ///< by the calibration solve that every task repeats: seconds of the first machine
  kMix,        ///< take them as they are
};

struct ComparisonOptions {
  std::vector<double> tolerances{1e-4, 1e-8};
  ComparedError error = ComparedError::kRelativeEnergy;
  /// The same solver in two files is two contenders, SOLVER@FILE, instead of a repetition.
  bool by_file = false;
  SeveralMachines machines = SeveralMachines::kRefuse;
};

/// A problem of the collection: a step of a file under a law.
struct ComparedProblem {
  std::string file;
  std::int64_t step = 0;
  std::string law;
};

/// The times of all contenders to one tolerance, and what follows from them.
struct ToleranceComparison {
  double tolerance = 0;
  /// [contender][problem] seconds to the tolerance; infinite where it was not reached. Of several
  /// solves the median (the larger middle one of an even number), so that a solver that fails
  /// half the time has failed.
  std::vector<std::vector<double>> seconds;
  /// [contender][problem] seconds / least seconds of all contenders; infinite like the above.
  std::vector<std::vector<double>> ratios;
};

/// Solvers over a collection of problems, E. Dolan, J. Moré, "Benchmarking optimization software
/// with performance profiles", 2002. With t_{p,s} the time of solver s to the tolerance,
///
///     r_{p,s} = t_{p,s} / min_s t_{p,s},   ρ_s(τ) = |{p : r_{p,s} ≤ τ}| / |{p}|.
///
/// ρ_s(1) is the share of problems where s is the fastest, ρ_s(∞) the share it solves at all.
/// Problems that nobody solves count in the denominator: the paper's n_p.
struct Comparison {
  std::vector<std::string> contenders;  ///< in the order in which they turn up
  std::vector<ComparedProblem> problems;
  std::vector<int> missing;  ///< of each contender: problems without a result, counted as failed
  std::vector<ToleranceComparison> tolerances;
  std::vector<std::string> remarks;  ///< what limits the comparison
};

/// Throws std::invalid_argument if there is nothing to compare, a tolerance is not positive, one
/// solver was run with different settings in different files and `by_file` is not set, or times
/// come from several machines against `machines`.
Comparison Compare(const std::vector<ReplayResults>& results, const ComparisonOptions& options);

/// ρ of one contender at τ.
double Profile(const ToleranceComparison& comparison, int contender, double tau);

/// Tables for a person: a summary, and if the collection is small, every problem.
std::string ComparisonText(const Comparison& comparison, const ComparisonOptions& options);

/// `tolerance,ratio,<contender>,…`: ρ at every τ where one of them changes, from τ = 1.
std::string ProfileCsv(const Comparison& comparison);

/// `tolerance,file,step,law,<contender>,…`: seconds, nothing where the tolerance was not reached.
std::string TimesCsv(const Comparison& comparison);

}  // namespace nonsmooth
