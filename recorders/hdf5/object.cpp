// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/object.h"

#include <cstring>
#include <new>
#include <string_view>

namespace nonsmooth::hdf5 {
namespace {

/// Attributes hold names and descriptions, never data.
constexpr std::size_t kMostAttributeBytes = 1 << 20;

herr_t CollectError(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  // No exception may cross HDF5: it would keep its lock for ever.
  try {
    auto& out = *static_cast<std::string*>(text);
    if (error->desc != nullptr && *error->desc != '\0') {
      if (!out.empty()) out += "; ";
      out += error->desc;
    }
  } catch (const std::bad_alloc&) {
    return -1;
  }
  return 0;
}

}  // namespace

template <>
hid_t NativeType<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t NativeType<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t NativeType<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t NativeType<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t NativeType<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
hid_t NativeType<std::uint32_t>() {
  return H5T_NATIVE_UINT32;
}
template <>
hid_t NativeType<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

std::string TakeErrorStack() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, CollectError, &text);
  H5Eclear2(H5E_DEFAULT);
  // What the operating system says is all there is to know; HDF5 puts addresses around it.
  constexpr std::string_view kQuote = "error message = '";
  const std::size_t begin = text.find(kQuote);
  if (begin != std::string::npos) {
    const std::size_t first = begin + kQuote.size();
    return text.substr(first, text.find('\'', first) - first);
  }
  return text;
}

std::string TrimText(const char* data, std::size_t size) {
  std::size_t length = strnlen(data, size);
  while (length > 0 && data[length - 1] == ' ') --length;
  return std::string(data, length);
}

void Object::Fail(const std::string& what) const {
  const Session session;
  const std::string stack = TakeErrorStack();
  throw FileError(file_, path_, stack.empty() ? what : what + " (HDF5: " + stack + ")");
}

std::string Object::ChildPath(const std::string& name) const {
  return path_ == "/" ? "/" + name : path_ + "/" + name;
}

bool Object::HasAttribute(const std::string& name) const {
  const Session session;
  return Check(H5Aexists(id(), name.c_str()), "cannot look for an attribute") > 0;
}

std::vector<std::string> Object::Attributes() const {
  const Session session;
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    try {
      static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    } catch (const std::bad_alloc&) {
      return -1;
    }
    return 0;
  };
  Check(H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names),
        "cannot list the attributes");
  return names;
}

std::string Object::ReadTextAttribute(const std::string& name) const {
  const Session session;
  const Object attribute(Handle(H5Aopen(id(), name.c_str(), H5P_DEFAULT)), file_,
                         path_ + "@" + name);
  attribute.Check(attribute.id(), "cannot open the attribute");
  const Handle type = attribute.CheckHandle(H5Aget_type(attribute.id()), "has no type");
  const Handle space = attribute.CheckHandle(H5Aget_space(attribute.id()), "has no size");
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) {
    attribute.Fail("is not one text");
  }
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    attribute.Check(H5Aread(attribute.id(), type.get(), &text), "cannot be read");
    std::string result = text == nullptr ? "" : TrimText(text, std::strlen(text));
    H5free_memory(text);
    return result;
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > kMostAttributeBytes) {
    attribute.Fail("claims to be a text of " + std::to_string(size) + " bytes");
  }
  std::string buffer(size, '\0');
  attribute.Check(H5Aread(attribute.id(), type.get(), buffer.data()), "cannot be read");
  return TrimText(buffer.data(), buffer.size());
}

std::int64_t Object::ReadIntegerAttribute(const std::string& name) const {
  const Session session;
  const Object attribute(Handle(H5Aopen(id(), name.c_str(), H5P_DEFAULT)), file_,
                         path_ + "@" + name);
  attribute.Check(attribute.id(), "cannot open the attribute");
  const Handle type = attribute.CheckHandle(H5Aget_type(attribute.id()), "has no type");
  const Handle space = attribute.CheckHandle(H5Aget_space(attribute.id()), "has no size");
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.get()) != 1) {
    attribute.Fail("is not one integer");
  }
  std::int64_t value = 0;
  attribute.Check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value), "cannot be read");
  return value;
}

void Object::WriteAttribute(const std::string& name, const std::string& text) const {
  const Session session;
  const Handle type = CheckHandle(H5Tcopy(H5T_C_S1), "cannot make a type");
  Check(H5Tset_size(type.get(), text.size() + 1), "cannot make a type");
  Check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "cannot make a type");
  const Handle space = CheckHandle(H5Screate(H5S_SCALAR), "cannot make a dataspace");
  const Handle attribute =
      CheckHandle(H5Acreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                  "cannot make an attribute");
  Check(H5Awrite(attribute.get(), type.get(), text.c_str()), "cannot write an attribute");
}

void Object::WriteAttribute(const std::string& name, std::int64_t value) const {
  const Session session;
  const Handle space = CheckHandle(H5Screate(H5S_SCALAR), "cannot make a dataspace");
  const Handle attribute = CheckHandle(
      H5Acreate2(id(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      "cannot make an attribute");
  Check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "cannot write an attribute");
}

}  // namespace nonsmooth::hdf5
