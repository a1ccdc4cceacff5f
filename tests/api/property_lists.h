// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A table row for an entry point that takes a list of pairs of property and value, ended by 0, and the checks for
/// every such list: each property once, in any order, and none that the function does not know.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <CL/cl.h>

namespace lanewise::test {

struct KnownProperty {
  std::uint64_t name;
  std::uint64_t value;
  bool narrow = false;  ///< no legal value has any of the upper 32 bits set
};

struct ListCase {
  /// Creates the object with this list (null: none), releases it and returns the code.
  using Create = std::function<cl_int(const std::uint64_t*)>;
  const char* name;
  cl_int refusal;
  std::vector<KnownProperty> known;    ///< all can be given together
  std::vector<std::uint64_t> foreign;  ///< properties of other objects
  Create create;
};

inline void check_lists(const ListCase& c) {
  SCOPED_TRACE(c.name);
  using List = std::vector<std::uint64_t>;
  const auto code = [&](List list) {
    list.push_back(0);
    return c.create(list.data());
  };
  EXPECT_EQ(c.create(nullptr), CL_SUCCESS);
  EXPECT_EQ(code({}), CL_SUCCESS);
  List all;
  List reversed;
  for (const auto& [name, value, narrow] : c.known) {
    SCOPED_TRACE(testing::Message() << std::hex << name);
    EXPECT_EQ(code({name, value}), CL_SUCCESS);
    EXPECT_EQ(code({name, value, name, value}), c.refusal);
    if (narrow) {
      EXPECT_EQ(code({name, value | std::uint64_t{1} << 32}), c.refusal);
      EXPECT_EQ(code({name, value | std::uint64_t{1} << 63}), c.refusal);
    }
    EXPECT_EQ(code({name | std::uint64_t{1} << 32, value}), c.refusal);
    all.insert(all.end(), {name, value});
    reversed.insert(reversed.begin(), {name, value});
  }
  EXPECT_EQ(code(all), CL_SUCCESS);
  EXPECT_EQ(code(reversed), CL_SUCCESS);
  for (const auto& [name, value, narrow] : c.known) {
    List again = all;
    again.insert(again.end(), {name, value});
    EXPECT_EQ(code(again), c.refusal) << std::hex << name;
  }
  List strangers = c.foreign;
  strangers.insert(strangers.end(), {1, 0x7777, 0x7fffffff, 0xffffffff, ~std::uint64_t{0}});
  for (const std::uint64_t stranger : strangers) {
    SCOPED_TRACE(testing::Message() << std::hex << stranger);
    for (const std::uint64_t value : {0, 1}) {
      EXPECT_EQ(code({stranger, value}), c.refusal);
      List before{stranger, value};
      before.insert(before.end(), all.begin(), all.end());
      EXPECT_EQ(code(before), c.refusal);
      List after = all;
      after.insert(after.end(), {stranger, value});
      EXPECT_EQ(code(after), c.refusal);
    }
  }
}

}  // namespace lanewise::test
