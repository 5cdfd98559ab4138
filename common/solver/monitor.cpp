// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/monitor.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kProgress = 0.999;  // of the least error: anything above counts as standing still
constexpr int kReservedRecords = 4096;
constexpr std::size_t kReservedRemark = 256;  // so that what is said takes no memory later

}  // namespace

void Monitor::Start(const FeasibleSet& set, const SolveOptions& options, const Energies& energies,
                    Clock::time_point start, const Observer* observer, std::vector<double>* best) {
  set_ = &set;
  options_ = options;
  observer_ = observer;
  best_ = best;
  start_ = start;
  has_deadline_ = options.deadline < kInfinity;
  ReserveTime(0);
  free_energy_ = energies.free;
  rough_start_ = energies.rough;
  tolerance_ = std::max(options.energy_tolerance, options.relative_tolerance * energies.scale);
  status_ = Status::kNotRun;
  remark_.reserve(kReservedRemark);
  stand_ins_.reserve(kReservedRemark);
  remark_.clear();
  stand_ins_.clear();
  measure_every_ = options.measure_every;
  iteration_ = -1;
  best_iteration_ = 0;
  best_energy_ = kInfinity;
  bound_ = 0;
  progress_iteration_ = 0;
  progress_energy_ = kInfinity;
  fallbacks_ = 0;
  stage_watch_ = nullptr;
  history_.clear();
  if (options.history) history_.reserve(std::min(options.max_iterations + 1, kReservedRecords));
  if (w_.size() != set.weights().size()) shortest_iteration_ = Clock::duration::zero();
  w_.resize(set.weights().size());
  // A solve that is the first to converge has to be confirmed without memory from the heap.
  x_.reserve(w_.size());
  const auto variables = static_cast<std::size_t>(set.problem().dynamics().velocity_size());
  workspace_.velocity.reserve(std::max(variables, w_.size()));
  workspace_.impulse.reserve(std::max(variables, w_.size()));
  Judge(energies.start);
  if (observer_ != nullptr) Observe(energies.start, best_->data());
}

void Monitor::ReserveTime(double seconds) {
  if (!has_deadline_) return;
  const auto span = std::chrono::duration<double>(std::min(options_.deadline - seconds, 1e9));
  give_up_at_ = start_ + std::chrono::duration_cast<Clock::duration>(span);
}

double Monitor::Seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double Monitor::SecondsLeft() const {
  if (!has_deadline_) return kInfinity;
  return std::chrono::duration<double>(give_up_at_ - Clock::now()).count();
}

bool Monitor::MeasureDue() const {
  if (status_ != Status::kNotRun || iteration_ < 0) return false;
  const int next = iteration_ + 1;
  return next % measure_every_ == 0 || next >= options_.max_iterations;
}

double Monitor::Measure(const double* x) {
  set_->problem().dynamics().ConstraintVelocity(x, w_.data(), workspace_);
  return MeasureEnergy(*set_, free_energy_, x, w_.data()).sum;
}

bool Monitor::Continue(const double* x, const double* w) {
  if (!MeasureDue()) return Advance();
  double energy = w != nullptr ? MeasureEnergy(*set_, free_energy_, x, w).sum : Measure(x);
  if (w != nullptr && energy <= tolerance_) energy = Measure(x);
  if (Judge(energy)) std::copy(x, x + w_.size(), best_->begin());
  if (observer_ != nullptr) Observe(energy, x);
  return Advance();
}

bool Monitor::Judge(double energy) {
  const int iteration = iteration_ + 1;
  if (options_.history) history_.push_back({iteration, Seconds(), energy});
  if (!std::isfinite(energy)) {
    // Whatever went wrong, the best iterate before it stands.
    if (iteration > 0) Stop(Status::kNumericalFailure, "the iterate is not finite");
    return iteration == 0;
  }
  if (energy <= kProgress * progress_energy_) {
    progress_energy_ = energy;
    progress_iteration_ = iteration;
  }
  const bool improved = energy < best_energy_ || iteration == 0;
  const bool keep = improved || !options_.least_error;
  if (improved) best_energy_ = energy;
  if (keep) best_iteration_ = iteration;
  if (energy <= tolerance_) {
    status_ = Status::kConverged;
  } else if (options_.stall_iterations > 0 &&
             iteration - progress_iteration_ >= options_.stall_iterations) {
    status_ = Status::kStalled;
  }
  return keep;
}

