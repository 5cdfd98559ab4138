// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "islands.h"
#include "renumbering.h"

namespace nonsmooth {

class ArticulatedDynamics;
class MatrixDynamics;
class SparseDynamics;
class TwoBodyDynamics;

/// One island of a problem as a problem of its own, in the same form as the whole. What the whole
/// knows already (b, diag(A), factors of M) is taken over, not computed again. Takes the memory of
/// the island before; for one thread at a time.
class ProblemPart {
 public:
  ProblemPart();
  ~ProblemPart();

  /// Becomes `island`, one of several, of `whole`. What it was before is gone: nobody may still
  /// look at problem().
  void Become(const Problem& whole, const Islands& islands, int island);

  const Problem& problem() const { return problem_; }

  /// part ← the entries of `whole`, one a row, that belong to the island.
  void Gather(const double* whole, std::vector<double>& part) const;

  /// The other way round, for rows, and for the velocities of what moves in the island.
  void ScatterRows(const std::vector<double>& part, double* whole) const;
  void ScatterVelocities(const std::vector<double>& part, double* whole) const;

  /// Row of the whole problem.
  int WholeRow(int row) const;

 private:
  struct Run {
    int whole;  ///< first row in the whole problem
    int part;   ///< and here
    int size;
  };
  void TakeGroups(const Problem& whole, IndexRange groups);
  void TakeRows(const std::vector<double>& from, std::vector<double>& to) const;
  void TakeBodies(const TwoBodyDynamics& whole, IndexRange movable);
  void TakeVariables(const SparseDynamics& whole, IndexRange variables);
  void TakeTrees(const ArticulatedDynamics& whole, IndexRange variables);
  void TakeMatrixRows(const CsrMatrix& from, const Renumbering& columns, CsrMatrix& to) const;
  void TakeMatrix(const MatrixDynamics& whole);
  template <class Form>
  Form& Reuse(std::shared_ptr<Form>& form);

  std::vector<Run> runs_;
  Renumbering nodes_;             ///< bodies, variables or rows
  Renumbering pivots_;            ///< of M's factor
  int movable_ = 0;               ///< nodes whose velocities are the island's
  int node_size_ = 0;             ///< velocities per node
  Dynamics* dynamics_ = nullptr;  ///< the form in use
  std::shared_ptr<Problem::Parts> parts_;
  std::shared_ptr<TwoBodyDynamics> bodies_;
  std::shared_ptr<ArticulatedDynamics> trees_;
  std::shared_ptr<SparseDynamics> sparse_;
  std::shared_ptr<MatrixDynamics> matrix_;
  Problem problem_;
};

}  // namespace nonsmooth
