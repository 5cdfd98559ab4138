// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/newton_system.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

using Eigen::MatrixXd;
using Stride = Eigen::OuterStride<>;
using Block = Eigen::Map<MatrixXd, 0, Stride>;
using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using ConstMatrix = Eigen::Map<const MatrixXd>;

}  // namespace

void NewtonSystem::FindPattern(const CsrMatrix& a, const NewtonMap& map) {
  const int count = map.groups();
  std::vector<int>& group_of = local_;  // scratch until the first front
  group_of.resize(std::max(a.rows, count));
  graph_.weight.resize(count);
  for (int g = 0; g < count; ++g) {
    graph_.weight[g] = map.size(g);
    std::fill_n(group_of.begin() + map.first_row(g), map.size(g), g);
  }
  // Both ways, since an imported A need not even have a symmetric pattern.
  std::vector<std::vector<int>>& lists = neighbours_;
  lists.resize(count);
  for (std::vector<int>& list : lists) list.clear();
  mark_.assign(count, -1);
  for (int g = 0; g < count; ++g) {
    const int end = a.row_start[map.first_row(g) + map.size(g)];
    mark_[g] = g;
    lists[g].push_back(g);
    for (int k = a.row_start[map.first_row(g)]; k < end; ++k) {
      const int h = group_of[a.column[k]];
      if (mark_[h] == g) continue;
      mark_[h] = g;
      lists[g].push_back(h);
      lists[h].push_back(g);
    }
  }
  graph_.start.assign(1, 0);
  graph_.neighbour.clear();
  for (std::vector<int>& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    graph_.neighbour.insert(graph_.neighbour.end(), list.begin(), list.end());
    graph_.start.push_back(static_cast<int>(graph_.neighbour.size()));
  }
}

void NewtonSystem::Prepare(const Problem& problem, const NewtonMap& map) {
  const CsrMatrix& a = problem.dynamics().Assembled();
  const std::vector<double>& scale = map.scale();
  const int count = map.groups();
  FindPattern(a, map);
  tree_.Analyse(graph_);
  panel_.resize(count);
  panel_columns_.resize(count);
  block_column_.resize(graph_.neighbour.size());
  mirror_.resize(graph_.neighbour.size());
  std::size_t size = 0;
  mark_.assign(graph_.start.begin(), graph_.start.end() - 1);  // next neighbour to be mirrored
  for (int g = 0; g < count; ++g) {
    int columns = 0;
    for (int e = graph_.start[g]; e < graph_.start[g + 1]; ++e) {
      const int h = graph_.neighbour[e];
      block_column_[e] = columns;
      columns += map.size(h);
      mirror_[e] = mark_[h]++;  // lists are ascending: g comes to h in its turn
    }
    panel_[g] = size;
    panel_columns_[g] = columns;
    size += static_cast<std::size_t>(columns) * map.size(g);
  }
  value_.assign(size, 0.0);
  std::vector<int>& column_of = mark_;  // of a row in the panel at hand
  column_of.resize(std::max(a.rows, count));
  for (int g = 0; g < count; ++g) {
    for (int e = graph_.start[g]; e < graph_.start[g + 1]; ++e) {
      const int h = graph_.neighbour[e];
      for (int i = 0; i < map.size(h); ++i) column_of[map.first_row(h) + i] = block_column_[e] + i;
    }
    double* panel = value_.data() + panel_[g];
    for (int row = map.first_row(g); row < map.first_row(g) + map.size(g); ++row) {
      for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
        panel[column_of[a.column[k]]] = scale[row] * a.value[k] * scale[a.column[k]];
      }
      panel += panel_columns_[g];
    }
  }
  bias_.resize(a.rows);
  for (int i = 0; i < a.rows; ++i) bias_[i] = problem.dynamics().bias()[i] * scale[i];
  first_row_.resize(count);
  for (int g = 0; g < count; ++g) first_row_[g] = map.first_row(g);
  blocks_.resize(count);
  offset_.resize(count);
  local_.resize(count);
  c_.resize(a.rows);
  ac_.resize(a.rows);
}

