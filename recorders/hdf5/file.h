// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dataset.h"
#include "output_file.h"

namespace nonsmooth::hdf5 {

/// A group; also the root group of a file.
class Group : public Object {
 public:
  using Object::Object;
  Group() = default;

  /// A child of that name exists and can be reached inside this file.
  bool Has(const std::string& name) const;
  bool HasGroup(const std::string& name) const;
  bool HasDataset(const std::string& name) const;

  /// Names of all children, sorted. Throws FileError if there are more than `most`.
  std::vector<std::string> Children(std::size_t most = 1000000) const;

  Group OpenGroup(const std::string& name) const;

  /// With Dataset::Inspect() and RequireStored().
  Dataset OpenDataset(const std::string& name) const;

  /// With Dataset::Inspect() only: a dataset that is being written may be ahead of its data.
  Dataset OpenGrowingDataset(const std::string& name) const;

  template <class T>
  std::vector<T> Read(const std::string& name) const {
    return OpenDataset(name).Read<T>();
  }
  /// Exactly one value, whatever the shape it is stored in.
  template <class T>
  T ReadOne(const std::string& name) const {
    const Dataset dataset = OpenDataset(name);
    if (dataset.values() != 1) {
      dataset.Fail("has " + std::to_string(dataset.values()) + " values, expected 1");
    }
    return dataset.Read<T>()[0];
  }
  std::string ReadText(const std::string& name) const { return OpenDataset(name).ReadText(); }

  Group CreateGroup(const std::string& name) const;

  /// A contiguous dataset; `dimensions` empty: one dimension.
  template <class T>
  Dataset Write(const std::string& name, const std::vector<T>& values,
                const Dimensions& dimensions = {}) const;
  void WriteText(const std::string& name, const std::string& text) const;
};

/// An open HDF5 file; the object itself is its root group. Children may outlive it.
class File : public Group {
 public:
  using Group::Group;
  File() = default;

  /// Opens an existing file for reading. Looks at it first: a directory, a FIFO, an empty or a
  /// foreign file is refused by name without waiting for anything. A capture that is being written,
  /// or whose writer was killed, opens too. Locks are not used, so that read-only media work.
  static File Open(const std::string& path);

  /// A new file in the earliest format that can hold it, unless `access` asks for another one;
  /// replaces an existing one. A write that fails is no error to HDF5, see OutputFile: to be ended
  /// with Finish(), or asked with CheckWritten().
  static File Create(const std::string& path, hid_t creation = H5P_DEFAULT,
                     hid_t access = H5P_DEFAULT);

  /// Null for a file that was opened.
  const std::shared_ptr<OutputFile>& output() const { return output_; }

  bool live() const { return live_; }  ///< opened although its writer has not closed it

  /// Throws FileError if anything could not be written to a file that was created. HDF5 may still
  /// hold back what it has not flushed.
  void CheckWritten() const;

  /// Waits until all that is flushed has reached the device. Throws FileError if that fails.
  void Synchronise() const;

  /// Gives a file that was created another name, replacing what has it. Throws FileError if that
  /// fails. Messages keep the first name.
  void Rename(const std::string& to) const;

  /// From now on nothing touches a file that was created, and closing it succeeds.
  void Abandon() const;

  /// Closes. Throws FileError in the name of `path` if the file is not complete. Children must have
  /// been closed before.
  void Finish(const std::string& path);

 private:
  std::shared_ptr<OutputFile> output_;  ///< of a file that was created
  bool live_ = false;
};

}  // namespace nonsmooth::hdf5
