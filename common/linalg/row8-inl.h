// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Eight doubles in as many vector registers as it takes. Included once per instruction set, after
// hwy/highway.h; the toggle below is Highway's way of an include guard.
#if defined(NONSMOOTH_ROW8_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NONSMOOTH_ROW8_INL_H
#undef NONSMOOTH_ROW8_INL_H
#else
#define NONSMOOTH_ROW8_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace nonsmooth {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RowD = hn::CappedTag<double, 8>;
using RowV = hn::Vec<RowD>;
constexpr int kRowLanes = static_cast<int>(hn::MaxLanes(RowD()));
constexpr int kRowParts = 8 / kRowLanes;

struct Row8 {
  RowV part[kRowParts];
};

HWY_INLINE Row8 ZeroRow() {
  Row8 r;
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::Zero(RowD());
  return r;
}
HWY_INLINE Row8 LoadRow(const double* from) {
  Row8 r;
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::Load(RowD(), from + k * kRowLanes);
  return r;
}
HWY_INLINE void StoreRow(const Row8& r, double* to) {
  for (int k = 0; k < kRowParts; ++k) hn::Store(r.part[k], RowD(), to + k * kRowLanes);
}
/// sum + factor · row
HWY_INLINE Row8 AddScaled(const Row8& sum, double factor, const Row8& row) {
  Row8 r;
  const RowV f = hn::Set(RowD(), factor);
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::MulAdd(f, row.part[k], sum.part[k]);
  return r;
}
/// sum − factor · row
HWY_INLINE Row8 SubtractScaled(const Row8& sum, double factor, const Row8& row) {
  Row8 r;
  const RowV f = hn::Set(RowD(), factor);
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::NegMulAdd(f, row.part[k], sum.part[k]);
  return r;
}
/// sum + a · b, entry by entry
HWY_INLINE Row8 AddProduct(const Row8& sum, const Row8& a, const Row8& b) {
  Row8 r;
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::MulAdd(a.part[k], b.part[k], sum.part[k]);
  return r;
}
HWY_INLINE Row8 Plus(const Row8& a, const Row8& b) {
  Row8 r;
  for (int k = 0; k < kRowParts; ++k) r.part[k] = hn::Add(a.part[k], b.part[k]);
  return r;
}
HWY_INLINE double SumOfRow(const Row8& r) {
  RowV sum = r.part[0];
  for (int k = 1; k < kRowParts; ++k) sum = hn::Add(sum, r.part[k]);
  return hn::GetLane(hn::SumOfLanes(RowD(), sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace nonsmooth
HWY_AFTER_NAMESPACE();

#endif
