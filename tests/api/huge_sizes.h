// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A table row for a call with sizes, offsets, origins or pitches, and the check that no value or pair of values that
/// overflows gets past its validation.
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lanewise::test {

using Values = std::vector<std::size_t>;

struct SizedCall {
  const char* name;
  Values legal;                              ///< with these the call succeeds
  std::function<cl_int(const Values&)> run;  ///< calls and returns the code
  std::vector<cl_int> refusals;              ///< correct codes for a value that is too large
  std::vector<std::size_t> unlimited = {};   ///< indices of values that have no limit by themselves
};

/// Values whose sums and products with each other and with small numbers wrap around; no machine has such an address or
/// size.
inline const Values& huge_values() {
  static const Values values{SIZE_MAX,         SIZE_MAX - 3,      SIZE_MAX - 0xff,  SIZE_MAX - 4095,
                             SIZE_MAX / 2,     SIZE_MAX / 2 + 1,  SIZE_MAX / 2 + 5, SIZE_MAX / 4 + 1,
                             SIZE_MAX / 8 + 5, SIZE_MAX / 16 + 1, SIZE_MAX / 64 + 1};
  return values;
}

inline void check_huge(const SizedCall& call) {
  SCOPED_TRACE(call.name);
  ASSERT_EQ(call.run(call.legal), CL_SUCCESS);
  const auto refused = [&](const Values& values) {
    const cl_int code = call.run(values);
    for (const cl_int refusal : call.refusals)
      if (code == refusal) return;
    ADD_FAILURE() << "code " << code << " for " << testing::PrintToString(values);
  };
  const auto unlimited = [&](std::size_t index) {
    for (const std::size_t i : call.unlimited)
      if (i == index) return true;
    return false;
  };
  for (std::size_t i = 0; i < call.legal.size(); ++i) {
    for (const std::size_t value : huge_values()) {
      Values values = call.legal;
      values[i] = value;
      if (!unlimited(i)) refused(values);
      for (std::size_t j = 0; j < i; ++j) {
        for (const std::size_t other : huge_values()) {
          values[j] = other;
          if (!unlimited(i) || !unlimited(j)) refused(values);
        }
        values[j] = call.legal[j];
      }
    }
  }
  EXPECT_EQ(call.run(call.legal), CL_SUCCESS);
}

}  // namespace lanewise::test
