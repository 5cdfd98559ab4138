// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace nonsmooth::hdf5 {

/// Held during every call into HDF5. The library may have been built without thread safety, so that
/// threads take turns; and it prints its error stack unless told otherwise, so that it is told. The
/// application's own setting is put back at the end. May be nested.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// Owner of one HDF5 identifier, whatever its kind.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() { Reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      Reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Gives the identifier up; false if HDF5 could not close the object properly.
  bool Reset();

 private:
  hid_t id_ = H5I_INVALID_HID;
};

}  // namespace nonsmooth::hdf5
