// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Every kind of variables and rows that Chrono's core has, in descriptors made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "chrono/solver/ChConstraintContactNormal.h"
#include "chrono/solver/ChConstraintContactTangential.h"
#include "chrono/solver/ChConstraintNgeneric.h"
#include "chrono/solver/ChConstraintThreeGeneric.h"
#include "chrono/solver/ChConstraintTwoGeneric.h"
#include "chrono/solver/ChConstraintTwoGenericBoxed.h"
#include "chrono/solver/ChKRMBlock.h"
#include "chrono/solver/ChSystemDescriptor.h"
#include "chrono/solver/ChVariablesBodyOwnMass.h"
#include "chrono/solver/ChVariablesBodySharedMass.h"
#include "chrono/solver/ChVariablesGeneric.h"
#include "chrono/solver/ChVariablesGenericDiagonalMass.h"
#include "chrono/solver/ChVariablesNode.h"
#include "chrono/solver/ChVariablesShaft.h"
#include "chrono_plugin/solver.h"
#include "support/same_as_chrono.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

using ::chrono::ChConstraint;
using ::chrono::ChVariables;

/// Two bodies, one with the mass it shares with others, and one of each other kind of variables.
struct Variables {
  Variables() {
    own.SetBodyMass(2);
    own.SetBodyInertia(Inertia(0.1, 0.2, 0.3));
    shared_mass.SetBodyMass(3);
    shared_mass.SetBodyInertia(Inertia(0.4, 0.3, 0.2));
    shared.SetSharedMass(&shared_mass);
    node.SetNodeMass(0.5);
    shaft.SetInertia(0.7);
    diagonal.GetMassDiagonal() << 1, 2, 4;
    full.GetMass() << 2, 1, 1, 3;
    full.GetInvMass() = full.GetMass().inverse().eval();
    double next = 0;
    for (ChVariables* variables :
         {static_cast<ChVariables*>(&own), static_cast<ChVariables*>(&shared),
          static_cast<ChVariables*>(&node), static_cast<ChVariables*>(&shaft),
          static_cast<ChVariables*>(&diagonal), static_cast<ChVariables*>(&full)}) {
      for (unsigned k = 0; k < variables->GetDOF(); ++k) {
        variables->Force()(k) = std::sin(next += 1);
        variables->State()(k) = 0;
      }
    }
  }
  static ::chrono::ChMatrix33<> Inertia(double x, double y, double z) {
    ::chrono::ChMatrix33<> inertia(ChVector3d(x, y, z));
    inertia(0, 1) = inertia(1, 0) = 0.02;
    return inertia;
  }

  ::chrono::ChVariablesBodyOwnMass own;
  ::chrono::ChSharedMassBody shared_mass;
  ::chrono::ChVariablesBodySharedMass shared;
  ::chrono::ChVariablesNode node;
  ::chrono::ChVariablesShaft shaft;
  ::chrono::ChVariablesGenericDiagonalMass diagonal{3};
  ::chrono::ChVariablesGeneric full{2};
};

/// Entries that no two rows share.
void Fill(::chrono::ChRowVectorRef row, double seed) {
  for (int k = 0; k < row.size(); ++k) row(k) = std::cos(seed + 1.3 * k);
}

void Insert(::chrono::ChSystemDescriptor& descriptor, std::vector<ChVariables*> variables,
            std::vector<ChConstraint*> rows) {
  descriptor.BeginInsertion();
  for (ChVariables* each : variables) descriptor.InsertVariables(each);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k]->SetRightHandSide(0.1 * static_cast<double>(k) - 0.2);
    descriptor.InsertConstraint(rows[k]);
  }
  descriptor.EndInsertion();
}

/// The rows of a descriptor at the solution: w = 0 where bilateral, complementary where unilateral
/// or boxed.
void ExpectSolved(::chrono::ChSystemDescriptor& descriptor) {
  for (ChConstraint* row : descriptor.GetConstraints()) {
    const double x = row->GetLagrangeMultiplier();
    const double w =
        row->ComputeJacobianTimesState() + row->GetRightHandSide() + row->GetComplianceTerm() * x;
    auto* boxed = dynamic_cast<::chrono::ChConstraintTwoGenericBoxed*>(row);
    const double infinity = std::numeric_limits<double>::infinity();
    double lower = -infinity, upper = infinity;
    if (row->GetMode() == ChConstraint::Mode::UNILATERAL) lower = 0;
    if (boxed != nullptr) lower = boxed->GetBoxedMin(), upper = boxed->GetBoxedMax();
    EXPECT_NEAR(std::clamp(x - w, lower, upper), x, 1e-9);
  }
}

