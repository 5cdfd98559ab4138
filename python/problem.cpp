// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"
#include "python/arrays-inl.h"
#include "python/body_matrices-inl.h"

namespace nonsmooth::python {
namespace {

/// RowGroup for NumPy.
struct GroupRow {
  std::int32_t kind;
  std::int32_t first_row;
  std::int32_t size;
  std::int32_t tangents;
  std::int32_t spinning;
  std::int32_t rolling;
  double friction;
  double spinning_friction;
  double rolling_friction;
  std::uint64_t key;
};

py::array Groups(const Problem& problem) {
  py::array_t<GroupRow> array(static_cast<py::ssize_t>(problem.groups().size()));
  GroupRow* row = array.mutable_data();
  for (const RowGroup& group : problem.groups()) {
    *row++ = {static_cast<std::int32_t>(group.kind),
              group.first_row,
              group.size,
              group.tangents,
              group.spinning,
              group.rolling,
              group.friction,
              group.spinning_friction,
              group.rolling_friction,
              group.key};
  }
  return std::move(array);
}

std::vector<std::string> Laws(const Problem& problem) {
  std::vector<std::string> laws;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) laws.push_back(ToString(group.law));
  }
  return laws;
}

template <class T>
const T* As(const Problem& problem) {
  return problem.rows() == 0 ? nullptr : dynamic_cast<const T*>(&problem.dynamics());
}

py::object Jacobian(const Problem& problem) {
  if (const auto* sparse = As<SparseDynamics>(problem)) {
    return ToScipy(sparse->system().jacobian, Keep(problem.shared_dynamics()));
  }
  if (const auto* trees = As<ArticulatedDynamics>(problem)) {
    return ToScipy(trees->system().jacobian, Keep(problem.shared_dynamics()));
  }
  const auto* bodies = As<TwoBodyDynamics>(problem);
  Require(bodies != nullptr, "problem: only A and b are known, there is no J");
  return ToScipy(BodyJacobian(*bodies));
}

py::object Mass(const Problem& problem, bool inverse) {
  const auto* sparse = As<SparseDynamics>(problem);
  if (sparse != nullptr && !inverse) {
    return ToScipy(sparse->system().mass, Keep(problem.shared_dynamics()));
  }
  if (const auto* trees = As<ArticulatedDynamics>(problem)) {
    Require(inverse, "problem: of trees of joints M_inverse is known, M is not");
    const py::object root = ToScipy(trees->system().mass_root, Keep(problem.shared_dynamics()));
    return root.attr("dot")(root.attr("T")).attr("tocsr")();
  }
  const auto* bodies = As<TwoBodyDynamics>(problem);
  Require(bodies != nullptr, sparse != nullptr
                                 ? "problem: M is sparse and its inverse is not; solve with M"
                                 : "problem: only A and b are known, there is no M");
  return ToScipy(inverse ? BodyInverseMass(*bodies) : BodyMass(*bodies));
}

py::array FreeVelocity(const Problem& problem) {
  py::array_t<double> v(problem.rows() == 0 ? 0 : problem.dynamics().velocity_size());
  if (v.size() > 0) problem.dynamics().FreeVelocity(v.mutable_data());
  return std::move(v);
}

py::array Friction(const Problem& problem) {
  py::array_t<double> mu(problem.contacts());
  double* value = mu.mutable_data();
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) *value++ = group.friction;
  }
  return std::move(mu);
}

/// Of rows without further description: contacts of equal shape, as many as there are coefficients.
std::vector<RowGroup> ContactGroups(int rows, const std::vector<double>& mu, const Law& law) {
  const auto contacts = static_cast<int>(mu.size());
  Require(contacts > 0 && rows % contacts == 0 && rows / contacts <= 3, "problem: ", rows,
          " rows and ", contacts, " coefficients mu do not make contacts of 1, 2 or 3 rows");
  std::vector<RowGroup> groups(mu.size());
  for (int k = 0; k < contacts; ++k) {
    RowGroup& group = groups[static_cast<std::size_t>(k)];
    group.kind = GroupKind::kContact;
    group.size = rows / contacts;
    group.first_row = k * group.size;
    group.tangents = group.size - 1;
    group.friction = mu[static_cast<std::size_t>(k)];
    group.law = law;
  }
  return groups;
}

/// ("equality", size), ("box", size) or ("contact", mu, tangents = 2).
RowGroup ParseGroup(const py::tuple& text, int first_row, const Law& law) {
  RowGroup group;
  const auto kind = text[0].cast<std::string>();
  group.first_row = first_row;
  if (kind == "contact") {
    group.kind = GroupKind::kContact;
    Require(text.size() >= 2, "groups: a contact is ('contact', mu, tangents)");
    group.friction = text[1].cast<double>();
    group.tangents = text.size() > 2 ? text[2].cast<int>() : 2;
    group.size = 1 + group.tangents;
    group.law = law;
    return group;
  }
  Require(kind == "equality" || kind == "box", "groups: '", kind,
          "' is not one of contact, equality, box");
  group.kind = kind == "box" ? GroupKind::kBox : GroupKind::kEquality;
  group.size = text.size() > 1 ? text[1].cast<int>() : 1;
  return group;
}

struct Shape {
  std::vector<RowGroup> groups;
  std::vector<double> lower;
  std::vector<double> upper;
};

