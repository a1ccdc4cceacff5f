// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Build options: any text is parsed or rejected, and parsing the canonical form gives the same canonical form.
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/program/build_options.h"

using namespace lanewise;

namespace {

/// Tokens as an application would have to write them.
std::string quoted(const std::vector<std::string>& tokens) {
  std::string out;
  for (const std::string& token : tokens) {
    out += '"';
    for (const char c : token) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += "\" ";
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr LanguageVersion kVersions[] = {{1, 0}, {1, 1}, {1, 2}, {3, 0}};
  const OptionRules rules{kVersions, true};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const OptionPhase phase : {OptionPhase::build, OptionPhase::compile, OptionPhase::link}) {
    const auto once = parse_options(text, phase, rules);
    if (!once.ok() || !once.value().refusal.empty()) continue;
    const auto twice = parse_options(quoted(once.value().tokens), phase, rules);
    if (!twice.ok() || twice.value().tokens != once.value().tokens) std::abort();
  }
  return 0;
}