void Monitor::Observe(double energy, const double* x) const {
  (*observer_)({iteration_ + 1, Seconds(), energy}, x);
}

bool Monitor::Advance() {
  if (status_ == Status::kDeadline) return false;  // the iteration was given up half-way
  ++iteration_;
  if (status_ == Status::kNotRun) {
    if (iteration_ >= options_.max_iterations) {
      status_ = Status::kIterationLimit;
    } else if (has_deadline_) {
      LearnIterationTime();
      if (last_advance_ + shortest_iteration_ >= give_up_at_) status_ = Status::kDeadline;
    }
  }
  return status_ == Status::kNotRun && !StageEnds();
}

void Monitor::BeginStage(int window, StageWatch* watch) {
  // A watch judges by the error, whoever else wants to see it, or the iterates would depend on
  // that.
  measure_every_ = watch != nullptr ? 1 : options_.measure_every;
  if (iteration_ > 0) rough_start_ = false;  // a later stage starts from the best iterate
  stage_watch_ = watch;
  stage_window_ = window;
  stage_begin_ = iteration_ + 1;
  stage_check_ = stage_begin_ + window;
  stage_energy_ = best_energy_;
  stage_seconds_ = has_deadline_ ? Seconds() : 0;
  shortest_iteration_ = Clock::duration::zero();  // that of another method
}

bool Monitor::StageEnds() {
  if (stage_watch_ == nullptr || iteration_ < stage_check_) return false;
  StageProgress progress;
  progress.iterations = iteration_ - stage_begin_;
  progress.seconds = has_deadline_ ? Seconds() - stage_seconds_ : 0;
  // From a start without an error that is finite any is an infinite gain.
  progress.rate = std::log(stage_energy_ / best_energy_) / stage_window_;
  progress.distance = std::log(best_energy_ / tolerance_);
  stage_check_ = iteration_ + stage_window_;
  stage_energy_ = best_energy_;
  return !stage_watch_->MayContinue(progress);
}

bool Monitor::Resume() {
  if (status_ == Status::kStalled || status_ == Status::kNumericalFailure) {
    status_ = Status::kNotRun;
    progress_iteration_ = iteration_;
  }
  if (status_ == Status::kNotRun && iteration_ >= options_.max_iterations) {
    status_ = Status::kIterationLimit;
  }
  return status_ == Status::kNotRun && !OutOfTime();
}

void Monitor::LearnIterationTime() {
  const Clock::time_point now = Clock::now();
  if (iteration_ > 0) {
    const Clock::duration latest = now - last_advance_;
    const bool first = shortest_iteration_ == Clock::duration::zero();
    shortest_iteration_ = first ? latest : std::min(shortest_iteration_, latest);
  }
  last_advance_ = now;
}

bool Monitor::OutOfTime(double needed) {
  if (has_deadline_ && status_ == Status::kNotRun && !(SecondsLeft() > needed)) {
    status_ = Status::kDeadline;
  }
  return status_ == Status::kDeadline;
}

void Monitor::Stop(Status status, std::string_view remark) {
  status_ = status;
  remark_ = remark;
}

void Monitor::CountFallback(std::string_view stand_in) {
  ++fallbacks_;
  Mention(stand_in);
}

void Monitor::Mention(std::string_view stand_in) {
  if (stand_in.empty() || stand_ins_.find(stand_in) != std::string::npos) return;
  stand_ins_.append(stand_ins_.empty() ? "with " : ", ").append(stand_in);
}

void Monitor::WriteRemark(std::string* remark) const {
  remark->reserve(2 * kReservedRemark);
  *remark = remark_;
  if (!remark->empty() && !stand_ins_.empty()) remark->append("; ");
  remark->append(stand_ins_);
}

}  // namespace nonsmooth
