// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "recorders/hdf5/file.h"
#include "recorders/interchange/lu_et_al/lu_file.h"

namespace nonsmooth {
namespace {

constexpr char kTimeStep[] = "timestep";
constexpr char kStep[] = "step";

/// One of two names, or empty if neither is there.
std::string Either(const hdf5::Group& group, const char* first, const char* second) {
  if (group.HasDataset(first)) return first;
  return group.HasDataset(second) ? second : "";
}

/// A table of `width` columns, or the same flattened.
hdf5::Dataset OpenTable(const hdf5::Group& group, const std::string& name, std::uint64_t width) {
  hdf5::Dataset dataset = group.OpenDataset(name);
  const hdf5::Dimensions& sizes = dataset.dimensions();
  const bool fits = sizes.size() <= 1 ? dataset.values() % width == 0
                                      : sizes.size() == 2 && (sizes[1] == width || width == 1);
  if (!fits) {
    std::string shape;
    for (std::uint64_t size : sizes) shape += (shape.empty() ? "" : " x ") + std::to_string(size);
    dataset.Fail("has shape " + shape + ", expected n x " + std::to_string(width));
  }
  return dataset;
}

std::vector<double> ReadNumbers(const hdf5::Dataset& dataset) {
  if (!dataset.is_integer()) return dataset.Read<double>();
  const std::vector<std::int64_t> integers = dataset.Read<std::int64_t>();
  return {integers.begin(), integers.end()};
}

std::vector<double> ReadTable(const hdf5::Group& group, const std::string& name,
                              std::uint64_t width) {
  return ReadNumbers(OpenTable(group, name, width));
}

std::vector<double> ReadTableIfThere(const hdf5::Group& group, const std::string& name,
                                     std::uint64_t width) {
  return group.HasDataset(name) ? ReadTable(group, name, width) : std::vector<double>();
}

/// Whole numbers, also where a writer stored them as floating-point ones.
std::vector<int> ReadIntegers(const hdf5::Group& group, const std::string& name,
                              std::uint64_t width) {
  const hdf5::Dataset dataset = OpenTable(group, name, width);
  if (dataset.is_integer()) return dataset.Read<std::int32_t>();
  std::vector<int> integers;
  for (double value : dataset.Read<double>()) {
    if (!(std::abs(value) <= std::numeric_limits<int>::max()) || value != std::floor(value)) {
      dataset.Fail("entry " + std::to_string(integers.size()) + " is not a whole number");
    }
    integers.push_back(static_cast<int>(value));
  }
  return integers;
}

std::vector<int> ReadIntegersIfThere(const hdf5::Group& group, const std::string& name,
                                     std::uint64_t width) {
  return group.HasDataset(name) ? ReadIntegers(group, name, width) : std::vector<int>();
}

double ReadNumber(const hdf5::Group& group, const std::string& name) {
  const hdf5::Dataset dataset = group.OpenDataset(name);
  if (dataset.values() != 1) {
    dataset.Fail("has " + std::to_string(dataset.values()) + " values, expected 1");
  }
  return ReadNumbers(dataset)[0];
}

double ReadNumberIfThere(const hdf5::Group& group, const char* name) {
  return group.HasDataset(name) ? ReadNumber(group, name) : LuFrame::kNone;
}

void ReadBodies(const hdf5::Group& group, LuFrame* frame) {
  const std::string inertia = Either(group, "world_inertia_tensors", "inertia");
  frame->masses = ReadTable(group, "masses", 1);
  frame->inertia = ReadTable(group, inertia.empty() ? "inertia" : inertia, 3);
  frame->positions = ReadTable(group, "positions", 3);
  frame->quaternions = ReadTableIfThere(group, "quaternions", 4);
  frame->velocities = ReadTable(group, "velocities", 1);
  frame->forces = ReadTable(group, "forces", 1);
  frame->ids = ReadIntegersIfThere(group, "ids", 1);
  frame->states = ReadIntegersIfThere(group, "states", 1);
}

void ReadConstraints(const hdf5::Group& group, LuFrame* frame) {
  const std::string jacobian = Either(group, "Jacobian", "jacobian");
  const std::string violation = Either(group, "violations", "violation");
  frame->constraint_rows = ReadIntegers(group, "rows", 1);
  frame->constraint_pairs = ReadIntegers(group, "pairs", 2);
  frame->jacobian = ReadTable(group, jacobian.empty() ? "jacobian" : jacobian, 12);
  frame->bounds = ReadTableIfThere(group, "bounds", 2);
  frame->violation = ReadTable(group, violation.empty() ? "violation" : violation, 1);
  frame->time_derivative = ReadTableIfThere(group, "time_derivative", 1);
}

void ReadContacts(const hdf5::Group& group, LuFrame* frame) {
  const std::string gap = Either(group, "gaps", "gap");
  frame->contact_pairs = ReadIntegers(group, "pairs", 2);
  frame->points = ReadTable(group, "points", 3);
  frame->normals = ReadTable(group, "normals", 3);
  frame->gap = ReadTable(group, gap.empty() ? "gap" : gap, 1);
  if (group.HasDataset("mu")) {
    frame->mu = ReadTable(group, "mu", 1);
    return;
  }
  // Static friction along two directions; ODE's mu_k is not read, its indices overlap.
  const std::vector<double> pairs = ReadTable(group, "mu_s", 2);
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) frame->mu.push_back(pairs[k]);
}

void ReadSolution(const hdf5::Group& group, LuFrame* frame) {
  frame->z = ReadTableIfThere(group, "z", 1);
  frame->slide_or_stick = ReadIntegersIfThere(group, "slide_or_stick", 1);
  frame->total_error = ReadNumberIfThere(group, "total_error");
  frame->normal_error = ReadNumberIfThere(group, "normal_error");
  frame->friction_error = ReadNumberIfThere(group, "friction_error");
  const double iterations = ReadNumberIfThere(group, "iterations");
  if (iterations >= 0 && iterations <= std::numeric_limits<int>::max()) {
    frame->iterations = static_cast<int>(iterations);
  }
}

/// frame2 before frame10: by the text before the last digits, then by their number.
std::tuple<std::string, unsigned long long, std::string> Order(const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name.size() - digits < 18 && std::isdigit(name[digits - 1]) != 0) --digits;
  const std::string tail = name.substr(digits);
  return {name.substr(0, digits), tail.empty() ? 0 : std::stoull(tail), name};
}

