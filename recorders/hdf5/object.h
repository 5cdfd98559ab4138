// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../capture/file_error.h"
#include "handle.h"

namespace nonsmooth::hdf5 {

/// The in-memory HDF5 type of T: float, double, std::int32_t, std::int64_t, std::uint8_t,
/// std::uint32_t, std::uint64_t.
template <class T>
hid_t NativeType();

/// An open file, group or dataset that knows its name, so that errors can say where.
class Object {
 public:
  Object() = default;
  Object(Handle handle, std::string file, std::string path)
      : handle_(std::move(handle)), file_(std::move(file)), path_(std::move(path)) {}

  hid_t id() const { return handle_.get(); }
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  explicit operator bool() const { return static_cast<bool>(handle_); }
  bool Close() { return handle_.Reset(); }

  /// Throws FileError: "file: path: what (HDF5: …)" with the library's error stack, if there is
  /// one.
  [[noreturn]] void Fail(const std::string& what) const;

  /// `status` if it is not negative, else Fail(what).
  template <class Status>
  Status Check(Status status, const char* what) const {
    if (status < 0) Fail(what);
    return status;
  }
  Handle CheckHandle(hid_t id, const char* what) const { return Handle(Check(id, what)); }

  bool HasAttribute(const std::string& name) const;
  std::vector<std::string> Attributes() const;
  std::string ReadTextAttribute(const std::string& name) const;
  std::int64_t ReadIntegerAttribute(const std::string& name) const;
  void WriteAttribute(const std::string& name, const std::string& text) const;
  void WriteAttribute(const std::string& name, std::int64_t value) const;

 protected:
  std::string ChildPath(const std::string& name) const;

 private:
  Handle handle_;
  std::string file_;
  std::string path_;
};

/// "cause; cause; …" of this thread's HDF5 error stack, the most specific first; empty if there is
/// none. Clears the stack.
std::string TakeErrorStack();

/// The text of a string dataset or attribute of fixed or variable length, without padding.
std::string TrimText(const char* data, std::size_t size);

}  // namespace nonsmooth::hdf5
