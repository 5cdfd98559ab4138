// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "object.h"

namespace nonsmooth::hdf5 {

using Dimensions = std::vector<std::uint64_t>;

/// An open dataset.
class Dataset : public Object {
 public:
  Dataset() = default;
  using Object::Object;

  /// Layout, filters, type and size, refused if they are not ours to load: data outside the file,
  /// filters other than shuffle, deflate and Fletcher, chunks above 64 MB.
  void Inspect();

  /// Refuses a dataset that claims more bytes than the file can hold.
  void RequireStored() const;

  /// An upper bound of the bytes that can be read from this dataset, from what is on the disk.
  std::uint64_t most_bytes() const { return most_bytes_; }

  const Dimensions& dimensions() const { return dimensions_; }
  std::uint64_t values() const { return values_; }  ///< product of the dimensions
  std::size_t value_size() const { return value_size_; }
  bool is_integer() const;
  bool is_float() const;
  bool is_text() const;

  /// All values, converted within their class (integer or float) as HDF5 does; throws FileError if
  /// an integer does not fit.
  template <class T>
  std::vector<T> Read() const;

  std::string ReadText() const;

 private:
  Dimensions dimensions_;
  std::uint64_t values_ = 1;
  std::size_t value_size_ = 0;
  std::uint64_t most_bytes_ = 0;
};

}  // namespace nonsmooth::hdf5
