// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/stl.h>

#include "python/arrays-inl.h"
#include "recorders/interchange/problem_source.h"
#include "recorders/replay/provenance.h"

namespace nonsmooth::python {
namespace {

/// A step with what its reader has to say.
using Step = SourceStep;

std::int64_t Index(const ProblemSource& source, std::int64_t index) {
  const std::int64_t steps = source.steps();
  const std::int64_t from_start = index < 0 ? index + steps : index;
  if (from_start < 0 || from_start >= steps) {
    throw py::index_error(source.path() + ": step " + std::to_string(index) + " of " +
                          std::to_string(steps));
  }
  return from_start;
}

void BindStep(py::module_& module) {
  const auto array = [](std::vector<double> CapturedStep::*field) {
    return [field](const py::object& self) {
      return View(self.cast<const Step&>().step.*field, self);
    };
  };
  py::class_<Step>(module, "Step", "One subproblem, and what the engine made of it")
      .def_property_readonly("problem", [](const Step& s) { return s.step.problem; })
      .def_property_readonly("x0", array(&CapturedStep::x0), "Warm start; empty: not known")
      .def_property_readonly("x", array(&CapturedStep::x), "The engine's impulses, likewise")
      .def_property_readonly("w", array(&CapturedStep::w), "Its constraint velocities")
      .def_property_readonly("v", array(&CapturedStep::v), "Its velocities after the step")
      .def_property_readonly("step", [](const Step& s) { return s.step.info.step; })
      .def_property_readonly("island", [](const Step& s) { return s.step.info.island; })
      .def_property_readonly(
          "time", [](const Step& s) { return s.step.info.time; }, "[s] NaN: not known")
      .def_property_readonly(
          "h", [](const Step& s) { return s.step.info.h; }, "[s] NaN: not known")
      .def_property_readonly("solver", [](const Step& s) { return s.step.info.solver; })
      .def_property_readonly("iterations", [](const Step& s) { return s.step.info.iterations; })
      .def_property_readonly("seconds", [](const Step& s) { return s.step.info.seconds; })
      .def_property_readonly("remarks", [](const Step& s) { return s.remarks; });
}

}  // namespace

void BindFile(py::module_& module) {
  BindStep(module);
  py::class_<ProblemSource>(module, "File", "Problems in a file of any format, read one by one")
      .def("__len__", &ProblemSource::steps)
      .def("__getitem__",
           [](const ProblemSource& source, std::int64_t index) {
             const std::int64_t step = Index(source, index);
             const py::gil_scoped_release release;
             return std::make_unique<Step>(source.Read(step));
           })
      .def_property_readonly("path", &ProblemSource::path)
      .def_property_readonly(
          "format", [](const ProblemSource& s) { return std::string(ToString(s.format())); })
      .def_property_readonly("engine", [](const ProblemSource& s) { return s.info().engine; })
      .def_property_readonly("scene", [](const ProblemSource& s) { return s.info().scene; })
      .def("__repr__", [](const ProblemSource& s) {
        return "<nonsmooth.File '" + s.path() + "': " + std::string(ToString(s.format())) + ", " +
               std::to_string(s.steps()) + " steps>";
      });
  module.def(
      "open",
      [](const py::object& path) {
        const auto text = py::str(path).cast<std::string>();
        const py::gil_scoped_release release;
        return OpenSource(text);
      },
      "A capture, an FCLIB file, or one of Lu et al.'s interface; told by what is in it.",
      py::arg("path"));
}

}  // namespace nonsmooth::python

PYBIND11_MODULE(nonsmooth, module) {
  module.doc() = "Contact problems of physics engines: read, posed, solved and judged in joules.";
  module.attr("__version__") = nonsmooth::Version();
  pybind11::register_exception<nonsmooth::FileError>(module, "FileError", PyExc_OSError);
  nonsmooth::python::BindProblem(module);
  nonsmooth::python::BindSolver(module);
  nonsmooth::python::BindFile(module);
}
