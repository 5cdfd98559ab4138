// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/unit_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <random>

#include "common/methods/exact/row_system.h"
#include "common/methods/exact/velocity_system.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// Laid out under `ncp`, with a random block D per unit and a random y.
class System {
 public:
  explicit System(const Problem& problem, bool symmetric) : problem_(problem) {
    set_.Reset(problem_, {LawKind::kNcp, 0}, nullptr);
    if (RowSystem::Applies(problem_.dynamics())) {
      system_ = std::make_unique<RowSystem>();
    } else {
      system_ = std::make_unique<VelocitySystem>();
    }
    layout_.Build(set_, system_->Keys(set_));
    system_->Prepare(layout_);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    matrix_.assign(layout_.matrix_size(), 0.0);
    y_.assign(layout_.size(), 0.0);
    for (const UnitFamily& f : layout_.families()) {
      for (int i = 0; i < f.count; ++i) {
        for (int r = 0; r < f.rows; ++r) {
          y_[f.first + r * f.stride + i] = number(random);
          for (int c = 0; c < f.rows; ++c) {
            const double value = 0.3 * number(random);
            at(f, i, r, c) = r == c ? 2 + value : symmetric && c < r ? at(f, i, c, r) : value;
          }
        }
      }
    }
    symmetric_ = symmetric;
  }

  double& at(const UnitFamily& f, int i, int r, int c) {
    return matrix_[f.first_matrix + (r * f.rows + c) * f.stride + i];
  }

  /// Â without compliance, by the dynamics' own product.
  Eigen::MatrixXd Dense() {
    const int n = layout_.size();
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    OperatorWorkspace workspace;
    std::vector<double> x(problem_.rows()), w(problem_.rows());
    for (int j = 0; j < n; ++j) {
      if (layout_.row()[j] < 0) continue;
      x.assign(x.size(), 0.0);
      x[layout_.row()[j]] = layout_.scale()[j];
      problem_.dynamics().Multiply(x.data(), w.data(), workspace);
      for (int i = 0; i < n; ++i) {
        if (layout_.row()[i] >= 0) a(i, j) = layout_.scale()[i] * w[layout_.row()[i]];
      }
      a(j, j) -= layout_.compliance()[j];
    }
    return a;
  }

  /// max |(I + D A₀) δ − y| and |q − A₀ δ|.
  double WorstResidual() {
    const int n = layout_.size();
    AlignedVector delta(n, 0.0), q(n, 0.0);
    EXPECT_TRUE(system_->Factorise(matrix_.data(), symmetric_));
    system_->Solve(y_.data(), delta.data(), q.data());
    const Eigen::MatrixXd a = Dense();
    const Eigen::Map<Eigen::VectorXd> x(delta.data(), n), v(q.data(), n), y(y_.data(), n);
    const Eigen::VectorXd velocity = a * x;
    Eigen::VectorXd residual = x - y;
    for (const UnitFamily& f : layout_.families()) {
      for (int i = 0; i < f.count; ++i) {
        for (int r = 0; r < f.rows; ++r) {
          for (int c = 0; c < f.rows; ++c) {
            residual[f.first + r * f.stride + i] +=
                at(f, i, r, c) * velocity[f.first + c * f.stride + i];
          }
        }
      }
    }
    double worst = 0;
    for (int k = 0; k < n; ++k) {
      if (layout_.row()[k] < 0) continue;
      worst = std::max({worst, std::abs(residual[k]), std::abs(velocity[k] - v[k])});
    }
    AlignedVector product(n, 0.0);
    system_->Multiply(delta.data(), product.data());
    for (int k = 0; k < n; ++k) {
      if (layout_.row()[k] >= 0) worst = std::max(worst, std::abs(product[k] - velocity[k]));
    }
    return worst;
  }

 private:
  Problem problem_;
  FeasibleSet set_;
  UnitLayout layout_;
  std::unique_ptr<UnitSystem> system_;
  AlignedVector matrix_, y_;
  bool symmetric_ = false;
};

std::vector<Problem> Problems() {
  return {BoxStack(3), BrickWall(), SpherePile(60, 3), Chain(10, 5), RollingSphere(1)};
}

// The system that comes out is the one that was asked for, whatever form the problem has: on
// bodies, on a sparse M, and with A alone; with symmetric blocks and with others.
TEST(UnitSystem, SolvesWhatItSays) {
  for (const Problem& problem : Problems()) {
    for (const bool symmetric : {true, false}) {
      EXPECT_LE(System(problem, symmetric).WorstResidual(), 1e-10);
      EXPECT_LE(System(AsSparse(problem), symmetric).WorstResidual(), 1e-10);
      EXPECT_LE(System(AsMatrix(problem), symmetric).WorstResidual(), 1e-10);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