bool LooksLikeFrame(const hdf5::Group& root, const std::string& name) {
  if (!root.HasGroup(name)) return false;
  const hdf5::Group group = root.OpenGroup(name);
  return group.HasGroup("bodies") && group.OpenGroup("bodies").HasDataset("masses");
}

}  // namespace

bool LuFile::Recognise(const hdf5::File& file) {
  for (const std::string& name : file.Children()) {
    if (LooksLikeFrame(file, name)) return true;
  }
  return false;
}

LuFile::~LuFile() = default;

LuFile::LuFile(const std::string& path)
    : file_(std::make_unique<hdf5::File>(hdf5::File::Open(path))) {
  for (const std::string& name : file_->Children()) {
    if (LooksLikeFrame(*file_, name)) names_.push_back(name);
  }
  if (names_.empty()) throw FileError(path, "/", "has no frames of Lu et al.'s interface");
  std::sort(names_.begin(), names_.end(),
            [](const std::string& a, const std::string& b) { return Order(a) < Order(b); });
  const hdf5::Group bodies = file_->OpenGroup(names_.front()).OpenGroup("bodies");
  dialect_ = bodies.HasDataset("world_inertia_tensors") ? LuDialect::kOde : LuDialect::kPaper;
  own_ = file_->HasAttribute("dialect") && file_->HasAttribute("producer") &&
         file_->ReadTextAttribute("producer").rfind("nonsmooth", 0) == 0;
}

LuFrame LuFile::Read(std::int64_t index) const {
  if (index < 0 || index >= frames()) {
    throw std::invalid_argument(file_->file() + ": there is no frame " + std::to_string(index) +
                                ", it has " + std::to_string(frames()));
  }
  const hdf5::Group group = file_->OpenGroup(names_[index]);
  LuFrame frame;
  frame.dialect = dialect_;
  frame.name = names_[index];
  frame.own = own_;
  const std::string step = Either(group, kTimeStep, kStep);
  frame.has_step = !step.empty();
  if (frame.has_step) frame.step = ReadNumber(group, step);
  ReadBodies(group.OpenGroup("bodies"), &frame);
  if (group.HasGroup("constraints")) ReadConstraints(group.OpenGroup("constraints"), &frame);
  if (group.HasGroup("contacts")) ReadContacts(group.OpenGroup("contacts"), &frame);
  if (group.HasGroup("solution")) ReadSolution(group.OpenGroup("solution"), &frame);
  return frame;
}

double LuFile::StepNear(std::int64_t index) const {
  const auto step_of = [this](std::int64_t k) {
    const hdf5::Group group = file_->OpenGroup(names_[k]);
    const std::string name = Either(group, kTimeStep, kStep);
    return name.empty() ? LuFrame::kNone : ReadNumber(group, name);
  };
  for (std::int64_t k = index; k >= 0; --k) {
    const double step = step_of(k);
    if (!std::isnan(step)) return step;
  }
  for (std::int64_t k = index + 1; k < frames(); ++k) {
    const double step = step_of(k);
    if (!std::isnan(step)) return step;
  }
  return LuFrame::kNone;
}

}  // namespace nonsmooth
