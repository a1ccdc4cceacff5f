// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/missing_capabilities.h"

#include <cstring>
#include <string_view>

namespace lanewise {

namespace {

using Word = std::uint32_t;

struct MissingCapability {
  Word number;
  std::string_view name, reason;
};
constexpr MissingCapability kMissing[] = {
#define SPIRV_MISSING_CAPABILITY(name, number, reason) {number, #name, reason},
#include "include/lanewise/spirv_surface.def"
};

}  // namespace

std::string why_missing(Word capability) {
  for (const MissingCapability& missing : kMissing)
    if (missing.number == capability)
      return "capability " + std::string(missing.name) + " is not supported: " + std::string(missing.reason);
  return {};
}

std::string missing_capability(std::span<const std::uint8_t> module) {
  constexpr std::size_t kHeaderBytes = 20;
  constexpr Word kCapability = 2U << 16U | 17U;  // the first word of OpCapability; no module begins with anything else
  Word words[2];
  for (std::size_t at = kHeaderBytes; at + sizeof words <= module.size(); at += sizeof words) {
    std::memcpy(words, module.data() + at, sizeof words);
    if (words[0] != kCapability) break;
    if (std::string why = why_missing(words[1]); !why.empty()) return why;
  }
  return {};
}

}  // namespace lanewise
