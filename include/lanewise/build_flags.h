// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The build options that runtime and compiler know (build_flags.def), as tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace lanewise {

/// The options without a value.
enum class BuildFlag : std::uint8_t {
#define LANEWISE_BUILD_FLAG(id, text, taken_by, front_end) id,
#include "include/lanewise/build_flags.def"
};

/// The phases that take an option: a set of bits for `includes`.
enum class TakenBy : std::uint8_t { compile = 1, link = 2, both = 3 };
constexpr bool includes(TakenBy some, TakenBy phase) {
  return (static_cast<unsigned>(some) & static_cast<unsigned>(phase)) != 0;
}

/// What the front end does with an option (build_flags.def).
enum class FrontEndUse : std::uint8_t { none, ignored, passed, contracts, debug_info, relaxed_aliasing };

/// How much of an option the text of a foreign option is (build_flags.def).
enum class Match : std::uint8_t { exact, prefix, word };

/// An option: its text, the phases that take it, and its use in the front end.
struct BuildFlagRow {
  BuildFlag flag;
  std::string_view text;
  TakenBy taken_by;
  FrontEndUse front_end;
};

/// An option of another driver that has no effect here.
struct ForeignOption {
  std::string_view text;
  Match match;
  std::string_view reason;  ///< why the option has no effect
};

/// A version of OpenCL C.
struct LanguageRow {
  std::string_view text;  ///< the value of -cl-std=
  int major;
  int minor;
};

/// All options in canonical order, which is also the order of the enumerators.
inline constexpr BuildFlagRow kBuildFlags[] = {
#define LANEWISE_BUILD_FLAG(id, text, taken_by, front_end) \
  {BuildFlag::id, text, TakenBy::taken_by, FrontEndUse::front_end},
#include "include/lanewise/build_flags.def"
};

inline constexpr ForeignOption kForeignOptions[] = {
#define LANEWISE_FOREIGN_OPTION(text, match, reason) {text, Match::match, reason},
#include "include/lanewise/build_flags.def"
};

inline constexpr LanguageRow kLanguages[] = {
#define LANEWISE_LANGUAGE(text, major, minor) {text, major, minor},
#include "include/lanewise/build_flags.def"
};

/// A version of C++ for OpenCL.
struct CppLanguageRow {
  std::string_view text;  ///< the value of -cl-std=
  int major;              ///< version of the OpenCL C with the same rules
  int minor;
};

inline constexpr CppLanguageRow kCppLanguages[] = {
#define LANEWISE_CPP_LANGUAGE(text, major, minor) {text, major, minor},
#include "include/lanewise/build_flags.def"
};

/// The row of a value of -cl-std=; null: the value is no OpenCL C.
constexpr const LanguageRow* find_language(std::string_view text) {
  const auto* row = std::find_if(std::begin(kLanguages), std::end(kLanguages),
                                 [&](const LanguageRow& candidate) { return candidate.text == text; });
  return row == std::end(kLanguages) ? nullptr : row;
}

/// The row of a value of -cl-std=; null: the value is no C++ for OpenCL.
constexpr const CppLanguageRow* find_cpp_language(std::string_view text) {
  const auto* row = std::find_if(std::begin(kCppLanguages), std::end(kCppLanguages),
                                 [&](const CppLanguageRow& candidate) { return candidate.text == text; });
  return row == std::end(kCppLanguages) ? nullptr : row;
}

constexpr std::string_view text_of(BuildFlag flag) {
  return kBuildFlags[static_cast<std::size_t>(flag)].text;
}

/// The row of an option; null: there is none.
constexpr const BuildFlagRow* find_flag(std::string_view text) {
  const auto* row = std::find_if(std::begin(kBuildFlags), std::end(kBuildFlags),
                                 [&](const BuildFlagRow& candidate) { return candidate.text == text; });
  return row == std::end(kBuildFlags) ? nullptr : row;
}

/// Whether the option is for Clang's diagnostics as a whole word: -Wall, -Wno-unused; not -Wl,OPTION.
constexpr bool is_warning_option(std::string_view text) {
  return text.starts_with("-W") && text.size() > 2 && text[2] != ',' && (text.size() == 3 || text[3] != ',');
}

constexpr bool matches(const ForeignOption& option, std::string_view text) {
  if (!text.starts_with(option.text)) return false;
  if (option.match == Match::prefix || text.size() == option.text.size()) return true;
  return option.match == Match::word && text[option.text.size()] == '=';
}

/// The row of another driver's option that has no effect here; null: there is none.
constexpr const ForeignOption* find_foreign_option(std::string_view text) {
  const auto* row = std::find_if(std::begin(kForeignOptions), std::end(kForeignOptions),
                                 [&](const ForeignOption& candidate) { return matches(candidate, text); });
  return row == std::end(kForeignOptions) ? nullptr : row;
}

/// Whether the word after the option belongs to it.
constexpr bool takes_word(const ForeignOption& option, std::string_view text) {
  return option.match == Match::word && text.size() == option.text.size();
}

/// Whether the option is one of a request's options.
template <class Options>
bool has_flag(const Options& options, BuildFlag flag) {
  return std::find(std::begin(options), std::end(options), text_of(flag)) != std::end(options);
}

}  // namespace lanewise
