// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program binaries of other processors; binaries and cache entries that somebody has edited and given a right checksum. Descriptions are data, and no
// value in one may crash, hang or fill memory. (The machine code beside them is native code, and is not looked at.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

struct Edits {
  std::size_t tried = 0;
  std::size_t taken = 0;
};

Edits edits_in(const std::string& out) {
  std::smatch found;
  EXPECT_TRUE(std::regex_match(out, found, std::regex("(\\d+) edits, (\\d+) of them taken\n"))) << out;
  return found.size() == 3 ? Edits{std::stoul(found[1]), std::stoul(found[2])} : Edits{};
}

Outcome run_binaries(const std::vector<std::string>& arguments,
                     std::vector<std::pair<std::string, std::string>> environment = {}) {
  return run_app(arguments, {.environment = std::move(environment), .seconds = 300, .program = LANEWISE_BINARIES_APP});
}

TEST(DamagedBinaries, EveryFieldOfEveryDescription) {
  constexpr int kShown = 8;
  const TemporaryDirectory directory;
  const std::string progress = directory / "progress";
  std::string first = "0";
  for (int shown = 0; shown < kShown; ++shown) {
    const Outcome outcome = run_binaries({"binaries", first, progress});
    if (outcome.exit_code == 0) {
      EXPECT_EQ(outcome.err, "");
      const Edits edits = edits_in(outcome.out);
      EXPECT_GE(edits.tried, 439u);
      EXPECT_GT(edits.taken, 10u) << "edits that are always refused prove nothing about those that are not";
      return;
    }
    std::ifstream in(progress);
    const std::string where{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    ASSERT_FALSE(where.empty()) << outcome.out << outcome.err;
    ADD_FAILURE() << "edit " << where << ": signal " << outcome.signal << ", " << outcome.out;
    first = std::to_string(std::stoul(where) + 1);
  }
}

TEST(DamagedBinaries, IrIsReadByTheCompiler) {
  const Outcome outcome = run_binaries({"ir"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.err, "");
  const Edits edits = edits_in(outcome.out);
  EXPECT_EQ(edits.tried, 10u);
  EXPECT_LE(edits.taken, 7u) << "no IR, noise and half of it are refused";
}

/// What a home directory has that is shared by several machines, or the cache of an application.
class BinariesOfOthers : public testing::Test {
 protected:
  static Outcome run(const char* what, const std::string& file, const char* level,
                     std::vector<std::pair<std::string, std::string>> more = {}) {
    more.emplace_back("LANEWISE_ISA", level);
    return run_binaries({what, file}, std::move(more));
  }
  void SetUp() override {
    for (const char* level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
      const Outcome saved = run("save", file_for(level), level);
      ASSERT_EQ(saved.exit_code, 0) << saved.out << saved.err;
      levels_.emplace_back(level, saved.out);
    }
  }
  [[nodiscard]] std::string file_for(const std::string& level) const { return directory_ / level; }

  const TemporaryDirectory directory_;
  std::vector<std::pair<const char*, std::string>> levels_;  ///< and what this processor has of each
};

TEST_F(BinariesOfOthers, AreBuiltAgainForThisProcessor) {
  for (const auto& [made_for, number] : levels_)
    for (const auto& [here, own] : levels_) {
      const Outcome loaded = run("load", file_for(made_for), here);
      EXPECT_EQ(loaded.exit_code, 0) << made_for << " on " << here;
      EXPECT_EQ(loaded.out, own) << made_for << " on " << here;
      EXPECT_EQ(loaded.err, "");
    }
}

TEST_F(BinariesOfOthers, RunWithoutACompilerIfTheyCan) {
  const TemporaryDirectory empty;
  const std::vector<std::pair<std::string, std::string>> no_compiler = {{"LANEWISE_COMPILER_DIR", empty.path()}};
  for (const auto& [made_for, number] : levels_)
    for (const auto& [here, own] : levels_) {
      const Outcome loaded = run("load", file_for(made_for), here, no_compiler);
      if (number > own) {
        EXPECT_NE(loaded.exit_code, 0) << made_for << " on " << here;
        EXPECT_NE(loaded.out.find("(-3)"), std::string::npos) << loaded.out;
        EXPECT_EQ(loaded.signal, 0);
      } else {
        EXPECT_EQ(loaded.exit_code, 0) << made_for << " on " << here << ": " << loaded.out;
        EXPECT_EQ(loaded.out, number) << made_for << " on " << here;
      }
    }
}

class DamagedCache : public testing::TestWithParam<const char*> {};

TEST_P(DamagedCache, RefusedEntriesAreCompiledAgain) {
  const TemporaryDirectory cache;
  const Outcome outcome =
      run_binaries({"cache", cache.path()}, {{"LANEWISE_CACHE_DIR", cache.path()}, {"LANEWISE_TIER", GetParam()}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.err, "");
  const Edits edits = edits_in(outcome.out);
  EXPECT_GT(edits.tried, 30u);
  EXPECT_LT(edits.taken, edits.tried / 2) << "values beyond all bounds";
}

INSTANTIATE_TEST_SUITE_P(Tiers, DamagedCache, testing::Values("1", "2"));

}  // namespace
}  // namespace lanewise::robustness
