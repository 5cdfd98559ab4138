// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../law/feasible_set.h"
#include "result.h"
#include "solve_options.h"

namespace nonsmooth {

/// Called after every measured iteration with its record and the iterate x in row order; for plots,
/// live displays and other measures. Must not throw.
using Observer = std::function<void(const IterationRecord&, const double* x)>;

/// How a stage of a solve goes, see Monitor::BeginStage().
struct StageProgress {
  int iterations = 0;   ///< of this stage
  double seconds = 0;   ///< of this stage; 0 where the solve has no deadline
  double rate = 0;      ///< fall of ln(least error) per iteration, over the latest window
  double distance = 0;  ///< ln(least error / tolerance) that is left
};

/// Says whether a stage goes on; must not throw.
class StageWatch {
 public:
  virtual ~StageWatch() = default;
  virtual bool MayContinue(const StageProgress& progress) = 0;
};

/// Watches one solve from outside the solver: counts iterations, measures the energy error, keeps
/// the best iterate and the history, and says when to stop. A solver's main loop is
///
///     while (monitor.Continue(x)) { …one iteration… }
///
/// whose first call reports the starting point as iteration 0, which the driver has measured.
/// Solvers that keep x in a layout of their own measure it themselves where MeasureDue() and call
/// the overload that takes the error.
class Monitor {
 public:
  using Clock = std::chrono::steady_clock;

  /// What a solve begins with, in joules.
  struct Energies {
    double free = 0;   ///< error of x = 0
    double start = 0;  ///< error of what `best` holds
    double scale = 0;  ///< what relative_tolerance is relative to
    bool rough =
        false;  ///< the solver starts from a point that is worse than `best`, which is zero
  };

  /// [iterations] In which a rough start has to become better than zero.
  static constexpr int kProbation = 5;

  /// `best` holds the starting point, rows() entries, and receives the best iterate. Reuses memory.
  void Start(const FeasibleSet& set, const SolveOptions& options, const Energies& energies,
             Clock::time_point start, const Observer* observer, std::vector<double>* best);

  /// Time [s] to keep free before the deadline for what the driver does after the iteration.
  void ReserveTime(double seconds);

  /// The iterate x, with w = A x + b if the solver has it at hand. True: go on. A w that was
  /// carried from iteration to iteration, or came out of a linear system, may be far from A x + b
  /// where x is huge: nothing is said to have converged before a product with A has confirmed it.
  bool Continue(const double* x, const double* w = nullptr);

  /// True if the iterate about to be reported will be measured.
  bool MeasureDue() const;

  /// For solvers whose iterations are dear, or may end in the exact solution: every iterate of this
  /// stage is measured, whatever SolveOptions::measure_every says.
  void MeasureAll() { measure_every_ = 1; }

  /// For solvers with a layout of their own: the iterate's energy error where MeasureDue() (ignored
  /// otherwise), and a function that writes x in row order, called only if it is the best so far.
  template <class WriteX>
  bool Continue(double energy, const WriteX& write_x) {
    if (!MeasureDue()) return Advance();
    if (energy <= tolerance_) {
      x_.resize(w_.size());
      write_x(x_.data());
      energy = Measure(x_.data());
    }
    const bool keep = Judge(energy);
    if (keep) write_x(best_->data());
    if (observer_ != nullptr) {
      if (!keep) write_x(w_.data());
      Observe(energy, keep ? best_->data() : w_.data());
    }
    return Advance();
  }

  /// For solvers that smooth: the start was no better than zero, and the iterate after kProbation
  /// iterations, whose error this is, still is not. The solver then goes on from zero.
  bool StartFails(int iteration, double energy) {
    if (!rough_start_ || iteration != kProbation || energy < free_energy_) return false;
    Mention("zero for the start");
    return true;
  }
  bool OnProbation(int iteration) const { return rough_start_ && iteration == kProbation; }