void NewtonSystem::Multiply(const double* x, double* y) const {
  const int n = static_cast<int>(bias_.size());
  for (int g = 0; g < graph_.groups(); ++g) {
    const int columns = panel_columns_[g];
    const double* panel = value_.data() + panel_[g];
    double* out = y + first_row_[g];
    for (int i = 0; i < graph_.weight[g]; ++i, panel += columns) {
      if (columns == n) {
        out[i] = ConstVector(panel, n).dot(ConstVector(x, n));
        continue;
      }
      double sum = 0;
      const double* a = panel;
      for (int e = graph_.start[g]; e < graph_.start[g + 1]; ++e) {
        const int h = graph_.neighbour[e];
        const double* from = x + first_row_[h];
        for (int k = 0; k < graph_.weight[h]; ++k) sum += *a++ * from[k];
      }
      out[i] = sum;
    }
  }
}

void NewtonSystem::Velocity(const double* x, double* w) const {
  Multiply(x, w);
  for (std::size_t i = 0; i < bias_.size(); ++i) w[i] += bias_[i];
}

void NewtonSystem::Linearise(const NewtonMap& map, const double* x, const double* w, double step,
                             double rho) {
  unknowns_ = 0;
  for (int g : tree_.order()) {
    const int first = map.first_row(g);
    map.Linearise(g, x + first, w + first, step, blocks_[g]);
    offset_[g] = unknowns_;
    unknowns_ += blocks_[g].size;
    for (int i = 0; i < map.size(g); ++i) c_[first + i] = blocks_[g].c[i];
  }
  Multiply(c_.data(), ac_.data());
  z_.resize(unknowns_);
  for (int g = 0; g < map.groups(); ++g) {
    const NewtonBlock& block = blocks_[g];
    const int first = map.first_row(g);
    for (int j = 0; j < block.size; ++j) {
      double sum = block.d[j];
      for (int i = 0; i < map.size(g); ++i) {
        sum -= block.r[j][i] * (ac_[first + i] + rho * c_[first + i]);
      }
      z_[offset_[g] + j] = sum;
    }
  }
}

void NewtonSystem::AddBlock(int g, int h, int edge, double* target, int leading) const {
  const NewtonBlock& row = blocks_[g];
  const NewtonBlock& column = blocks_[h];
  const int rows = graph_.weight[g];
  const int columns = graph_.weight[h];
  const int stride = panel_columns_[g];
  const double* a = value_.data() + panel_[g] + block_column_[edge];
  if (row.identity && column.identity) {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) target[i + j * leading] += a[i * stride + j];
    }
    return;
  }
  double half[kMostGroupRows][kMostGroupRows];
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < column.size; ++j) {
      double sum = 0;
      for (int k = 0; k < columns; ++k) sum += a[i * stride + k] * column.t[k][j];
      half[i][j] = sum;
    }
  }
  for (int i = 0; i < row.size; ++i) {
    for (int j = 0; j < column.size; ++j) {
      double sum = 0;
      for (int k = 0; k < rows; ++k) sum += row.r[i][k] * half[k][j];
      target[i + j * leading] += sum;
    }
  }
}

void NewtonSystem::Assemble(const FrontTree::Front& front, int size, double rho) {
  const int end = front.first_pivot + front.pivots;
  for (int p = front.first_pivot; p < end; ++p) {
    const int g = tree_.order()[p];
    const NewtonBlock& block = blocks_[g];
    if (block.size == 0) continue;
    for (int e = graph_.start[g]; e < graph_.start[g + 1]; ++e) {
      const int h = graph_.neighbour[e];
      const int place = tree_.place()[h];
      if (place < front.first_pivot || blocks_[h].size == 0) continue;
      AddBlock(g, h, e, &front_[local_[g] + std::size_t(local_[h]) * size], size);
      if (place < end) continue;
      AddBlock(h, g, mirror_[e], &front_[local_[h] + std::size_t(local_[g]) * size], size);
    }
    double* diagonal = &front_[local_[g] + std::size_t(local_[g]) * size];
    for (int i = 0; i < block.size; ++i) {
      for (int j = 0; j < block.size; ++j) {
        double sum = block.s[i][j];
        for (int k = 0; k < graph_.weight[g]; ++k) sum += rho * block.r[i][k] * block.t[k][j];
        diagonal[i + j * size] += sum;
      }
    }
  }
}

