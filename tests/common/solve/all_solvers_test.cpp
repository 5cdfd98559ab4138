// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "common/error/fclib_error.h"
#include "common/solve/driver.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr int kIterations = 20000;

/// What a solver cannot bring to 1e-8 within kIterations, and why. Everything not listed must.
struct KnownFailure {
  const char* solver;
  const char* problem;
  const char* law;  ///< kAnyLaw: under several
  const char* reason;
};

constexpr const char* kAnyLaw = "";

constexpr KnownFailure kKnownFailures[] = {
    {"psor", "HeavyOnLightThousand", kAnyLaw,
     "a sweep hands on about one light weight of load: some 10^5 sweeps for a ratio of 10^3"},
    {"psor", "HeavyOnLightMillion", kAnyLaw, "likewise, some 10^8 sweeps for a ratio of 10^6"},
    {"nncg", "HeavyOnLightMillion", kAnyLaw,
     "conjugate directions take the root of that, with restarts"},
    {"pjacobi", "HeavyOnLightThousand", kAnyLaw,
     "as psor, and each of the eight contacts on the light box gets an eighth of it"},
    {"pjacobi", "HeavyOnLightMillion", kAnyLaw,
     "as psor, and each of the eight contacts on the light box gets an eighth of it"},
    {"nsgs", "HeavyOnLightThousand", kAnyLaw, "as psor; mixing makes up for it under ccp only"},
    {"nsgs", "HeavyOnLightMillion", kAnyLaw, "as psor"},
    {"extragradient", "HeavyOnLightThousand", kAnyLaw,
     "as psor: a step is no longer than the stiffest mode allows"},
    {"extragradient", "HeavyOnLightMillion", kAnyLaw, "likewise"},
    {"prox", "HeavyOnLightThousand", kAnyLaw, "as psor"},
    {"prox", "HeavyOnLightMillion", kAnyLaw, "as psor"},
    {"lemke", "HeavyOnLightMillion", "pyramid",
     "eight parallel facets and a ratio of 10^6 leave the basis too few digits"},
    {"lemke", "RandomRolling", "pyramid",
     "rolling friction about two axes is a disc, which no LCP can state; a 16-gon "
     "stands in"},
    {"staggered", "PainleveCritical", kAnyLaw,
     "normal and frictional impulses in turn take 1 − δ/1.6 of the error to the next round"},
    {"minres", "PainleveCritical", kAnyLaw,
     "likewise: friction is frozen while it solves a convex problem exactly"},
    // What acts is 4000 times as slow as the sliding, which is no part of the free energy: each of
    // these takes δ/1.6 of the error away in an iteration, which makes 50,000 for 1e-8 of it.
    {"psor", "PainleveCritical", kAnyLaw, "as staggered: 50,000 iterations"},
    {"pjacobi", "PainleveCritical", kAnyLaw, "as psor"},
    {"apgd", "PainleveCritical", kAnyLaw, "as psor, by the law frozen anew"},
    {"bb", "PainleveCritical", kAnyLaw, "as apgd"},
    {"pgs_sm", "PainleveCritical", kAnyLaw, "as psor"},
    {"extragradient", "PainleveCritical", kAnyLaw, "as psor"},
    {"prox", "PainleveCritical", kAnyLaw, "as psor"},
    {"minres", "RandomRankDeficient", "ncp",
     "turns of the frozen law get so short that it takes 23,000 iterations"},
    {"minres", "RandomRankDeficientAsSparse", "ncp", "likewise"},
    {"minres", "RandomRankDeficientAsMatrix", "ncp", "likewise"},
    {"minres", "RandomRankDeficientAsTrees", "ncp", "likewise"},
    {"minres", "RandomCompliant", "ncp", "likewise, 22,000"},
};

struct Case {
  std::string solver;
  Law law;
  std::string problem;
};

/// What GoogleTest shows of a case beside the test's name.
void PrintTo(const Case& value, std::ostream* out) {
  *out << value.solver << " on " << value.problem << " under " << ToString(value.law);
}

/// In the test's name: letters and digits only.
std::string Name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.solver + "_" + std::string(ToString(info.param.law.kind)) + "_" +
                     info.param.problem;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
      '_');
  return name;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const SolverInfo& solver : Solvers()) {
    for (LawKind kind : solver.laws) {
      for (const CollectionEntry& entry : Collection()) {
        if (std::count(entry.laws.begin(), entry.laws.end(), kind) == 0) continue;
        const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
        cases.push_back({std::string(solver.name), law, entry.name});
      }
    }
  }
  return cases;
}

/// Σ ½ a_i^power (value − exact)² over the free energy. Inert rows have no weight and count with
/// their plain difference.
double RelativeEnergyOfDifference(const Problem& problem, double free_energy,
                                  const std::vector<double>& value,
                                  const std::vector<double>& exact, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double a = problem.dynamics().diagonal()[i];
    const double difference = value[i] - exact[i];
    sum += 0.5 * (a > 0 ? std::pow(a, power) : 1.0) * difference * difference;
  }
  return RelativeEnergy(sum, free_energy);
}

