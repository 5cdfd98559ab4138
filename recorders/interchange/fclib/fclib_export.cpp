// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/fclib/fclib_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/util/check.h"
#include "recorders/interchange/fclib/mass_form.h"

namespace nonsmooth {
namespace {

/// FCLIB has one V for both halves of A; rounding in an engine's own A may make them differ.
constexpr double kMostCouplingAsymmetry = 1e-8;

/// Where the rows of a problem go: slot ≥ 0 of a contact row, −1 − slot of an equality row.
struct Slots {
  std::vector<int> of_row;
  int contact_slots = 0;
  int equality_slots = 0;
};

void RefuseWhatFclibCannotSay(const Problem& problem) {
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const RowGroup& group = problem.groups()[g];
    Require(group.kind != GroupKind::kBox, "FCLIB has no bounded rows: group ", g, ", row ",
            group.first_row, " lies in [", problem.lower()[group.first_row], ", ",
            problem.upper()[group.first_row], "]");
    if (group.kind != GroupKind::kContact) continue;
    Require(group.spinning == 0, "FCLIB has no spinning friction: group ", g, ", row ",
            group.first_row);
    Require(group.rolling == 0, "FCLIB local and global problems have no rolling friction: group ",
            g, ", row ", group.first_row);
    Require(group.law.kind != LawKind::kBox, "FCLIB has no frozen friction bounds: group ", g,
            ", row ", group.first_row, " has law box");
  }
}

void RemarkOnContacts(const Problem& problem, std::vector<std::string>* remarks) {
  int other_law = 0;
  int keys = 0;
  int estimates = 0;
  Law law;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind != GroupKind::kContact) continue;
    if (group.law.kind != LawKind::kNcp) {
      law = group.law;
      ++other_law;
    }
    if (group.key != 0) ++keys;
    if (!std::isnan(group.normal_estimate)) ++estimates;
  }
  if (other_law > 0) {
    remarks->push_back(
        fmt::format("the law of {} contacts ({}) is not stored: FCLIB means ncp, Coulomb's law",
                    other_law, ToString(law)));
  }
  if (keys > 0) remarks->push_back(fmt::format("identities of {} contacts are not stored", keys));
  if (estimates > 0) {
    remarks->push_back(
        fmt::format("estimated normal impulses of {} contacts are not stored", estimates));
  }
}

Slots AssignSlots(const Problem& problem, FclibExport* result) {
  Slots slots;
  slots.of_row.resize(problem.rows());
  int most_tangents = problem.contacts() > 0 ? 1 : 2;
  int padded = 0;
  for (const RowGroup& group : problem.groups())
    most_tangents = std::max(most_tangents, group.tangents);
  result->problem.spacedim = 1 + most_tangents;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) {
      for (int k = 0; k < 1 + most_tangents; ++k) {
        const bool there = k < group.size;
        if (there) slots.of_row[group.first_row + k] = slots.contact_slots;
        result->contact_row.push_back(there ? group.first_row + k : -1);
        ++slots.contact_slots;
      }
      if (group.tangents < most_tangents) ++padded;
      result->problem.mu.push_back(group.friction);
    } else {
      for (int k = 0; k < group.size; ++k) {
        slots.of_row[group.first_row + k] = -1 - slots.equality_slots++;
        result->equality_row.push_back(group.first_row + k);
      }
    }
  }
  if (padded > 0) {
    result->remarks.push_back(
        fmt::format("{} contacts got tangent rows of zeros: FCLIB wants {} rows a contact", padded,
                    result->problem.spacedim));
  }
  result->problem.equalities = slots.equality_slots > 0;
  return slots;
}

/// Splits a vector over rows into contact and equality entries.
void Split(const std::vector<double>& values, const FclibExport& map, std::vector<double>* contact,
           std::vector<double>* equality) {
  contact->clear();
  equality->clear();
  for (int row : map.contact_row) contact->push_back(row >= 0 ? values[row] : 0.0);
  for (int row : map.equality_row) equality->push_back(values[row]);
}

