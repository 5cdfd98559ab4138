// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/two_body_dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/problem/row_products.h"
#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr std::size_t kRowsAtATime = 64;

template <std::size_t N>
void RequireFinite(const char* what, std::size_t index, const char* field,
                   const std::array<double, N>& values) {
  for (std::size_t k = 0; k < N; ++k) {
    Require(std::isfinite(values[k]), what, " ", index, ": ", field, "[", k, "] = ", values[k],
            " is not finite");
  }
}

void Validate(std::size_t index, const Body& body) {
  RequireFinite("body", index, "inverse_mass", body.inverse_mass);
  RequireFinite("body", index, "inverse_inertia", body.inverse_inertia);
  RequireFinite("body", index, "velocity", body.velocity);
  RequireFinite("body", index, "applied_impulse", body.applied_impulse);
  for (int k = 0; k < 3; ++k) {
    Require(body.inverse_mass[k] >= 0, "body ", index, ": inverse_mass[", k,
            "] = ", body.inverse_mass[k], " is negative");
    Require(body.inverse_inertia[4 * k] >= 0, "body ", index, ": inverse_inertia[", k, "][", k,
            "] = ", body.inverse_inertia[4 * k], " is negative");
  }
  // Positive semidefinite: the 2×2 minors are enough to catch a sign or a transposition slip
  // without refusing what rounding in an engine's float32 leaves behind.
  const std::array<double, 9>& inertia = body.inverse_inertia;
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      const double scale = std::max(inertia[4 * i], inertia[4 * j]);
      Require(std::abs(inertia[3 * i + j] - inertia[3 * j + i]) <= 1e-5 * scale, "body ", index,
              ": inverse_inertia is not symmetric, [", i, "][", j, "] = ", inertia[3 * i + j],
              " and [", j, "][", i, "] = ", inertia[3 * j + i]);
      Require(inertia[3 * i + j] * inertia[3 * j + i] <=
                  inertia[4 * i] * inertia[4 * j] + 1e-5 * scale * scale,
              "body ", index, ": inverse_inertia is not positive semidefinite in axes ", i, ", ",
              j);
    }
  }
}

void Validate(std::size_t index, const TwoBodyRow& row, int bodies) {
  for (int body : {row.body_a, row.body_b}) {
    Require(body >= -1 && body < bodies, "row ", index, ": body ", body,
            " does not exist; there are ", bodies, " bodies, and -1 means none");
  }
  Require(row.body_a != row.body_b || row.body_a == -1, "row ", index, ": both sides are body ",
          row.body_a);
  RequireFinite("row", index, "jacobian", row.jacobian);
  Require(std::isfinite(row.bias), "row ", index, ": bias = ", row.bias, " is not finite");
  Require(std::isfinite(row.compliance) && row.compliance >= 0, "row ", index,
          ": compliance = ", row.compliance, " is not a finite number >= 0");
}

/// 0 if all values are finite: zero times what is not is not a number. In four sums that do not
/// wait for each other.
template <std::size_t N>
double ZeroIfFinite(const std::array<double, N>& values) {
  double zero[4] = {};
  for (std::size_t k = 0; k < N; ++k) zero[k % 4] += values[k] * 0;
  return (zero[0] + zero[1]) + (zero[2] + zero[3]);
}

/// False if anything might be wrong with the row, of which is known what it makes of velocities and
/// of itself. Both sum over all entries that count, so that one that is not finite shows in them.
bool PlainlyValid(const TwoBodyRow& row, double velocity, double self, int bodies) {
  const double zero = (row.bias + row.compliance) * 0 + velocity * 0 + self * 0;
  return zero == 0 && row.compliance >= 0 && row.body_a >= 0 && row.body_a < bodies &&
         row.body_b >= 0 && row.body_b < bodies && row.body_a != row.body_b;
}

