// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/output_driver.h"

#include <fcntl.h>

#include <exception>
#include <limits>
#include <tuple>

namespace nonsmooth::hdf5 {
namespace {

/// What the access list carries. HDF5 copies it byte by byte.
struct Request {
  std::shared_ptr<OutputFile>* output;
};

/// HDF5 sees only the base.
struct DriverFile : H5FD_t {
  std::shared_ptr<OutputFile> output;
  haddr_t end_allocated;
  haddr_t end;  ///< of the file, as far as HDF5 knows
};

constexpr haddr_t kMostAddress = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

hid_t driver = H5I_INVALID_HID;  // guarded by Session

DriverFile& From(H5FD_t* file) { return *static_cast<DriverFile*>(file); }
const DriverFile& From(const H5FD_t* file) { return *static_cast<const DriverFile*>(file); }

/// In the words of HDF5's own driver, which TakeErrorStack() knows.
void PushError(const char* function, hid_t minor, const std::string& why) {
  H5Epush2(H5E_DEFAULT, __FILE__, function, __LINE__, H5E_ERR_CLS, H5E_IO, minor,
           "error message = '%s'", why.c_str());
}

bool IsRange(haddr_t address, std::size_t size) {
  return address <= kMostAddress && size <= kMostAddress - address;
}

// The library forgets all drivers when the application calls H5close().
herr_t Terminate() {
  driver = H5I_INVALID_HID;
  return 0;
}

H5FD_t* Open(const char* name, unsigned flags, hid_t access, haddr_t /*most_address*/) {
  try {
    int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
    if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
    if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
    if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
    auto output = std::make_shared<OutputFile>(name, mode);
    if (!output->is_open()) {
      PushError(__func__, H5E_CANTOPENFILE, output->failure());
      return nullptr;
    }
    const auto* request = static_cast<const Request*>(H5Pget_driver_info(access));
    if (request != nullptr) *request->output = output;
    auto file = std::make_unique<DriverFile>();
    file->end = output->size_at_opening();
    file->output = std::move(output);
    return file.release();
  } catch (const std::exception& error) {
    PushError(__func__, H5E_CANTOPENFILE, error.what());
    return nullptr;
  }
}

herr_t Close(H5FD_t* file) {
  From(file).output->Close();
  delete &From(file);
  return 0;
}

int Compare(const H5FD_t* left, const H5FD_t* right) {
  const OutputFile& a = *From(left).output;
  const OutputFile& b = *From(right).output;
  const auto first = std::make_tuple(a.device(), a.inode());
  const auto second = std::make_tuple(b.device(), b.inode());
  return first < second ? -1 : static_cast<int>(second < first);
}

// Those of HDF5's own driver for POSIX files.
herr_t Query(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
           H5FD_FEAT_SUPPORTS_SWMR_IO;
#ifdef H5FD_FEAT_DEFAULT_VFD_COMPATIBLE
  *flags |= H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
#endif
  return 0;
}

haddr_t EndAllocated(const H5FD_t* file, H5FD_mem_t /*type*/) { return From(file).end_allocated; }

herr_t SetEndAllocated(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  From(file).end_allocated = address;
  return 0;
}

// At the end, as HDF5 does by itself; chunks that are filled go where others were.
haddr_t Allocate(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, hsize_t size) {
  DriverFile& self = From(file);
  if (type == H5FD_MEM_DRAW) {
    if (const std::optional<std::uint64_t> slot = self.output->slots().Take(size)) return *slot;
  }
  const haddr_t address = self.end_allocated;
  self.end_allocated += size;
  return address;
}

haddr_t End(const H5FD_t* file, H5FD_mem_t /*type*/) { return From(file).end; }

herr_t GetHandle(H5FD_t* file, hid_t /*access*/, void** handle) {
  *handle = From(file).output->descriptor();
  return 0;
}

herr_t Read(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t size,
            void* data) {
  OutputFile& output = *From(file).output;
  if (!IsRange(address, size)) {
    PushError(__func__, H5E_OVERFLOW, "address out of range");
    return -1;
  }
  if (output.Read(address, data, size)) return 0;
  PushError(__func__, H5E_READERROR, output.failure());
  return -1;
}

herr_t Write(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, size_t size,
             const void* data) {
  if (!IsRange(address, size)) {
    PushError(__func__, H5E_OVERFLOW, "address out of range");
    return -1;
  }
  try {
    OutputFile& output = *From(file).output;
    if (type == H5FD_MEM_DRAW && output.slots().TakeClaim(address, size)) return 0;
    output.Write(address, data, size);
  } catch (const std::exception& error) {  // out of memory
    PushError(__func__, H5E_WRITEERROR, error.what());
    return -1;
  }
  if (address + size > From(file).end) From(file).end = address + size;
  return 0;
}

herr_t Truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  DriverFile& self = From(file);
  if (self.end != self.end_allocated) self.output->Truncate(self.end_allocated);
  self.end = self.end_allocated;
  return 0;
}

// Files are not locked, but HDF5 marks a file as being written only if the driver could lock it.
herr_t Lock(H5FD_t* /*file*/, hbool_t /*for_writing*/) { return 0; }
herr_t Unlock(H5FD_t* /*file*/) { return 0; }

// Members by name: later versions of HDF5 have more of them.
H5FD_class_t DriverClass() {
  H5FD_class_t type{};
#if H5_VERSION_GE(1, 14, 0)
  type.version = H5FD_CLASS_VERSION;
  type.value = H5_VFD_RESERVED + 255;  // none of the library's own
#endif
  type.name = "nonsmooth_output";
  type.maxaddr = kMostAddress;
  type.fc_degree = H5F_CLOSE_WEAK;
  type.terminate = Terminate;
  type.fapl_size = sizeof(Request);
  type.open = Open;
  type.close = Close;
  type.cmp = Compare;
  type.query = Query;
  type.get_eoa = EndAllocated;
  type.set_eoa = SetEndAllocated;
  type.alloc = Allocate;
  type.get_eof = End;
  type.get_handle = GetHandle;
  type.read = Read;
  type.write = Write;
  type.truncate = Truncate;
  type.lock = Lock;
  type.unlock = Unlock;
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  for (int k = 0; k < H5FD_MEM_NTYPES; ++k) type.fl_map[k] = map[k];
  return type;
}

}  // namespace

bool UseOutputDriver(hid_t access, std::shared_ptr<OutputFile>* output) {
  if (driver < 0) {
    // For good: HDF5 up to 1.14 calls the driver of a file it closes after having given it up.
    const H5FD_class_t type = DriverClass();
    driver = H5FDregister(&type);
    if (driver < 0) return false;
  }
  const Request request{output};
  return H5Pset_driver(access, driver, &request) >= 0;
}

}  // namespace nonsmooth::hdf5
