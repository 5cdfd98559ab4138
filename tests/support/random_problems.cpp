// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "common/law/feasible_set.h"
#include "demos/scenes/random.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Chooses for one contact an x in K and a w such that both solve its law.
class ContactChooser {
 public:
  ContactChooser(const Law& law, Random& random) : law_(law), random_(random) {}

  void Choose(RowGroup& group, double* x, double* w) {
    const bool open = random_.Index(4) == 0;
    x[0] = open ? 0.0 : random_.Uniform(0.5, 2);
    w[0] = open ? random_.Uniform(0.1, 1) : 0.0;
    group.normal_estimate = random_.Uniform(0.5, 2);
    int offset = 1;
    for (const auto& [size, coefficient] : {std::pair(group.tangents, group.friction),
                                            std::pair(group.spinning, group.spinning_friction),
                                            std::pair(group.rolling, group.rolling_friction)}) {
      if (size == 0) continue;
      const bool row_wise = law_.kind == LawKind::kBox || law_.kind == LawKind::kCoupledBox;
      const double normal = law_.kind == LawKind::kBox ? group.normal_estimate : x[0];
      if (row_wise) {
        for (int i = 0; i < size; ++i)
          ChooseRow(coefficient * normal, x + offset + i, w + offset + i);
      } else {
        // In the dual cone w_n is at least the sum of coefficient · ‖w‖ over the parts; Coulomb's
        // law adds that sum itself.
        const double speed =
            ChoosePart(offset == 1, size, coefficient * normal, x + offset, w + offset);
        if (law_.kind == LawKind::kCcp) w[0] += coefficient * speed;
      }
      offset += size;
    }
  }

  /// A row with bounds ± `bound`.
  void ChooseRow(double bound, double* x, double* w) {
    const int mode = random_.Index(3);
    if (mode == 0) {
      *x = bound * random_.Uniform(-0.9, 0.9);
      *w = 0;
    } else {
      *x = mode == 1 ? bound : -bound;
      *w = mode == 1 ? random_.Uniform(-1, -0.1) : random_.Uniform(0.1, 1);
    }
  }

 private:
  /// Sticks inside the disc (or k-gon) of the given radius, or slides on its edge. Returns ‖w‖.
  double ChoosePart(bool tangents, int size, double radius, double* x, double* w) {
    if (size == 1) {
      ChooseRow(radius, x, w);
      return std::abs(w[0]);
    }
    const bool polygon = tangents && law_.kind == LawKind::kPyramid;
    double angle = random_.Uniform(0, 2 * kPi);
    if (random_.Index(2) == 0) {
      // 0.7 of the radius is inside every k-gon with k ≥ 5.
      const double length = radius * random_.Uniform(0, 0.7);
      x[0] = length * std::cos(angle);
      x[1] = length * std::sin(angle);
      w[0] = w[1] = 0;
      return 0;
    }
    const double speed = random_.Uniform(0.1, 1);
    w[0] = -speed * std::cos(angle);
    w[1] = -speed * std::sin(angle);
    if (polygon) {
      const double width = 2 * kPi / law_.facets;
      angle = std::round(angle / width) * width;
    }
    x[0] = radius * std::cos(angle);
    x[1] = radius * std::sin(angle);
    return speed;
  }

  Law law_;
  Random& random_;
};

struct Recipe {
  int bodies = 0;
  int contacts = 0;
  int joints = 0;  ///< equality rows
  int motors = 0;  ///< box rows
  bool rolling = false;
  double most_friction = 0.8;
  unsigned seed = 1;
  bool full_rank = false;
  double compliance = 0;  ///< of the normals
};

Vector3 Scaled(const Vector3& v, double factor) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}

