// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "common/error/error_report.h"
#include "common/solve/driver.h"
#include "common/util/check.h"
#include "python/arrays-inl.h"

namespace nonsmooth::python {
namespace {

/// What a solve gives; arrays look into it.
struct Solved {
  Solution solution;
  Result result;
};

/// A driver that several threads may use: they take turns.
class PythonSolver {
 public:
  PythonSolver(const std::string& name, const py::kwargs& options) : driver_(name) {
    for (const auto& [key, value] : options) SetOption(key.cast<std::string>(), OptionText(value));
  }

  std::string name() const { return std::string(driver_.info().name); }

  std::unique_ptr<Solved> Solve(const Problem& problem, const py::object& start) {
    const std::vector<double> x0 = FromNumpy("start", start);
    auto solved = std::make_unique<Solved>();
    const py::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    driver_.Solve(problem, options_, start.is_none() ? nullptr : &x0, solved->solution,
                  solved->result);
    return solved;
  }

  py::dict Options() {
    py::dict options;
    for (const OptionFields& fields : {Fields(options_), driver_.Options()}) {
      for (const OptionField& field : fields) {
        options[py::str(std::string(field.name))] = ValueText(field);
      }
    }
    return options;
  }

 private:
  /// An option of every solve, or else one of this solver.
  void SetOption(const std::string& name, const std::string& text) {
    const OptionFields common = Fields(options_);
    const auto is_it = [&name](const OptionField& field) { return field.name == name; };
    const bool known = std::any_of(common.begin(), common.end(), is_it);
    Set(known ? "options" : driver_.info().name, known ? common : driver_.Options(), name, text);
  }

