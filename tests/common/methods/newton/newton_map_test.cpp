// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/newton_map.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "common/methods/newton/newton_system.h"
#include "demos/scenes/scenes.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

constexpr NewtonMapKind kKinds[] = {NewtonMapKind::kAlartCurnier, NewtonMapKind::kJeanMoreau,
                                    NewtonMapKind::kFischer};

double Merit(const NewtonMap& map, const std::vector<double>& x, const std::vector<double>& w,
             double step) {
  double sum = 0;
  for (int g = 0; g < map.groups(); ++g) {
    sum += map.Merit(g, x.data() + map.first_row(g), w.data() + map.first_row(g), step);
  }
  return sum;
}

/// Merit at x + step · dx, where dx is the Newton step of `system` at x.
class AlongNewtonStep {
 public:
  AlongNewtonStep(const Problem& problem, const Law& law, NewtonMapKind kind, double kappa = 1)
      : step_(kappa) {
    set_.Reset(problem, law, nullptr);
    map_.Prepare(set_, kind);
    system_.Prepare(problem, map_);
  }

  void StartAt(std::vector<double> x) {
    x_ = std::move(x);
    w_.resize(x_.size());
    dx_.resize(x_.size());
    system_.Velocity(x_.data(), w_.data());
    ASSERT_TRUE(system_.Solve(map_, x_.data(), w_.data(), step_, 0.0, dx_.data()));
  }

  double MeritAt(double step) {
    std::vector<double> x = x_;
    std::vector<double> w(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * dx_[i];
    system_.Velocity(x.data(), w.data());
    return Merit(map_, x, w, step_);
  }

  int unknowns() const { return system_.unknowns(); }

 private:
  double step_;  ///< κ
  FeasibleSet set_;
  NewtonMap map_;
  NewtonSystem system_;
  std::vector<double> x_, w_, dx_;
};

class NewtonMaps : public testing::TestWithParam<std::tuple<Law, NewtonMapKind, int>> {};

// dx solves F' dx = −F, so that the merit m = ½‖F‖² falls as m(α) = (1 − α)² m(0) + O(α²) along it
// wherever F is smooth, which a random point is with certainty.
TEST_P(NewtonMaps, NewtonStepsAreExactToFirstOrder) {
  const auto [law, kind, seed] = GetParam();
  const test::KnownProblem known = test::MakeKnownProblem(law, seed);
  test::Random random(seed + 100);
  for (double kappa : {1.0, 1.0, 10.0, 0.3}) {
    AlongNewtonStep step(known.problem, law, kind, kappa);
    step.StartAt(random.Vector(known.problem.rows(), -1, 2));
    constexpr double kStep = 1e-7;
    const double fall = (step.MeritAt(0) - step.MeritAt(kStep)) / (kStep * step.MeritAt(0));
    EXPECT_NEAR(fall, 2.0, 2e-3);
  }
}

// All maps vanish at a solution.
TEST_P(NewtonMaps, VanishAtTheSolution) {
  const auto [law, kind, seed] = GetParam();
  const test::KnownProblem known = test::MakeKnownProblem(law, seed);
  FeasibleSet set;
  set.Reset(known.problem, law, nullptr);
  NewtonMap map;
  map.Prepare(set, kind);
  std::vector<double> x = known.x;
  std::vector<double> w = known.w;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] /= map.scale()[i];
    w[i] *= map.scale()[i];
  }
  EXPECT_LE(Merit(map, x, w, 1.0), 1e-24);
}

std::string Name(const testing::TestParamInfo<NewtonMaps::ParamType>& info) {
  static const char* const kNames[] = {"AlartCurnier", "JeanMoreau", "Fischer"};
  return test::LawName(std::get<0>(info.param)) + "_" +
         kNames[static_cast<int>(std::get<1>(info.param))] + "_" +
         std::to_string(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Laws, NewtonMaps,
                         testing::Combine(testing::ValuesIn(test::AllLaws()),
                                          testing::ValuesIn(kKinds), testing::Range(1, 6)),
                         Name);

// The same holds where the system is put together from many fronts: the wall has a few hundred
// contacts, of which each is coupled to some ten.
TEST(NewtonSystem, StepsOfLargeSparseSystemsAreExactToFirstOrder) {
  // Compliance makes A regular: a wall's own is not.
  const Problem wall = BrickWall();
  CsrMatrix a = wall.dynamics().Assembled();
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      if (a.column[k] == i) a.value[k] *= 1.5;
    }
  }
  const Problem problem(std::make_shared<MatrixDynamics>(a, wall.dynamics().bias()), wall.groups(),
                        wall.lower(), wall.upper());
  for (LawKind law : {LawKind::kCcp, LawKind::kNcp, LawKind::kCoupledBox}) {
    AlongNewtonStep step(problem, {law, 0}, NewtonMapKind::kAlartCurnier);
    test::Random random(7);
    step.StartAt(random.Vector(problem.rows(), -0.2, 1));
    EXPECT_GT(step.unknowns(), 50);
    constexpr double kStep = 1e-7;
    const double fall = (step.MeritAt(0) - step.MeritAt(kStep)) / (kStep * step.MeritAt(0));
    EXPECT_NEAR(fall, 2.0, 2e-3);
  }
}

}  // namespace
}  // namespace nonsmooth