/// False if anything might be wrong with the body. Its inertia is symmetric to the bit and
/// diagonally dominant, which implies that it is positive semidefinite, or the longer check has to
/// say.
bool PlainlyValid(const Body& body) {
  const std::array<double, 9>& i = body.inverse_inertia;
  const double zero = ZeroIfFinite(body.inverse_mass) + ZeroIfFinite(i) +
                      ZeroIfFinite(body.velocity) + ZeroIfFinite(body.applied_impulse);
  const double xy = std::abs(i[1]), xz = std::abs(i[2]), yz = std::abs(i[5]);
  return zero == 0 && body.inverse_mass[0] >= 0 && body.inverse_mass[1] >= 0 &&
         body.inverse_mass[2] >= 0 && i[1] == i[3] && i[2] == i[6] && i[5] == i[7] &&
         i[0] >= xy + xz && i[4] >= xy + yz && i[8] >= xz + yz;
}

/// Evens out what rounding in an engine leaves behind, so that A is symmetric in every form.
void MakeSymmetric(std::array<double, 9>& inertia) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      const double mean = 0.5 * (inertia[3 * i + j] + inertia[3 * j + i]);
      inertia[3 * i + j] = mean;
      inertia[3 * j + i] = mean;
    }
  }
}

/// Rows on one body all couple: some 16,000 contacts on it make A too large for its offsets. At
/// least half of the sum are different entries, as two rows share two bodies at the most.
void RequireIndexable(const std::vector<std::vector<int>>& rows_of_body) {
  double entries = 0;
  for (const std::vector<int>& rows : rows_of_body) {
    entries += static_cast<double>(rows.size()) * static_cast<double>(rows.size());
  }
  if (entries > std::numeric_limits<int>::max()) {
    throw std::length_error(
        "A would have some " + std::to_string(std::llround(1e-9 * entries)) +
        "e9 entries, which is too many: take a solver that does not assemble it");
  }
}

double Dot6(const double* a, const double* b) {
  // Two sums that do not wait for each other.
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

void AddScaled6(double factor, const double* a, double* b) {
  for (int k = 0; k < 6; ++k) b[k] += factor * a[k];
}

/// out ← M_body⁻¹ in.
void ApplyInverseMass(const Body& body, const double* in, double* out) {
  const std::array<double, 9>& inertia = body.inverse_inertia;
  for (int k = 0; k < 3; ++k) {
    out[k] = body.inverse_mass[k] * in[k];
    out[3 + k] = inertia[3 * k] * in[3] + inertia[3 * k + 1] * in[4] + inertia[3 * k + 2] * in[5];
  }
}

}  // namespace

TwoBodyDynamics::TwoBodyDynamics(std::vector<Body> bodies, std::vector<TwoBodyRow> rows)
    : TwoBodyDynamics(std::move(bodies), std::move(rows), Bias::kOwn) {}

std::shared_ptr<TwoBodyDynamics> TwoBodyDynamics::FromFreeBias(std::vector<Body> bodies,
                                                               std::vector<TwoBodyRow> rows,
                                                               bool in_float) {
  return std::shared_ptr<TwoBodyDynamics>(new TwoBodyDynamics(
      std::move(bodies), std::move(rows), in_float ? Bias::kFreeInFloat : Bias::kFree));
}

