// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "dataset.h"

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

  /// A new file in the earliest format that can hold it; replaces an existing one.
  static File Create(const std::string& path);

  bool live() const { return live_; }  ///< opened although its writer has not closed it

 private:
  bool live_ = false;
};

}  // namespace nonsmooth::hdf5
