// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/regularised_system.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"
#include "tests/support/random.h"

namespace nonsmooth {
namespace {

using test::Random;

using Form = RegularisedSystem::Form;

/// Makes blocks D, solves, and measures ‖(S A S + D) z − r‖∞ with the problem's own product.
class System {
 public:
  explicit System(Problem problem) : problem_(std::move(problem)) {
    Random random(5);
    for (int i = 0; i < problem_.rows(); ++i) {
      scale_.push_back(random.Uniform(0.5, 2));
      right_.push_back(random.Uniform(-1, 1));
    }
    system_.Prepare(problem_, scale_.data());
  }

  Form form() const { return system_.form(); }

  /// Definite blocks, with a skew part if not `symmetric`.
  double Residual(bool symmetric) {
    Random random(6);
    std::vector<double> blocks(system_.block_values(), 0.0);
    for (int g = 0; g < groups(); ++g) {
      const int size = problem_.groups()[g].size;
      double* block = blocks.data() + system_.block_start(g);
      for (int i = 0; i < size; ++i) {
        block[i * size + i] = random.Uniform(1, 2);
        for (int j = 0; j < i; ++j) {
          const double value = random.Uniform(-0.1, 0.1);
          block[i * size + j] = value;
          block[j * size + i] = symmetric ? value : -3 * value;
        }
      }
    }
    EXPECT_TRUE(system_.Factorise(blocks.data(), symmetric));
    std::vector<double> z(problem_.rows());
    system_.Solve(right_.data(), z.data());
    return Residual(blocks, z);
  }

  /// The rows of the first group are held, the others free: z is zero there.
  std::vector<double> SolveWithFirstGroupHeld() {
    std::vector<double> inverse(system_.block_values(), 0.0);
    for (int g = 1; g < groups(); ++g) {
      const int size = problem_.groups()[g].size;
      for (int i = 0; i < size; ++i) inverse[system_.block_start(g) + i * size + i] = 1.5;
    }
    EXPECT_TRUE(system_.FactoriseInverse(inverse.data(), nullptr));
    std::vector<double> z = right_;
    system_.Solve(z.data(), z.data());
    return z;
  }

 private:
  int groups() const { return static_cast<int>(problem_.groups().size()); }

  double Residual(const std::vector<double>& blocks, const std::vector<double>& z) {
    std::vector<double> x(z), ax(z.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale_[i];
    OperatorWorkspace workspace;
    problem_.dynamics().Multiply(x.data(), ax.data(), workspace);
    double worst = 0;
    for (int g = 0; g < groups(); ++g) {
      const RowGroup& group = problem_.groups()[g];
      for (int i = 0; i < group.size; ++i) {
        const int row = group.first_row + i;
        double sum = scale_[row] * ax[row] - right_[row];
        for (int j = 0; j < group.size; ++j) {
          sum += blocks[system_.block_start(g) + i * group.size + j] * z[group.first_row + j];
        }
        worst = std::max(worst, std::abs(sum));
      }
    }
    return worst;
  }

  Problem problem_;
  std::vector<double> scale_, right_;
  RegularisedSystem system_;
};

/// A pile and a motor on a hinge: contacts, equality and box rows, compliance in both.
Problem Mixed(int contacts) {
  const Problem pile = SpherePile(contacts, 3);
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(pile.dynamics());
  std::vector<TwoBodyRow> rows = dynamics.body_rows();
  std::vector<RowGroup> groups = pile.groups();
  std::vector<double> lower = pile.lower(), upper = pile.upper();
  for (std::size_t i = 0; i < rows.size(); i += 5) rows[i].compliance = 0.3;
  for (int k = 0; k < 3; ++k) {
    TwoBodyRow row;
    row.body_a = 1;
    row.body_b = 2;
    for (int c = 0; c < 12; ++c) row.jacobian[c] = 0.1 * (c + k);
    row.compliance = k == 1 ? 1e-3 : 0.0;
    RowGroup group;
    group.kind = k < 2 ? GroupKind::kEquality : GroupKind::kBox;
    group.first_row = static_cast<int>(rows.size());
    group.size = 1;
    rows.push_back(row);
    groups.push_back(group);
    lower.push_back(-1);
    upper.push_back(1);
  }
  return {std::make_shared<TwoBodyDynamics>(dynamics.bodies(), rows), groups, lower, upper};
}

// The solution solves the system to rounding, in every form of the dynamics, with symmetric blocks
// and others.
TEST(RegularisedSystem, SolvesInEveryForm) {
  struct Case {
    Problem problem;
    Form form;
  };
  const Case cases[] = {
      {Mixed(8), Form::kDense},
      {Mixed(100), Form::kVelocities},
      {AsSparse(Mixed(100)), Form::kVelocities},
      {AsMatrix(Mixed(100)), Form::kRows},       // groups of different sizes: blocks of one
      {AsMatrix(SpherePile(100)), Form::kRows},  // all of three rows
      {AsMatrix(BoxStack(5)), Form::kDense},     // few zeros
  };
  for (const Case& c : cases) {
    System system(c.problem);
    EXPECT_EQ(system.form(), c.form);
    for (bool symmetric : {true, false}) {
      // A pebble of 0.1 m takes a torque with 1/I of a thousand: a_ii up to 1e4, twice above
      // rounding.
      EXPECT_LE(system.Residual(symmetric), 1e-7) << symmetric;
    }
    EXPECT_LE(system.Residual(true), 1e-7) << "after unsymmetric blocks";
  }
}

TEST(RegularisedSystem, HoldsRowsWhoseInverseIsZero) {
  for (const Problem& problem : {Mixed(100), AsSparse(Mixed(100))}) {
    const std::vector<double> z = System(problem).SolveWithFirstGroupHeld();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(z[i], 0, 1e-13);
    EXPECT_GT(std::abs(z[4]), 1e-6);
  }
}

/// max |(A + ρ D) x − r| of x = Solve(r) with D = diag(A), 1 for inert rows; factorised for 10 ρ
/// before, so that the second time reuses the pattern of the first.
double PenaltyResidual(const Problem& problem, double rho) {
  const int n = problem.rows();
  RegularisedSystem system;
  const std::vector<double> ones(n, 1.0);
  system.Prepare(problem, ones.data());
  std::vector<double> weights = problem.dynamics().diagonal();
  for (double& weight : weights) weight = weight > 0 ? weight : 1.0;
  for (double penalty : {10 * rho, rho}) {
    std::vector<double> blocks(system.block_values(), 0.0);
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
      const RowGroup& group = problem.groups()[g];
      double* block = blocks.data() + system.block_start(static_cast<int>(g));
      for (int i = 0; i < group.size; ++i) {
        block[i * (group.size + 1)] = penalty * weights[group.first_row + i];
      }
    }
    EXPECT_TRUE(system.Factorise(blocks.data(), true));
    EXPECT_TRUE(!system.symmetric() || system.definite());
  }
  Random random(7);
  const std::vector<double> right = random.Vector(n, -1, 1);
  std::vector<double> x = right;
  system.Solve(x.data(), x.data());
  std::vector<double> product(n);
  OperatorWorkspace workspace;
  problem.dynamics().Multiply(x.data(), product.data(), workspace);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(product[i] + rho * weights[i] * x[i] - right[i]));
  }
  return largest;
}