// Rows on two bodies, of which one shares its mass with others: packed, and the mass factor that
// implicit steppers of higher order set divides the inverse masses.
TEST(ChronoDescriptor, BodiesWithAnyMassFactorArePacked) {
  Variables v;
  ::chrono::ChConstraintTwoGeneric two(&v.own, &v.shared);
  ::chrono::ChConstraintTwoGenericBoxed boxed(&v.shared, &v.own);
  boxed.SetBoxedMinMax(-0.01, 0.02);
  Fill(two.Get_Cq_a(), 1), Fill(two.Get_Cq_b(), 2);
  Fill(boxed.Get_Cq_a(), 3), Fill(boxed.Get_Cq_b(), 4);
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.own, &v.shared}, {&two, &boxed});
  for (const double factor : {1.0, 0.25}) {
    descriptor.SetMassFactor(factor);
    ExpectSameAsChrono(descriptor, /*packed=*/true);
  }
}

// Variables of every kind between bodies, with rows on at most two of them: packed, each as a body
// that has fewer velocities. The one with a full mass takes the angular ones.
TEST(ChronoDescriptor, RowsOnPairsOfAnyVariablesArePacked) {
  Variables v;
  ::chrono::ChConstraintTwoGeneric first(&v.node, &v.shaft), second(&v.full, &v.shared),
      third(&v.own, &v.diagonal), fourth(&v.shaft, &v.full);
  Fill(first.Get_Cq_a(), 1), Fill(first.Get_Cq_b(), 2);
  Fill(second.Get_Cq_a(), 3), Fill(second.Get_Cq_b(), 4);
  Fill(third.Get_Cq_a(), 5), Fill(third.Get_Cq_b(), 6);
  Fill(fourth.Get_Cq_a(), 7), Fill(fourth.Get_Cq_b(), 8);
  third.SetMode(ChConstraint::Mode::UNILATERAL);
  fourth.SetComplianceTerm(0.03);
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.shaft, &v.own, &v.full, &v.shared, &v.node, &v.diagonal},
         {&first, &second, &third, &fourth});
  for (const double factor : {0.25, 1.0}) {
    descriptor.SetMassFactor(factor);
    ExpectSameAsChrono(descriptor, /*packed=*/true);
  }
  chrono::Solver solver(Converged());
  solver.Solve(descriptor);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
  ExpectSolved(descriptor);
}

// A full mass of four velocities fits no body: the general form.
TEST(ChronoDescriptor, AMassThatFitsNoBodyIsSparse) {
  Variables v;
  ::chrono::ChVariablesGeneric four(4);
  four.GetMass().setIdentity();
  four.GetMass()(0, 3) = four.GetMass()(3, 0) = 0.5;
  four.GetInvMass() = four.GetMass().inverse().eval();
  four.Force().setConstant(1);
  ::chrono::ChConstraintTwoGeneric row(&v.own, &four);
  Fill(row.Get_Cq_a(), 1), Fill(row.Get_Cq_b(), 2);
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.own, &four}, {&row});
  ExpectSameAsChrono(descriptor, /*packed=*/false);
}

// One row each on two nodes of other sizes, three and six variables; one unilateral and compliant.
TEST(ChronoDescriptor, RowsOnAnyNumberOfAnyVariables) {
  Variables v;
  ::chrono::ChConstraintTwoGeneric two(&v.node, &v.shaft);
  ::chrono::ChConstraintThreeGeneric three(&v.own, &v.diagonal, &v.full);
  ::chrono::ChConstraintNgeneric many;
  many.SetVariables({&v.own, &v.shared, &v.node, &v.shaft, &v.diagonal, &v.full});
  Fill(two.Get_Cq_a(), 1), Fill(two.Get_Cq_b(), 2);
  Fill(three.Get_Cq_a(), 3), Fill(three.Get_Cq_b(), 4), Fill(three.Get_Cq_c(), 5);
  for (int k = 0; k < 6; ++k) Fill(many.Get_Cq_N(k), 6 + k);
  three.SetMode(ChConstraint::Mode::UNILATERAL);
  three.SetComplianceTerm(0.03);
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.own, &v.shared, &v.node, &v.shaft, &v.diagonal, &v.full},
         {&two, &three, &many});
  ExpectSameAsChrono(descriptor, /*packed=*/false);
  descriptor.SetMassFactor(0.25);
  ExpectSameAsChrono(descriptor, /*packed=*/false);

  descriptor.SetMassFactor(1);
  chrono::Solver solver(Converged());
  solver.Solve(descriptor);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
  ExpectSolved(descriptor);
}