  /// For the inside of a long iteration: the deadline is about to pass. The half-done iteration is
  /// then given up, and the next Continue() ends the loop. Continue() itself ends it already where
  /// the time left is less than the shortest iteration has taken. `needed` [s] is what cannot be
  /// interrupted and comes next.
  bool OutOfTime(double needed = 0);

  /// For a solver that hands over to others: every `window` iterations `watch` is asked whether the
  /// one that runs goes on; where not, its loop ends without ending the solve. All iterates of such
  /// a stage are measured. Null: let it run.
  void BeginStage(int window, StageWatch* watch);

  /// Takes back what a solver of an earlier stage has said, unless the budget is spent. True: the
  /// next one may run.
  bool Resume();

  /// The best iterate so far, where a next stage starts.
  const std::vector<double>& best() const { return *best_; }

  const SolveOptions& options() const { return options_; }

  bool has_deadline() const { return has_deadline_; }

  /// [s] until the deadline, less what is kept free; infinite where there is none.
  double SecondsLeft() const;

  /// The solver gives up: nothing more to gain, or its numerics broke down.
  void Stop(Status status, std::string_view remark = {});

  /// Something had to be given up, or another method goes on for the one that was asked for: its
  /// name is then part of the remark.
  void CountFallback(std::string_view stand_in = {});

  /// The remark says "with <stand_in>".
  void Mention(std::string_view stand_in);

  /// The rows contradict each other: no impulses have less error than `bound` [J], and these, which
  /// `write_x` writes in row order, are near it. They are returned even if others had a little
  /// less.
  template <class WriteX>
  void StopAtBound(double bound, double energy, const WriteX& write_x) {
    if (status_ == Status::kDeadline) return;
    bound_ = bound;
    best_energy_ = energy;
    best_iteration_ = iteration_;
    write_x(best_->data());
    Stop(Status::kContradictory, "the rows contradict each other: this is the least error");
  }

  Status status() const { return status_; }
  int iterations() const { return iteration_; }
  int best_iteration() const { return best_iteration_; }
  double best_energy() const { return best_energy_; }
  double free_energy() const { return free_energy_; }
  double tolerance() const { return tolerance_; }
  double bound() const { return bound_; }
  int fallbacks() const { return fallbacks_; }

  /// What was said last, and who stood in. Reuses the memory of `remark`.
  void WriteRemark(std::string* remark) const;
  std::vector<IterationRecord>& history() { return history_; }
  double Seconds() const;

 private:
  double Measure(const double* x);
  bool Judge(double energy);
  void Observe(double energy, const double* x) const;
  bool Advance();
  bool StageEnds();
  void LearnIterationTime();

  const FeasibleSet* set_ = nullptr;
  SolveOptions options_;
  const Observer* observer_ = nullptr;
  std::vector<double>* best_ = nullptr;
  Clock::time_point start_;
  Clock::time_point give_up_at_;
  bool has_deadline_ = false;
  bool rough_start_ = false;
  Clock::time_point last_advance_;
  Clock::duration shortest_iteration_{0};  ///< of problems of this size
  double free_energy_ = 0;
  double tolerance_ = 0;

  Status status_ = Status::kNotRun;
  std::string remark_;
  std::string stand_ins_;  ///< names, each once
  int measure_every_ = 1;
  int iteration_ = -1;
  int best_iteration_ = 0;
  double best_energy_ = 0;
  double bound_ = 0;
  int progress_iteration_ = 0;
  double progress_energy_ = 0;
  int fallbacks_ = 0;
  StageWatch* stage_watch_ = nullptr;
  int stage_window_ = 0;
  int stage_begin_ = 0;  ///< iterations before it
  int stage_check_ = 0;  ///< iteration of the next look
  double stage_energy_ = 0;
  double stage_seconds_ = 0;  ///< when it began
  std::vector<IterationRecord> history_;
  std::vector<double> w_;
  std::vector<double> x_;  ///< of a solver with a layout of its own, to be confirmed
  OperatorWorkspace workspace_;
};

}  // namespace nonsmooth
