// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/handle.h"

#include <pthread.h>

#include <new>

namespace nonsmooth::hdf5 {
namespace {

std::recursive_mutex& Mutex();

int sessions = 0;  // of the thread that holds the mutex

// HDF5 is whole when a process divides. Nobody in the child may unlock what the parent's thread has
// locked, so that the child gets a new mutex in the place of its copy.
void RenewMutex() {
  const int held = sessions;  // by the thread that goes on here
  new (&Mutex()) std::recursive_mutex;
  for (int i = 0; i < held; ++i) Mutex().lock();
}

std::recursive_mutex& Mutex() {
  // Never destroyed: objects with static lifetime may still close files after main().
  static auto* const mutex = [] {
    pthread_atfork([] { Mutex().lock(); }, [] { Mutex().unlock(); }, RenewMutex);
    return new std::recursive_mutex;
  }();
  return *mutex;
}

}  // namespace

// Nested sessions call nothing: every call into HDF5 clears the error stack, which an outer session
// may be about to read.
Session::Session() : lock_(Mutex()) {
  if (sessions++ > 0) return;
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  if (--sessions == 0) H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

bool Handle::Reset() {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  if (id < 0) return true;
  const Session session;
  switch (H5Iget_type(id)) {
    case H5I_FILE:
      return H5Fclose(id) >= 0;
    case H5I_GROUP:
      return H5Gclose(id) >= 0;
    case H5I_DATATYPE:
      return H5Tclose(id) >= 0;
    case H5I_DATASPACE:
      return H5Sclose(id) >= 0;
    case H5I_DATASET:
      return H5Dclose(id) >= 0;
    case H5I_ATTR:
      return H5Aclose(id) >= 0;
    case H5I_GENPROP_LST:
      return H5Pclose(id) >= 0;
    default:
      return false;
  }
}

}  // namespace nonsmooth::hdf5
