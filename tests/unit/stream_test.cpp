// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Streaming copies and fills at every alignment.
#include "runtime/memory/stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace lanewise {
namespace {

constexpr std::size_t kSpace = 1024;

std::vector<std::byte> numbered() {
  std::vector<std::byte> bytes(kSpace);
  for (std::size_t i = 0; i < kSpace; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

TEST(Stream, CopiesLikeMemcpy) {
  const auto source = numbered();
  for (std::size_t to = 0; to < 70; ++to)
    for (const std::size_t from : {std::size_t{0}, std::size_t{1}, std::size_t{33}})
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{500}}) {
        std::vector<std::byte> expected(kSpace), out(kSpace);
        std::memcpy(expected.data() + to, source.data() + from, size);
        stream_copy(out.data() + to, source.data() + from, size);
        ASSERT_EQ(out, expected) << to << " " << from << " " << size;
      }
}

TEST(Stream, FillsAnyPlace) {
  const auto source = numbered();
  for (const std::size_t period : {std::size_t{64}, std::size_t{128}})
    for (std::size_t to = 0; to < 70; ++to)
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{5}, std::size_t{64}, std::size_t{129}, std::size_t{700}}) {
        std::vector<std::byte> expected(kSpace), out(kSpace);
        for (std::size_t i = 0; i < size; ++i) expected[to + i] = source[i % period];
        stream_fill(out.data() + to, size, {source.data(), period});
        ASSERT_EQ(out, expected) << period << " " << to << " " << size;
      }
}

}  // namespace
}  // namespace lanewise