Problem Skeleton(const Recipe& recipe, Random& random) {
  ProblemBuilder builder;
  for (int b = 0; b < recipe.bodies; ++b) {
    const Vector3 edges{random.Uniform(0.5, 1), random.Uniform(0.5, 1), random.Uniform(0.5, 1)};
    builder.AddBox(random.Uniform(1, 4), edges, {0, 0, -0.1});
  }
  const int ground = builder.AddBody(Body());
  // Every body in turn meets the ground or another body.
  int turn = 0;
  const auto pair = [&](int* a, int* b) {
    *b = turn++ % recipe.bodies;
    *a = random.Index(recipe.bodies + 1);
    if (*a == *b) *a = ground;
  };
  for (int c = 0; c < recipe.contacts; ++c) {
    ContactPoint point;
    pair(&point.body_a, &point.body_b);
    point.normal = random.UnitVector();
    point.lever_a = Scaled(random.UnitVector(), 0.4);
    point.lever_b = Scaled(random.UnitVector(), 0.4);
    point.compliance = recipe.compliance;
    ContactMaterial material;
    material.friction = random.Uniform(0.1, recipe.most_friction);
    if (recipe.rolling) {
      material.spinning_friction = random.Uniform(0.02, 0.1);
      material.rolling_friction = random.Uniform(0.02, 0.1);
    }
    builder.AddContact(point, material);
  }
  for (int r = 0; r < recipe.joints + recipe.motors; ++r) {
    TwoBodyRow row;
    pair(&row.body_a, &row.body_b);
    for (double& entry : row.jacobian) entry = random.Uniform(-1, 1);
    if (r < recipe.joints) {
      builder.AddEquality(row);
    } else {
      builder.AddBounded(row, -0.5, 1.5);
    }
  }
  return builder.Build();
}

TestProblem Make(const Recipe& recipe, const Law& law) {
  Random random(recipe.seed);
  const Problem skeleton = Skeleton(recipe, random);
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(skeleton.dynamics());
  TestProblem test;
  test.x.resize(skeleton.rows());
  test.w.resize(skeleton.rows());
  std::vector<RowGroup> groups = skeleton.groups();
  ContactChooser chooser(law, random);
  for (RowGroup& group : groups) {
    double* x = test.x.data() + group.first_row;
    double* w = test.w.data() + group.first_row;
    if (group.kind == GroupKind::kContact) {
      chooser.Choose(group, x, w);
    } else if (group.kind == GroupKind::kBox) {
      chooser.ChooseRow(1, x, w);  // in [−1, 1], shifted to [−0.5, 1.5]
      *x += 0.5;
    } else {
      *x = random.Uniform(-1, 1);
    }
  }

  // b = w − A x by way of the rows' own bias.
  std::vector<double> ax(test.x.size());
  OperatorWorkspace workspace;
  dynamics.Multiply(test.x.data(), ax.data(), workspace);
  std::vector<TwoBodyRow> rows = dynamics.body_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].bias += test.w[i] - ax[i] - dynamics.bias()[i];
  }
  test.problem = Problem(std::make_shared<TwoBodyDynamics>(dynamics.bodies(), std::move(rows)),
                         std::move(groups), skeleton.lower(), skeleton.upper());
  // `ccp` and `box` are convex: A x is unique, and with A definite x too. The others may have
  // several solutions.
  test.unique_w = law.kind == LawKind::kCcp || law.kind == LawKind::kBox;
  test.unique_x = test.unique_w && recipe.full_rank;
  return test;
}

CollectionEntry Entry(const char* name, const Recipe& recipe) {
  return {name, [recipe](const Law& law) { return Make(recipe, law); }, AllLaws()};
}

}  // namespace

std::vector<CollectionEntry> RandomProblems() {
  Recipe full{6, 6, 2, 2, false, 0.8, 11, true};         // 22 rows on 36 velocities
  Recipe deficient{3, 10, 0, 0, false, 0.8, 12, false};  // 30 rows on 18
  Recipe mixed{4, 10, 3, 3, false, 0.8, 13, false};      // 36 rows on 24
  Recipe rolling{5, 6, 0, 0, true, 0.8, 14, false};      // 36 rows on 30
  Recipe rough{4, 8, 0, 0, false, 2.0, 15, false};       // 24 rows on 24, μ up to 2
  Recipe compliant = deficient;
  compliant.compliance = 1e-12;
  return {Entry("RandomFullRank", full), Entry("RandomRankDeficient", deficient),
          Entry("RandomMixed", mixed),   Entry("RandomRolling", rolling),
          Entry("RandomRough", rough),   Entry("RandomCompliant", compliant)};
}

}  // namespace nonsmooth
