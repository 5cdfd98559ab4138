// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/explain/si_text.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace nonsmooth {

std::string SiText(double value, std::string_view unit) {
  if (std::isnan(value)) return "-";
  if (value == 0 || std::isinf(value)) return fmt::format("{} {}", value, unit);
  constexpr std::pair<double, const char*> kPrefixes[] = {{1e9, "G"},  {1e6, "M"},   {1e3, "k"},
                                                          {1, ""},     {1e-3, "m"},  {1e-6, "µ"},
                                                          {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}};
  for (const auto& [scale, prefix] : kPrefixes) {
    // 0.9995 m would be rounded to 1000 mm.
    const double share = std::abs(value) / scale;
    if (share < 0.9995) continue;
    if (share >= 999.5) break;
    const int decimals = share < 9.995 ? 2 : share < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}{}", value / scale, decimals, prefix, unit);
  }
  return fmt::format("{:.2e} {}", value, unit);
}

}  // namespace nonsmooth
