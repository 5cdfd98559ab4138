// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "../../formulations/boxed_mlcp.h"
#include "../../solver/solver.h"
#include "coupled_newton.h"
#include "coupled_path.h"

namespace nonsmooth {

/// Fitted on Bullet's captured wall and on piles of spheres, docs/tuning.md.
struct BoxedPivotingTuning {
  /// [-] What ρ is raised by where a factorisation fails.
  double raise = 100;

  /// [-] What ρ falls by from round to round. Early rounds are easy, late ones exact.
  double lower = 0.1;

  /// [-] Of moving bounds: ρ falls after a round that has brought the change below this share of
  /// the last.
  double contraction = 0.3;

  /// [-] The least ρ.
  double least_regularisation = 1e-8;

  /// [-] The bounds of friction follow the normal impulses by a share, which falls by this where
  /// the change grows.
  double more_caution = 0.7;

  /// [-] And grows by this where it does not.
  double less_caution = 1.1;

  /// [-] The least share.
  double least_relaxation = 1.0 / 64;

  /// [rounds] Without a lower error, after which ρ goes up again and stays: x then moves less in a
  /// round.
  int stubborn_rounds = 12;

  /// [-] To this at the least.
  double stubborn = 1e-3;

  /// [rounds] Of moving bounds before Newton's method is tried, then twice as late each time.
  int first_newton_round = 4;

  /// [rounds] Without a lower error, after which nothing more is to be gained.
  int idle_rounds = 60;

  /// [rounds] Without a lower error, after which the problem is followed row by row.
  int idle_frozen_rounds = 6;

  /// [-] The same for moving bounds, by the number of pivots.
  int pivots_per_row = 3;
};

struct BoxedPivotingOptions {
  /// [-] ρ, what is added to the diagonal of A in the first round, as a share of it; it falls
  /// tenfold from round to round, to 1e-8. Redundant contacts make A singular, and index sets of a
  /// nearly singular matrix are hard to find: 1e-8 from the start takes ten times the pivots.
  double regularisation = 0.01;
};

/// What `murty`, `dantzig` and `bpp` have in common. They pivot on boxed MLCPs with a positive
/// definite matrix; this loop makes such problems of the one at hand,
///
///     Ã = ½ (A + Aᵀ) + ρ diag(A),   b̃ = b + (A − Ã) x_k,   bounds of the law frozen at x_k,
///
/// solves them in turn and ends where x_k+1 = x_k, which solves the problem as it was posed:
///
/// - redundant rows: the proximal point method, exact for every ρ; two to five rounds;
/// - A not quite symmetric, as imported ones: a splitting, contracting if the difference is small;
/// - `coupled_box`: a fixed point of the normal impulses that bound friction. Not a contraction in
///   general: the bounds follow by a share only, which falls where the change grows; ρ goes up
///   where that is not enough; and after 4, 8, 16, … rounds Newton's method on the index sets
///   (coupled_newton.h) tries to end it. Where the bounds do not settle in a few rounds, as in
///   walls that more contacts hold than are needed, the pivots go on with bounds that move along
///   with the normal impulses: coupled_path.h, one row at a time whichever rule came before.
///
/// A round begins with the index sets of the last one, so that late rounds cost one solve. Where a
/// factorisation fails ρ is raised a hundredfold (a fallback in the result). Every pivot is an
/// iteration, measured and kept if it is the best.
class BoxedPivoting : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  BoxedPivotingOptions& options() { return options_; }

 protected:
  enum class Outcome {
    kSolved,      ///< no row violates its law by more than rounding
    kStopped,     ///< the monitor said so
    kHard,        ///< given up after more pivots than are plausible; a larger ρ is easier
    kNotDefinite  ///< the factorisation failed
  };

  /// Ã in both triangles, its diagonal in every row.
  struct Model {
    CsrMatrix matrix;
    std::vector<double> diagonal;
    std::vector<double> vector;  ///< b̃
    BoxedMlcp bounds;
    std::vector<char> pinned;  ///< l = u: never free
    bool must_end = false;     ///< kHard is not an answer
    int rows() const { return matrix.rows; }
  };

  /// Beyond this many rows nothing is begun: a dense factor would take gigabytes.
  virtual int most_rows() const = 0;

  /// Memory for problems of this model's size; also called where only its values are new.
  virtual void Allocate(const Model& model) = 0;

  /// Solves the model from `x` and `state`, and leaves both at the solution. Calls Report() after
  /// every pivot.
  virtual Outcome SolveModel(const Model& model, std::vector<double>& x,
                             std::vector<RowState>& state, Monitor& monitor) = 0;

  /// True: go on.
  bool Report(const std::vector<double>& x, Monitor& monitor);

  /// By how much row i violates what its state wants [√J]: x out of bounds where it is free, w of
  /// the wrong sign otherwise. 0 if it is rounding.
  double Violation(const Model& model, int i, RowState state, double x, double w) const;

  /// The state on the other side of a violation.
  static RowState Pivoted(const Model& model, int i, RowState state, double x);

 private:
  void MakeModel(double regularisation);
  void FreezeModel(const std::vector<double>& x, const std::vector<double>& reference);
  double Distance(const std::vector<double>& x, const std::vector<double>& y) const;

  /// What the loop over rounds has learnt so far.
  struct Round {
    double regularisation = 0;        ///< ρ
    double least_regularisation = 0;  ///< that it may fall to
    double relaxation = 1;            ///< share by which the bounds of friction follow
    double last_change = std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();  ///< energy error [J]
    int count = 0;
    int idle = 0;  ///< rounds without a lower error
    int next_newton = 0;
    int first_iteration = 0;
    bool followed = false;  ///< the bounds, row by row
  };

  void Begin(const std::vector<double>& x);
  double Rounding(const std::vector<double>& x) const;
  void Rebuild(const std::vector<double>& x);
  bool RaiseRegularisation(const std::vector<double>& x, Monitor& monitor);
  bool FollowPath(Outcome outcome, Monitor& monitor);
  bool Gains(double change, Monitor& monitor);
  void Adapt(double change);

  BoxedPivotingOptions options_;
  BoxedPivotingTuning tuning_;
  const FeasibleSet* set_ = nullptr;
  const CsrMatrix* a_ = nullptr;
  Model model_;
  Round round_;
  bool moves_ = false;
  double threshold_ = 0;  ///< [√J]
  CoupledNewton newton_;
  CoupledPath path_;
  OperatorWorkspace workspace_;
  std::vector<RowState> state_;
  std::vector<double> w_, next_, trial_, reference_, image_;
};

/// y ← Ã x + b̃.
void ModelVelocity(const CsrMatrix& matrix, const std::vector<double>& vector,
                   const std::vector<double>& x, std::vector<double>& w);

}  // namespace nonsmooth