void NewtonSystem::AddSchur(const FrontTree::Front& child, int size) {
  index_.clear();
  for (int k = child.first_row; k < child.first_row + child.rows; ++k) {
    const int g = tree_.rows()[k];
    for (int i = 0; i < blocks_[g].size; ++i) index_.push_back(local_[g] + i);
  }
  const int rows = static_cast<int>(index_.size());
  schur_end_ -= std::size_t(rows) * rows;
  const double* schur = schur_.data() + schur_end_;
  for (int j = 0; j < rows; ++j, schur += rows) {
    double* column = front_.data() + std::size_t(index_[j]) * size;
    for (int i = 0; i < rows; ++i) column[index_[i]] += schur[i];
  }
}

void NewtonSystem::Eliminate(int pivots, int rows, Factor& factor) {
  const int size = pivots + rows;
  factor.pivots = pivots;
  factor.rows = rows;
  factor.first = factors_end_;
  factor.first_exchange = static_cast<int>(exchange_.size());
  const std::size_t kept = std::size_t(pivots) * (pivots + 2 * std::size_t(rows));
  if (factors_.size() < factors_end_ + kept) factors_.resize(factors_end_ + kept);
  factors_end_ += kept;
  double* f = front_.data();
  if (pivots > 0) {
    Block f11(f, pivots, pivots, Stride(size));
    const Eigen::PartialPivLU<Eigen::Ref<MatrixXd>> lu(f11);  // in place
    for (int i = 0; i < pivots; ++i) {
      exchange_.push_back(lu.permutationP().indices()[i]);
    }
    double* keep = factors_.data() + factor.first;
    Block(keep, pivots, pivots, Stride(pivots)) = f11;
    if (rows > 0) {
      Block f21(f + pivots, rows, pivots, Stride(size));
      Block below(keep + std::size_t(pivots) * pivots, rows, pivots, Stride(rows));
      Block beside(keep + std::size_t(pivots) * size, pivots, rows, Stride(pivots));
      below = f21;
      f11.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(below);
      beside.noalias() =
          lu.permutationP() * Block(f + std::size_t(pivots) * size, pivots, rows, Stride(size));
      f11.triangularView<Eigen::UnitLower>().solveInPlace(beside);
      Block f22(f + std::size_t(pivots) * size + pivots, rows, rows, Stride(size));
      f22.noalias() -= below * beside;
    }
  }
  const std::size_t needed = schur_end_ + std::size_t(rows) * rows;
  if (schur_.size() < needed) schur_.resize(needed);
  for (int j = 0; j < rows; ++j) {
    const double* column = f + std::size_t(pivots + j) * size + pivots;
    std::copy(column, column + rows, schur_.data() + schur_end_ + std::size_t(j) * rows);
  }
  schur_end_ = needed;
}

void NewtonSystem::GatherRows(const FrontTree::Front& front) {
  index_.clear();
  for (int k = front.first_row; k < front.first_row + front.rows; ++k) {
    const int g = tree_.rows()[k];
    for (int i = 0; i < blocks_[g].size; ++i) index_.push_back(offset_[g] + i);
  }
}

