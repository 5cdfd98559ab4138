// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kFall = kSceneGravity * kSceneStep;
constexpr Vector3 kGravityImpulse{0, 0, -kFall};

/// Whatever the impulses are, nothing moves.
TestProblem AtRest(Problem problem) {
  TestProblem test;
  test.w.assign(problem.rows(), 0.0);
  test.unique_w = true;
  test.problem = std::move(problem);
  return test;
}

TestProblem Unknown(Problem problem) {
  TestProblem test;
  test.problem = std::move(problem);
  return test;
}

/// A ball of 2 kg on the ground with `copies` equal contacts.
int AddBallOnGround(ProblemBuilder& builder, int copies, double compliance) {
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(2, 0.5, kGravityImpulse);
  ContactPoint point;
  point.body_a = ground;
  point.body_b = ball;
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -0.5};
  point.compliance = compliance;
  ContactMaterial material;
  material.friction = 0.4;
  for (int i = 0; i < copies; ++i) builder.AddContact(point, material);
  return ball;
}

TestProblem DuplicateContacts(const Law&) {
  ProblemBuilder builder;
  AddBallOnGround(builder, 3, 0);
  return AtRest(builder.Build());
}

/// A stack whose every contact is reported three times, as collision detection does at edges.
TestProblem DuplicatedStack(const Law&) {
  const Problem stack = BoxStack(3);
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(stack.dynamics());
  std::vector<RowGroup> groups;
  std::vector<TwoBodyRow> rows;
  std::vector<double> lower, upper;
  for (const RowGroup& group : stack.groups()) {
    for (int copy = 0; copy < 3; ++copy) {
      groups.push_back(group);
      groups.back().first_row = static_cast<int>(rows.size());
      for (int i = group.first_row; i < group.first_row + group.size; ++i) {
        rows.push_back(dynamics.body_rows()[i]);
        lower.push_back(stack.lower()[i]);
        upper.push_back(stack.upper()[i]);
      }
    }
  }
  return AtRest(Problem(std::make_shared<TwoBodyDynamics>(dynamics.bodies(), std::move(rows)),
                        std::move(groups), std::move(lower), std::move(upper)));
}

/// x is unique by the compliance alone, at a condition number of 10¹².
TestProblem TinyCompliance(const Law&) {
  ProblemBuilder builder;
  AddBallOnGround(builder, 2, 1e-12);
  return AtRest(builder.Build());
}

/// A box without friction slides on as it did.
TestProblem Frictionless(const Law&) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int box = builder.AddBox(3, {1, 1, 1}, kGravityImpulse);
  builder.body(box).velocity = {1, 2, 0, 0, 0, 0};
  TestProblem test;
  test.unique_w = true;
  for (double y : {-0.5, 0.5}) {
    for (double x : {-0.5, 0.5}) {
      ContactPoint point;
      point.body_a = ground;
      point.body_b = box;
      point.normal = {0, 0, 1};
      point.lever_b = {x, y, -0.5};
      builder.AddContact(point, ContactMaterial());
      for (double w : {0.0, 1.0, 2.0}) test.w.push_back(w);
    }
  }
  test.problem = builder.Build();
  return test;
}

/// μ = 2: three boxes, the uppermost pulled sideways with half its weight. It stands; but law `box`
/// freezes the bounds at the normal impulses of contacts that stand alone, which do not hold it.
TestProblem StrongFriction(const Law& law) {
  const Problem stack = BoxStack(3, 2.0);
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(stack.dynamics());
  std::vector<Body> bodies = dynamics.bodies();
  bodies.back().applied_impulse[0] = 0.5 * 10 * kFall;
  Problem problem(std::make_shared<TwoBodyDynamics>(bodies, dynamics.body_rows()), stack.groups(),
                  stack.lower(), stack.upper());
  return law.kind == LawKind::kBox ? Unknown(std::move(problem)) : AtRest(std::move(problem));
}

/// The rows between the two fixed bodies are inert: w is b whatever x is.
TestProblem ContactBetweenFixedBodies(const Law&) {
  ProblemBuilder builder;
  AddBallOnGround(builder, 1, 0);
  ContactPoint point;
  point.body_a = 0;
  point.body_b = builder.AddBody(Body());
  point.normal = {0, 0, 1};
  point.bias = -1;
  ContactMaterial material;
  material.friction = 0.3;
  builder.AddContact(point, material);
  TestProblem test = AtRest(builder.Build());
  test.x = {2 * kFall, 0, 0, 0, 0, 0};
  test.unique_x = true;
  test.w[3] = -1;
  return test;
}

TestProblem UntouchedBody(const Law&) {
  ProblemBuilder builder;
  builder.AddSphere(7, 1, kGravityImpulse);
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(2, 0.5, kGravityImpulse);
  ContactPoint point;
  point.body_a = ground;
  point.body_b = ball;
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -0.5};
  builder.AddContact(point, ContactMaterial());
  return AtRest(builder.Build());
}

}  // namespace

std::vector<CollectionEntry> DegenerateProblems() {
  const auto stack = [](double ratio) {
    return [ratio](const Law&) { return AtRest(MassRatioStack(ratio)); };
  };
  return {
      {"DuplicateContacts", DuplicateContacts, AllLaws()},
      {"DuplicatedStack", DuplicatedStack, AllLaws()},
      {"TinyCompliance", TinyCompliance, AllLaws()},
      {"Frictionless", Frictionless, AllLaws()},
      {"StrongFriction", StrongFriction, AllLaws()},
      {"ContactBetweenFixedBodies", ContactBetweenFixedBodies, AllLaws()},
      {"UntouchedBody", UntouchedBody, AllLaws()},
      {"LightOnHeavyMillion", stack(1e-6), AllLaws()},
      {"HeavyOnLightThousand", stack(1e3), AllLaws()},
      {"HeavyOnLightMillion", stack(1e6), AllLaws()},
      {"StackOfFive", [](const Law&) { return AtRest(BoxStack(5)); }, AllLaws()},
      {"ChainWithHeavyBall", [](const Law&) { return AtRest(Chain(4, 10)); }, AllLaws()},
      {"SpherePile", [](const Law&) { return Unknown(SpherePile(60, 3)); }, AllLaws()},
  };
}

}  // namespace nonsmooth
