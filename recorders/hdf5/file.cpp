// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <type_traits>

#include "recorders/hdf5/output_driver.h"

namespace nonsmooth::hdf5 {
namespace {

/// What the first bytes of a file say. The HDF5 superblock may also start at 512, 1024, …; nobody
/// writes such files, and they are read without the flags.
struct Peek {
  bool hdf5 = false;
  bool live = false;
};

constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kVersionByte = 8;
constexpr std::size_t kFlagsByte = 11;  // of superblock version 3
constexpr unsigned kOpenForWriting = 1;
constexpr unsigned kOpenForSwmr = 4;

Peek LookAt(const std::string& path) {
  const auto refuse = [&path](const std::string& why) { throw FileError(path, "", why); };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a directory");
  if (!S_ISREG(status.st_mode)) refuse("is not a regular file");
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(std::strerror(errno));
  std::array<unsigned char, 12> head{};
  const ssize_t got = ::read(descriptor, head.data(), head.size());
  ::close(descriptor);
  if (got == 0) refuse("is empty");
  Peek peek;
  peek.hdf5 = got == static_cast<ssize_t>(head.size()) &&
              std::equal(kSignature.begin(), kSignature.end(), head.begin());
  if (!peek.hdf5) refuse("is not an HDF5 file");
  peek.live = head[kVersionByte] == 3 && (head[kFlagsByte] & kOpenForWriting) != 0 &&
              (head[kFlagsByte] & kOpenForSwmr) != 0;
  return peek;
}

Handle AccessList(hid_t copied = H5P_DEFAULT) {
  Handle list(copied == H5P_DEFAULT ? H5Pcreate(H5P_FILE_ACCESS) : H5Pcopy(copied));
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(list.get(), /*use_file_locking=*/false, /*ignore_when_disabled=*/true);
#endif
  return list;
}

}  // namespace

File File::Open(const std::string& path) {
  const Peek peek = LookAt(path);
  const Session session;
  const Handle access = AccessList();
  // A writer updates metadata while we read, so that what is torn is read again. HDF5 waits 1, 2,
  // 4, … ns in between; with its own choice of 100 attempts a file that is damaged for good would
  // keep us for ever. 22 are 2 ms, hundreds of times as long as the writing of a page takes.
  if (peek.live) H5Pset_metadata_read_attempts(access.get(), 22);
  const unsigned flags = H5F_ACC_RDONLY | (peek.live ? H5F_ACC_SWMR_READ : 0u);
  File file(Handle(H5Fopen(path.c_str(), flags, access.get())), path, "/");
  file.live_ = peek.live;
  if (!file) Object(Handle(), path, "").Fail("cannot be opened");
  return file;
}

File File::Create(const std::string& path, hid_t creation, hid_t access) {
  const Session session;
  const Object where(Handle(), path, "");
  const Handle list = AccessList(access);
  std::shared_ptr<OutputFile> output;
  if (!UseOutputDriver(list.get(), &output)) where.Fail("cannot be created");
  File file(Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, list.get())), path, "/");
  if (!file) where.Fail("cannot be created");
  file.output_ = std::move(output);
  return file;
}

void File::CheckWritten() const {
  const Session session;
  if (output_ == nullptr || output_->Verify()) return;
  throw FileError(file(), "", "cannot be written (" + output_->failure() + ")");
}

void File::Synchronise() const {
  const Session session;
  if (output_ != nullptr) output_->Synchronise();
  CheckWritten();
}

void File::Rename(const std::string& to) const {
  const Session session;
  if (!output_->Rename(to)) throw FileError(to, "", std::strerror(errno));
}

void File::Abandon() const {
  const Session session;
  if (output_ != nullptr) output_->Abandon();
}

void File::Finish(const std::string& path) {
  const Session session;
  const bool closed = Close();
  std::string why = output_ == nullptr ? "" : output_->failure();
  if (closed && why.empty()) return;
  if (why.empty()) why = "HDF5: " + TakeErrorStack();
  throw FileError(path, "", "cannot be written completely (" + why + ")");
}

