// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_options.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace lanewise {

namespace {

enum Phases : std::uint8_t { kCompile = 1, kLink = 2, kBoth = 3 };

struct Flag {
  std::string_view text;
  Phases phases;
};

/// In canonical order.
constexpr std::array kFlags = {
    Flag{"-cl-single-precision-constant", kCompile},
    Flag{"-cl-denorms-are-zero", kBoth},
    Flag{"-cl-fp32-correctly-rounded-divide-sqrt", kCompile},
    Flag{"-cl-opt-disable", kCompile},
    Flag{"-cl-strict-aliasing", kCompile},
    Flag{"-cl-uniform-work-group-size", kCompile},
    Flag{"-cl-no-subgroup-ifp", kBoth},
    Flag{"-cl-lanewise-report-vectors", kBoth},
    Flag{"-cl-mad-enable", kCompile},
    Flag{"-cl-no-signed-zeros", kBoth},
    Flag{"-cl-unsafe-math-optimizations", kBoth},
    Flag{"-cl-finite-math-only", kBoth},
    Flag{"-cl-fast-relaxed-math", kBoth},
    Flag{"-w", kCompile},
    Flag{"-Werror", kCompile},
    Flag{"-cl-kernel-arg-info", kCompile},
    Flag{"-g", kCompile},
    Flag{"-create-library", kLink},
    Flag{"-enable-link-options", kLink},
};

/// The values that 5.8.6.5 lists, and the one that OpenCL 3.1 adds.
struct Standard {
  std::string_view text;
  LanguageVersion version;
};
constexpr std::array kStandards = {
    Standard{"CL1.1", {1, 1}}, Standard{"CL1.2", {1, 2}}, Standard{"CL2.0", {2, 0}},
    Standard{"CL3.0", {3, 0}}, Standard{"CL3.1", {3, 1}},
};

constexpr std::string_view kStdPrefix = "-cl-std=";

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool starts_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_identifier(char c) {
  return starts_identifier(c) || (c >= '0' && c <= '9');
}

int error_code(OptionPhase phase) {
  switch (phase) {
    case OptionPhase::compile:
      return CL_INVALID_COMPILER_OPTIONS;
    case OptionPhase::link:
      return CL_INVALID_LINKER_OPTIONS;
    case OptionPhase::build:
      break;
  }
  return CL_INVALID_BUILD_OPTIONS;
}

/// "NAME", "NAME=text" or "NAME(parameters)=text", cut at the first line break (5.8.6.1). Nothing if it is not one.
std::optional<std::string> macro_definition(std::string text) {
  if (text.empty() || !starts_identifier(text[0])) return std::nullopt;
  const auto end = std::find_if_not(text.begin(), text.end(), continues_identifier);
  if (end != text.end() && *end != '=' && *end != '(') return std::nullopt;
  if (const auto line_end = text.find_first_of("\r\n"); line_end != std::string::npos) text.resize(line_end);
  return text;
}

/// Collects options while the tokens are read, and puts them in order at the end.
class Parser {
 public:
  Parser(OptionPhase phase, const OptionRules& rules) : phase_(phase), rules_(rules) {}

  Result<BuildOptions> parse(const std::vector<std::string>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool known = take_flag(tokens[i]) || take_standard(tokens[i]) || take_ordered(tokens, i);
      if (!known) return Error{error_code(phase_), "unknown or incomplete option: " + tokens[i]};
    }
    const bool library_rule = !has("-enable-link-options") || has("-create-library");
    if (!library_rule) return Error{error_code(phase_), "-enable-link-options needs -create-library"};
    return finish();
  }

 private:
  [[nodiscard]] bool compiles() const { return phase_ != OptionPhase::link; }
  [[nodiscard]] bool has(std::string_view flag) const {
    for (std::size_t i = 0; i < kFlags.size(); ++i)
      if (kFlags[i].text == flag) return flags_[i];
    return false;
  }

