// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/run/run.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "recorders/hdf5/handle.h"

namespace nonsmooth {
namespace {

/// Whole lines, whoever else writes.
void Print(const std::string& message) {
  const std::string line = "nonsmooth: " + message + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody listens
}

/// [s] since 1970 when the run began: said by `nonsmooth run`, or now.
double Beginning() {
  if (const char* said = std::getenv("NONSMOOTH_RUN_BEGUN")) return std::strtod(said, nullptr);
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool UsedSince(const std::string& path, double begun) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const double changed = static_cast<double>(status.st_ctim.tv_sec) +
                         1e-9 * static_cast<double>(status.st_ctim.tv_nsec);
  return changed >= begun;
}

void Replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

/// The program may have an HDF5 of another version, which the first call of ours would stop it for.
std::string WhyNoHdf5() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  if (major == H5_VERS_MAJOR && minor == H5_VERS_MINOR && release == H5_VERS_RELEASE) return "";
  return "is not recorded: the program has HDF5 " + std::to_string(major) + "." +
         std::to_string(minor) + "." + std::to_string(release) + ", this needs " +
         std::to_string(H5_VERS_MAJOR) + "." + std::to_string(H5_VERS_MINOR) + "." +
         std::to_string(H5_VERS_RELEASE);
}

}  // namespace

std::string CaptureName(const std::string& pattern, int world, double begun) {
  // A file has its name only when it can be read: two threads might take the same.
  static std::mutex mutex;
  static std::vector<std::string> taken;
  const std::lock_guard lock(mutex);
  const auto is_taken = [begun](const std::string& path) {
    return std::find(taken.begin(), taken.end(), path) != taken.end() || UsedSince(path, begun);
  };
  std::string name = pattern;
  Replace(name, "%p", std::to_string(::getpid()));
  Replace(name, "%n", std::to_string(world));
  const std::size_t slash = name.rfind('/');
  std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) dot = name.size();
  std::string free = name;
  for (int k = 2; is_taken(free); ++k) {
    free = name.substr(0, dot) + "." + std::to_string(k) + name.substr(dot);
  }
  taken.push_back(free);
  return free;
}

RunWorld::RunWorld(int number, std::string type) : number_(number), type_(std::move(type)) {
  Run::Instance().Add(this);
}

RunWorld::~RunWorld() {
  Run::Instance().Remove(this);
  Close();
}

void RunWorld::Tell(const std::string& message) {
  {
    const std::lock_guard lock(mutex_);
    if (std::find(told_.begin(), told_.end(), message) != told_.end()) return;
    told_.push_back(message);
  }
  Print("world " + std::to_string(number_) + " (" + type_ + "): " + message);
}

std::shared_ptr<Recorder> RunWorld::Record(const CaptureInfo& info) {
  const RunSettings& settings = Run::Instance().settings();
  const std::string pattern = settings.Get("capture");
  if (recorder_ != nullptr || pattern.empty()) return recorder_;
  const std::string why = WhyNoHdf5();
  if (!why.empty()) {
    Tell(why);
    return nullptr;
  }
  RecorderOptions options;
  settings.Apply("record", Fields(options));
  options.on_trouble = [this](const std::string& message) { Tell(message); };
  CaptureInfo named = info;
  named.scene = std::string(program_invocation_short_name) + ", world " + std::to_string(number_);
  recorder_ = std::make_shared<Recorder>(CaptureName(pattern, number_, Run::Instance().begun()),
                                         named, options);
  return recorder_;
}

void RunWorld::Close() {
  std::string done;
  if (recorder_ != nullptr) {
    recorder_->Close();
    const RecorderStatus status = recorder_->status();
    done = std::to_string(status.written) + " problems in " + recorder_->path();
    recorder_.reset();
  }
  if (report_) {
    const std::string solved = report_();
    if (!solved.empty()) done += (done.empty() ? "" : "; ") + solved;
    report_ = nullptr;
  }
  if (!done.empty() && Run::Instance().settings().Get("quiet") != "1") Tell(done);
}

struct Run::Worlds {
  int count = 0;
  std::map<void*, std::unique_ptr<Entry>> entries;
  std::vector<RunWorld*> open;
};

Run& Run::Instance() {
  static auto* const run = new Run;
  return *run;
}

Run::Run() : begun_(Beginning()), worlds_(std::make_unique<Worlds>()) {
  try {
    settings_ = RunSettings::FromEnvironment();
    active_ = !settings_.Get("capture").empty() || !settings_.Get("solver").empty();
  } catch (const std::exception& error) {
    Print(std::string(error.what()) + "; the program runs as if we were not there");
  }
  if (!settings_.Get("capture").empty()) {
    const hdf5::Session first;  // HDF5's own handler is then called after ours
  }
  // Not atexit(): see preload/never_destroyed.cpp.
  ::on_exit([](int /*code*/, void* /*nothing*/) { Instance().CloseAll(); }, nullptr);
  pthread_atfork([] { Instance().mutex_.lock(); }, [] { Instance().mutex_.unlock(); },
                 [] {
                   // Threads of the parent's recorders are not here: nothing of theirs is touched.
                   Run& run = Instance();
                   const int count = run.worlds_->count;
                   static_cast<void>(run.worlds_.release());
                   run.worlds_ = std::make_unique<Worlds>();
                   run.worlds_->count = count;
                   run.mutex_.unlock();
                 });
}

Run::Entry& Run::Find(void* world, const std::function<std::unique_ptr<Entry>(int)>& make) {
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = worlds_->entries.find(world);
    if (found != worlds_->entries.end()) return *found->second;
    number = ++worlds_->count;
  }
  std::unique_ptr<Entry> entry = make(number);
  const std::lock_guard lock(mutex_);
  return *(worlds_->entries[world] = std::move(entry));
}

void Run::Forget(void* world) {
  std::unique_ptr<Entry> gone;
  const std::lock_guard lock(mutex_);
  const auto found = worlds_->entries.find(world);
  if (found == worlds_->entries.end()) return;
  gone = std::move(found->second);
  worlds_->entries.erase(found);
}

void Run::Add(RunWorld* world) {
  const std::lock_guard lock(mutex_);
  worlds_->open.push_back(world);
}

void Run::Remove(RunWorld* world) {
  const std::lock_guard lock(mutex_);
  auto& open = worlds_->open;
  open.erase(std::remove(open.begin(), open.end(), world), open.end());
}

void Run::CloseAll() {
  std::vector<RunWorld*> open;
  {
    const std::lock_guard lock(mutex_);
    open.swap(worlds_->open);
  }
  for (RunWorld* world : open) world->Close();
}

}  // namespace nonsmooth
