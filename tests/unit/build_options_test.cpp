// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_options.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

namespace lanewise {
namespace {

using Tokens = std::vector<std::string>;

constexpr LanguageVersion kVersions[] = {{1, 0}, {1, 1}, {1, 2}, {3, 0}};
constexpr OptionRules kRules{kVersions, false};
constexpr OptionRules kExactDivision{kVersions, true};

BuildOptions parsed(std::string_view text, OptionPhase phase = OptionPhase::build, const OptionRules& rules = kRules) {
  auto result = parse_options(text, phase, rules);
  EXPECT_TRUE(result.ok()) << text << ": " << (result.ok() ? "" : result.error().message);
  return result.ok() ? result.value() : BuildOptions{};
}

int refused(std::string_view text, OptionPhase phase = OptionPhase::build) {
  auto result = parse_options(text, phase, kRules);
  EXPECT_FALSE(result.ok()) << text;
  return result.ok() ? CL_SUCCESS : result.error().code;
}

TEST(SplitOptions, BlanksQuotesAndEscapes) {
  const auto split = [](std::string_view text) { return split_options(text).value(); };
  EXPECT_EQ(split(""), Tokens{});
  EXPECT_EQ(split(" \t\n "), Tokens{});
  EXPECT_EQ(split("  -w\t-g \n-Werror"), (Tokens{"-w", "-g", "-Werror"}));
  EXPECT_EQ(split("-I \"a b\" -w"), (Tokens{"-I", "a b", "-w"}));
  EXPECT_EQ(split("-I\"a b\"c"), (Tokens{"-Ia bc"}));
  EXPECT_EQ(split("-D S=\\\"text\\\""), (Tokens{"-D", "S=\"text\""}));
  EXPECT_EQ(split("-I a\\ b"), (Tokens{"-I", "a b"}));
  EXPECT_EQ(split("-I a\\\\b"), (Tokens{"-I", "a\\b"}));
  EXPECT_EQ(split("-I c:\\dir\\"), (Tokens{"-I", "c:\\dir\\"}));
  EXPECT_EQ(split("\"\""), (Tokens{""}));
  EXPECT_FALSE(split_options("-I \"open").ok());
}

TEST(BuildOptions, DefaultLanguageIsTheHighestOneX) {
  const auto options = parsed("");
  EXPECT_EQ(options.tokens, (Tokens{"-cl-std=CL1.2"}));
  EXPECT_EQ(options.language, (LanguageVersion{1, 2}));
  EXPECT_TRUE(options.uniform_work_groups);
  EXPECT_TRUE(options.refusal.empty());
}

/// OpenCL C 2.0 and 3.0 are whose rules they share; the last -cl-std counts.
TEST(BuildOptions, CxxForOpenCL) {
  for (const char* text : {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"}) {
    EXPECT_TRUE(parsed(text).refusal.empty()) << text;
    EXPECT_EQ(parsed(text).tokens, Tokens{text});
    EXPECT_FALSE(parsed(text).uniform_work_groups) << text;
  }
  EXPECT_EQ(parsed("-cl-std=CLC++ -cl-std=CL3.0").tokens, Tokens{"-cl-std=CL3.0"});
  EXPECT_EQ(parsed("-cl-std=CL1.2 -cl-std=CLC++2021").tokens, Tokens{"-cl-std=CLC++2021"});
  EXPECT_EQ(refused("-cl-std=CLC++2022"), CL_INVALID_BUILD_OPTIONS);
}

TEST(BuildOptions, LanguageVersions) {
  for (const char* text : {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    EXPECT_TRUE(parsed(text).refusal.empty()) << text;
    EXPECT_EQ(parsed(text).tokens, Tokens{text});
  }
  EXPECT_FALSE(parsed("-cl-std=CL3.0").uniform_work_groups);
  EXPECT_TRUE(parsed("-cl-std=CL3.0 -cl-uniform-work-group-size").uniform_work_groups);
  // Well formed, but not in the device's list: the build fails, the options are not invalid.
  EXPECT_FALSE(parsed("-cl-std=CL2.0").refusal.empty());
  EXPECT_FALSE(parsed("-cl-std=CL3.1").refusal.empty());
  for (const char* text : {"-cl-std=", "-cl-std", "-cl-std CL1.2", "-cl-std=CL4.0", "-cl-std=CLC++2", "-cl-std=cl1.2"})
    EXPECT_EQ(refused(text), CL_INVALID_BUILD_OPTIONS) << text;
}

TEST(BuildOptions, EveryFlagOfTheSpecification) {
  for (const char* flag :
       {"-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-opt-disable", "-cl-strict-aliasing",
        "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp", "-cl-lanewise-report-vectors", "-cl-mad-enable",
        "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-fast-relaxed-math", "-w",
        "-Werror", "-cl-kernel-arg-info", "-g"}) {
    for (const auto phase : {OptionPhase::build, OptionPhase::compile}) {
      const auto options = parsed(flag, phase);
      EXPECT_EQ(options.tokens, (Tokens{flag, "-cl-std=CL1.2"}));
      EXPECT_TRUE(options.refusal.empty());
    }
  }
  EXPECT_TRUE(parsed("-cl-kernel-arg-info").kernel_arg_info);
  EXPECT_FALSE(parsed("").kernel_arg_info);
}

TEST(BuildOptions, CorrectlyRoundedDivisionNeedsTheDevice) {
  const char* flag = "-cl-fp32-correctly-rounded-divide-sqrt";
  EXPECT_FALSE(parsed(flag).refusal.empty());
  EXPECT_TRUE(parsed(flag, OptionPhase::build, kExactDivision).refusal.empty());
}

TEST(BuildOptions, MacrosKeepTheirOrder) {
  EXPECT_EQ(parsed("-D A -DB=2 -D A=3 -D \"C=1 + 2\" -D F(x)=x").tokens,
            (Tokens{"-cl-std=CL1.2", "-DA", "-DB=2", "-DA=3", "-DC=1 + 2", "-DF(x)=x"}));
  EXPECT_EQ(parsed("-D \"A=one\ntwo\"").tokens, (Tokens{"-cl-std=CL1.2", "-DA=one"}));
  EXPECT_EQ(parsed("-D A=").tokens, (Tokens{"-cl-std=CL1.2", "-DA="}));
  EXPECT_EQ(parsed("-D S=\\\"x\\\"").tokens, (Tokens{"-cl-std=CL1.2", "-DS=\"x\""}));
  for (const char* text : {"-D", "-D 1A", "-D =1", "-D A-B", "-D \"\"", "-w -D"})
    EXPECT_EQ(refused(text), CL_INVALID_BUILD_OPTIONS) << text;
}

TEST(BuildOptions, IncludeDirectories) {
  const auto options = parsed("-I a -Ib -I \"c d\" -I\"e f\"");
  EXPECT_EQ(options.tokens, (Tokens{"-cl-std=CL1.2", "-Ia", "-Ib", "-Ic d", "-Ie f"}));
  EXPECT_TRUE(options.include_directories);
  EXPECT_EQ(refused("-I"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(refused("-I \"\""), CL_INVALID_BUILD_OPTIONS);
}

TEST(BuildOptions, EqualMeaningGivesEqualTokens) {
  EXPECT_EQ(parsed("-w  -cl-mad-enable -g").tokens, parsed("-g -cl-mad-enable\t-w -w").tokens);
  EXPECT_EQ(parsed("-D A=1 -w").tokens, parsed("-w -DA=1 -cl-std=CL1.2").tokens);
  EXPECT_EQ(parsed("-O3").tokens, parsed("").tokens);
  EXPECT_NE(parsed("-D A -D B").tokens, parsed("-D B -D A").tokens);
}

TEST(BuildOptions, UnknownOptionsHaveTheErrorOfTheirPhase) {
  for (const char* text : {"-foo", "foo", "--help", "-cl-nothing", "-x spir", "-spir-std=1.2", "-create-library",
                           "-enable-link-options", "-W", "-cl-opt-disable2", "\"\"", "-I \"open"}) {
    EXPECT_EQ(refused(text, OptionPhase::build), CL_INVALID_BUILD_OPTIONS) << text;
    EXPECT_EQ(refused(text, OptionPhase::compile), CL_INVALID_COMPILER_OPTIONS) << text;
  }
  for (const char* text : {"-foo", "-w", "-D A", "-I a", "-cl-std=CL1.2", "-cl-mad-enable", "-cl-kernel-arg-info",
                           "-cl-opt-disable", "-g", "-enable-link-options"})
    EXPECT_EQ(refused(text, OptionPhase::link), CL_INVALID_LINKER_OPTIONS) << text;
}

TEST(BuildOptions, OptionsOfOtherDriversGiveANoteAndNoToken) {
  for (const char* text : {"-O3", "-fPIC", "-Wf,-x", "-Wl,-x", "-cl-nv-arch sm_80", "-cl-nv-opt-level=3",
                           "-cl-intel-no-prera-scheduling", "-ze-opt-level=2", "-m64", "-g0", "-s /a/b.cl"}) {
    for (const auto phase : {OptionPhase::build, OptionPhase::compile, OptionPhase::link}) {
      const auto options = parsed(text, phase);
      EXPECT_EQ(options.tokens, parsed("", phase).tokens) << text;
      EXPECT_NE(options.notes.find("has no effect"), std::string::npos) << text;
    }
    EXPECT_EQ(parsed(std::string("-w ") + text).notes, "") << text;
  }
  EXPECT_EQ(parsed("-w").notes, "");
  for (const char* text : {"-cl-nv-arch", "-s", "-O6", "-O33", "-fPIC2", "-m32", "-funsigned-char", "-cl-nv-archer"})
    EXPECT_EQ(refused(text), CL_INVALID_BUILD_OPTIONS) << text;
}

TEST(BuildOptions, WhatHasAMeaningIsPassedOn) {
  EXPECT_EQ(parsed("-Wall -Wno-unused -D A -U A -O0 -fno-strict-aliasing").tokens,
            (Tokens{"-O0", "-fno-strict-aliasing", "-cl-std=CL1.2", "-Wall", "-Wno-unused", "-DA", "-UA"}));
  for (const char* text : {"-W", "-Wx,y", "-U", "-U 1", "-U A-B"})
    EXPECT_EQ(refused(text), CL_INVALID_BUILD_OPTIONS) << text;
  for (const char* text : {"-Wall", "-U A"})
    EXPECT_EQ(refused(text, OptionPhase::link), CL_INVALID_LINKER_OPTIONS) << text;
}

TEST(BuildOptions, LinkerOptions) {
  EXPECT_EQ(parsed("", OptionPhase::link).tokens, Tokens{});
  for (const char* flag :
       {"-cl-denorms-are-zero", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
        "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp", "-cl-lanewise-report-vectors"})
    EXPECT_EQ(parsed(flag, OptionPhase::link).tokens, Tokens{flag});
  const auto library = parsed("-create-library", OptionPhase::link);
  EXPECT_TRUE(library.create_library);
  EXPECT_FALSE(library.enable_link_options);
  EXPECT_EQ(library.tokens, Tokens{});
  EXPECT_TRUE(parsed("-enable-link-options -create-library", OptionPhase::link).enable_link_options);
}

}  // namespace
}  // namespace lanewise