class AllSolvers : public testing::TestWithParam<Case> {
 protected:
  AllSolvers() : driver_(GetParam().solver) {
    options_.law = GetParam().law;
    options_.max_iterations = kIterations;
    test_ = FindProblem(GetParam().problem).make(GetParam().law);
  }

  const char* KnownReason() const {
    for (const KnownFailure& failure : kKnownFailures) {
      const std::string_view law = failure.law;
      if (GetParam().solver == failure.solver && GetParam().problem == failure.problem &&
          (law == kAnyLaw || law == ToString(GetParam().law.kind))) {
        return failure.reason;
      }
    }
    return nullptr;
  }

  TestProblem test_;
  SolveOptions options_;
  Driver driver_;
  Solution solution_;
};

// Every solver brings the normalised energy error of every problem to 1e-8 within 20,000
// iterations, or is listed above. Where the solution is unique, tightening the tolerance to 1e-12
// brings w to it: 1e-8 of the energy, 1e-4 of the velocity; and x within ten times as much, since
// the worst of the collection with a unique x have a condition number of about a hundred.
TEST_P(AllSolvers, SolvesTheCollection) {
  const Result result = driver_.Solve(test_.problem, options_, solution_);
  ASSERT_LE(result.energy.sum, result.energy.free_energy) << "worse than doing nothing";
  if (!result.converged() && KnownReason() != nullptr) GTEST_SKIP() << KnownReason();
  EXPECT_EQ(result.status, Status::kConverged) << "after " << result.iterations << " iterations";
  EXPECT_LE(result.energy.relative, 1e-8);
  if (!test_.unique_w) return;

  options_.relative_tolerance = 1e-12;
  const Result tight = driver_.Solve(test_.problem, options_, solution_);
  if (!tight.converged() && KnownReason() != nullptr) GTEST_SKIP() << KnownReason();
  const double scale = tight.energy.free_energy;
  EXPECT_LE(RelativeEnergyOfDifference(test_.problem, scale, solution_.w, test_.w, -1), 1e-8);
  if (!test_.unique_x) return;
  EXPECT_LE(RelativeEnergyOfDifference(test_.problem, scale, solution_.x, test_.x, 1), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Registry, AllSolvers, testing::ValuesIn(Cases()), Name);

/// No impulse moves two fixed bodies, which FCLIB's measure wants parted.
bool SolvableForFclib(const CollectionEntry& entry) {
  return entry.name.rfind("ContactBetweenFixedBodies", 0) != 0;
}

// Energy is quadratic in the residual: tightened by hundreds, its tolerance brings FCLIB's error,
// which is about Coulomb's law, to 1e-8 on every problem that has a solution in its sense.
TEST(AutoOnTheCollection, MeetsTheErrorOfFclib) {
  Driver driver("auto");
  SolveOptions options;
  options.law = {LawKind::kNcp, 0};
  options.max_iterations = kIterations;
  for (const CollectionEntry& entry : Collection()) {
    const Problem problem = entry.make(options.law).problem;
    double error = 1;
    Result result;
    for (double tolerance = 1e-10; tolerance > 1e-26 && error > 1e-8; tolerance *= 0.01) {
      options.relative_tolerance = tolerance;
      Solution solution;
      result = driver.Solve(problem, options, solution);
      error = MeasureFclib(problem, solution.x.data(), solution.w.data()).relative;
    }
    EXPECT_EQ(error <= 1e-8, SolvableForFclib(entry))
        << entry.name << ": " << error << ", " << result.remark;
  }
}

/// ½ bᵀ diag(A)⁻¹ b: how large the numbers are whose rounding is to be expected, also where x = 0
/// is another solution and the free energy nothing.
double SizeOfBias(const Problem& problem) {
  double sum = 0;
  for (int i = 0; i < problem.rows(); ++i) {
    const double a = problem.dynamics().diagonal()[i];
    const double b = problem.dynamics().bias()[i];
    if (a > 0) sum += 0.5 * b * b / a;
  }
  return sum;
}

// The exact solutions of the collection are solutions: their energy error is zero up to rounding.
TEST(ProblemCollection, ExactSolutionsSolveTheirProblem) {
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : entry.laws) {
      const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
      const TestProblem test = entry.make(law);
      if (test.x.empty()) continue;
      FeasibleSet set;
      set.Reset(test.problem, law, nullptr);
      std::vector<double> w(test.x.size());
      OperatorWorkspace workspace;
      test.problem.dynamics().ConstraintVelocity(test.x.data(), w.data(), workspace);
      const double energy = MeasureEnergy(set, 0, test.x.data(), w.data()).sum;
      EXPECT_LE(energy, 1e-24 * SizeOfBias(test.problem))
          << entry.name << " under " << ToString(law);
      for (std::size_t i = 0; i < w.size(); ++i) {
        EXPECT_NEAR(w[i], test.w[i], 1e-12) << entry.name << " under " << ToString(law);
      }
    }
  }
}

}  // namespace
}  // namespace nonsmooth
