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

enum class BuildFlag : std::uint8_t {
#define LANEWISE_BUILD_FLAG(id, text, taken_by, front_end) id,
#include "include/lanewise/build_flags.def"
};

/// A set of bits, so that `includes` can test for one phase.
enum class TakenBy : std::uint8_t { tools = 0, compile = 1, link = 2, both = 3 };
constexpr bool includes(TakenBy some, TakenBy phase) {
  return (static_cast<unsigned>(some) & static_cast<unsigned>(phase)) != 0;
}

enum class FrontEndUse : std::uint8_t { none, ignored, passed, contracts, debug_info };

struct BuildFlagRow {
  BuildFlag flag;
  std::string_view text;
  TakenBy taken_by;
  FrontEndUse front_end;
};

struct LanguageRow {
  std::string_view text;  ///< the value of -cl-std=
  int major;
  int minor;
  bool named_by_programs;
  bool known_to_front_end;
};

/// In canonical order, which is also the order of the enumerators.
inline constexpr BuildFlagRow kBuildFlags[] = {
#define LANEWISE_BUILD_FLAG(id, text, taken_by, front_end) \
  {BuildFlag::id, text, TakenBy::taken_by, FrontEndUse::front_end},
#include "include/lanewise/build_flags.def"
};

inline constexpr LanguageRow kLanguages[] = {
#define LANEWISE_LANGUAGE(text, major, minor, programs, front_end) {text, major, minor, programs, front_end},
#include "include/lanewise/build_flags.def"
};

struct CppLanguageRow {
  std::string_view text;
  int major;  ///< of the OpenCL C with the same rules
  int minor;
};

inline constexpr CppLanguageRow kCppLanguages[] = {
#define LANEWISE_CPP_LANGUAGE(text, major, minor) {text, major, minor},
#include "include/lanewise/build_flags.def"
};

/// Null: the value of -cl-std= is no C++ for OpenCL.
constexpr const CppLanguageRow* find_cpp_language(std::string_view text) {
  const auto* row = std::find_if(std::begin(kCppLanguages), std::end(kCppLanguages),
                                 [&](const CppLanguageRow& candidate) { return candidate.text == text; });
  return row == std::end(kCppLanguages) ? nullptr : row;
}

constexpr std::string_view text_of(BuildFlag flag) {
  return kBuildFlags[static_cast<std::size_t>(flag)].text;
}

/// The row of an option; null if there is none.
constexpr const BuildFlagRow* find_flag(std::string_view text) {
  const auto* row = std::find_if(std::begin(kBuildFlags), std::end(kBuildFlags),
                                 [&](const BuildFlagRow& candidate) { return candidate.text == text; });
  return row == std::end(kBuildFlags) ? nullptr : row;
}

/// Whether the option is one of a request's options.
template <class Options>
bool has_flag(const Options& options, BuildFlag flag) {
  return std::find(std::begin(options), std::end(options), text_of(flag)) != std::end(options);
}

}  // namespace lanewise
