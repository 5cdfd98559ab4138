// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "demos/papers/iterates.h"
#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// Y. Lu, J. Williams, J. Trinkle, C. Lacoursière, "Standard interface for data analysis of solvers
/// in multibody dynamics". All of it; its parts below.
void ReproduceLu(PaperOutput& output);

/// A solver of the paper's Table 2 and what stands for it here.
struct LuMethod {
  std::string name;    ///< the paper's, with its formulation
  std::string solver;  ///< ours; empty: LiteralPgs()
  Law law;
  std::vector<std::pair<std::string, std::string>> settings;
  int iterations = 100;
  double mixing = 0;  ///< of LiteralPgs()
};

/// All of Table 2, the interior point method of its Fig. 13 and the NCP-prox of its Fig. 14.
std::vector<LuMethod> LuMethods();

/// The paper's three errors of one iterate.
struct LuPoint {
  double total = 0;     ///< ½ φᵀφ under the law solved
  double normal = 0;    ///< under the law solved
  double friction = 0;  ///< of the resultant friction under the round cone, facets or not [J]
};

/// Their mean over problems after every iteration, the start included; a problem that is done
/// earlier counts with its last iterate.
struct LuCurve {
  std::vector<LuPoint> points;
  int iterations = 0;    ///< of the longest solve
  LuPoint Best() const;  ///< the iterate of least total error
};
LuCurve Converge(const LuMethod& method, const std::vector<Problem>& problems);

/// Projected Gauss–Seidel on Eq. 19 as it stands, with `mixing` added to its diagonal, which has
/// zeros (CFM), as a share of the mean diagonal of A; calls `see` with x after every sweep. Starts
/// from zero.
void LiteralPgs(const Problem& problem, const Law& law, double mixing, int sweeps,
                const std::function<void(int sweep, const double* x)>& see);

/// Sects. 6.2 and 6.3, Figs. 8, 9 and 11–14: spheres in a box, and logs.
void LuConvergence(PaperOutput& output);
std::vector<Problem> LuSpheres(PaperOutput& output);  ///< ten steps while they roll

/// Three moments while the logs pile up; the paper shows one and does not say which. All of
/// them are drawn and in the claims.
std::vector<Problem> LuLogs(PaperOutput& output);

/// Sect. 6.1, Figs. 5 and 6: Gauss–Seidel on every step of the gripper; root mean square of the
/// constraints' violations after 10 and after 40 iterations.
struct LuGripper {
  std::vector<double> at_10;
  std::vector<double> at_40;
};
LuGripper LuGripperErrors(PaperOutput& output, int steps);

}  // namespace nonsmooth::papers