bool Group::Has(const std::string& name) const {
  const Session session;
  // A soft or external link that leads nowhere, or elsewhere, is no child.
  if (H5Lexists(id(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t link;
  return H5Lget_info(id(), name.c_str(), &link, H5P_DEFAULT) >= 0 &&
         link.type != H5L_TYPE_EXTERNAL && H5Oexists_by_name(id(), name.c_str(), H5P_DEFAULT) > 0;
}

namespace {

H5O_type_t TypeOf(const Group& group, const std::string& name) {
  H5O_info_t info;
  if (!group.Has(name) || H5Oget_info_by_name(group.id(), name.c_str(), &info, H5P_DEFAULT) < 0) {
    return H5O_TYPE_UNKNOWN;
  }
  return info.type;
}

}  // namespace

bool Group::HasGroup(const std::string& name) const {
  const Session session;
  return TypeOf(*this, name) == H5O_TYPE_GROUP;
}

bool Group::HasDataset(const std::string& name) const {
  const Session session;
  return TypeOf(*this, name) == H5O_TYPE_DATASET;
}

std::vector<std::string> Group::Children(std::size_t most) const {
  const Session session;
  H5G_info_t info;
  Check(H5Gget_info(id(), &info), "cannot be listed");
  if (info.nlinks > most) Fail("claims " + std::to_string(info.nlinks) + " children");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    try {
      static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    } catch (const std::bad_alloc&) {
      return -1;  // no exception may cross HDF5
    }
    return 0;
  };
  Check(H5Literate(id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names),
        "cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

Group Group::OpenGroup(const std::string& name) const {
  const Session session;
  if (!HasGroup(name)) throw FileError(file(), ChildPath(name), "there is no such group");
  Group group(Handle(H5Gopen2(id(), name.c_str(), H5P_DEFAULT)), file(), ChildPath(name));
  if (!group) group.Fail("cannot be opened");
  return group;
}

Dataset Group::OpenDataset(const std::string& name) const {
  Dataset dataset = OpenGrowingDataset(name);
  dataset.RequireStored();
  return dataset;
}

Dataset Group::OpenGrowingDataset(const std::string& name) const {
  const Session session;
  if (!HasDataset(name)) throw FileError(file(), ChildPath(name), "there is no such dataset");
  Dataset dataset(Handle(H5Dopen2(id(), name.c_str(), H5P_DEFAULT)), file(), ChildPath(name));
  if (!dataset) dataset.Fail("cannot be opened");
  dataset.Inspect();
  return dataset;
}

Group Group::CreateGroup(const std::string& name) const {
  const Session session;
  Group group(Handle(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), file(),
              ChildPath(name));
  if (!group) group.Fail("cannot be created");
  return group;
}

template <class T>
Dataset Group::Write(const std::string& name, const std::vector<T>& values,
                     const Dimensions& dimensions) const {
  const Session session;
  std::vector<hsize_t> sizes(dimensions.begin(), dimensions.end());
  if (sizes.empty()) sizes.push_back(values.size());
  hsize_t product = 1;
  for (hsize_t size : sizes) product *= size;
  const Object child(Handle(), file(), ChildPath(name));
  if (product != values.size()) {
    throw std::invalid_argument(ChildPath(name) + ": " + std::to_string(values.size()) +
                                " values do not fill its dimensions");
  }
  const Handle space = child.CheckHandle(
      H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), "has no dataspace");
  Dataset dataset(Handle(H5Dcreate2(id(), name.c_str(), NativeType<T>(), space.get(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT)),
                  file(), ChildPath(name));
  if (!dataset) dataset.Fail("cannot be created");
  if (!values.empty()) {
    dataset.Check(
        H5Dwrite(dataset.id(), NativeType<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "cannot be written");
  }
  return dataset;
}

template Dataset Group::Write(const std::string&, const std::vector<float>&,
                              const Dimensions&) const;
template Dataset Group::Write(const std::string&, const std::vector<double>&,
                              const Dimensions&) const;
template Dataset Group::Write(const std::string&, const std::vector<std::int32_t>&,
                              const Dimensions&) const;
template Dataset Group::Write(const std::string&, const std::vector<std::int64_t>&,
                              const Dimensions&) const;
template Dataset Group::Write(const std::string&, const std::vector<std::uint8_t>&,
                              const Dimensions&) const;
template Dataset Group::Write(const std::string&, const std::vector<std::uint64_t>&,
                              const Dimensions&) const;

void Group::WriteText(const std::string& name, const std::string& text) const {
  const Session session;
  const Object child(Handle(), file(), ChildPath(name));
  const Handle type = child.CheckHandle(H5Tcopy(H5T_C_S1), "has no type");
  child.Check(H5Tset_size(type.get(), text.size() + 1), "has no type");
  child.Check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "has no type");
  const Handle space = child.CheckHandle(H5Screate(H5S_SCALAR), "has no dataspace");
  const Handle dataset = child.CheckHandle(H5Dcreate2(id(), name.c_str(), type.get(), space.get(),
                                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                           "cannot be created");
  child.Check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
              "cannot be written");
}

}  // namespace nonsmooth::hdf5
