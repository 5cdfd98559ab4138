// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/problem/csr_matrix.h"

namespace nonsmooth::python {

namespace py = pybind11;

/// A NumPy array that looks at `values`, which live as long as `owner`; read-only.
template <class T>
py::array View(const std::vector<T>& values, const py::object& owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return std::move(array);
}

/// Keeps a C++ object alive for the arrays that look into it.
template <class T>
py::capsule Keep(std::shared_ptr<const T> object) {
  auto* kept = new std::shared_ptr<const T>(std::move(object));
  return {kept, [](void* pointer) { delete static_cast<std::shared_ptr<const T>*>(pointer); }};
}

/// A scipy.sparse.csr_matrix over the arrays of `matrix`, without copying them.
py::object ToScipy(const CsrMatrix& matrix, const py::object& owner);

/// The same for a matrix that was made for Python: its arrays go with it.
py::object ToScipy(CsrMatrix&& matrix);

/// Any SciPy matrix or two-dimensional array. Throws std::invalid_argument naming `what`.
CsrMatrix FromScipy(const char* what, const py::object& object);

/// A vector; None is empty. Throws std::invalid_argument naming `what` for any other shape.
std::vector<double> FromNumpy(const char* what, const py::object& object);

/// "true", "12", "0.1", "ncp": as the command line takes options.
std::string OptionText(const py::handle& value);

void BindProblem(py::module_& module);
void BindSolver(py::module_& module);
void BindFile(py::module_& module);

}  // namespace nonsmooth::python
