// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/convexified_problem.h"

#include <gtest/gtest.h>

#include "common/problem/problem_builder.h"

namespace nonsmooth {
namespace {

/// A block of 1 kg whose contact lies at its centre of mass, so that a = 1 and μ = 0.5.
class OneContact : public testing::Test {
 protected:
  OneContact() {
    ProblemBuilder builder;
    const int block = builder.AddBox(1, {1, 1, 1}, {0, 0, -0.1});
    ContactPoint point;
    point.body_b = block;
    point.normal = {0, 0, 1};
    ContactMaterial material;
    material.friction = 0.5;
    builder.AddContact(point, material);
    problem_ = builder.Build();
  }

  /// One step of length 1 from x at w.
  std::vector<double> Step(LawKind law, const std::vector<double>& x,
                           const std::vector<double>& w) {
    set_.Reset(problem_, {law, 0}, nullptr);
    SolveOptions options;
    monitor_.Start(set_, options, {1, 1, 1}, Monitor::Clock::now(), nullptr, &best_);
    convexified_.Prepare(set_);
    convexified_.Renew(x.data(), w.data());
    std::vector<double> to(3);
    EXPECT_TRUE(convexified_.ProjectedStep(x.data(), w.data(), 1, monitor_, to.data()));
    return to;
  }

  Problem problem_;
  FeasibleSet set_;
  Monitor monitor_;
  std::vector<double> best_ = std::vector<double>(3);
  ConvexifiedProblem convexified_;
};

// De Saxcé's term at w_t = (3, 4) is 0.5 · 5: x_n falls by it, from 10 to 7.5; the tangents by w_t,
// up to the bound 0.5 · 7.5 = 3.75, in the cone's metric projection. From x_t = 0: (7.5, −3, −4)
// has ‖x_t‖ = 5 > 3.75, so x_n = (7.5 + 0.5 · 5) / (1 + 0.25) = 8, x_t = −4 · (0.6, 0.8).
TEST_F(OneContact, NcpFreezesDeSaxcesTerm) {
  const std::vector<double> to = Step(LawKind::kNcp, {10, 0, 0}, {0, 3, 4});
  EXPECT_NEAR(to[0], 8, 1e-12);
  EXPECT_NEAR(to[1], -2.4, 1e-12);
  EXPECT_NEAR(to[2], -3.2, 1e-12);
}

// Convexified, there is no such term: (10, −3, −4) lies on the cone's edge.
TEST_F(OneContact, CcpHasNone) {
  const std::vector<double> to = Step(LawKind::kCcp, {10, 0, 0}, {0, 3, 4});
  EXPECT_EQ(to, (std::vector<double>{10, -3, -4}));
}

// Frozen at x_n = 2 the bounds are ±1 though the step raises x_n to 3.
TEST_F(OneContact, CoupledBoxFreezesBoundsAtTheNormal) {
  const std::vector<double> to = Step(LawKind::kCoupledBox, {2, 0, 0}, {-1, 3, 4});
  EXPECT_EQ(to, (std::vector<double>{3, -1, -1}));
}

// At a point where the frozen problem is solved but the law is not, Continue() renews; where the
// law is convex it never does.
TEST_F(OneContact, RenewsOnceTheFrozenProblemIsSolved) {
  // Frozen at x = 0: bounds 0. x = (2, 0, 0), w = (0, 3, 0) solves that problem.
  Step(LawKind::kCoupledBox, {0, 0, 0}, {0, 0, 0});
  const std::vector<double> x{2, 0, 0};
  const std::vector<double> w{0, 3, 0};
  EXPECT_TRUE(convexified_.Continue(x.data(), w.data(), 0.1, monitor_));
  EXPECT_TRUE(convexified_.renewed());
  // The true error is that of a tangent that should be at −1: ½ · 1².
  EXPECT_NEAR(convexified_.energy(), 0.5, 1e-12);
  // Renewed: the bounds are now ±1 and the same point is no solution of the frozen problem.
  EXPECT_TRUE(convexified_.Continue(x.data(), w.data(), 0.1, monitor_));
  EXPECT_FALSE(convexified_.renewed());

  Step(LawKind::kCcp, {0, 0, 0}, {0, 0, 0});
  EXPECT_TRUE(convexified_.Continue(x.data(), w.data(), 0.1, monitor_));
  EXPECT_FALSE(convexified_.renewed());
}

}  // namespace
}  // namespace nonsmooth
