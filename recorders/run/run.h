// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../recording/recorder.h"
#include "settings.h"

namespace nonsmooth {

/// "run.h5" for world 1, "run.2.h5" for world 2; %p and %n stand for process and world. A name that
/// was used since `begun` [s since 1970] is not used again, by another process either: a number
/// comes in.
std::string CaptureName(const std::string& pattern, int world, double begun);

/// One world of a program that is run as it is: its name in messages, and its recording. What goes
/// wrong is told once a kind, on standard error; nothing is thrown.
class RunWorld {
 public:
  RunWorld(int number, std::string type);
  ~RunWorld();  ///< closes the file
  RunWorld(const RunWorld&) = delete;
  RunWorld& operator=(const RunWorld&) = delete;

  /// "nonsmooth: world 2 (btDiscreteDynamicsWorld): <message>"; the same message once only.
  void Tell(const std::string& message);

  /// Null unless the settings say that there is to be a file. Made when it is first asked for.
  std::shared_ptr<Recorder> Record(const CaptureInfo& info);

  /// What to say in the end about steps solved by a solver of ours.
  void set_report(std::function<std::string()> report) { report_ = std::move(report); }

  /// Completes the file and says what there was.
  void Close();

 private:
  int number_;
  std::string type_;
  std::shared_ptr<Recorder> recorder_;
  std::function<std::string()> report_;
  std::vector<std::string> told_;
  std::mutex mutex_;  ///< of told_: a recorder reports from its own thread
};

/// The worlds of this process and what holds for all of them. At the end of the process their files
/// are completed. After fork() the child has none: its worlds begin anew, with files of their own,
/// and the parent's are the parent's alone.
class Run {
 public:
  /// The same for the whole process, never destroyed. Where the settings cannot be understood, says
  /// so, once, and is not active().
  static Run& Instance();

  bool active() const { return active_; }
  const RunSettings& settings() const { return settings_; }
  double begun() const { return begun_; }

  /// Something of the engine's for each world, by address.
  struct Entry {
    virtual ~Entry() = default;
  };

  /// The entry of that world; made by `make` with the world's number if there is none. It stays
  /// where it is until Forget().
  Entry& Find(void* world, const std::function<std::unique_ptr<Entry>(int)>& make);
  void Forget(void* world);

  /// For files to be completed at the end of the process.
  void Add(RunWorld* world);
  void Remove(RunWorld* world);

 private:
  Run();
  void CloseAll();

  struct Worlds;
  RunSettings settings_;
  bool active_ = false;
  double begun_ = 0;
  std::mutex mutex_;
  std::unique_ptr<Worlds> worlds_;
};

}  // namespace nonsmooth
