// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace nonsmooth {

/// Two spellings of Lu et al.'s interface ("Framework for problem definition and solver comparison
/// in multibody dynamics", Table 1): the paper's own, and what the only public writer, an ODE
/// inside Gazebo, puts into groups `mbs_frame%06d`.
enum class LuDialect { kPaper, kOde };

/// One frame as it stands in the file, arrays flattened by rows. Fields a file lacks are empty. The
/// meanings are the paper's; ode_dialect.h says where ODE's differ.
struct LuFrame {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  LuDialect dialect = LuDialect::kPaper;
  std::string name;  ///< of its group

  bool has_step = false;  ///< ODE's writer leaves `timestep` out of some frames
  double step = 0;        ///< h [s]

  // bodies, n of them
  std::vector<int> ids;             ///< [n]
  std::vector<int> states;          ///< [n] +1 moves, −1 does not; ODE only
  std::vector<double> masses;       ///< [n] [kg]; 0: does not move
  std::vector<double> inertia;      ///< [3n, 3] [kg m²], world axes
  std::vector<double> positions;    ///< [n, 3] [m]
  std::vector<double> quaternions;  ///< [n, 4] w x y z
  std::vector<double> velocities;   ///< [6n] linear before angular
  std::vector<double> forces;       ///< [6n] [N, N m]

  // constraints, c of them with r rows together
  std::vector<int> constraint_rows;     ///< [c]
  std::vector<int> constraint_pairs;    ///< [c, 2] body ids, −1 the world
  std::vector<double> jacobian;         ///< [r, 12]
  std::vector<double> bounds;           ///< [r, 2]
  std::vector<double> violation;        ///< [r] [m, rad]
  std::vector<double> time_derivative;  ///< [r] [m/s, rad/s]; ODE only

  // contacts, k of them
  std::vector<int> contact_pairs;  ///< [k, 2] body ids, −1 the world
  std::vector<double> points;      ///< [k, 3] from body 1's centre of mass
  std::vector<double> normals;     ///< [k, 3] unit, out of body 1
  std::vector<double> gap;         ///< [k] [m]
  std::vector<double> mu;          ///< [k] (ODE: the first column of mu_s)

  // solution
  bool own = false;       ///< written by this project: z has an order that is known
  std::vector<double> z;  ///< impulses of the rows: constraints' rows, then n t₁ t₂ a contact
  int iterations = -1;    ///< −1: not known
  double total_error = kNone;
  double normal_error = kNone;
  double friction_error = kNone;
  std::vector<int> slide_or_stick;  ///< [k] 1 slides, 0 sticks, −1 open

  int bodies() const { return static_cast<int>(masses.size()); }
  int constraints() const { return static_cast<int>(constraint_rows.size()); }
  int contacts() const { return static_cast<int>(gap.size()); }
};

}  // namespace nonsmooth