TwoBodyDynamics::TwoBodyDynamics(std::vector<Body> bodies, std::vector<TwoBodyRow> rows, Bias given)
    : bodies_(std::move(bodies)), rows_(std::move(rows)) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (PlainlyValid(bodies_[i])) continue;
    Validate(i, bodies_[i]);
    MakeSymmetric(bodies_[i].inverse_inertia);
  }
  std::vector<double> v(6 * bodies_.size());
  FreeVelocity(v.data());
  std::vector<BodyFactors> factors(bodies_.size() + 1);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    factors[i] = FactorsOf(bodies_[i], v.data() + 6 * i);
  }
  const int count = static_cast<int>(bodies_.size());
  bias_.resize(rows_.size());
  diagonal_.resize(rows_.size());
  // Rows are many and mostly right: one pass in pieces that stay in cache, and names for what is
  // wrong only where something is.
  for (std::size_t first = 0; first < rows_.size(); first += kRowsAtATime) {
    const std::size_t end = std::min(first + kRowsAtATime, rows_.size());
    RowProducts(factors.data(), count, &rows_[first], end - first, &bias_[first],
                &diagonal_[first]);
    for (std::size_t i = first; i < end; ++i) {
      TwoBodyRow& row = rows_[i];
      const double velocity = bias_[i];
      if (!PlainlyValid(row, velocity, diagonal_[i], count)) Validate(i, row, count);
      if (given != Bias::kOwn) row.bias -= velocity;
      if (given == Bias::kFreeInFloat) row.bias = static_cast<float>(row.bias);
      bias_[i] = row.bias + velocity;
      diagonal_[i] += row.compliance;
    }
  }
}

void TwoBodyDynamics::TakeApart(std::vector<Body>* bodies, std::vector<TwoBodyRow>* rows) {
  *bodies = std::move(bodies_);
  *rows = std::move(rows_);
  bodies_.clear();
  rows_.clear();
  bias_.clear();
  diagonal_.clear();
}

double TwoBodyDynamics::Couple(const TwoBodyRow& left, const TwoBodyRow& right) const {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? right.body_a : right.body_b;
    if (body < 0) continue;
    double response[6];
    ApplyInverseMass(bodies_[body], right.jacobian.data() + 6 * side, response);
    if (left.body_a == body) sum += Dot6(left.jacobian.data(), response);
    if (left.body_b == body) sum += Dot6(left.jacobian.data() + 6, response);
  }
  return sum;
}

void TwoBodyDynamics::AddMassInverseTimes(const double* impulse, double* v) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    double response[6];
    ApplyInverseMass(bodies_[i], impulse + 6 * i, response);
    AddScaled6(1.0, response, v + 6 * i);
  }
}

void TwoBodyDynamics::FreeVelocity(double* v) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    ApplyInverseMass(bodies_[i], bodies_[i].applied_impulse.data(), v + 6 * i);
    AddScaled6(1.0, bodies_[i].velocity.data(), v + 6 * i);
  }
}

double TwoBodyDynamics::FreeKineticEnergy() const {
  double sum = 0;
  for (const Body& body : bodies_) {
    for (int k = 0; k < 3; ++k) {
      if (body.inverse_mass[k] == 0) continue;
      const double v = body.velocity[k] + body.inverse_mass[k] * body.applied_impulse[k];
      sum += 0.5 * v * v / body.inverse_mass[k];
    }
  }
  return sum;
}

void TwoBodyDynamics::AddImpulses(const double* x, double* impulse) const {
  // The rows of a contact or joint follow each other: their sum is added to its bodies once.
  const std::size_t count = rows_.size();
  for (std::size_t i = 0; i < count;) {
    const int a = rows_[i].body_a;
    const int b = rows_[i].body_b;
    double sum[12] = {};
    for (; i < count && rows_[i].body_a == a && rows_[i].body_b == b; ++i) {
      for (int k = 0; k < 12; ++k) sum[k] += x[i] * rows_[i].jacobian[k];
    }
    if (a >= 0) AddScaled6(1.0, sum, impulse + 6 * a);
    if (b >= 0) AddScaled6(1.0, sum + 6, impulse + 6 * b);
  }
}

inline double TwoBodyDynamics::RowVelocity(const TwoBodyRow& row, const double* v) const {
  const double on_a = row.body_a >= 0 ? Dot6(row.jacobian.data(), v + 6 * row.body_a) : 0;
  const double on_b = row.body_b >= 0 ? Dot6(row.jacobian.data() + 6, v + 6 * row.body_b) : 0;
  return on_a + on_b;
}

