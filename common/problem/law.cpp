// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/law.h"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace nonsmooth {
namespace {

constexpr int kDefaultFacets = 8;
constexpr std::array<std::pair<LawKind, std::string_view>, 6> kNames{{
    {LawKind::kNative, "native"},
    {LawKind::kBox, "box"},
    {LawKind::kCoupledBox, "coupled_box"},
    {LawKind::kPyramid, "pyramid"},
    {LawKind::kCcp, "ccp"},
    {LawKind::kNcp, "ncp"},
}};

[[noreturn]] void Refuse(std::string_view text) {
  throw std::invalid_argument("law '" + std::string(text) +
                              "' is not one of native, box, coupled_box, pyramid:K (3 <= K <= "
                              "1024), ccp, ncp");
  static_assert(kFewestFacets == 3 && kMostFacets == 1024, "the message says so");
}

}  // namespace

Law ParseLaw(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const auto& [kind, known] : kNames) {
    if (name != known) continue;
    Law law{kind, kind == LawKind::kPyramid ? kDefaultFacets : 0};
    if (colon == std::string_view::npos) return law;
    if (kind != LawKind::kPyramid) Refuse(text);
    const char* first = text.data() + colon + 1;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, law.facets);
    if (error != std::errc() || end != last || !HasValidFacets(law)) Refuse(text);
    return law;
  }
  Refuse(text);
}

bool HasValidFacets(const Law& law) {
  return law.kind != LawKind::kPyramid ||
         (law.facets >= kFewestFacets && law.facets <= kMostFacets);
}

std::string_view ToString(LawKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "unknown";
}

std::string ToString(const Law& law) {
  std::string text(ToString(law.kind));
  if (law.kind == LawKind::kPyramid) text += ":" + std::to_string(law.facets);
  return text;
}

}  // namespace nonsmooth
