// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/private_linkage.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace lanewise::spirv {

namespace {

constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kDecorate = 71;
constexpr std::uint32_t kLinkageAttributes = 41;
constexpr std::uint32_t kPrivate = 2147483646;

bool has_private_linkage(std::span<const std::uint32_t> instruction) {
  return (instruction[0] & 0xffff) == kDecorate && instruction.size() >= 5 && instruction[2] == kLinkageAttributes &&
         instruction.back() == kPrivate;
}

}  // namespace

std::vector<std::uint32_t> without_private_linkage(std::span<const std::uint8_t> module) {
  std::vector<std::uint32_t> words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  std::vector<std::uint32_t> kept;
  kept.reserve(words.size());
  const auto keep = [&](std::size_t from, std::size_t count) {
    kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(from),
                words.begin() + static_cast<std::ptrdiff_t>(from + count));
  };
  std::size_t at = std::min(kHeaderWords, words.size());
  keep(0, at);
  while (at < words.size()) {
    const std::size_t count = words[at] >> 16;
    const std::size_t rest = words.size() - at;
    if (count == 0 || count > rest) {
      keep(at, rest);
      break;
    }
    if (!has_private_linkage(std::span(words).subspan(at, count))) keep(at, count);
    at += count;
  }
  return kept;
}

}  // namespace lanewise::spirv
