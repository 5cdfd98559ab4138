// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/multibody_tree.h"

#include <cmath>
#include <cstddef>

#include "common/linalg/tree_root.h"
#include "common/util/check.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

/// Rotation matrix of a quaternion, row-major, as btMatrix3x3 has it but in double.
void Rotation(const btQuaternion& turn, double* matrix) {
  const double x = turn.x(), y = turn.y(), z = turn.z(), w = turn.w();
  const double s = 2 / (x * x + y * y + z * z + w * w);
  const double values[9] = {
      1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
      s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
      s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  for (int k = 0; k < 9; ++k) matrix[k] = values[k];
}

/// to ← matrix · from.
void Turn(const double* matrix, const btVector3& from, double* to) {
  for (int i = 0; i < 3; ++i) {
    to[i] = matrix[3 * i] * from[0] + matrix[3 * i + 1] * from[1] + matrix[3 * i + 2] * from[2];
  }
}

void AddCross(double factor, const double* a, const double* b, double* to) {
  to[0] += factor * (a[1] * b[2] - a[2] * b[1]);
  to[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  to[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

double Dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

void TreeReader::AddInertia(int k, double mass, const btVector3& inertia) {
  const double* w = turn_.data() + 9 * static_cast<std::ptrdiff_t>(k);
  const double* c = place_.data() + 3 * static_cast<std::ptrdiff_t>(k);
  Inertia& sum = inertia_[k];
  sum = Inertia();
  sum.mass = mass;
  const double square = Dot(c, c);
  for (int i = 0, at = 0; i < 3; ++i) {
    sum.moment[i] = mass * c[i];
    for (int j = 0; j <= i; ++j, ++at) {
      sum.about[at] = mass * ((i == j ? square : 0.0) - c[i] * c[j]);
      for (int m = 0; m < 3; ++m) sum.about[at] += w[3 * i + m] * inertia[m] * w[3 * j + m];
    }
  }
}

void TreeReader::Place(const btMultiBody& body) {
  const int links = body.getNumLinks();
  turn_.resize(9 * (static_cast<std::size_t>(links) + 1));
  place_.assign(3 * (static_cast<std::size_t>(links) + 1), 0.0);
  inertia_.resize(static_cast<std::size_t>(links) + 1);
  axis_.resize(body.getNumDofs());
  // Bullet's quaternions turn world axes into the body's.
  Rotation(body.getWorldToBaseRot().inverse(), turn_.data());
  AddInertia(0, body.getBaseMass(), body.getBaseInertia());
  for (int i = 0; i < links; ++i) {
    const btMultibodyLink& link = body.getLink(i);
    double* w = turn_.data() + 9 * (static_cast<std::ptrdiff_t>(i) + 1);
    double* p = place_.data() + 3 * (static_cast<std::ptrdiff_t>(i) + 1);
    const double* parent_w = turn_.data() + 9 * (static_cast<std::ptrdiff_t>(link.m_parent) + 1);
    const double* parent_p = place_.data() + 3 * (static_cast<std::ptrdiff_t>(link.m_parent) + 1);
    double from_parent[9];
    Rotation(link.m_cachedRotParentToThis.inverse(), from_parent);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        w[3 * r + c] = parent_w[3 * r] * from_parent[c] + parent_w[3 * r + 1] * from_parent[3 + c] +
                       parent_w[3 * r + 2] * from_parent[6 + c];
      }
    }
    Turn(w, link.m_cachedRVector, p);
    for (int k = 0; k < 3; ++k) p[k] += parent_p[k];
    AddInertia(i + 1, link.m_mass, link.m_inertiaLocal);
    for (int dof = 0; dof < link.m_dofCount; ++dof) {
      Motion& axis = axis_[link.m_dofOffset + dof];
      Turn(w, link.m_axes[dof].m_topVec, axis.angular.x);
      // Bullet has the velocity of the link's centre of mass.
      Turn(w, link.m_axes[dof].m_bottomVec, axis.linear.x);
      AddCross(-1, axis.angular.x, p, axis.linear.x);
    }
  }
}

void TreeReader::AddUp(const btMultiBody& body) {
  for (int i = body.getNumLinks() - 1; i >= 0; --i) {
    const Inertia& own = inertia_[i + 1];
    Inertia& parent = inertia_[body.getLink(i).m_parent + 1];
    parent.mass += own.mass;
    for (int k = 0; k < 3; ++k) parent.moment[k] += own.moment[k];
    for (int k = 0; k < 6; ++k) parent.about[k] += own.about[k];
  }
}

/// Angular momentum about the origin and momentum.
TreeReader::Motion TreeReader::Force(const Inertia& inertia, const Motion& motion) const {
  const double* i = inertia.about;
  const double* o = motion.angular.x;
  const double* v = motion.linear.x;
  Motion force;
  force.angular = {{i[0] * o[0] + i[1] * o[1] + i[3] * o[2],
                    i[1] * o[0] + i[2] * o[1] + i[4] * o[2],
                    i[3] * o[0] + i[4] * o[1] + i[5] * o[2]}};
  AddCross(1, inertia.moment, v, force.angular.x);
  force.linear = {{inertia.mass * v[0], inertia.mass * v[1], inertia.mass * v[2]}};
  AddCross(-1, inertia.moment, o, force.linear.x);
  return force;
}

void TreeReader::AppendRoot(const btMultiBody& body, CsrMatrix& root) {
  Place(body);
  AddUp(body);
  const int n = Size(body);
  const int base = 6 - Skipped(body);
  mass_.assign(static_cast<std::size_t>(n) * n, 0.0);
  const auto entry = [&](int i, int j) -> double& {
    return mass_[static_cast<std::size_t>(i) * n + j];
  };
  for (int k = 0; k < base; ++k) {
    Motion motion{};
    (k < 3 ? motion.angular : motion.linear).x[k % 3] = 1;
    const Motion force = Force(inertia_[0], motion);
    for (int j = 0; j <= k; ++j) entry(k, j) = (j < 3 ? force.angular : force.linear).x[j % 3];
  }
  for (int i = 0; i < body.getNumLinks(); ++i) {
    const btMultibodyLink& link = body.getLink(i);
    const bool still = body.isLinkAndAllAncestorsKinematic(i);
    for (int dof = 0; dof < link.m_dofCount; ++dof) {
      const int row = base + link.m_dofOffset + dof;
      if (still) {
        entry(row, row) = 1;  // has no part in the others; its row of R is left out below
        continue;
      }
      const Motion force = Force(inertia_[i + 1], axis_[link.m_dofOffset + dof]);
      for (int above = i; above >= 0; above = body.getLink(above).m_parent) {
        const btMultibodyLink& other = body.getLink(above);
        if (body.isLinkAndAllAncestorsKinematic(above)) break;
        for (int k = 0; k < other.m_dofCount; ++k) {
          const int column = base + other.m_dofOffset + k;
          const Motion& axis = axis_[other.m_dofOffset + k];
          if (column > row) continue;
          entry(row, column) =
              Dot(axis.angular.x, force.angular.x) + Dot(axis.linear.x, force.linear.x);
        }
      }
      for (int k = 0; k < base; ++k)
        entry(row, k) = (k < 3 ? force.angular : force.linear).x[k % 3];
    }
  }
  Require(TreeRoot(n, mass_.data()), "a btMultiBody of ", body.getNumLinks(),
          " links has a mass matrix that is not positive definite");
  const int first = root.rows;
  root.rows += n;
  root.columns += n;
  std::vector<char> moves(n, 1);
  for (int i = 0; i < body.getNumLinks(); ++i) {
    if (!body.isLinkAndAllAncestorsKinematic(i)) continue;
    for (int k = 0; k < body.getLink(i).m_dofCount; ++k) {
      moves[base + body.getLink(i).m_dofOffset + k] = 0;
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; moves[i] != 0 && j <= i; ++j) {
      const double value = static_cast<btScalar>(entry(i, j));
      if (value == 0) continue;
      root.column.push_back(first + j);
      root.value.push_back(value);
    }
    root.row_start.push_back(root.nonzeros());
  }
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
