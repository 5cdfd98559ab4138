// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "python/arrays-inl.h"

#include <pybind11/stl.h>

#include <limits>

#include "common/util/check.h"

namespace nonsmooth::python {

py::object ToScipy(const CsrMatrix& matrix, const py::object& owner) {
  static_assert(sizeof(int) == sizeof(std::int32_t), "SciPy's indices are 32 bits wide");
  const py::object make = py::module_::import("scipy.sparse").attr("csr_matrix");
  return make(py::make_tuple(View(matrix.value, owner), View(matrix.column, owner),
                             View(matrix.row_start, owner)),
              py::arg("shape") = py::make_tuple(matrix.rows, matrix.columns),
              py::arg("copy") = false);
}

py::object ToScipy(CsrMatrix&& matrix) {
  if (matrix.row_start.empty()) matrix.row_start.assign(1, 0);
  const auto kept = std::make_shared<const CsrMatrix>(std::move(matrix));
  return ToScipy(*kept, Keep(kept));
}

CsrMatrix FromScipy(const char* what, const py::object& object) {
  py::object given = object;
  if (!py::module_::import("scipy.sparse").attr("issparse")(object).cast<bool>()) {
    given = py::module_::import("numpy").attr("asarray")(object, py::arg("dtype") = "float64");
    Require(given.attr("ndim").cast<int>() == 2, what, " has ", given.attr("ndim").cast<int>(),
            " dimensions, expected 2");
  }
  const py::object csr =
      py::module_::import("scipy.sparse")
          .attr("csr_matrix")(given, py::arg("dtype") = "float64", py::arg("copy") = true);
  csr.attr("sum_duplicates")();  // and ascending columns
  const auto start = csr.attr("indptr").cast<std::vector<std::int64_t>>();
  Require(start.back() <= std::numeric_limits<int>::max(), what,
          " has too many entries: ", start.back());
  CsrMatrix matrix;
  matrix.rows = csr.attr("shape").cast<std::pair<int, int>>().first;
  matrix.columns = csr.attr("shape").cast<std::pair<int, int>>().second;
  matrix.row_start.assign(start.begin(), start.end());
  const auto column = py::array_t<int, py::array::forcecast>(csr.attr("indices"));
  const auto value = py::array_t<double, py::array::forcecast>(csr.attr("data"));
  matrix.column.assign(column.data(), column.data() + column.size());
  matrix.value.assign(value.data(), value.data() + value.size());
  return matrix;
}

std::vector<double> FromNumpy(const char* what, const py::object& object) {
  if (object.is_none()) return {};
  const py::array_t<double, py::array::c_style | py::array::forcecast> array(object);
  Require(array.ndim() == 1, what, " has ", array.ndim(), " dimensions, expected 1");
  return {array.data(), array.data() + array.size()};
}

std::string OptionText(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  return py::str(value).cast<std::string>();
}

}  // namespace nonsmooth::python
