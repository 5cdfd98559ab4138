// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nonsmooth::papers {

/// A statement of a paper and what came of it here.
struct Claim {
  std::string where;  ///< "Fig. 4", "Table 1", "Eq. 23"
  std::string what;   ///< one line, without a comma's worth of explanation
  std::string paper;  ///< the paper's number or words
  std::string ours;   ///< the measured one, with its unit
  bool holds = false;
};

/// Where one paper's results go: a folder with tables as CSV, pictures as PNG and the claims.
class PaperOutput {
 public:
  /// Makes the folder. `quick`: sizes that a test can bear, the same code otherwise. Throws
  /// std::filesystem::filesystem_error.
  PaperOutput(std::filesystem::path folder, bool quick);

  const std::filesystem::path& folder() const { return folder_; }
  bool quick() const { return quick_; }

  /// Writes `name`.csv: a header and a line for every row, digits that read back to the same bits,
  /// nothing for a NaN. Throws std::invalid_argument if a row is not as long as `columns`,
  /// std::runtime_error if the file cannot be written.
  void Table(const std::string& name, const std::vector<std::string>& columns,
             const std::vector<std::vector<double>>& rows) const;

  /// The same with a text in front of each row, say a solver's name; it has no commas.
  void Table(const std::string& name, const std::vector<std::string>& columns,
             const std::vector<std::string>& labels,
             const std::vector<std::vector<double>>& rows) const;

  /// Writes `name`.gp and lets gnuplot make `name`.png of it. `commands` read CSV files of this
  /// folder by their bare names; terminal, output, separator and a style for all papers are set
  /// already. Without gnuplot there is no picture, and skipped_pictures() counts it. Throws
  /// std::runtime_error, with what gnuplot said, if it fails.
  void Picture(const std::string& name, const std::string& commands, int width = 900,
               int height = 600);

  void Add(Claim claim);

  /// Writes claims.csv. Throws std::runtime_error.
  void Finish() const;

  const std::vector<Claim>& claims() const { return claims_; }
  int skipped_pictures() const { return skipped_pictures_; }

 private:
  std::filesystem::path folder_;
  bool quick_;
  std::vector<Claim> claims_;
  int skipped_pictures_ = 0;
};

}  // namespace nonsmooth::papers
