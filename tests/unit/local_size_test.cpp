// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The chosen local size: always legal, never one huge group, multiples of 16 where the range allows it.
#include <gtest/gtest.h>

#include "runtime/launch/local_size.h"

namespace lanewise {
namespace {

DeviceFacts facts(cl_uint units) {
  DeviceFacts made;
  made.compute_units = units;
  return made;
}

Sizes choose(unsigned dims, Sizes global, bool non_uniform, cl_uint units = 8, std::uint64_t most = 4096) {
  return suggest_local_size({}, facts(units), most, dims, global, non_uniform);
}

TEST(LocalSize, IsAlwaysLegal) {
  for (const bool non_uniform : {false, true}) {
    for (const cl_uint units : {1u, 2u, 64u}) {
      for (const std::uint64_t most : {1u, 8u, 100u, 4096u}) {
        for (const std::uint64_t x : {1u, 3u, 16u, 17u, 100u, 1009u, 4096u, 65536u, 99991u}) {
          for (const std::uint64_t y : {1u, 5u, 64u, 1000u}) {
            const Sizes local = choose(3, {x, y, 6}, non_uniform, units, most);
            ASSERT_GE(local[0] * local[1] * local[2], 1u);
            ASSERT_LE(local[0] * local[1] * local[2], most) << x << " " << y;
            if (non_uniform) continue;
            ASSERT_EQ(x % local[0], 0u);
            ASSERT_EQ(y % local[1], 0u);
            ASSERT_EQ(6 % local[2], 0u);
          }
        }
      }
    }
  }
}

TEST(LocalSize, TypicalRanges) {
  EXPECT_EQ(choose(1, {1 << 20, 1, 1}, false), (Sizes{256, 1, 1}));
  EXPECT_EQ(choose(2, {1920, 1080, 1}, false), (Sizes{240, 4, 1}));
  EXPECT_EQ(choose(2, {16, 4096, 1}, false), (Sizes{16, 16, 1}));
  EXPECT_EQ(choose(1, {1'000'003, 1, 1}, true), (Sizes{256, 1, 1}));
  EXPECT_EQ(choose(2, {1009, 1000, 1}, false), (Sizes{1009, 1, 1})) << "a prime row, with other rows to share";
  EXPECT_EQ(choose(1, {1, 1, 1}, false), (Sizes{1, 1, 1}));
}

TEST(LocalSize, PicturesHaveLongRows) {
  abi::KernelInfo info;
  info.shape.row_items = 16;
  info.shape.rows = 1;
  const auto of = [&](const Sizes& global) { return suggest_local_size(info, facts(8), 4096, 2, global, false); };
  EXPECT_EQ(of({1920, 1080, 1}), (Sizes{240, 4, 1})) << "buffers";
  info.args.emplace_back().kind = abi::ArgKind::image;
  EXPECT_EQ(of({1920, 1080, 1}), (Sizes{240, 1, 1}));
  EXPECT_EQ(of({160, 1600, 1}), (Sizes{160, 4, 1})) << "a row is one group";
  info.shape.rows = 4;
  EXPECT_EQ(of({1920, 1080, 1}), (Sizes{240, 4, 1})) << "several rows at once";
  info.shape.rows = 1;
  info.shape.row_items = 0;
  EXPECT_EQ(of({1920, 1080, 1}), (Sizes{240, 4, 1})) << "groups run one by one";
}

TEST(LocalSize, EveryCoreGetsSeveralGroups) {
  for (const std::uint64_t global : {1024u, 2048u, 4096u, 65536u}) {
    const Sizes local = choose(1, {global, 1, 1}, false, 8);
    EXPECT_GE(global / local[0], 32u) << global;
    EXPECT_EQ(local[0] % 16, 0u);
  }
}

TEST(LocalSize, RequiredSizeWins) {
  abi::KernelInfo info;
  info.reqd_work_group_size = {7, 3, 2};
  EXPECT_EQ(suggest_local_size(info, facts(4), 4096, 3, {70, 30, 20}, false), (Sizes{7, 3, 2}));
}

TEST(LocalSize, GroupsOfOneRowGetMoreWhereTheKernelCannotTell) {
  abi::KernelInfo info;
  info.shape.row_items = 16;
  info.shape.rows = 4;
  info.shape.any_local_size = true;
  const auto of = [&](const Sizes& global, const Sizes& given) {
    return launched_local_size(info, facts(2), 4096, 3, global, false, given);
  };
  EXPECT_EQ(of({512, 512, 1}, {64, 1, 1}), (Sizes{256, 4, 1}));
  EXPECT_EQ(of({512, 512, 1}, {64, 2, 1}), (Sizes{256, 4, 1}));
  EXPECT_EQ(of({512, 512, 1}, {16, 16, 1}), (Sizes{16, 16, 1})) << "enough rows";
  EXPECT_EQ(of({512, 1, 1}, {64, 1, 1}), (Sizes{64, 1, 1})) << "there is one row only";
  EXPECT_EQ(of({512, 509, 1}, {64, 1, 1}), (Sizes{64, 1, 1})) << "no groups of several rows";
  EXPECT_EQ(of({512, 512, 8}, {64, 1, 4}), (Sizes{64, 1, 4})) << "groups of several planes";
  info.shape.rows = 1;
  EXPECT_EQ(of({512, 512, 1}, {64, 1, 1}), (Sizes{64, 1, 1})) << "nothing to gain";
  info.shape.rows = 4;
  info.shape.any_local_size = false;
  EXPECT_EQ(of({512, 512, 1}, {64, 1, 1}), (Sizes{64, 1, 1})) << "it could tell";
  info.shape.any_local_size = true;
  info.reqd_work_group_size = {64, 1, 1};
  EXPECT_EQ(of({512, 512, 1}, {64, 1, 1}), (Sizes{64, 1, 1})) << "its code is for this size";
}

TEST(LocalSize, SquaresWhereMemoryIsWalkedThroughBothWays) {
  abi::KernelInfo info;
  info.shape.crosses = true;
  const auto of = [&](const Sizes& global, cl_uint units = 2, std::uint64_t most = 4096) {
    return suggest_local_size(info, facts(units), most, 2, global, false);
  };
  EXPECT_EQ(of({512, 512, 1}), (Sizes{16, 64, 1}));
  EXPECT_EQ(of({512, 512, 1}, 2, 512), (Sizes{16, 32, 1}));
  EXPECT_EQ(of({512, 512, 1}, 256), (Sizes{16, 16, 1})) << "enough groups for all cores";
  EXPECT_EQ(of({1000, 1000, 1}), (Sizes{10, 50, 1}));
  EXPECT_EQ(of({2048, 2048, 1}), (Sizes{8, 64, 1})) << "rows that share a set of the first cache";
  EXPECT_EQ(of({509, 1000, 1}), choose(2, {509, 1000, 1}, false, 2)) << "there are none";
  EXPECT_EQ(of({512, 2, 1}), choose(2, {512, 2, 1}, false, 2));
  const auto launched = [&](const Sizes& given) {
    return launched_local_size(info, facts(2), 4096, 2, {512, 512, 1}, false, given);
  };
  EXPECT_EQ(launched({64, 1, 1}), (Sizes{64, 1, 1})) << "it could tell";
  info.shape.any_local_size = true;
  EXPECT_EQ(launched({64, 1, 1}), (Sizes{16, 64, 1}));
  EXPECT_EQ(launched({16, 16, 1}), (Sizes{16, 64, 1}));
  EXPECT_EQ(launched({4, 128, 1}), (Sizes{4, 128, 1})) << "a column already";
}

}  // namespace
}  // namespace lanewise