void NewtonSystem::SolveFactors() {
  const std::vector<FrontTree::Front>& fronts = tree_.fronts();
  const int count = static_cast<int>(fronts.size());
  for (int k = 0; k < count; ++k) {
    const Factor& factor = factor_[k];
    const int p = factor.pivots;
    if (p == 0) continue;
    const double* keep = factors_.data() + factor.first;
    double* mine = z_.data() + offset_[tree_.order()[fronts[k].first_pivot]];
    buffer_.resize(std::max(p, factor.rows));
    for (int i = 0; i < p; ++i) buffer_[exchange_[factor.first_exchange + i]] = mine[i];
    std::copy_n(buffer_.begin(), p, mine);
    ConstMatrix(keep, p, p)
        .triangularView<Eigen::UnitLower>()
        .solveInPlace(static_cast<Vector&&>(Vector(mine, p)));
    if (factor.rows == 0) continue;
    GatherRows(fronts[k]);
    Vector product(buffer_.data(), factor.rows);
    product.noalias() = ConstMatrix(keep + std::size_t(p) * p, factor.rows, p) * Vector(mine, p);
    for (int i = 0; i < factor.rows; ++i) z_[index_[i]] -= product[i];
  }
  for (int k = count - 1; k >= 0; --k) {
    const Factor& factor = factor_[k];
    const int p = factor.pivots;
    if (p == 0) continue;
    const double* keep = factors_.data() + factor.first;
    Vector mine(z_.data() + offset_[tree_.order()[fronts[k].first_pivot]], p);
    if (factor.rows > 0) {
      GatherRows(fronts[k]);
      buffer_.resize(factor.rows);
      for (int i = 0; i < factor.rows; ++i) buffer_[i] = z_[index_[i]];
      mine.noalias() -= ConstMatrix(keep + std::size_t(p) * (p + factor.rows), p, factor.rows) *
                        ConstVector(buffer_.data(), factor.rows);
    }
    ConstMatrix(keep, p, p).triangularView<Eigen::Upper>().solveInPlace(mine);
  }
}

double NewtonSystem::work() const {
  constexpr double kRowsOfGroup = 3;
  double sum = 0;
  for (const FrontTree::Front& front : tree_.fronts()) {
    const double size = front.pivots + front.rows;
    sum += front.pivots * size * size;
  }
  return sum * kRowsOfGroup * kRowsOfGroup * kRowsOfGroup;
}

bool NewtonSystem::Solve(const NewtonMap& map, const double* x, const double* w, double step,
                         double rho, double* dx) {
  Linearise(map, x, w, step, rho);
  const std::vector<FrontTree::Front>& fronts = tree_.fronts();
  factor_.resize(fronts.size());
  exchange_.clear();
  waiting_.clear();
  schur_end_ = factors_end_ = 0;
  for (int k = 0; k < static_cast<int>(fronts.size()); ++k) {
    const FrontTree::Front& front = fronts[k];
    int size = 0;
    for (int p = front.first_pivot; p < front.first_pivot + front.pivots; ++p) {
      local_[tree_.order()[p]] = size;
      size += blocks_[tree_.order()[p]].size;
    }
    const int pivots = size;
    for (int r = front.first_row; r < front.first_row + front.rows; ++r) {
      local_[tree_.rows()[r]] = size;
      size += blocks_[tree_.rows()[r]].size;
    }
    front_.assign(std::size_t(size) * size, 0.0);
    Assemble(front, size, rho);
    while (!waiting_.empty() && fronts[waiting_.back()].parent == k) {
      AddSchur(fronts[waiting_.back()], size);
      waiting_.pop_back();
    }
    Eliminate(pivots, size - pivots, factor_[k]);
    waiting_.push_back(k);
  }
  SolveFactors();
  bool finite = true;
  for (int g = 0; g < map.groups(); ++g) {
    const NewtonBlock& block = blocks_[g];
    for (int i = 0; i < map.size(g); ++i) {
      double sum = block.c[i];
      for (int j = 0; j < block.size; ++j) sum += block.t[i][j] * z_[offset_[g] + j];
      dx[map.first_row(g) + i] = sum;
      finite = finite && std::isfinite(sum);
    }
  }
  return finite;
}

}  // namespace nonsmooth
