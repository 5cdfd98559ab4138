// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/text_table.h"

#include <algorithm>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  Require(columns_.size() >= 2, "table: ", columns_.size(), " columns, expected at least 2");
}

void TextTable::AddRow(std::vector<std::string> cells) {
  RequireSize("table", "row", cells.size(), columns_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::AddHeading(std::string text) { rows_.push_back({std::move(text)}); }

std::string TextTable::Text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = Width(columns_[c].title);
    for (const auto& row : rows_) {
      if (row.size() > 1) width = std::max(width, Width(row[c]));
    }
    widths.push_back(width);
  }
  std::string text;
  const auto put = [&](std::size_t c, const std::string& cell) {
    const std::string gap(widths[c] - Width(cell), ' ');
    if (c > 0) text += "  ";
    text += columns_[c].align == Align::kRight ? gap + cell : cell + gap;
  };
  const auto end_line = [&] {
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  const auto rule = [&] {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) text += "  ";
      text.append(widths[c], '-');
    }
    text += '\n';
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) put(c, columns_[c].title);
  end_line();
  rule();
  for (const auto& row : rows_) {
    if (row.size() == 1) {
      text += row.front() + '\n';
      continue;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) put(c, row[c]);
    end_line();
  }
  return text;
}

}  // namespace nonsmooth