void FillLocal(const Problem& problem, FclibStorage storage, const Slots& slots,
               FclibExport* result) {
  const CsrMatrix& a = problem.dynamics().Assembled();
  std::vector<Triplet> w;
  std::vector<Triplet> v;
  std::vector<Triplet> v_below;
  std::vector<Triplet> r;
  double largest = 0;
  for (int i = 0; i < a.rows; ++i) {
    const int si = slots.of_row[i];
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      const int sj = slots.of_row[a.column[k]];
      const double value = a.value[k];
      largest = std::max(largest, std::abs(value));
      if (si >= 0 && sj >= 0) w.push_back({si, sj, value});
      if (si >= 0 && sj < 0) v.push_back({si, -1 - sj, value});
      if (si < 0 && sj >= 0) v_below.push_back({sj, -1 - si, value});
      if (si < 0 && sj < 0) r.push_back({-1 - si, -1 - sj, value});
    }
  }
  FclibProblem& file = result->problem;
  file.W =
      FromCsr(FromTriplets("W", slots.contact_slots, slots.contact_slots, std::move(w)), storage);
  Split(problem.dynamics().bias(), *result, &file.q, &file.s);
  if (!file.equalities) return;

  std::vector<Triplet> both = v;
  for (const Triplet& entry : v_below) both.push_back({entry.row, entry.column, -entry.value});
  const CsrMatrix difference =
      FromTriplets("V", slots.contact_slots, slots.equality_slots, std::move(both));
  double asymmetry = 0;
  for (double value : difference.value) asymmetry = std::max(asymmetry, std::abs(value));
  asymmetry = largest > 0 ? asymmetry / largest : 0.0;
  Require(asymmetry <= kMostCouplingAsymmetry,
          "FCLIB stores V once, but A couples contacts to equalities unsymmetrically: relative "
          "difference ",
          asymmetry);
  if (asymmetry > 0) {
    result->remarks.push_back(fmt::format(
        "V is the upper half of A; the lower one differs by {:.3g}, relatively", asymmetry));
  }
  file.V =
      FromCsr(FromTriplets("V", slots.contact_slots, slots.equality_slots, std::move(v)), storage);
  file.R =
      FromCsr(FromTriplets("R", slots.equality_slots, slots.equality_slots, std::move(r)), storage);
}

void FillGlobal(const Problem& problem, FclibStorage storage, const Slots& slots,
                FclibExport* result) {
  MassForm form = ToMassForm(problem.dynamics());
  const SparseSystem& system = form.system;
  FclibProblem& file = result->problem;
  result->velocity_index = form.velocity_index;
  if (form.inverted) result->remarks.push_back("M is the inverse of what was stored, to rounding");

  // M v⁺ = H r + f with f = M v + h f; the product only where there is a velocity, for the bits.
  file.f = system.applied_impulse;
  const bool moving = std::any_of(system.velocity.begin(), system.velocity.end(),
                                  [](double value) { return value != 0; });
  if (moving) Multiply(system.mass, system.velocity.data(), file.f.data(), /*add=*/true);

  int variables = system.mass.rows;
  std::vector<Triplet> m;
  for (int i = 0; i < system.mass.rows; ++i) {
    for (int k = system.mass.row_start[i]; k < system.mass.row_start[i + 1]; ++k) {
      m.push_back({i, system.mass.column[k], system.mass.value[k]});
    }
  }
  std::vector<Triplet> h;
  std::vector<Triplet> g;
  const auto add = [&](int variable, int row, double value) {
    const int slot = slots.of_row[row];
    if (slot >= 0) {
      h.push_back({variable, slot, value});
    } else {
      g.push_back({variable, -1 - slot, value});
    }
  };
  for (int i = 0; i < system.jacobian.rows; ++i) {
    for (int k = system.jacobian.row_start[i]; k < system.jacobian.row_start[i + 1]; ++k) {
      add(system.jacobian.column[k], i, system.jacobian.value[k]);
    }
  }
  // c x is the velocity of a virtual mass 1/c that only row i pushes (peers do it likewise).
  for (int i = 0; i < problem.rows(); ++i) {
    if (system.compliance[i] == 0) continue;
    m.push_back({variables, variables, 1.0 / system.compliance[i]});
    add(variables++, i, 1.0);
    file.f.push_back(0.0);
    result->velocity_index.push_back(-1 - i);
    result->compliance = system.compliance;
  }
  const int virtual_velocities = variables - system.mass.rows;
  if (virtual_velocities > 0) {
    result->remarks.push_back(
        fmt::format("compliance of {} rows is said by one virtual velocity each, the last of v",
                    virtual_velocities));
  }
  file.M = FromCsr(FromTriplets("M", variables, variables, std::move(m)), storage);
  file.H = FromCsr(FromTriplets("H", variables, slots.contact_slots, std::move(h)), storage);
  if (file.equalities) {
    file.G = FromCsr(FromTriplets("G", variables, slots.equality_slots, std::move(g)), storage);
  }
  Split(system.bias, *result, &file.w, &file.b);
}

}  // namespace

FclibSolution FclibExport::SolutionOf(const Solution& solution) const {
  FclibSolution result;
  std::vector<double> unused;
  Split(solution.x, *this, &result.r, &result.l);
  Split(solution.w, *this, &result.u, &unused);
  if (problem.kind == FclibKind::kLocal) return result;
  for (int index : velocity_index) {
    if (index >= 0) {
      result.v.push_back(solution.v[index]);
    } else {
      result.v.push_back(compliance[-1 - index] * solution.x[-1 - index]);
    }
  }
  return result;
}

FclibExport ExportFclib(const Problem& problem, FclibKind kind, FclibStorage storage) {
  Require(problem.shared_dynamics() != nullptr, "an empty problem has nothing to export");
  RefuseWhatFclibCannotSay(problem);
  FclibExport result;
  result.problem.kind = kind;
  RemarkOnContacts(problem, &result.remarks);
  const Slots slots = AssignSlots(problem, &result);
  if (kind == FclibKind::kLocal) {
    FillLocal(problem, storage, slots, &result);
  } else {
    FillGlobal(problem, storage, slots, &result);
  }
  return result;
}

}  // namespace nonsmooth