/// The change of velocity by x.
void TwoBodyDynamics::MoveBodies(const double* x, OperatorWorkspace& workspace) const {
  workspace.impulse.assign(6 * bodies_.size(), 0.0);
  workspace.velocity.assign(6 * bodies_.size(), 0.0);
  AddImpulses(x, workspace.impulse.data());
  AddMassInverseTimes(workspace.impulse.data(), workspace.velocity.data());
}

void TwoBodyDynamics::MultiplyRows(const double* x, double* y, const OperatorWorkspace& workspace,
                                   std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < last; ++i) {
    y[i] = RowVelocity(rows_[i], workspace.velocity.data()) + rows_[i].compliance * x[i];
  }
}

void TwoBodyDynamics::Multiply(const double* x, double* y, OperatorWorkspace& workspace) const {
  MoveBodies(x, workspace);
  MultiplyRows(x, y, workspace, 0, rows_.size());
}

void TwoBodyDynamics::Evaluate(const double* x, double* w, double* v,
                               OperatorWorkspace& workspace) const {
  // w from v⁺ would lose digits against A x + b where a velocity is large beside its change, so the
  // change is kept apart until the end.
  Multiply(x, w, workspace);
  for (std::size_t i = 0; i < rows_.size(); ++i) w[i] += bias_[i];
  FreeVelocity(v);
  for (std::size_t k = 0; k < workspace.velocity.size(); ++k) v[k] += workspace.velocity[k];
}

void TwoBodyDynamics::Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace,
                               ThreadTeam& team, int threads) const {
  constexpr std::size_t kStretch = 8192;
  MoveBodies(x, workspace);
  ForStretches(team, threads, rows_.size(), kStretch, [&](std::size_t first, std::size_t last) {
    MultiplyRows(x, w, workspace, first, last);
    for (std::size_t i = first; i < last; ++i) w[i] += bias_[i];
  });
  FreeVelocity(v);
  for (std::size_t k = 0; k < workspace.velocity.size(); ++k) v[k] += workspace.velocity[k];
}

void TwoBodyDynamics::DiagonalBlock(int first, int size, double* block) const {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j <= i; ++j) {
      double a = Couple(rows_[first + i], rows_[first + j]);
      if (i == j) a += rows_[first + i].compliance;
      block[i * size + j] = a;
      block[j * size + i] = a;
    }
  }
}

void TwoBodyDynamics::Assemble(CsrMatrix& matrix) const {
  // Rows couple where they share a movable body: collect the rows of each body, then for every row
  // the sorted union of the rows of its two bodies.
  std::vector<std::vector<int>> rows_of_body(bodies_.size());
  const auto movable = [this](int body) { return body >= 0 && bodies_[body].movable(); };
  for (int i = 0; i < rows(); ++i) {
    if (movable(rows_[i].body_a)) rows_of_body[rows_[i].body_a].push_back(i);
    if (movable(rows_[i].body_b)) rows_of_body[rows_[i].body_b].push_back(i);
  }
  RequireIndexable(rows_of_body);
  matrix.Reset(rows(), rows());
  std::vector<int> neighbours;
  for (int i = 0; i < rows(); ++i) {
    neighbours.assign(1, i);
    for (int body : {rows_[i].body_a, rows_[i].body_b}) {
      if (!movable(body)) continue;
      neighbours.insert(neighbours.end(), rows_of_body[body].begin(), rows_of_body[body].end());
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (int j : neighbours) {
      // Computed from the lower triangle's side in both cases, so that A is symmetric to the bit.
      double a = Couple(rows_[std::max(i, j)], rows_[std::min(i, j)]);
      if (i == j) a += rows_[i].compliance;
      matrix.column.push_back(j);
      matrix.value.push_back(a);
    }
    matrix.row_start.push_back(matrix.nonzeros());
  }
}

}  // namespace nonsmooth