  bool take_flag(std::string_view token) {
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
      if (kFlags[i].text != token) continue;
      flags_[i] = (kFlags[i].phases & (compiles() ? kCompile : kLink)) != 0;
      return flags_[i];
    }
    return false;
  }

  bool take_standard(std::string_view token) {
    if (!compiles() || !token.starts_with(kStdPrefix)) return false;
    for (const auto& standard : kStandards) {
      if (standard.text != token.substr(kStdPrefix.size())) continue;
      language_ = standard.version;
      return true;
    }
    return false;
  }

  /// -D and -I, with their argument in the same token or in the next one.
  bool take_ordered(const std::vector<std::string>& tokens, std::size_t& i) {
    const std::string& token = tokens[i];
    if (!compiles() || !(token.starts_with("-D") || token.starts_with("-I"))) return false;
    std::string argument = token.substr(2);
    if (argument.empty()) {
      if (i + 1 == tokens.size()) return false;
      argument = tokens[++i];
    }
    if (token[1] == 'D') {
      auto macro = macro_definition(std::move(argument));
      if (!macro) return false;
      ordered_.push_back("-D" + *macro);
      return true;
    }
    if (argument.empty()) return false;
    options_.include_directories = true;
    ordered_.push_back("-I" + argument);
    return true;
  }

  BuildOptions finish() {
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
      if (flags_[i] && kFlags[i].phases != kLink) options_.tokens.emplace_back(kFlags[i].text);
    }
    options_.create_library = has("-create-library");
    options_.enable_link_options = has("-enable-link-options");
    options_.kernel_arg_info = has("-cl-kernel-arg-info");
    if (compiles()) choose_language();
    options_.tokens.insert(options_.tokens.end(), ordered_.begin(), ordered_.end());
    return std::move(options_);
  }

  void choose_language() {
    // 5.8.6.5: without -cl-std the highest 1.x that the device supports.
    LanguageVersion highest{1, 0};
    for (const auto& version : rules_.versions)
      if (version.major == 1) highest = std::max(highest, version);
    options_.language = language_.value_or(highest);
    const std::string number = std::to_string(options_.language.major) + "." + std::to_string(options_.language.minor);
    options_.tokens.push_back("-cl-std=CL" + number);
    options_.uniform_work_groups = has("-cl-uniform-work-group-size") || options_.language < LanguageVersion{2, 0};

    if (std::find(rules_.versions.begin(), rules_.versions.end(), options_.language) == rules_.versions.end())
      options_.refusal = "error: the device does not support OpenCL C " + number + "\n";
    else if (has("-cl-fp32-correctly-rounded-divide-sqrt") && !rules_.correctly_rounded_divide_sqrt)
      options_.refusal = "error: the device has no correctly rounded single precision divide and sqrt\n";
  }

  OptionPhase phase_;
  const OptionRules& rules_;
  std::array<bool, kFlags.size()> flags_{};
  std::optional<LanguageVersion> language_;
  std::vector<std::string> ordered_;
  BuildOptions options_;
};

}  // namespace

Result<std::vector<std::string>> split_options(std::string_view text) {
  std::vector<std::string> tokens;
  std::string token;
  bool in_token = false;
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && (next == '"' || next == '\\' || is_blank(next))) {
      token += text[++i];
      in_token = true;
    } else if (c == '"') {
      in_quotes = !in_quotes;
      in_token = true;
    } else if (!in_quotes && is_blank(c)) {
      if (in_token) tokens.push_back(std::exchange(token, {}));
      in_token = false;
    } else {
      token += c;
      in_token = true;
    }
  }
  if (in_quotes) return Error{CL_INVALID_VALUE, "a quotation mark is not closed"};
  if (in_token) tokens.push_back(std::move(token));
  return tokens;
}

Result<BuildOptions> parse_options(std::string_view text, OptionPhase phase, const OptionRules& rules) {
  auto tokens = split_options(text);
  if (!tokens) return Error{error_code(phase), tokens.error().message};
  return Parser(phase, rules).parse(tokens.value());
}

}  // namespace lanewise
