// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/lu_et_al/ode_dialect.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFramesPerSecond = 60;  // that ODE's writer asks for

/// Where the centre of mass of a contact's body `side` begins in `positions`; −1: the world's.
class Centres {
 public:
  explicit Centres(const LuFrame& frame) : frame_(frame) {
    for (int b = 0; b < frame.bodies(); ++b) index_[frame.ids.empty() ? b : frame.ids[b]] = b;
  }
  double Of(int contact, int side, int axis) const {
    const auto found = index_.find(frame_.contact_pairs[2 * contact + side]);
    return found == index_.end() ? 0.0 : frame_.positions[3 * found->second + axis];
  }

 private:
  const LuFrame& frame_;
  std::map<int, int> index_;
};

void SwapConstraintPairs(LuFrame* frame) {
  for (int c = 0; c < frame->constraints(); ++c) {
    std::swap(frame->constraint_pairs[2 * c], frame->constraint_pairs[2 * c + 1]);
  }
}

/// `sign` 1: from body 1's centre of mass to world positions; −1: back.
void MovePoints(double sign, LuFrame* frame) {
  const Centres centres(*frame);
  for (int k = 0; k < frame->contacts(); ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      frame->points[3 * k + axis] += sign * centres.Of(k, 0, axis);
    }
  }
}

/// Violations and bounds of row `r`, factors of ODE's: c = −`rate` · violation.
double ViolationRate(const LuFrame& frame, std::size_t r, double h) {
  const bool motor = !frame.bounds.empty() && std::isfinite(frame.bounds[2 * r]) &&
                     std::isfinite(frame.bounds[2 * r + 1]);
  return motor ? 1 / h : kFramesPerSecond;
}

/// One joint's l and u, put back where they belong; `bounds` is its part, 2 `rows` numbers.
void UntangleBounds(const LuFrame& frame, int joint, int rows, double* bounds) {
  std::vector<int> changed;
  for (int k = 0; k < 2 * rows; ++k) {
    const double untouched = k % 2 == 0 ? -kInfinity : kInfinity;
    if (bounds[k] != untouched) changed.push_back(k);
  }
  if (rows < 2 || changed.empty()) return;
  // An infinite bound may equal what stood there before.
  const int row = changed.size() == 1 ? changed[0] / 2 * 2 : changed[0];
  const bool one_row = changed.size() <= 2 && changed.back() <= row + 1 && row < rows &&
                       bounds[row] <= bounds[row + 1];
  Require(one_row, frame.name, "/constraints/bounds: those of constraint ", joint,
          " were overwritten by ODE's writer and cannot be told apart");
  const double lower = bounds[row];
  const double upper = bounds[row + 1];
  for (int k = 0; k < rows; ++k) {
    bounds[2 * k] = -kInfinity;
    bounds[2 * k + 1] = kInfinity;
  }
  bounds[2 * row] = lower;
  bounds[2 * row + 1] = upper;
}

/// Contacts with the world: the normal points out of the world, that is towards the body.
int TurnNormals(LuFrame* frame) {
  const Centres centres(*frame);
  int turned = 0;
  for (int k = 0; k < frame->contacts(); ++k) {
    if (frame->contact_pairs[2 * k] != -1) continue;
    double towards = 0;
    for (int axis = 0; axis < 3; ++axis) {
      towards +=
          frame->normals[3 * k + axis] * (centres.Of(k, 1, axis) - frame->points[3 * k + axis]);
    }
    if (towards >= 0) continue;
    for (int axis = 0; axis < 3; ++axis) frame->normals[3 * k + axis] *= -1;
    ++turned;
  }
  return turned;
}

}  // namespace

void DropRowsOfDisabledJoints(LuFrame* frame) {
  std::size_t rows = 0;
  for (int count : frame->constraint_rows) rows += static_cast<std::size_t>(std::max(0, count));
  const auto shorten = [](std::vector<double>* values, std::size_t size) {
    if (values->size() > size) values->resize(size);
  };
  shorten(&frame->jacobian, 12 * rows);
  shorten(&frame->bounds, 2 * rows);
  shorten(&frame->violation, rows);
  shorten(&frame->time_derivative, rows);
}

LuFrame FromOde(LuFrame frame, double h, std::vector<std::string>* remarks) {
  if (!frame.own) {
    std::size_t row = 0;
    for (int c = 0; c < frame.constraints() && !frame.bounds.empty(); ++c) {
      UntangleBounds(frame, c, frame.constraint_rows[c], frame.bounds.data() + 2 * row);
      row += static_cast<std::size_t>(frame.constraint_rows[c]);
    }
    const int turned = TurnNormals(&frame);
    if (turned > 0) {
      remarks->push_back(
          fmt::format("{}: normals of {} contacts with the world were turned towards the body",
                      frame.name, turned));
    }
    if (row > 0) {
      remarks->push_back(
          "ODE's error reduction and constraint force mixing are not in the file: constraints are "
          "corrected fully, compliance is 0");
    }
  }
  for (std::size_t r = 0; r < frame.violation.size(); ++r) {
    frame.violation[r] /= -ViolationRate(frame, r, h);
    if (!frame.time_derivative.empty()) frame.violation[r] += h * frame.time_derivative[r];
  }
  for (double& bound : frame.bounds) bound *= h;
  frame.time_derivative.clear();
  SwapConstraintPairs(&frame);
  MovePoints(-1, &frame);
  frame.dialect = LuDialect::kPaper;
  return frame;
}

LuFrame ToOde(LuFrame frame) {
  MovePoints(1, &frame);
  SwapConstraintPairs(&frame);
  for (double& bound : frame.bounds) bound /= frame.step;
  for (std::size_t r = 0; r < frame.violation.size(); ++r) {
    frame.violation[r] *= -ViolationRate(frame, r, frame.step);
  }
  frame.time_derivative.assign(frame.violation.size(), 0.0);
  frame.dialect = LuDialect::kOde;
  return frame;
}

}  // namespace nonsmooth
