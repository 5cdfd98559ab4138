// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/result_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "recorders/capture/file_error.h"
#include "recorders/format/xxhash64.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/replay/provenance.h"
#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

constexpr std::size_t kLongestStem = 40;
constexpr std::string_view kEnd = "{\"xxh64\": \"";  ///< begins the last line

std::uint64_t Hash(const std::string& text, std::uint64_t seed = 0) {
  return XxHash64(text.data(), text.size(), seed);
}

std::string LastLine(const std::string& body) {
  return fmt::format("{}{:016x}\"}}\n", kEnd, Hash(body));
}

/// What is readable of a path's last part.
std::string StemOf(const std::string& path) {
  std::string stem = std::filesystem::path(path).stem().string().substr(0, kLongestStem);
  for (char& c : stem) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  }
  return stem;
}

void WriteWhole(const std::string& path, const std::string& text) {
  // Processes on several machines may have one number.
  static const std::string host = Host().front().second;
  static std::atomic<int> count{0};
  const std::string draft = fmt::format("{}.{}-{}-{}.part", path, host, ::getpid(), count++);
  std::FILE* file = std::fopen(draft.c_str(), "wb");
  if (file == nullptr) throw FileError(draft, "", std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || std::rename(draft.c_str(), path.c_str()) != 0) {
    const std::string cause = std::strerror(errno);
    std::remove(draft.c_str());
    throw FileError(path, "", "cannot be written: " + cause);
  }
}

bool ReadWhole(const std::string& path, std::string* text) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  text->clear();
  char buffer[1 << 14];
  for (std::size_t read = 0; (read = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    text->append(buffer, read);
  }
  std::fclose(file);
  return true;
}

/// Takes the last line off if it is there and right.
bool TakeOffChecksum(std::string* text) {
  const std::size_t end = text->rfind(kEnd);
  if (end == std::string::npos) return false;
  const std::string last = text->substr(end);
  text->resize(end);
  return last == LastLine(*text);
}

}  // namespace

ResultStore::ResultStore(std::string folder, const TaskPlan& plan)
    : folder_(std::move(folder)), plan_(plan) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw FileError(folder_, "", "cannot be made: " + error.message());
  ReplayOptions copy = plan.options;
  const std::string common =
      fmt::format("{} {} {} {}", Version(), OptionsJson(Fields(copy.solve)),
                  ToString(plan.options.warm_start), plan.options.skip_unsuitable);
  bool first = true;  // does the engine's own solutions too
  for (const auto& [name, options] : SolverOptionsJson(plan.options)) {
    keys_.push_back(Hash(fmt::format("{} {} {} {}", common, name, options, first)));
    first = false;
  }
}

void ResultStore::WritePlan() const {
  // Equal bytes from every process, so that it does not matter who is the last.
  const std::string text = PlanText(plan_);
  std::string present;
  if (!ReadWhole(plan_path(), &present) || present != text) WriteWhole(plan_path(), text);
}

std::string ResultStore::PathOf(const Task& task) const {
  const PlannedFile& file = plan_.files[task.file];
  const PlannedBlock& block = file.blocks[task.block];
  const std::uint64_t key = Hash(fmt::format("{}:{}", file.path, plan_.options.stride),
                                 keys_[static_cast<std::size_t>(task.solver)]);
  // A folder of a million files is slow to look into: 256 of them are not.
  return fmt::format("{}/{:02x}/{}.{}-{}.{}.{:016x}.{:016x}.jsonl", folder_,
                     (key ^ block.checksum) & 0xFFu, StemOf(file.path), block.first, block.last,
                     plan_.options.solvers[static_cast<std::size_t>(task.solver)], block.checksum,
                     key);
}

void ResultStore::Write(const Task& task, const TaskResult& result) const {
  std::string text = result.head + "\n";
  for (const std::string& record : result.records) text += record + "\n";
  text += LastLine(text);
  const std::string path = PathOf(task);
  try {
    WriteWhole(path, text);
  } catch (const FileError&) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    WriteWhole(path, text);
  }
}

ResultStore::State ResultStore::StateOf(const Task& task) const {
  std::string text;
  if (!ReadWhole(PathOf(task), &text)) return State::kMissing;
  if (!TakeOffChecksum(&text)) return State::kDamaged;
  return text.rfind(kFailedHead, 0) == 0 ? State::kFailed : State::kWhole;
}

std::optional<TaskResult> ResultStore::Read(const Task& task, State* state) const {
  std::string text;
  *state = State::kMissing;
  if (!ReadWhole(PathOf(task), &text)) return std::nullopt;
  *state = State::kDamaged;
  if (!TakeOffChecksum(&text)) return std::nullopt;
  *state = text.rfind(kFailedHead, 0) == 0 ? State::kFailed : State::kWhole;
  TaskResult result;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    std::string line = text.substr(first, end - first);
    first = end + 1;
    if (result.head.empty()) {
      result.head = std::move(line);
    } else {
      result.records.push_back(std::move(line));
    }
  }
  return result;
}

std::vector<Task> ResultStore::Unfinished(const std::vector<Task>& tasks) const {
  std::vector<Task> left;
  for (const Task& task : tasks) {
    if (StateOf(task) != State::kWhole) left.push_back(task);
  }
  return left;
}

}  // namespace nonsmooth