// A block of stiffness between a node and a shaft is part of H, whatever the variables.
TEST(ChronoDescriptor, StiffnessBetweenAnyVariables) {
  Variables v;
  ::chrono::ChConstraintTwoGeneric row(&v.node, &v.diagonal);
  Fill(row.Get_Cq_a(), 1), Fill(row.Get_Cq_b(), 2);
  ::chrono::ChKRMBlock block;
  block.SetVariables({&v.node, &v.shaft});
  block.GetMatrix().setIdentity();
  block.GetMatrix()(0, 3) = block.GetMatrix()(3, 0) = -0.5;
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.node, &v.shaft, &v.diagonal}, {&row});
  descriptor.InsertKRMBlock(&block);
  descriptor.EndInsertion();
  ExpectSameAsChrono(descriptor, /*packed=*/false);
  chrono::Solver solver(Converged());
  solver.Solve(descriptor);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
  ExpectSolved(descriptor);
}

// Negative stiffness takes more than a node's mass away, as a buckling strut's does: H is
// indefinite. Chrono's PSOR refuses the block; without a stand-in of the user's its ADMM takes the
// step, and the first one is told.
TEST(ChronoDescriptor, AnIndefiniteMassIsHandedOnAndTold) {
  Variables v;
  ::chrono::ChConstraintTwoGeneric row(&v.node, &v.diagonal);
  Fill(row.Get_Cq_a(), 1), Fill(row.Get_Cq_b(), 2);
  ::chrono::ChKRMBlock block;
  block.SetVariables({&v.node});
  block.GetMatrix().setIdentity();
  block.GetMatrix() *= -1;
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.node, &v.diagonal}, {&row});
  descriptor.InsertKRMBlock(&block);
  descriptor.EndInsertion();
  std::vector<std::string> messages;
  chrono::Options options;
  options.on_trouble = [&messages](const std::string& text) { messages.push_back(text); };
  chrono::Solver solver(options);
  solver.Solve(descriptor);
  solver.Solve(descriptor);
  EXPECT_EQ(solver.fallbacks(), 2);
  ASSERT_EQ(messages.size(), 1u) << messages.back();
  EXPECT_NE(messages[0].find("not positive definite"), std::string::npos) << messages[0];
  EXPECT_NEAR(row.ComputeJacobianTimesState() + row.GetRightHandSide(), 0, 1e-6);
  // M v − Jᵀ x = f: what the node does is not free motion, and not standing still.
  const ::chrono::ChVectorDynamic<> left =
      -0.5 * v.node.State() - row.Get_Cq_a().transpose() * row.GetLagrangeMultiplier();
  EXPECT_NEAR((left - v.node.Force()).norm(), 0, 1e-6);
}

/// A contact of a node with the ground: rows on three variables instead of a body's six.
struct NodeContact {
  NodeContact() {
    fixed.SetDisabled(true);
    normal.SetTangentialConstraintU(&u);
    normal.SetTangentialConstraintV(&v);
    normal.SetFrictionCoefficient(0.5);
    int k = 0;
    for (::chrono::ChConstraintTwoTuples* row :
         {static_cast<::chrono::ChConstraintTwoTuples*>(&normal),
          static_cast<::chrono::ChConstraintTwoTuples*>(&u),
          static_cast<::chrono::ChConstraintTwoTuples*>(&v)}) {
      auto* on_node = new ::chrono::ChConstraintTuple_1vars<3>(&variables.node);
      auto* on_ground = new ::chrono::ChConstraintTuple_1vars<6>(&fixed);
      on_node->Cq1().setZero();
      on_ground->Cq1().setZero();
      on_node->Cq1()(k++) = 1;
      row->SetTuples(on_node, on_ground);  // which keeps them
    }
    variables.node.Force() << -1, 2, 0;
    Insert(descriptor, {&variables.node, &fixed}, {&normal, &u, &v});
    for (ChConstraint* row : descriptor.GetConstraints()) row->SetRightHandSide(0);
  }
  Variables variables;
  ::chrono::ChVariablesBodyOwnMass fixed;
  ::chrono::ChConstraintContactNormal normal;
  ::chrono::ChConstraintContactTangential u, v;
  ::chrono::ChSystemDescriptor descriptor;
};