Shape MakeShape(int rows, const py::object& mu, const py::object& groups, const py::object& lower,
                const py::object& upper, const std::string& law) {
  Shape shape;
  Require(mu.is_none() != groups.is_none(), "problem: give either mu or groups");
  if (groups.is_none()) {
    shape.groups = ContactGroups(rows, FromNumpy("mu", mu), ParseLaw(law));
  } else {
    int row = 0;
    for (const py::handle& group : groups) {
      shape.groups.push_back(ParseGroup(group.cast<py::tuple>(), row, ParseLaw(law)));
      row += shape.groups.back().size;
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::size_t>(rows);
  shape.lower = lower.is_none() ? std::vector<double>(count, -infinity) : FromNumpy("lower", lower);
  shape.upper = upper.is_none() ? std::vector<double>(count, infinity) : FromNumpy("upper", upper);
  return shape;
}

Problem FromMatrix(const py::object& a, const py::object& b, const py::object& mu,
                   const py::object& groups, const py::object& lower, const py::object& upper,
                   const std::string& law) {
  CsrMatrix matrix = FromScipy("A", a);
  Shape shape = MakeShape(matrix.rows, mu, groups, lower, upper, law);
  return {std::make_shared<MatrixDynamics>(std::move(matrix), FromNumpy("b", b)),
          std::move(shape.groups), std::move(shape.lower), std::move(shape.upper)};
}

std::vector<double> OrZeros(const char* what, const py::object& object, int size) {
  return object.is_none() ? std::vector<double>(static_cast<std::size_t>(size))
                          : FromNumpy(what, object);
}

Problem FromMass(const py::object& mass, const py::object& jacobian, const py::object& velocity,
                 const py::object& impulse, const py::object& bias, const py::object& compliance,
                 const py::object& mu, const py::object& groups, const py::object& lower,
                 const py::object& upper, const std::string& law) {
  SparseSystem system;
  system.mass = FromScipy("M", mass);
  system.jacobian = FromScipy("J", jacobian);
  const int rows = system.jacobian.rows;
  const int columns = system.mass.rows;
  Shape shape = MakeShape(rows, mu, groups, lower, upper, law);
  system.velocity = OrZeros("v", velocity, columns);
  system.applied_impulse = OrZeros("hf", impulse, columns);
  system.bias = OrZeros("b0", bias, rows);
  system.compliance = OrZeros("compliance", compliance, rows);
  return {std::make_shared<SparseDynamics>(std::move(system)), std::move(shape.groups),
          std::move(shape.lower), std::move(shape.upper)};
}

}  // namespace

void BindProblem(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(GroupRow, kind, first_row, size, tangents, spinning, rolling, friction,
                       spinning_friction, rolling_friction, key);
  py::class_<Problem> problem(
      module, "Problem",
      "The contact problem of one step, w = A x + b with a law for every group of rows. Constant:\n"
      "its arrays are views of what the solvers use, and read-only.");
  problem.def_property_readonly("rows", &Problem::rows)
      .def_property_readonly("contacts", &Problem::contacts)
      .def_property_readonly("J", &Jacobian, "Jacobian, csr_matrix [rows, velocities]")
      .def_property_readonly(
          "M", [](const Problem& p) { return Mass(p, false); },
          "Mass matrix, csr_matrix; infinite where a body cannot move")
      .def_property_readonly(
          "M_inverse", [](const Problem& p) { return Mass(p, true); },
          "Its inverse, body by body; zero where a body cannot move")
      .def_property_readonly(
          "A",
          [](const Problem& p) {
            return p.rows() == 0 ? ToScipy(CsrMatrix())
                                 : ToScipy(p.dynamics().Assembled(), Keep(p.shared_dynamics()));
          },
          "J M^-1 J^T + C, csr_matrix, assembled when it is first asked for")
      .def_property_readonly(
          "b",
          [](const Problem& p) -> py::array {
            if (p.rows() == 0) return py::array_t<double>(0);
            return View(p.dynamics().bias(), Keep(p.shared_dynamics()));
          },
          "Constraint velocity of the free motion [m/s, rad/s]")
      .def_property_readonly("v_free", &FreeVelocity, "Velocities without any impulse")
      .def_property_readonly(
          "lower",
          [](const py::object& self) { return View(self.cast<const Problem&>().lower(), self); })
      .def_property_readonly(
          "upper",
          [](const py::object& self) { return View(self.cast<const Problem&>().upper(), self); })
      .def_property_readonly("mu", &Friction, "Friction coefficient of each contact")
      .def_property_readonly("laws", &Laws, "Friction law of each contact, as posed")
      .def_property_readonly("groups", &Groups,
                             "Structured array; kind 0: equality, 1: box, 2: contact")
      .def("__repr__", [](const Problem& p) {
        return "<nonsmooth.Problem: " + std::to_string(p.rows()) + " rows, " +
               std::to_string(p.contacts()) + " contacts>";
      });
  const py::none none;
  problem.def_static(
      "from_matrix", &FromMatrix,
      "A and b alone. `mu`: one a contact, of rows / len(mu) rows each; or `groups`:\n"
      "('contact', mu, tangents), ('equality', size), ('box', size) in their order.",
      py::arg("A"), py::arg("b"), py::arg("mu") = none, py::kw_only(), py::arg("groups") = none,
      py::arg("lower") = none, py::arg("upper") = none, py::arg("law") = "ncp");
  problem.def_static("from_mass", &FromMass,
                     "M v+ = M v + hf + J^T x, w = J v+ + b0 + C x; groups as in from_matrix.",
                     py::arg("M"), py::arg("J"), py::arg("v") = none, py::arg("hf") = none,
                     py::arg("b0") = none, py::arg("compliance") = none, py::kw_only(),
                     py::arg("mu") = none, py::arg("groups") = none, py::arg("lower") = none,
                     py::arg("upper") = none, py::arg("law") = "ncp");
}

}  // namespace nonsmooth::python
