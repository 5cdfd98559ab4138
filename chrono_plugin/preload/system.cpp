// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/preload/system.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <typeinfo>
#include <utility>

#include "chrono_plugin/recording_solver.h"
#include "chrono_plugin/solver.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

std::string TypeName(const ::chrono::ChSystem& system) {
  const char* const mangled = typeid(system).name();
  char* const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  std::string name = plain != nullptr ? plain : mangled;
  std::free(plain);
  return name;
}

/// What a step of ours leaves behind, whatever Chrono or the program's callbacks throw.
class Exchanged {
 public:
  Exchanged(::chrono::ChSystem& system, std::shared_ptr<::chrono::ChSolver> theirs,
            std::shared_ptr<::chrono::ChSolver> ours)
      : system_(system), theirs_(std::move(theirs)), ours_(std::move(ours)) {
    system_.SetSolver(ours_);
  }
  ~Exchanged() {
    // A callback of the program's may have set another solver.
    if (system_.GetSolver() == ours_) system_.SetSolver(theirs_);
  }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  ::chrono::ChSystem& system_;
  std::shared_ptr<::chrono::ChSolver> theirs_;
  std::shared_ptr<::chrono::ChSolver> ours_;
};

}  // namespace

PreloadedSystem::PreloadedSystem(int number, ::chrono::ChSystem& system)
    : system_(system), run_(number, TypeName(system)) {
  run_.set_report([this] { return Report(); });
}

PreloadedSystem::~PreloadedSystem() { run_.Close(); }

int PreloadedSystem::Step(int (*step)(void*), void* call) {
  if (stepping_ || left_alone_) return step(call);
  const std::shared_ptr<::chrono::ChSolver> theirs = system_.GetSolver();
  const std::shared_ptr<::chrono::ChSolver> ours = theirs != nullptr ? StandInFor(theirs) : nullptr;
  if (ours == nullptr) return step(call);
  struct Stepping {
    bool& flag;
    ~Stepping() { flag = false; }
  } const stepping{stepping_};
  stepping_ = true;
  const Exchanged exchanged(system_, theirs, ours);
  return step(call);
}

std::shared_ptr<::chrono::ChSolver> PreloadedSystem::StandInFor(
    const std::shared_ptr<::chrono::ChSolver>& theirs) {
  if (theirs == theirs_) return stand_in_;
  try {
    theirs_ = theirs;
    stand_in_ = nullptr;
    stand_in_ = Make(theirs);
  } catch (const std::exception& error) {
    left_alone_ = true;
    run_.Tell(std::string("is left alone: ") + error.what());
  }
  return stand_in_;
}

std::shared_ptr<::chrono::ChSolver> PreloadedSystem::Make(
    const std::shared_ptr<::chrono::ChSolver>& theirs) {
  if (system_.GetContactMethod() != ::chrono::ChContactMethod::NSC) {
    run_.Tell("is left alone: its contacts are forces that no solver sees");
    left_alone_ = true;
    return nullptr;
  }
  const RunSettings& settings = Run::Instance().settings();
  std::shared_ptr<::chrono::ChSolver> inner = theirs;
  if (!settings.Get("solver").empty()) {
    Options options = SolverOptions(settings);
    options.stand_in = theirs;
    solver_ = std::make_shared<Solver>(options);
    inner = solver_;
  }
  if (const std::shared_ptr<Recorder> recorder = run_.Record(MakeCaptureInfo(""))) {
    return std::make_shared<RecordingSolver>(system_, inner, recorder);
  }
  return inner != theirs ? inner : nullptr;
}

Options PreloadedSystem::SolverOptions(const RunSettings& settings) {
  Options options;
  options.solver = settings.Get("solver");
  if (!FindSolver(options.solver).Handles(options.solve.law.kind)) {
    options.solve.law.kind = LawKind::kNative;
  }
  if (const std::string law = settings.Get("law"); !law.empty()) options.solve.law = ParseLaw(law);
  settings.Apply("solve", Fields(options.solve));
  if (!settings.Get("solve.max_iterations").empty()) options.budget = false;
  constexpr double kLongest = 1e3;
  settings.Apply("chrono", {{"budget", "-", "as much work as Chrono's iterations", &options.budget},
                            {"duration", "s", "of a step", &options.duration, 0, kLongest, true},
                            {"warm_start", "-", "start from the last step", &options.warm_start}});
  constexpr char kGroup[] = "option.";
  for (const auto& [name, value] : settings.values()) {
    if (name.rfind(kGroup, 0) == 0) {
      options.solver_options.emplace_back(name.substr(sizeof kGroup - 1), value);
    }
  }
  options.on_trouble = [this](const std::string& message) { run_.Tell(message); };
  return options;
}

std::string PreloadedSystem::Report() const {
  if (solver_ == nullptr) return "";
  return std::to_string(solver_->solves()) + " problems solved by " + solver_->options().solver +
         ", " + std::to_string(solver_->fallbacks()) + " left to Chrono's own";
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
