// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/step_row.h"

#include <algorithm>
#include <cstring>

#include "recorders/format/xxhash64.h"

namespace nonsmooth::schema {
namespace {

/// Later minor versions add fields; a row stays far below this.
constexpr std::size_t kMostRowBytes = 1 << 16;

/// In the place of an offset: the file does not have the field.
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

using Kind = StepField::Kind;

#define NONSMOOTH_FIELD(member) #member, offsetof(StepRow, member), sizeof(StepRow::member)

std::vector<StepField> MakeFields() {
  std::vector<StepField> fields{
      {NONSMOOTH_FIELD(step), Kind::kInteger, 1, "-", "number of the time step"},
      {NONSMOOTH_FIELD(island), Kind::kInteger, 1, "-", "island within the step"},
      {NONSMOOTH_FIELD(solve), Kind::kInteger, 1, "-", "solve within the island"},
      {NONSMOOTH_FIELD(time), Kind::kFloat, 1, "s", "time at the start of the step"},
      {NONSMOOTH_FIELD(h), Kind::kFloat, 1, "s", "time step"},
      {NONSMOOTH_FIELD(gravity), Kind::kFloat, 3, "m/s^2", "gravity, world"},
      {NONSMOOTH_FIELD(solver), Kind::kText, 1, "-", "the engine's solver"},
      {NONSMOOTH_FIELD(iterations), Kind::kInteger, 1, "-", "that it did; -1: unknown"},
      {NONSMOOTH_FIELD(form), Kind::kUnsigned, 1, "-",
       "0: no rows, 1: two-body, 2: sparse, 3: matrix, 4: articulated"},
      {NONSMOOTH_FIELD(seconds), Kind::kFloat, 1, "s", "time the engine's solver took"},
      {NONSMOOTH_FIELD(energy_error), Kind::kFloat, 1, "J", "of the engine's solution, native law"},
      {NONSMOOTH_FIELD(total_error), Kind::kFloat, 1, "-", "Lu et al.: half of |phi_FB|^2"},
      {NONSMOOTH_FIELD(normal_error), Kind::kFloat, 1, "J", "Lu et al.: normal complementarity"},
      {NONSMOOTH_FIELD(friction_error), Kind::kFloat, 1, "J",
       "Lu et al.: magnitude and direction of friction"},
  };
  for (std::size_t p = 0; p < kPoolCount; ++p) {
    fields.push_back({kPools[p].column, offsetof(StepRow, pools) + p * sizeof(Range), sizeof(Range),
                      Kind::kUnsigned, 2, "-", "(first, count) in the pool", kPools[p].since});
  }
  fields.push_back({NONSMOOTH_FIELD(problem_checksum), Kind::kUnsigned, 1, "-",
                    "XXH64 chain over the problem as float64"});
  fields.push_back({NONSMOOTH_FIELD(data_checksum), Kind::kUnsigned, 1, "-",
                    "XXH64 chain over all ranges as stored"});
  fields.push_back({NONSMOOTH_FIELD(shape_checksum), Kind::kUnsigned, 1, "-",
                    "XXH64 chain over the ranges of /shapes as stored", 1});
  fields.push_back(
      {NONSMOOTH_FIELD(row_checksum), Kind::kUnsigned, 1, "-",
       "XXH64 chain over the bytes of this row before and after this field: the commit mark"});
  return fields;
}

#undef NONSMOOTH_FIELD

hid_t BaseType(Kind kind, std::size_t size) {
  switch (kind) {
    case Kind::kFloat:
      return H5T_IEEE_F64LE;
    case Kind::kUnsigned:
      return size == 1 ? H5T_STD_U8LE : H5T_STD_U64LE;
    default:
      return size == 4 ? H5T_STD_I32LE : H5T_STD_I64LE;
  }
}

hdf5::Handle FieldType(const StepField& field) {
  if (field.kind == Kind::kText) {
    hdf5::Handle text(H5Tcopy(H5T_C_S1));
    H5Tset_size(text.get(), field.size);
    H5Tset_cset(text.get(), H5T_CSET_UTF8);
    return text;
  }
  const hid_t base = BaseType(field.kind, field.size / field.values);
  if (field.values == 1) return hdf5::Handle(H5Tcopy(base));
  const hsize_t size = field.values;
  return hdf5::Handle(H5Tarray_create2(base, 1, &size));
}

}  // namespace

const std::vector<StepField>& StepFields() {
  static const std::vector<StepField> fields = MakeFields();
  return fields;
}

hdf5::Handle StepRowType() {
  const hdf5::Session session;
  hdf5::Handle row(H5Tcreate(H5T_COMPOUND, sizeof(StepRow)));
  for (const StepField& field : StepFields()) {
    H5Tinsert(row.get(), field.name, field.offset, FieldType(field).get());
  }
  return row;
}

StepRowMap::StepRowMap(const hdf5::Dataset& steps, int minor) {
  const hdf5::Session session;
  const hdf5::Handle type = steps.CheckHandle(H5Dget_type(steps.id()), "has no type");
  if (H5Tget_class(type.get()) != H5T_COMPOUND) steps.Fail("is not a table");
  size_ = H5Tget_size(type.get());
  if (size_ > kMostRowBytes) steps.Fail("has rows of " + std::to_string(size_) + " bytes");
  for (const StepField& field : StepFields()) {
    if (field.since > minor) {
      offsets_.push_back(kAbsent);
      continue;
    }
    const int index = H5Tget_member_index(type.get(), field.name);
    if (index < 0) {
      hdf5::TakeErrorStack();
      steps.Fail(std::string("has no field '") + field.name + "'");
    }
    const auto member_index = static_cast<unsigned>(index);
    const hdf5::Handle member(H5Tget_member_type(type.get(), member_index));
    const std::size_t offset = H5Tget_member_offset(type.get(), member_index);
    const hdf5::Handle expected = FieldType(field);
    const bool same = field.kind == Kind::kText ? H5Tget_class(member.get()) == H5T_STRING &&
                                                      H5Tis_variable_str(member.get()) == 0 &&
                                                      H5Tget_size(member.get()) == field.size
                                                : H5Tequal(member.get(), expected.get()) > 0;
    if (!same || offset + field.size > size_) {
      steps.Fail(std::string("field '") + field.name + "' is of another type");
    }
    offsets_.push_back(offset);
  }
}

bool StepRowMap::Unpack(const std::uint8_t* bytes, StepRow* row) const {
  const std::vector<StepField>& fields = StepFields();
  auto* out = reinterpret_cast<std::uint8_t*>(row);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (offsets_[k] == kAbsent) {
      std::memset(out + fields[k].offset, 0, fields[k].size);
      continue;
    }
    std::memcpy(out + fields[k].offset, bytes + offsets_[k], fields[k].size);
  }
  return row->row_checksum == RowChecksum(bytes, size_, offsets_.back());
}

std::uint64_t RowChecksum(const std::uint8_t* row, std::size_t size, std::size_t checksum_offset) {
  const std::size_t rest = checksum_offset + sizeof(StepRow::row_checksum);
  const std::uint64_t before = XxHash64(row, checksum_offset, 0);
  const std::uint64_t hash = XxHash64(row + rest, size - rest, before);
  return hash == 0 ? 1 : hash;
}

}  // namespace nonsmooth::schema
