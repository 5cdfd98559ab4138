// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "raw_slots.h"

namespace nonsmooth::hdf5 {

/// A file that HDF5 writes, and what became of it.
///
/// HDF5 does not survive a failing write: closing fails as well, identifiers leak, and its exit
/// handler crashes on them. So it is not told. The first write that fails abandons the file:
/// nothing touches it any more, as if the process had been killed at that moment, and HDF5 goes on
/// with what it believes to have written. Whoever writes asks Verify() before calling anything
/// written.
///
/// A process made by fork() has a copy of all this, and HDF5 would write from there too, if only at
/// its exit. The file is the parent's: in any other process it is abandoned.
///
/// The application may close a descriptor that is not its own, and the number then belongs to
/// something else. Nothing is read, written or closed there; the file is abandoned, and opened once
/// more, for reading, by its name. (Another thread may still do so
/// between our look and our write; nothing can be done about that.)
class OutputFile {
 public:
  /// As open(2) does. On failure is_open() is false and failure() says why.
  OutputFile(const char* path, int flags);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int* descriptor() { return &descriptor_; }
  dev_t device() const { return device_; }
  ino_t inode() const { return inode_; }
  std::uint64_t size_at_opening() const { return size_at_opening_; }

  /// What lies beyond the end is 0. False: failure() says why. An abandoned file is read as if all
  /// had been written.
  bool Read(std::uint64_t offset, void* data, std::size_t size);

  /// Each abandons the file if it fails.
  void Write(std::uint64_t offset, const void* data, std::size_t size);
  void Truncate(std::uint64_t size);
  void Synchronise();  ///< waits until all has reached the device
  void Close();

  /// As rename(2) does; false: errno says why.
  bool Rename(const std::string& to);

  /// From now on the file is left as it is.
  void Abandon() { abandoned_ = true; }

  RawSlots& slots() { return slots_; }

  /// All that was written so far is in the file, and the descriptor is still ours.
  bool Verify();
  const std::string& failure() const { return failure_; }  ///< the first one; empty: none

 private:
  enum class Purpose { kWrite, kOther };
  /// The descriptor is ours. If not, the file is abandoned, and the descriptor is another one that
  /// is ours, or −1.
  bool Owns(Purpose purpose);
  bool IsFile(int descriptor) const;
  void Reopen();
  void Fail(const char* why) noexcept;
  void Remember(std::uint64_t offset, const char* data, std::size_t size);
  void Recall(std::uint64_t offset, char* data, std::size_t size) const;

  static constexpr std::size_t kPage = 4096;

  std::string path_;  ///< absolute
  pid_t process_;     ///< that made it
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t size_at_opening_ = 0;
  bool abandoned_ = false;
  std::string failure_;
  RawSlots slots_;
  /// Pages that would be in the file, were it not abandoned.
  std::map<std::uint64_t, std::array<char, kPage>> unwritten_;
};

}  // namespace nonsmooth::hdf5
