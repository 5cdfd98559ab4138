// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nonsmooth {

/// The data that stand in a page of `nonsmooth report`, read the way a browser does.
nlohmann::json PageData(const std::string& page);

/// A column of numbers in them; throws std::runtime_error if it is not what it says.
std::vector<double> Unpack(const nlohmann::json& packed);

}  // namespace nonsmooth
