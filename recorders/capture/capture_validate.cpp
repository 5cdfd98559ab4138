// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <exception>

#include "recorders/capture/capture_reader.h"

namespace nonsmooth {
namespace {

class Validator {
 public:
  explicit Validator(int most) : most_(most) {}

  bool full() const { return static_cast<int>(findings_.size()) >= most_; }

  void Add(std::string object, std::int64_t step, std::string what) {
    if (!full()) findings_.push_back({std::move(object), step, std::move(what)});
  }

  void Finite(const char* object, std::int64_t step, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i])) continue;
      Add(object, step, "entry " + std::to_string(i) + " is not finite");
      return;
    }
  }

  template <std::size_t N>
  void Finite(const char* object, std::int64_t step, std::size_t entry,
              const std::array<double, N>& values) {
    for (double value : values) {
      if (std::isfinite(value)) continue;
      Add(object, step, "entry " + std::to_string(entry) + " is not finite");
      return;
    }
  }

  void Step(std::int64_t index, const CapturedStep& step) {
    const StepInfo& info = step.info;
    // NaN is allowed: converted files do not always know.
    if (std::isinf(info.time)) Add("/steps", index, "time is not finite");
    if (info.h < 0 || std::isinf(info.h)) Add("/steps", index, "h is not a number >= 0");
    Finite("/rows/violation", index, step.violation);
    Finite("/solution/x0", index, step.x0);
    Finite("/solution/x", index, step.x);
    Finite("/solution/w", index, step.w);
    Finite("/solution/v", index, step.v);
    for (std::size_t i = 0; i < step.bodies.size(); ++i) {
      Finite("/bodies/positions", index, i, step.bodies[i].position);
      Finite("/bodies/quaternions", index, i, step.bodies[i].quaternion);
      Finite("/bodies/inertia", index, i, step.bodies[i].inertia);
      if (!std::isfinite(step.bodies[i].mass)) {
        Add("/bodies/masses", index, "entry " + std::to_string(i) + " is not finite");
      }
    }
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      Finite("/contacts/points", index, i, step.contacts[i].point);
      Finite("/contacts/normals", index, i, step.contacts[i].normal);
      Finite("/contacts/tangents", index, i, step.contacts[i].tangents);
      const std::array<double, 3> numbers{step.contacts[i].gap, step.contacts[i].restitution,
                                          step.contacts[i].cohesion};
      Finite("/contacts/gap, restitution, cohesion", index, i, numbers);
    }
  }

  std::vector<CaptureFinding> findings_;

 private:
  int most_;
};

}  // namespace

std::vector<CaptureFinding> ValidateCapture(const std::string& path, int most) {
  Validator validator(most);
  try {
    const CaptureReader reader(path);
    if (reader.uncommitted() > 0) {
      validator.Add("/steps", reader.steps(),
                    std::to_string(reader.uncommitted()) + " rows were never committed");
    }
    try {
      (void)reader.Shapes();
    } catch (const FileError& error) {
      validator.Add(error.object(), -1, error.cause());
    }
    CapturedStep step;
    for (std::int64_t i = 0; i < reader.steps() && !validator.full(); ++i) {
      try {
        reader.Read(i, step);
        validator.Step(i, step);
      } catch (const FileError& error) {
        validator.Add(error.object(), i, error.cause());
      }
    }
  } catch (const FileError& error) {
    validator.Add(error.object(), -1, error.cause());
  } catch (const std::exception& error) {
    validator.Add("", -1, error.what());
  }
  return std::move(validator.findings_);
}

}  // namespace nonsmooth