// A node of 0.5 kg comes with (−2, 4, 0) m/s, the normal first, μ = 0.5. Under `ncp` x_n = 1 N s
// stops it and friction takes 1 m/s. Under `ccp` v_n = μ v_t, which x_n = 1.6 N s fulfils.
TEST(ChronoDescriptor, NodesInContact) {
  const auto solve = [](const char* law, double normal_impulse, double v_n, double v_t) {
    NodeContact contact;
    ExpectSameAsChrono(contact.descriptor, /*packed=*/false);
    chrono::Solver solver(Converged(law));
    solver.Solve(contact.descriptor);
    EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
    EXPECT_EQ(solver.problem().contacts(), 1);
    EXPECT_NEAR(contact.normal.GetLagrangeMultiplier(), normal_impulse, 1e-9);
    EXPECT_NEAR(contact.u.GetLagrangeMultiplier(), -0.5 * normal_impulse, 1e-9);
    EXPECT_NEAR(contact.v.GetLagrangeMultiplier(), 0, 1e-9);
    EXPECT_NEAR(contact.variables.node.State()(0), v_n, 1e-9);
    EXPECT_NEAR(contact.variables.node.State()(1), v_t, 1e-9);
  };
  solve("ncp", 1.0, 0.0, 3.0);
  solve("ccp", 1.6, 1.2, 2.4);
}

// Without rows the velocities are the free ones, M⁻¹ f; without anything nothing happens.
TEST(ChronoDescriptor, NothingToSolveIsSolved) {
  Variables v;
  ::chrono::ChSystemDescriptor descriptor;
  Insert(descriptor, {&v.shaft, &v.node}, {});
  chrono::Solver solver;
  solver.Solve(descriptor);
  EXPECT_NEAR(v.shaft.State()(0), v.shaft.Force()(0) / 0.7, 1e-15);
  EXPECT_NEAR(v.node.State()(2), v.node.Force()(2) / 0.5, 1e-15);
  Insert(descriptor, {}, {});
  solver.Solve(descriptor);
  EXPECT_EQ(solver.solves(), 2);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
}

// What cannot be solved never becomes an exception or a number that is none, whichever of Chrono's
// numbers is bad, in either form. It is counted, and velocities stay as they were.
TEST(ChronoDescriptor, BadNumbersAreCountedAndChangeNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool packed : {true, false}) {
    Variables v;
    ::chrono::ChConstraintTwoGeneric row(&v.own, &v.shared);
    ::chrono::ChConstraintThreeGeneric three(&v.own, &v.shared, &v.node);
    Fill(three.Get_Cq_a(), 3), Fill(three.Get_Cq_b(), 4), Fill(three.Get_Cq_c(), 5);
    ::chrono::ChSystemDescriptor descriptor;
    if (packed) {
      Insert(descriptor, {&v.own, &v.shared}, {&row});
    } else {
      Insert(descriptor, {&v.own, &v.shared, &v.node}, {&row, &three});
    }
    chrono::Solver solver(Converged());
    int bad = 0;
    const auto expect_survived = [&](const std::string& what) {
      ++bad;
      v.own.State().setConstant(0.5);
      EXPECT_NO_THROW(solver.Solve(descriptor)) << what;
      EXPECT_EQ(solver.fallbacks(), bad) << what;
      EXPECT_FALSE(solver.trouble().empty()) << what;
      EXPECT_EQ(solver.result().status, Status::kNotRun) << what;
      EXPECT_TRUE(v.own.State().isConstant(0.5)) << what;
      EXPECT_EQ(row.GetLagrangeMultiplier(), 0) << what;
    };
    for (const double value : {nan, infinity}) {
      Fill(row.Get_Cq_a(), 1), Fill(row.Get_Cq_b(), 2);
      row.Get_Cq_a()(1) = value;
      expect_survived("Jacobian");
      Fill(row.Get_Cq_a(), 1);
      row.SetRightHandSide(value);
      expect_survived("right-hand side");
      row.SetRightHandSide(0);
      row.SetComplianceTerm(value);
      expect_survived("compliance");
      row.SetComplianceTerm(0);
      v.own.Force()(3) = value;
      expect_survived("force");
      v.own.Force()(3) = 0;
    }
    // A multiplier that is none is merely not started from.
    row.SetLagrangeMultiplier(nan);
    solver.Solve(descriptor);
    EXPECT_EQ(solver.fallbacks(), bad) << solver.trouble();
    EXPECT_TRUE(std::isfinite(row.GetLagrangeMultiplier()));
    ExpectSolved(descriptor);
  }
}

}  // namespace
}  // namespace nonsmooth::test
