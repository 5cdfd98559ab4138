// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nonsmooth {

/// Columns of text aligned for a terminal.
class TextTable {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  /// At least two columns, since a row of one cell is a heading.
  explicit TextTable(std::vector<Column> columns);

  /// One cell a column; throws std::invalid_argument otherwise.
  void AddRow(std::vector<std::string> cells);

  /// A line of its own above the rows that follow; it may be wider than the table.
  void AddHeading(std::string text);

  std::string Text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< of one cell: a heading
};

}  // namespace nonsmooth
