// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth {

/// A problem with what is known of its solution under the law it was made for.
struct TestProblem {
  Problem problem;
  std::vector<double> x;  ///< a solution; empty: none is known
  std::vector<double> w;  ///< of that solution
  bool unique_x = false;  ///< every solution has this x
  bool unique_w = false;  ///< every solution has this w
};

/// A problem of the collection; made when asked for, since many are listed and few are run.
struct CollectionEntry {
  std::string name;  ///< letters and digits
  std::function<TestProblem(const Law&)> make;
  std::vector<LawKind> laws;  ///< under which it is meant to be solved
};

const std::vector<LawKind>& AllLaws();

/// The whole collection, in a fixed order.
const std::vector<CollectionEntry>& Collection();

/// Throws std::invalid_argument if there is none of that name.
const CollectionEntry& FindProblem(const std::string& name);

/// Parts of the collection.
std::vector<CollectionEntry> ClosedFormProblems();
std::vector<CollectionEntry> RandomProblems();
std::vector<CollectionEntry> DegenerateProblems();
std::vector<CollectionEntry> PainleveProblems();

/// The same problem in the other forms; `problem` is one of packed bodies.
Problem AsSparse(const Problem& problem);
Problem AsMatrix(const Problem& problem);

/// Bodies are put together to trees, whose generalised velocities are mixed from theirs: all of a
/// tree is coupled, and A and b are what they were. Velocities of the solution are not.
Problem AsTrees(const Problem& problem, int bodies_per_tree);

/// AsMatrix with A made unsymmetric by `asymmetry` times its entries; b is such that (x, w) stays a
/// solution.
Problem AsUnsymmetricMatrix(const TestProblem& problem, double asymmetry);

}  // namespace nonsmooth
