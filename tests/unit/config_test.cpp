// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/config/config.h"

#include <gtest/gtest.h>

#include <map>

#include "include/lanewise/check_abi.h"

namespace lanewise {
namespace {

Config with(const std::map<std::string, std::string>& environment) {
  return read_config([&](const char* name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    if (found == environment.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Config, DefaultsWithoutEnvironment) {
  const Config config = with({});
  EXPECT_EQ(config.debug.bits, 0u);
  EXPECT_EQ(config.threads.most, 0u);
  EXPECT_TRUE(config.cache);
  EXPECT_TRUE(config.cache_dir.empty());
  EXPECT_TRUE(config.build_options.empty());
  EXPECT_EQ(config.compiler, Placement::process);
}

TEST(Config, Switches) {
  for (const char* off : {"0", "off", "False", "NO"}) EXPECT_FALSE(with({{"LANEWISE_CACHE", off}}).cache) << off;
  for (const char* on : {"1", "on", "TRUE", "yes"}) EXPECT_TRUE(with({{"LANEWISE_CACHE", on}}).cache) << on;
  EXPECT_TRUE(with({{"LANEWISE_CACHE", "perhaps"}}).cache);
}

TEST(Config, Sizes) {
  EXPECT_EQ(with({{"LANEWISE_CACHE_SIZE", "4096"}}).cache_size, 4096u);
  EXPECT_EQ(with({{"LANEWISE_CACHE_SIZE", "16k"}}).cache_size, 16384u);
  EXPECT_EQ(with({{"LANEWISE_CACHE_SIZE", "3M"}}).cache_size, 3u << 20);
  EXPECT_EQ(with({{"LANEWISE_CACHE_SIZE", "2GB"}}).cache_size, Size{2} << 30);
  const Size initial = Config{}.cache_size;
  for (const char* bad : {"", "K", "12Q", "-1", "99999999999999999999", "18446744073709551615K"}) {
    EXPECT_EQ(with({{"LANEWISE_CACHE_SIZE", bad}}).cache_size, initial) << bad;
  }
}

TEST(Config, Counts) {
  EXPECT_EQ(with({{"LANEWISE_THREADS", "3"}}).threads.most, 3u);
  for (const char* bad : {"", "three", "3x", "-3", "4294967296", "auto2"}) {
    EXPECT_EQ(with({{"LANEWISE_THREADS", bad}}).threads.most, 0u) << bad;
    EXPECT_FALSE(with({{"LANEWISE_THREADS", bad}}).threads.share) << bad;
  }
  EXPECT_TRUE(with({{"LANEWISE_THREADS", "Auto"}}).threads.share);
  EXPECT_FALSE(with({{"LANEWISE_THREADS", "0"}}).threads.share);
}

TEST(Config, Channels) {
  const Config config = with({{"LANEWISE_DEBUG", "API,cache,,unknown"}});
  EXPECT_TRUE(config.debug.has(Channel::api));
  EXPECT_TRUE(config.debug.has(Channel::cache));
  EXPECT_FALSE(config.debug.has(Channel::build));
  EXPECT_FALSE(config.debug.has(Channel::time));
  EXPECT_TRUE(with({{"LANEWISE_DEBUG", "all"}}).debug.has(Channel::barriers));
}

TEST(Config, Checks) {
  EXPECT_EQ(with({}).check.kinds, 0u);
  const Checks some = with({{"LANEWISE_CHECK", "Memory,race"}}).check;
  EXPECT_EQ(some.kinds, check::memory | check::race);
  EXPECT_FALSE(some.fatal);
  EXPECT_TRUE(with({{"LANEWISE_CHECK", "all,fatal"}}).check.fatal);
  EXPECT_EQ(with({{"LANEWISE_CHECK", "all"}}).check.kinds, 31u);
  EXPECT_EQ(with({{"LANEWISE_CHECK", "all,overflow"}}).check.kinds, 63u);
  EXPECT_EQ(with({{"LANEWISE_CHECK", "buffers"}}).check.kinds, check::buffers | check::memory);
  EXPECT_EQ(with({{"LANEWISE_CHECK", "init"}}).check.kinds, check::init | check::memory);
  for (const char* bad : {"memory,races", "fatal", "1"})
    EXPECT_EQ(with({{"LANEWISE_CHECK", bad}}).check.kinds, 0u) << bad;
}

TEST(Config, CodeMadeByABuild) {
  EXPECT_EQ(with({}).build, CodeMade::automatic);
  EXPECT_EQ(with({{"LANEWISE_BUILD", "auto"}}).build, CodeMade::automatic);
  EXPECT_EQ(with({{"LANEWISE_BUILD", "ALL"}}).build, CodeMade::all);
  EXPECT_EQ(with({{"LANEWISE_BUILD", "some"}}).build, CodeMade::automatic);
}

TEST(Config, Tier) {
  EXPECT_EQ(with({}).tier, Tier::automatic);
  EXPECT_EQ(with({{"LANEWISE_TIER", "1"}}).tier, Tier::first);
  EXPECT_EQ(with({{"LANEWISE_TIER", "2"}}).tier, Tier::second);
  EXPECT_EQ(with({{"LANEWISE_TIER", "3"}}).tier, Tier::automatic);
}

TEST(Config, Placement) {
  EXPECT_EQ(with({{"LANEWISE_COMPILER", "inprocess"}}).compiler, Placement::inprocess);
  EXPECT_EQ(with({{"LANEWISE_COMPILER", "elsewhere"}}).compiler, Placement::process);
}

Complaints complaints_about(const std::string& name, const std::string& value) {
  Complaints complaints;
  static_cast<void>(
      read_config([&](const char* asked) { return asked == name ? std::optional<std::string>(value) : std::nullopt; },
                  &complaints));
  return complaints;
}

#if defined(__aarch64__)
constexpr const char* kLevels =
    "armv8-a, armv8.2-a, armv8.2-a-sve256, armv9-a-sve128, armv9-a-sve256 or armv9-a-sve512";
constexpr const char* kLevel = "armv8.2-a";
constexpr const char* kForeignLevel = "x86-64-v2";
#else
constexpr const char* kLevels = "x86-64-v2, x86-64-v3 or x86-64-v4";
constexpr const char* kLevel = "x86-64-v4+avx512vnni";
constexpr const char* kForeignLevel = "armv8-a";
#endif

TEST(Config, ComplaintsNameWhatIsAllowed) {
  const std::map<std::string, std::pair<std::string, std::string>> wrong{
      {"LANEWISE_ISA", {"avx2", kLevels}},          {"LANEWISE_THREADS", {"abc", "a whole number or auto"}},
      {"LANEWISE_TIER", {"3", "auto, 1 or 2"}},     {"LANEWISE_DEBUG", {"vectorise", "vectorize"}},
      {"LANEWISE_CACHE", {"perhaps", "on or off"}}, {"LANEWISE_WIDTH", {"3", "power of two up to 64"}},
      {"LANEWISE_CACHE_SIZE", {"1T", "K, M or G"}}, {"LANEWISE_COMPILER", {"thread", "process or inprocess"}}};
  for (const auto& [name, value] : wrong) {
    const Complaints complaints = complaints_about(name, value.first);
    ASSERT_EQ(complaints.size(), 1u) << name;
    EXPECT_TRUE(complaints[0].starts_with(name + "=" + value.first + " is ignored")) << complaints[0];
    EXPECT_NE(complaints[0].find(value.second), std::string::npos) << complaints[0];
  }
}

TEST(Config, GoodValuesGiveNoComplaint) {
  EXPECT_TRUE(complaints_about("LANEWISE_ISA", kLevel).empty());
  EXPECT_EQ(complaints_about("LANEWISE_ISA", kForeignLevel).size(), 1u);
  EXPECT_TRUE(complaints_about("LANEWISE_DEBUG", "api,,cache,ALL").empty());
  EXPECT_TRUE(complaints_about("LANEWISE_TIER", "auto").empty());
  EXPECT_TRUE(complaints_about("LANEWISE_CACHE_DIR", "").empty());
}

TEST(Config, NumbersThatNoDeviceCanHaveAreMovedAndReported) {
  EXPECT_EQ(with({{"LANEWISE_LOCAL_MEMORY", "1"}}).local_memory, 32u << 10);
  EXPECT_EQ(with({{"LANEWISE_LOCAL_MEMORY", "100G"}}).local_memory, 64u << 20);
  EXPECT_EQ(with({{"LANEWISE_MEMORY", "1M"}}).memory, 128u << 20);
  EXPECT_EQ(with({{"LANEWISE_GROUP_SIZE", "5000"}}).group_size, 4096u);
  const auto first = [](const char* name, const char* value) {
    const Complaints all = complaints_about(name, value);
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " complaints";
  };
  EXPECT_EQ(first("LANEWISE_LOCAL_MEMORY", "1"),
            "LANEWISE_LOCAL_MEMORY counts as 32K, which is the least that it takes");
  EXPECT_EQ(first("LANEWISE_LOCAL_MEMORY", "100G"),
            "LANEWISE_LOCAL_MEMORY counts as 64M, which is the most that it takes");
  EXPECT_EQ(first("LANEWISE_MEMORY", "1M"), "LANEWISE_MEMORY counts as 128M, which is the least that it takes");
  EXPECT_EQ(first("LANEWISE_GROUP_SIZE", "5000"),
            "LANEWISE_GROUP_SIZE counts as 4096, which is the most that it takes");
  for (const auto& [name, value] : std::map<const char*, const char*>{
           {"LANEWISE_LOCAL_MEMORY", "32K"}, {"LANEWISE_MEMORY", "900G"}, {"LANEWISE_GROUP_SIZE", "0"}})
    EXPECT_TRUE(complaints_about(name, value).empty()) << name;
  EXPECT_TRUE(complaints_about("LANEWISE_MEMORY", "0").empty());
}

TEST(Config, OptionsThatNeedAnotherAreReported) {
  EXPECT_EQ(complaints_about("LANEWISE_CHECK_LOG", "log.json"),
            Complaints{"LANEWISE_CHECK_LOG is ignored: LANEWISE_CHECK names nothing to look for"});
  const Complaints fatal = complaints_about("LANEWISE_CHECK", "fatal");
  ASSERT_EQ(fatal.size(), 1u);
  EXPECT_TRUE(fatal[0].ends_with("all; and fatal, beside one of these")) << fatal[0];
}

TEST(Config, UnknownNamesAreReportedWithTheNearestOption) {
  const char* const environment[] = {"PATH=/bin",
                                     "LANEWISE_THREAD=1",
                                     "LANEWISE_TIER=2",
                                     "LANEWISE_TEST_SPIRV=x",
                                     "LANEWISE_NOTHING_LIKE_IT=1",
                                     "LANEWISE_FOO=1",
                                     "LANEWISE_TIR=1",
                                     nullptr};
  EXPECT_EQ(unknown_options(environment),
            (Complaints{"LANEWISE_THREAD is ignored: there is no such option; LANEWISE_THREADS?",
                        "LANEWISE_NOTHING_LIKE_IT is ignored: there is no such option",
                        "LANEWISE_FOO is ignored: there is no such option",
                        "LANEWISE_TIR is ignored: there is no such option; LANEWISE_TIER?"}));
  EXPECT_TRUE(unknown_options(nullptr).empty());
}

}  // namespace
}  // namespace lanewise
