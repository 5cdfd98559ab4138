// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

namespace nonsmooth::hdf5 {
namespace {

constexpr mode_t kMode = 0666;  // less the umask
constexpr char kOtherProcess[] = "the file belongs to the process that this one was forked from";
constexpr char kNotOurs[] =
    "the application has closed the descriptor and uses it for another file";

/// Bytes read up to the end of the file; negative: errno says why it failed.
ssize_t ReadAll(int descriptor, char* data, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(descriptor, data + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return got;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

bool WriteAll(int descriptor, const char* data, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t put =
        ::pwrite(descriptor, data + done, size - done, static_cast<off_t>(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    if (put == 0) {  // no progress, which POSIX leaves open for devices
      errno = ENOSPC;
      return false;
    }
    done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

OutputFile::OutputFile(const char* path, int flags)
    : path_(std::filesystem::absolute(path)), process_(::getpid()) {
  descriptor_ = ::open(path, flags | O_CLOEXEC, kMode);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    Fail(std::strerror(errno));
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    return;
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  size_at_opening_ = static_cast<std::uint64_t>(status.st_size);
}

OutputFile::~OutputFile() { Close(); }

void OutputFile::Fail(const char* why) noexcept {
  abandoned_ = true;
  if (!failure_.empty()) return;
  try {
    failure_ = why;
  } catch (const std::bad_alloc&) {
    failure_ = "out of memory";  // short enough to need none
  }
}

bool OutputFile::Owns(Purpose purpose) {
  if (::getpid() != process_) {
    Fail(kOtherProcess);
    return false;
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    Fail(std::strerror(errno));
    Reopen();
    return false;
  }
  if (status.st_dev == device_ && status.st_ino == inode_) return true;
  // A character device has nothing to lose, and its own reason to refuse: /dev/full is a full disk.
  // Should it take the data, Verify() finds out.
  if (purpose == Purpose::kWrite && S_ISCHR(status.st_mode)) return true;
  Fail(kNotOurs);
  Reopen();
  return false;
}

bool OutputFile::IsFile(int descriptor) const {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

void OutputFile::Reopen() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ >= 0 && !IsFile(descriptor_)) ::close(std::exchange(descriptor_, -1));
}

bool OutputFile::Rename(const std::string& to) {
  std::string absolute = std::filesystem::absolute(to);
  if (std::rename(path_.c_str(), to.c_str()) != 0) return false;
  path_ = std::move(absolute);
  return true;
}

bool OutputFile::Read(std::uint64_t offset, void* data, std::size_t size) {
  char* const bytes = static_cast<char*>(data);
  if (!Owns(Purpose::kOther) && !is_open()) return false;
  const ssize_t got = ReadAll(descriptor_, bytes, size, offset);
  if (got < 0) {
    Fail(std::strerror(errno));
    return false;
  }
  const auto valid = static_cast<std::size_t>(got);
  std::memset(bytes + valid, 0, size - valid);
  Recall(offset, bytes, size);
  return true;
}

void OutputFile::Write(std::uint64_t offset, const void* data, std::size_t size) {
  const char* const bytes = static_cast<const char*>(data);
  if (!abandoned_ && Owns(Purpose::kWrite) && !WriteAll(descriptor_, bytes, size, offset)) {
    Fail(std::strerror(errno));
  }
  if (!abandoned_) return;
  try {
    Remember(offset, bytes, size);
  } catch (const std::bad_alloc&) {
    // HDF5 will read what is in the file instead, and find that odd; a failing write would be
    // worse.
  }
}

void OutputFile::Truncate(std::uint64_t size) {
  if (abandoned_ || !Owns(Purpose::kOther)) return;
  while (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    if (errno == EINTR) continue;
    Fail(std::strerror(errno));
    return;
  }
}

void OutputFile::Synchronise() {
  if (abandoned_ || !Owns(Purpose::kOther)) return;
  if (::fdatasync(descriptor_) != 0) Fail(std::strerror(errno));
}

void OutputFile::Close() {
  if (!is_open()) return;
  if (!Owns(Purpose::kOther) && !is_open()) return;
  // Some file systems say only now that there was no room. EINTR has closed it all the same.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) Fail(std::strerror(errno));
}

bool OutputFile::Verify() {
  if (!abandoned_ && is_open()) Owns(Purpose::kOther);
  return !abandoned_;
}

void OutputFile::Remember(std::uint64_t offset, const char* data, std::size_t size) {
  while (size > 0) {
    const std::uint64_t page = offset / kPage;
    const std::size_t within = offset % kPage;
    const std::size_t count = std::min(size, kPage - within);
    auto found = unwritten_.find(page);
    if (found == unwritten_.end()) {
      std::array<char, kPage> content{};
      if (Owns(Purpose::kOther) || is_open())
        ReadAll(descriptor_, content.data(), kPage, page * kPage);
      found = unwritten_.emplace(page, content).first;
    }
    std::memcpy(found->second.data() + within, data, count);
    offset += count;
    data += count;
    size -= count;
  }
}

void OutputFile::Recall(std::uint64_t offset, char* data, std::size_t size) const {
  const std::uint64_t end = offset + size;
  for (auto it = unwritten_.lower_bound(offset / kPage);
       it != unwritten_.end() && it->first * kPage < end; ++it) {
    const std::uint64_t page = it->first * kPage;
    const std::uint64_t from = std::max(offset, page);
    const std::uint64_t to = std::min<std::uint64_t>(end, page + kPage);
    std::memcpy(data + (from - offset), it->second.data() + (from - page), to - from);
  }
}

}  // namespace nonsmooth::hdf5
