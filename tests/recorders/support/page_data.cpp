// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/recorders/support/page_data.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>

namespace nonsmooth {
namespace {

std::string FromBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t block = 0;
  int bits = 0;
  for (char c : text) {
    if (c == '=') break;
    block = block << 6 | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(block >> bits & 255);
  }
  return bytes;
}

}  // namespace

nlohmann::json PageData(const std::string& page) {
  const std::string open = "id=\"report\">";
  const std::size_t first = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(first, page.find("</script", first) - first));
}

std::vector<double> Unpack(const nlohmann::json& packed) {
  const std::string type = packed.at("type");
  const std::size_t count = packed.at("count");
  const std::map<std::string, int> widths{{"u8", 1},  {"u16", 2}, {"u32", 4},
                                          {"f24", 3}, {"f32", 4}, {"unit16", 2}};
  const int width = widths.at(type);
  const std::string deflated = FromBase64(packed.at("data"));
  std::vector<unsigned char> planes(count * static_cast<std::size_t>(width) + 1);
  uLongf size = planes.size();
  if (uncompress(planes.data(), &size, reinterpret_cast<const unsigned char*>(deflated.data()),
                 deflated.size()) != Z_OK ||
      size + 1 != planes.size()) {
    throw std::runtime_error("not " + type);
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = 0;
    for (int k = 0; k < width; ++k) {
      word |= std::uint32_t{planes[static_cast<std::size_t>(k) * count + i]} << 8 * k;
    }
    if (type == "f24") word <<= 8;
    float number = 0;
    std::memcpy(&number, &word, sizeof number);
    if (type[0] == 'f') {
      values.push_back(number);
    } else if (type == "unit16") {
      values.push_back(static_cast<std::int16_t>(word) / 32767.0);
    } else {
      values.push_back(word);
    }
  }
  return values;
}

}  // namespace nonsmooth