// What admm solves: D = ρ diag(A) over six decades, with redundant rows and rows that nothing
// moves, and A ≠ Aᵀ small and large.
TEST(RegularisedSystem, SolvesWithAPenalty) {
  const Problem pile = SpherePile(120, 1);
  const Problem inert = FindProblem("ContactBetweenFixedBodies").make({LawKind::kNcp, 0}).problem;
  for (double rho : {1e-3, 1.0, 1e3}) {
    EXPECT_LE(PenaltyResidual(pile, rho), 1e-9);
    EXPECT_LE(PenaltyResidual(AsMatrix(pile), rho), 1e-9);
    EXPECT_LE(PenaltyResidual(AsSparse(pile), rho), 1e-9);
    EXPECT_LE(PenaltyResidual(AsMatrix(BoxStack(2)), rho), 1e-9);
    EXPECT_LE(PenaltyResidual(BrickWall(), rho), 1e-9);
    EXPECT_LE(PenaltyResidual(inert, rho), 1e-9);
    EXPECT_LE(PenaltyResidual(AsMatrix(inert), rho), 1e-9);
  }
  const TestProblem small = FindProblem("RandomUnsymmetric").make({LawKind::kNcp, 0});
  EXPECT_LE(PenaltyResidual(small.problem, 0.1), 1e-10);
  TestProblem large;
  large.problem = pile;
  large.x.assign(pile.rows(), 0.0);
  large.w.assign(pile.rows(), 0.0);
  EXPECT_LE(PenaltyResidual(AsUnsymmetricMatrix(large, 0.01), 0.1), 1e-10);
}

// [1 3; 3 1] has the eigenvalues 4 and −2: definite with 3 on the diagonal more, not with 1. Fifty
// of them side by side are sparse, and solved in blocks of one row.
TEST(RegularisedSystem, TellsWhatIsDefinite) {
  for (int pairs : {1, 50}) {
    std::vector<Triplet> entries;
    std::vector<RowGroup> groups(pairs);
    for (int g = 0; g < pairs; ++g) {
      groups[g].first_row = 2 * g;
      groups[g].size = 2;
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) entries.push_back({2 * g + i, 2 * g + j, i == j ? 1.0 : 3.0});
      }
    }
    const int n = 2 * pairs;
    const std::vector<double> ones(n, 1.0);
    const Problem problem(
        std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, std::move(entries)), ones), groups,
        ones, ones);
    RegularisedSystem system;
    system.Prepare(problem, ones.data());
    EXPECT_EQ(system.form(), pairs == 1 ? Form::kDense : Form::kRows);
    for (double added : {1.0, 3.0}) {
      std::vector<double> blocks(system.block_values(), 0.0);
      for (int g = 0; g < pairs; ++g) {
        for (int i : {0, 3}) blocks[system.block_start(g) + i] = added;
      }
      EXPECT_TRUE(system.Factorise(blocks.data(), true));
      EXPECT_EQ(system.definite(), added == 3.0) << pairs;
    }
  }
}

// A NaN in D is told, and forgotten by the next factorisation.
TEST(RegularisedSystem, SaysWhereItFails) {
  const Problem problem = AsMatrix(SpherePile(3));
  const int n = problem.rows();
  RegularisedSystem system;
  const std::vector<double> ones(n, 1.0);
  system.Prepare(problem, ones.data());
  std::vector<double> blocks(system.block_values(), 0.0);
  blocks[0] = std::nan("");
  EXPECT_FALSE(system.Factorise(blocks.data(), true));
  blocks[0] = 0;
  for (int g = 0; g < n / 3; ++g) {
    for (int i = 0; i < 3; ++i) blocks[system.block_start(g) + 4 * i] = 1;
  }
  EXPECT_TRUE(system.Factorise(blocks.data(), true));
}

}  // namespace
}  // namespace nonsmooth
