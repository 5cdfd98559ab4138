// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "recorders/hdf5/file.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/interchange/lu_et_al/lu_file.h"

namespace nonsmooth {
namespace {

void WriteTable(const hdf5::Group& group, const char* name, const std::vector<double>& values,
                std::uint64_t width) {
  group.Write<double>(name, values, {values.size() / width, width});
}

void WriteIntegers(const hdf5::Group& group, const char* name, const std::vector<int>& values,
                   std::uint64_t width = 1) {
  group.Write<std::int32_t>(name, values,
                            width == 1 ? hdf5::Dimensions{values.size()}
                                       : hdf5::Dimensions{values.size() / width, width});
}

void WriteNumber(const hdf5::Group& group, const char* name, double value) {
  if (!std::isnan(value)) group.Write<double>(name, std::vector<double>{value});
}

void WriteSolution(const hdf5::Group& group, const LuFrame& frame) {
  group.Write<double>("z", frame.z)
      .WriteAttribute("order",
                      "rows of the constraints, then normal and two tangents of each contact");
  if (!frame.slide_or_stick.empty()) WriteIntegers(group, "slide_or_stick", frame.slide_or_stick);
  if (frame.iterations >= 0) WriteIntegers(group, "iterations", {frame.iterations});
  WriteNumber(group, "total_error", frame.total_error);
  WriteNumber(group, "normal_error", frame.normal_error);
  WriteNumber(group, "friction_error", frame.friction_error);
}

void WriteFrame(const hdf5::Group& frames, const std::string& name, LuDialect dialect,
                const LuFrame& frame) {
  const bool ode = dialect == LuDialect::kOde;
  const hdf5::Group group = frames.CreateGroup(name);
  if (frame.has_step) {
    group.Write<double>(ode ? "timestep" : "step", std::vector<double>{frame.step});
  }
  const hdf5::Group bodies = group.CreateGroup("bodies");
  WriteIntegers(bodies, "ids", frame.ids);
  if (ode) WriteIntegers(bodies, "states", frame.states);
  bodies.Write<double>("masses", frame.masses);
  WriteTable(bodies, ode ? "world_inertia_tensors" : "inertia", frame.inertia, 3);
  WriteTable(bodies, "positions", frame.positions, 3);
  WriteTable(bodies, "quaternions", frame.quaternions, 4);
  bodies.Write<double>("velocities", frame.velocities);
  bodies.Write<double>("forces", frame.forces);

  const hdf5::Group constraints = group.CreateGroup("constraints");
  WriteIntegers(constraints, "rows", frame.constraint_rows);
  WriteIntegers(constraints, "pairs", frame.constraint_pairs, 2);
  WriteTable(constraints, ode ? "Jacobian" : "jacobian", frame.jacobian, 12);
  WriteTable(constraints, "bounds", frame.bounds, 2);
  constraints.Write<double>(ode ? "violations" : "violation", frame.violation);
  if (ode) constraints.Write<double>("time_derivative", frame.time_derivative);

  const hdf5::Group contacts = group.CreateGroup("contacts");
  WriteIntegers(contacts, "pairs", frame.contact_pairs, 2);
  WriteTable(contacts, "points", frame.points, 3);
  WriteTable(contacts, "normals", frame.normals, 3);
  contacts.Write<double>(ode ? "gaps" : "gap", frame.gap);
  if (ode) {
    std::vector<double> pairs;
    std::vector<double> triples;
    for (double mu : frame.mu) {
      pairs.insert(pairs.end(), {mu, mu});
      triples.insert(triples.end(), {mu, mu, 0.0});
    }
    WriteTable(contacts, "mu_s", pairs, 2);
    WriteTable(contacts, "mu_k", triples, 3);
  } else {
    contacts.Write<double>("mu", frame.mu);
  }
  if (!frame.z.empty()) WriteSolution(group.CreateGroup("solution"), frame);
}

}  // namespace

void WriteLu(const std::string& path, LuDialect dialect, const std::vector<LuFrame>& frames) {
  const bool ode = dialect == LuDialect::kOde;
  ReplacementFile replacement(path);
  hdf5::File file = hdf5::File::Create(replacement.temporary_path());
  file.WriteAttribute("dialect", ode ? "ode" : "lu");
  file.WriteAttribute("producer", "nonsmooth");
  file.WriteAttribute("units", "SI; world axes; quaternions w x y z; mass 0 does not move");
  for (std::size_t k = 0; k < frames.size(); ++k) {
    WriteFrame(file, fmt::format("{}frame{:06}", ode ? "mbs_" : "", k + 1), dialect, frames[k]);
  }
  file.Finish(path);
  replacement.Commit();
}

}  // namespace nonsmooth