  Driver driver_;
  SolveOptions options_;
  std::mutex mutex_;
};

struct Errors {
  ErrorReport report;
  ErrorDetail detail;
};

std::unique_ptr<Errors> Measure(const Problem& problem, const py::object& x_given,
                                const py::object& w_given, const std::string& law,
                                const py::object& start) {
  const std::vector<double> x = FromNumpy("x", x_given);
  std::vector<double> w = FromNumpy("w", w_given);
  const std::vector<double> x0 = FromNumpy("start", start);
  const auto rows = static_cast<std::size_t>(problem.rows());
  RequireSize("errors", "x", x.size(), rows);
  if (!w_given.is_none()) RequireSize("errors", "w", w.size(), rows);
  if (!start.is_none()) RequireSize("errors", "start", x0.size(), rows);
  for (std::size_t i = 0; i < rows; ++i) {
    Require(std::isfinite(x[i]), "errors: x[", i, "] = ", x[i], " is not finite");
    Require(w.empty() || std::isfinite(w[i]), "errors: w[", i, "] is not finite");
  }
  auto errors = std::make_unique<Errors>();
  const Law parsed = ParseLaw(law);
  const py::gil_scoped_release release;
  if (rows == 0) return errors;
  if (w_given.is_none()) {
    OperatorWorkspace workspace;
    w.resize(rows);
    problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  }
  FeasibleSet set;
  set.Reset(problem, parsed, start.is_none() ? nullptr : x0.data());
  errors->report = MeasureErrors(set, x.data(), w.data(), &errors->detail);
  return errors;
}

void BindResult(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(IterationRecord, iteration, seconds, energy);
  const auto array = [](std::vector<double> Solution::*field) {
    return [field](const py::object& self) {
      return View(self.cast<const Solved&>().solution.*field, self);
    };
  };
  py::class_<Solved>(module, "Result")
      .def_property_readonly("x", array(&Solution::x), "Impulses [N s, N m s]")
      .def_property_readonly("w", array(&Solution::w), "Constraint velocities A x + b")
      .def_property_readonly("v", array(&Solution::v), "Velocities after the step")
      .def_property_readonly("status",
                             [](const Solved& s) { return std::string(ToString(s.result.status)); })
      .def_property_readonly("converged", [](const Solved& s) { return s.result.converged(); })
      .def_property_readonly("iterations", [](const Solved& s) { return s.result.iterations; })
      .def_property_readonly("best_iteration",
                             [](const Solved& s) { return s.result.best_iteration; })
      .def_property_readonly(
          "energy", [](const Solved& s) { return s.result.energy.sum; }, "Energy error [J]")
      .def_property_readonly(
          "relative", [](const Solved& s) { return s.result.energy.relative; },
          "Energy error / free energy")
      .def_property_readonly("seconds", [](const Solved& s) { return s.result.seconds.total(); })
      .def_property_readonly("remark", [](const Solved& s) { return std::string(s.result.remark); })
      .def_property_readonly(
          "history",
          [](const py::object& self) {
            return View(self.cast<const Solved&>().result.history, self);
          },
          "Structured array: iteration, seconds, energy [J]; with history=True")
      .def("__repr__", [](const Solved& s) {
        return "<nonsmooth.Result: " + std::string(ToString(s.result.status)) + " after " +
               std::to_string(s.result.iterations) + " iterations, " +
               py::str(py::float_(s.result.energy.sum)).cast<std::string>() + " J>";
      });
}

void BindErrors(py::module_& module) {
  const auto number = [](auto member) {
    return [member](const Errors& e) { return member(e.report); };
  };
  py::class_<Errors>(module, "Errors")
      .def_property_readonly(
          "per_row",
          [](const py::object& self) {
            return View(self.cast<const Errors&>().detail.energy, self);
          },
          "Energy error of each row [J]")
      .def_property_readonly("energy", number([](const ErrorReport& r) { return r.energy.sum; }),
                             "Energy error [J]")
      .def_property_readonly("relative",
                             number([](const ErrorReport& r) { return r.energy.relative; }))
      .def_property_readonly("free_energy",
                             number([](const ErrorReport& r) { return r.energy.free_energy; }))
      .def_property_readonly("natural", number([](const ErrorReport& r) { return r.natural.sum; }))
      .def_property_readonly("fischer_burmeister",
                             number([](const ErrorReport& r) { return r.fischer_burmeister.sum; }))
      .def_property_readonly("penalised_fischer_burmeister", number([](const ErrorReport& r) {
                               return r.penalised_fischer_burmeister.sum;
                             }))
      .def_property_readonly("lu_total", number([](const ErrorReport& r) { return r.lu.total; }))
      .def_property_readonly("lu_normal", number([](const ErrorReport& r) { return r.lu.normal; }))
      .def_property_readonly("fclib",
                             number([](const ErrorReport& r) { return r.fclib.relative; }));
  module.def("errors", &Measure,
             "Every measure of impulses x (and w = A x + b) under a law, for each row and in sum.",
             py::arg("problem"), py::arg("x"), py::arg("w") = py::none(), py::arg("law") = "native",
             py::arg("start") = py::none());
}

}  // namespace

void BindSolver(py::module_& module) {
  BindResult(module);
  BindErrors(module);
  py::class_<PythonSolver>(module, "Solver",
                           "A solver by name, with options of every solve (law, max_iterations,\n"
                           "relative_tolerance, history, ...) and its own (relaxation, ...).\n"
                           "Keeps its workspace; threads that share one take turns.")
      .def(py::init<const std::string&, const py::kwargs&>(), py::arg("name") = "auto")
      .def_property_readonly("name", &PythonSolver::name)
      .def_property_readonly("options", &PythonSolver::Options)
      .def("solve", &PythonSolver::Solve, py::arg("problem"), py::arg("start") = py::none());
  module.def(
      "solve",
      [](const Problem& problem, const std::string& solver, const py::object& start,
         const py::kwargs& options) { return PythonSolver(solver, options).Solve(problem, start); },
      "Solves a problem from `start` (or zero) with a solver and its options.", py::arg("problem"),
      py::arg("solver") = "auto", py::arg("start") = py::none());
  module.def("solvers", [] {
    py::dict solvers;
    for (const SolverInfo& info : Solvers()) {
      solvers[py::str(std::string(info.name))] = std::string(info.summary);
    }
    return solvers;
  });
}

}  // namespace nonsmooth::python
