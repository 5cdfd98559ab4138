// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace nonsmooth::test {

/// Expects std::invalid_argument whose message holds all `parts`: field, index and rule.
template <class Function>
void ExpectRefusal(const Function& function, std::initializer_list<const char*> parts) {
  try {
    function();
  } catch (const std::invalid_argument& refusal) {
    const std::string message = refusal.what();
    for (const char* part : parts) {
      EXPECT_NE(message.find(part), std::string::npos)
          << "the message \"" << message << "\" does not say \"" << part << "\"";
    }
    return;
  }
  ADD_FAILURE() << "nothing was refused; expected a message with \"" << *parts.begin() << "\"";
}

}  // namespace nonsmooth::test
