// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a module, as words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise::spirv {

using Words = std::vector<std::uint32_t>;
using View = std::span<const std::uint32_t>;

inline constexpr std::size_t kHeaderWords = 5;
inline constexpr std::size_t kBoundWord = 3;  ///< of the header: one more than the largest id

inline std::uint32_t opcode(View instruction) {
  return instruction[0] & 0xffffU;
}

/// Calls `visit` with each instruction. What is no instruction, and all behind it, is one span, for which the second
/// argument is false.
template <class Visit>
void for_each_instruction(View words, Visit visit) {
  for (std::size_t at = std::min(kHeaderWords, words.size()); at < words.size();) {
    const std::size_t count = words[at] >> 16U;
    const std::size_t rest = words.size() - at;
    const bool whole = count != 0 && count <= rest;
    visit(words.subspan(at, whole ? count : rest), whole);
    at += whole ? count : rest;
  }
}

/// `instruction` with a changed number of words in its first word.
inline Words resized(Words instruction) {
  instruction[0] = opcode(instruction) | static_cast<std::uint32_t>(instruction.size()) << 16U;
  return instruction;
}

inline std::string_view text_at(View instruction, std::size_t word) {
  const auto* begin = reinterpret_cast<const char*>(instruction.data() + word);
  const std::size_t room = (instruction.size() - word) * sizeof(std::uint32_t);
  return {begin, strnlen(begin, room)};
}

inline Words words_of(std::span<const std::uint8_t> module) {
  Words words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

inline void append(Words& words, View more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace lanewise::spirv
