// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tests expect of lanewise-confined-app.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/robustness/child.h"

namespace lanewise::robustness {

inline Outcome run_confined(const std::vector<std::string>& arguments, Options options = {}) {
  options.program = LANEWISE_CONFINED_APP;
  return run_app(arguments, options);
}

inline void expect_clean(const Outcome& outcome) {
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_FALSE(outcome.helper_left) << "a helper outlived its application";
}

#define SKIP_IF_NOT_ALLOWED(outcome) \
  if ((outcome).exit_code == kNotAllowedHere) GTEST_SKIP() << "not allowed here"

inline void expect_soon(const Outcome& outcome) {
  SKIP_IF_NOT_ALLOWED(outcome);
  expect_clean(outcome);
  EXPECT_EQ(outcome.out, "soon");
}

}  // namespace lanewise::robustness
