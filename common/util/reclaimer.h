// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace nonsmooth {

/// Gives objects to others, and gets the last one back when all of those have let go of it, in
/// whatever thread: for memory that is used again.
///
/// To ask use_count() whether one is alone would not do. It says so without waiting for what the
/// others did to the object before they let go.
template <class T>
class Reclaimer {
 public:
  /// The same object; its owners and their copies keep it.
  std::shared_ptr<T> Share(std::shared_ptr<T> object) {
    T* const raw = object.get();
    return std::shared_ptr<T>(raw, [shelf = shelf_, object = std::move(object)](T*) mutable {
      const std::lock_guard lock(shelf->mutex);
      shelf->object = std::move(object);
    });
  }

  /// The last object that came back, with no other owner; null if there is none.
  std::shared_ptr<T> Take() {
    const std::lock_guard lock(shelf_->mutex);
    return std::exchange(shelf_->object, nullptr);
  }

 private:
  struct Shelf {
    std::mutex mutex;
    std::shared_ptr<T> object;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace nonsmooth
