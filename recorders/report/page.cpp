// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/page.h"

#include <cassert>
#include <string_view>

namespace nonsmooth {

/// viewer/dist/page.html, from the source that the build makes of it.
extern const char* const kViewerPage;

std::string MakePage(const std::string& json) {
  constexpr std::string_view kMark = "@REPORT@";
  const std::string_view viewer = kViewerPage;
  const std::size_t mark = viewer.find(kMark);
  assert(mark != std::string_view::npos);
  std::string page(viewer.substr(0, mark));
  page.reserve(viewer.size() + json.size() + json.size() / 64);
  for (char c : json) {
    if (c == '<') {
      page += "\\u003c";
    } else {
      page += c;
    }
  }
  page += viewer.substr(mark + kMark.size());
  return page;
}

}  // namespace nonsmooth
