// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_options.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "include/lanewise/build_flags.h"

namespace lanewise {

namespace {

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

bool is_identifier(std::string_view text) {
  return !text.empty() && starts_identifier(text[0]) && std::all_of(text.begin(), text.end(), continues_identifier);
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

/// "NAME", "NAME=text" or "NAME(parameters)=text", cut at the first line break (5.8.6.1). Nothing if it has another
/// form.
std::optional<std::string> macro_definition(std::string text) {
  if (text.empty() || !starts_identifier(text[0])) return std::nullopt;
  const auto end = std::find_if_not(text.begin(), text.end(), continues_identifier);
  if (end != text.end() && *end != '=' && *end != '(') return std::nullopt;
  if (const auto line_end = text.find_first_of("\r\n"); line_end != std::string::npos) text.resize(line_end);
  return text;
}

/// Collects options while the tokens are read, and brings them into order at the end.
class Parser {
 public:
  Parser(OptionPhase phase, const OptionRules& rules) : phase_(phase), rules_(rules) {}

  Result<BuildOptions> parse(const std::vector<std::string>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string& option = tokens[i];  // the next one may be its operand
      const bool known = take_flag(option) || take_standard(option) || take_ordered(tokens, i) ||
                         take_foreign(tokens, i) || take_warning(option);
      if (!known) return Error{error_code(phase_), "unknown or incomplete option: " + option};
    }
    const bool library_rule = !has(BuildFlag::enable_link_options) || has(BuildFlag::create_library);
    if (!library_rule) return Error{error_code(phase_), "-enable-link-options needs -create-library"};
    return finish();
  }

 private:
  [[nodiscard]] bool compiles() const { return phase_ != OptionPhase::link; }
  [[nodiscard]] bool has(BuildFlag flag) const { return flags_[static_cast<std::size_t>(flag)]; }

  bool take_flag(std::string_view token) {
    const BuildFlagRow* row = find_flag(token);
    if (row == nullptr || !includes(row->taken_by, compiles() ? TakenBy::compile : TakenBy::link)) return false;
    flags_[static_cast<std::size_t>(row->flag)] = true;
    return true;
  }

  bool take_standard(std::string_view token) {
    if (!compiles() || !token.starts_with(kStdPrefix)) return false;
    const std::string_view value = token.substr(kStdPrefix.size());
    if (const CppLanguageRow* row = find_cpp_language(value)) {
      language_ = {row->major, row->minor};
      cpp_ = row->text;
      return true;
    }
    const LanguageRow* language = find_language(value);
    if (language == nullptr) return false;
    language_ = {language->major, language->minor};
    cpp_ = {};
    return true;
  }

  /// An option of another driver that has no effect here. -w silences the notes as well.
  bool take_foreign(const std::vector<std::string>& tokens, std::size_t& i) {
    const ForeignOption* option = find_foreign_option(tokens[i]);
    if (option == nullptr) return false;
    notes_ += "note: the option '" + tokens[i] + "' has no effect: " + std::string(option->reason) + "\n";
    if (takes_word(*option, tokens[i])) ++i;
    return i < tokens.size();
  }

  /// Which warnings Clang gives; a later one may take back an earlier one.
  bool take_warning(const std::string& token) {
    if (!compiles() || !is_warning_option(token)) return false;
    ordered_.push_back(token);
    return true;
  }

  /// -D, -U and -I, with their argument in the same token or in the next one.
  bool take_ordered(const std::vector<std::string>& tokens, std::size_t& i) {
    const std::string& token = tokens[i];
    if (!compiles() || !(token.starts_with("-D") || token.starts_with("-U") || token.starts_with("-I"))) return false;
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
    if (token[1] == 'U') {
      if (!is_identifier(argument)) return false;
      ordered_.push_back("-U" + argument);
      return true;
    }
    options_.include_directories = true;
    ordered_.push_back("-I" + argument);
    return true;
  }

  BuildOptions finish() {
    for (const BuildFlagRow& row : kBuildFlags) {
      if (has(row.flag) && row.taken_by != TakenBy::link) options_.tokens.emplace_back(row.text);
    }
    options_.create_library = has(BuildFlag::create_library);
    options_.enable_link_options = has(BuildFlag::enable_link_options);
    options_.kernel_arg_info = has(BuildFlag::kernel_arg_info);
    if (!has(BuildFlag::no_warnings)) options_.notes = std::move(notes_);
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
    options_.tokens.push_back(std::string(kStdPrefix) + (cpp_.empty() ? "CL" + number : std::string(cpp_)));
    options_.uniform_work_groups = has(BuildFlag::uniform_work_group_size) || options_.language < LanguageVersion{2, 0};

    const bool known = !cpp_.empty() || std::find(rules_.versions.begin(), rules_.versions.end(), options_.language) !=
                                            rules_.versions.end();
    if (!known)
      options_.refusal = "error: the device does not support OpenCL C " + number + "\n";
    else if (has(BuildFlag::correctly_rounded_divide_sqrt) && !rules_.correctly_rounded_divide_sqrt)
      options_.refusal = "error: the device has no correctly rounded single precision divide and sqrt\n";
  }

  OptionPhase phase_;
  const OptionRules& rules_;
  std::array<bool, std::size(kBuildFlags)> flags_{};  ///< by BuildFlag
  std::optional<LanguageVersion> language_;
  std::string_view cpp_;  ///< the C++ for OpenCL asked for, as its row has it
  std::vector<std::string> ordered_;
  std::string notes_;
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
