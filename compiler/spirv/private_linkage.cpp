// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/private_linkage.h"

#include "compiler/spirv/instructions.h"

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kLinkageAttributes = 41;
constexpr std::uint32_t kPrivate = 2147483646;

bool has_private_linkage(View instruction) {
  return opcode(instruction) == op_decorate && instruction.size() >= 5 && instruction[2] == kLinkageAttributes &&
         instruction.back() == kPrivate;
}

}  // namespace

std::vector<std::uint32_t> without_private_linkage(std::span<const std::uint8_t> module) {
  const Words words = words_of(module);
  Words kept;
  kept.reserve(words.size());
  append(kept, View(words).first(std::min(kHeaderWords, words.size())));
  for_each_instruction(words, [&](View instruction, bool whole) {
    if (!whole || !has_private_linkage(instruction)) append(kept, instruction);
  });
  return kept;
}

}  // namespace lanewise::spirv
