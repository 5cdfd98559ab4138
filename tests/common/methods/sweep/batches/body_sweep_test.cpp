// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/body_sweep.h"

#include <gtest/gtest.h>

#include <hwy/targets.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/methods/sweep/matrix_sweep.h"
#include "common/solve/driver.h"
#include "demos/scenes/random.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr LawKind kLaws[] = {LawKind::kBox, LawKind::kCoupledBox, LawKind::kPyramid, LawKind::kCcp,
                             LawKind::kNcp};

Law Of(LawKind kind) { return {kind, kind == LawKind::kPyramid ? 8 : 0}; }

/// Contacts in batches, joints, a motor, rolling friction: all paths of a sweep.
std::vector<Problem> Scenes() {
  std::vector<Problem> scenes;
  scenes.push_back(SpherePile(300, 4));
  scenes.push_back(BrickWall());
  scenes.push_back(Chain(5, 10));
  scenes.push_back(Motor(10, 1));
  scenes.push_back(RollingSphere(2));
  return scenes;
}

std::vector<double> RandomImpulses(const Problem& problem, unsigned seed) {
  Random random(seed);
  std::vector<double> x(problem.rows());
  for (int i = 0; i < problem.rows(); ++i) {
    const double a = problem.dynamics().diagonal()[i];
    x[i] = random.Uniform(-1, 1) / std::sqrt(a > 0 ? a : 1);
  }
  return x;
}

double EnergyOf(const FeasibleSet& set, const std::vector<double>& x) {
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  set.problem().dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureEnergy(set, 0, x.data(), w.data()).sum;
}

/// A monitor that never stops.
class Endless {
 public:
  explicit Endless(const FeasibleSet& set) : best_(set.weights().size()) {
    monitor_.Start(set, SolveOptions(), {1, 1, 1}, Monitor::Clock::now(), nullptr, &best_);
  }
  Monitor& operator*() { return monitor_; }

 private:
  std::vector<double> best_;
  Monitor monitor_;
};

// The energy in the sweep's own layout is that of the driver, for impulses inside and outside of
// their sets, and after sweeps, when z has been updated and not recomputed.
TEST(BodySweep, EnergyIsThatOfTheDriver) {
  for (const Problem& problem : Scenes()) {
    for (LawKind law : kLaws) {
      SCOPED_TRACE(ToString(law));
      FeasibleSet set;
      set.Reset(problem, Of(law), nullptr);
      BodySweep sweep;
      sweep.Prepare(set);
      std::vector<double> x = RandomImpulses(problem, 7);
      sweep.Load(x.data());
      const double energy = EnergyOf(set, x);
      EXPECT_NEAR(sweep.Energy(), energy, 1e-12 * energy);
      Endless monitor(set);
      for (int k = 0; k < 10; ++k) sweep.Sweep(1.0, k % 2 == 1, *monitor);
      sweep.Store(x.data());
      EXPECT_NEAR(sweep.Energy(), EnergyOf(set, x), 1e-12 * energy);
      EXPECT_LT(sweep.Energy(), energy);
    }
  }
}

