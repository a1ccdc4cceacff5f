// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "runtime/layout/description.h"
#include "runtime/layout/format.h"
#include "runtime/memory/sampler.h"
#include "runtime/tier/launch_class.h"

namespace lanewise {
namespace {

/// A kernel with arguments of these kinds, eight bytes each.
abi::KernelInfo kernel_of(const std::vector<abi::ArgKind>& kinds) {
  abi::KernelInfo info;
  for (const abi::ArgKind kind : kinds) {
    abi::ArgInfo arg;
    arg.kind = kind;
    arg.size = 8;
    arg.offset = info.args_bytes;
    info.args_bytes += 8;
    info.args.push_back(arg);
  }
  return info;
}

template <class T>
Bytes bytes_of(const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return {bytes, bytes + sizeof value};
}

std::uint64_t class_of(const abi::KernelInfo& info, const std::vector<std::uint64_t>& block) {
  return class_of_arguments(info, reinterpret_cast<const std::byte*>(block.data()));
}

TEST(LaunchClass, EveryFormatIsOneOfItsOwn) {
  const abi::KernelInfo info = kernel_of({abi::ArgKind::value, abi::ArgKind::image});
  std::set<std::uint64_t> seen{0};
  for (const cl_image_format& format : supported_formats()) {
    lanewise_image image{};
    image.texel = describe_texel(format);
    const std::uint64_t number = class_of(info, {7, reinterpret_cast<std::uintptr_t>(&image)});
    EXPECT_TRUE(seen.insert(number).second) << format.image_channel_order << ", " << format.image_channel_data_type;
    const std::vector<Bytes> known = known_arguments_of(info, number);
    ASSERT_EQ(known.size(), 2U);
    EXPECT_TRUE(known[0].empty());
    EXPECT_EQ(known[1], bytes_of(image.texel));
  }
}

TEST(LaunchClass, SamplersAreKnownUnlessTheyLimitLevels) {
  const abi::KernelInfo info = kernel_of({abi::ArgKind::sampler});
  std::set<std::uint64_t> seen{0};
  for (const cl_bool normalised : {CL_FALSE, CL_TRUE})
    for (const cl_addressing_mode addressing :
         {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        SamplerTraits traits;
        traits.normalized = normalised;
        traits.addressing = addressing;
        traits.filter = filter;
        const std::uint64_t word = sampler_word(traits);
        const std::uint64_t number = class_of(info, {word});
        EXPECT_TRUE(seen.insert(number).second);
        EXPECT_EQ(known_arguments_of(info, number), std::vector<Bytes>{bytes_of(word)});
        traits.lod_min = 1.0F;
        EXPECT_EQ(class_of(info, {sampler_word(traits)}), 0U);
      }
}

TEST(LaunchClass, EachThreadHasATeamOfGroups) {
  EXPECT_EQ(groups_of_teams(1, 1), 0U);
  EXPECT_EQ(groups_of_teams(15, 1), 0U);
  EXPECT_EQ(groups_of_teams(16, 1), 16U);
  EXPECT_EQ(groups_of_teams(31, 2), 0U);
  EXPECT_EQ(groups_of_teams(32, 2), 16U);
  EXPECT_EQ(groups_of_teams(511, 2), 16U);
  EXPECT_EQ(groups_of_teams(512, 2), 64U);
  EXPECT_EQ(groups_of_teams(512, 64), 0U);
  EXPECT_EQ(groups_of_teams(std::uint64_t{1} << 60U, 256), 64U);
}

TEST(LaunchClass, OfMoreArgumentsThanItHasRoomForItNamesTheFirst) {
  const abi::KernelInfo info = kernel_of(std::vector<abi::ArgKind>(9, abi::ArgKind::sampler));
  SamplerTraits traits;
  const std::uint64_t one = sampler_word(traits);
  traits.filter = CL_FILTER_LINEAR;
  const std::uint64_t other = sampler_word(traits);
  std::vector<std::uint64_t> block(9, one);
  const std::uint64_t number = class_of(info, block);
  block[8] = other;
  EXPECT_EQ(class_of(info, block), number);
  block[5] = other;
  EXPECT_NE(class_of(info, block), number);
  const std::vector<Bytes> known = known_arguments_of(info, class_of(info, block));
  ASSERT_EQ(known.size(), 9U);
  EXPECT_EQ(known[0], bytes_of(one));
  EXPECT_EQ(known[5], bytes_of(other));
  EXPECT_TRUE(known[6].empty());
}

}  // namespace
}  // namespace lanewise