// What has overflowed stays NaN through projections and clamps, on every kind of processor, and the
// energy says so: it must not end as a contact that is open.
TEST(BodySweep, NotANumberDoesNotBecomeAnOpenContact) {
  const Problem wall = BrickWall();
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (LawKind law : {LawKind::kBox, LawKind::kCoupledBox, LawKind::kCcp, LawKind::kNcp}) {
      SCOPED_TRACE(std::string(hwy::TargetName(target)) + " " + std::string(ToString(law)));
      FeasibleSet set;
      set.Reset(wall, Of(law), nullptr);
      BodySweep sweep;
      sweep.Prepare(set);
      std::vector<double> x(wall.rows(), 0.0);
      const int row = wall.groups()[wall.groups().size() / 2].first_row;
      for (int part = 0; part < 3; ++part) {
        x[row + part] = std::nan("");
        sweep.Load(x.data());
        EXPECT_TRUE(std::isnan(sweep.Energy()));
        Endless monitor(set);
        sweep.Sweep(1.0, false, *monitor);
        EXPECT_TRUE(std::isnan(sweep.Energy())) << "part " << part;
        x[row + part] = 0;
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// x goes in and comes out, up to the rounding of a scaling.
TEST(BodySweep, KeepsWhatWasLoaded) {
  for (const Problem& problem : Scenes()) {
    FeasibleSet set;
    set.Reset(problem, Of(LawKind::kNcp), nullptr);
    BodySweep sweep;
    sweep.Prepare(set);
    const std::vector<double> x = RandomImpulses(problem, 8);
    sweep.Load(x.data());
    std::vector<double> out(x.size(), 1e9);
    sweep.Store(out.data());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_DOUBLE_EQ(out[i], x[i]);
  }
}

// The order of the contacts differs from that of the assembled form, the solution does not: the
// velocities of two converged solves agree where they are unique (`ccp` is convex).
TEST(BodySweep, SolvesTheSameProblemAsTheMatrixSweep) {
  SolveOptions options;
  options.law = Of(LawKind::kCcp);
  options.max_iterations = 20000;
  options.relative_tolerance = 1e-20;
  options.stall_iterations = 200;
  for (const Problem& problem : {SpherePile(100, 4), BoxStack(4), Motor(10, 1)}) {
    Driver driver("psor");
    Solution packed;
    Solution assembled;
    EXPECT_LE(driver.Solve(problem, options, packed).energy.relative, 1e-18);
    EXPECT_LE(driver.Solve(AsMatrix(problem), options, assembled).energy.relative, 1e-18);
    for (int i = 0; i < problem.rows(); ++i) EXPECT_NEAR(packed.w[i], assembled.w[i], 1e-8) << i;
  }
}

// Groups that the batches of plain contacts do not take: every contact of these problems differs
// from a plain one in one respect, and sweeps still bring the energy error down to rounding. Those
// of joints take all whose rows are between the same two bodies.
TEST(BodySweep, UnusualContactsAreLeftToOthers) {
  const auto unusual = [](auto change) {
    ProblemBuilder builder;
    const int lower = builder.AddBox(1, {0.5, 0.5, 0.5}, {0, 0, -0.1});
    const int upper = builder.AddBox(1, {0.5, 0.5, 0.5}, {0.3, 0, -0.1});
    std::vector<TwoBodyRow> rows(3);
    for (int r = 0; r < 3; ++r) {
      rows[r].body_a = lower;
      rows[r].body_b = upper;
      const int axis = (r + 2) % 3;  // z is the normal
      rows[r].jacobian[axis] = -1;
      rows[r].jacobian[6 + axis] = 1;
    }
    change(rows);
    ContactMaterial material;
    material.friction = 0.5;
    builder.AddContactRows(rows, 2, 0, 0, material);
    return builder.Build();
  };
  const auto compliant = unusual([](auto& rows) { rows[0].compliance = 0.5; });
  const auto not_opposite = unusual([](auto& rows) { rows[1].jacobian[6] = 0.5; });
  const auto ground_in_between = unusual([](auto& rows) { rows[2].body_a = -1; });
  for (const Problem& problem : {compliant, not_opposite, ground_in_between}) {
    FeasibleSet set;
    set.Reset(problem, Of(LawKind::kNcp), nullptr);
    std::vector<MassRoot> roots;
    const auto& dynamics = static_cast<const TwoBodyDynamics&>(problem.dynamics());
    for (const Body& body : dynamics.bodies()) roots.push_back(RootOf(body));
    ContactBatches batches;
    ThreadTeam team;
    batches.Prepare({&set, &dynamics, &roots}, team, 1);
    EXPECT_EQ(batches.others(), std::vector<int>{0});
    GroupBatches joints;
    joints.Prepare(set, dynamics, roots, batches.others());
    const bool between_others = dynamics.body_rows()[2].body_a == -1;
    EXPECT_EQ(joints.others().size(), between_others ? 1U : 0U);
    Driver driver("psor");
    Solution solution;
    EXPECT_EQ(driver.Solve(problem, SolveOptions(), solution).status, Status::kConverged);
  }
}

// Every instruction set that this processor has runs the same algorithm; fused operations round
// differently, so the results agree to rounding, not to the bit.
TEST(BodySweep, AllInstructionSetsAgree) {
  const Problem problem = SpherePile(500, 5);
  for (LawKind law : kLaws) {
    FeasibleSet set;
    set.Reset(problem, Of(law), nullptr);
    std::vector<std::vector<double>> results;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      BodySweep sweep;
      sweep.Prepare(set);
      std::vector<double> x = RandomImpulses(problem, 9);
      sweep.Load(x.data());
      Endless monitor(set);
      for (int k = 0; k < 3; ++k) sweep.Sweep(1.2, k == 1, *monitor);
      sweep.Store(x.data());
      results.push_back(x);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const std::vector<double>& x : results) {
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], results[0][i], 1e-11);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
