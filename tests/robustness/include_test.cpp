// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that programs include: a cached program is used only while a new build would find the same files, and nothing
// but a regular file is ever opened. Each build is a process of its own, as runs of an application are.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIncludes = "#include \"value.h\"\nkernel void f(global int* a) { *a = VALUE; }";
constexpr const char* kAsks =
    "#if __has_include(\"value.h\")\n#define VALUE 2\n#else\n#define VALUE 1\n#endif\n"
    "kernel void f(global int* a) { *a = VALUE; }";

class Includes : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name)) << text;
  }
  void write_value(const std::string& name, int value) const { write(name, "#define VALUE " + std::to_string(value)); }
  [[nodiscard]] fs::path at(const std::string& name) const { return base.path() / name; }

  /// The output of the program: its value, or code and log of a build that fails.
  [[nodiscard]] std::string result(const std::vector<std::string>& directories, const char* source = kIncludes) const {
    // The working directory is part of what a program depends on, so it is the same each time.
    fs::create_directories(at("work"));
    std::string options;
    for (const std::string& directory : directories) options += "-I " + at(directory).string() + " ";
    const Outcome outcome =
        run_app({"print_value", options, source}, {.environment = {{"LANEWISE_CACHE_DIR", at("cache").string()}},
                                                   .before_exec = [this] { return chdir(at("work").c_str()) == 0; },
                                                   .seconds = 20});
    EXPECT_FALSE(outcome.timed_out);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  [[nodiscard]] std::size_t entries() const {
    // Beside a folder of images.
    return static_cast<std::size_t>(
        std::count_if(fs::directory_iterator(at("cache")), fs::directory_iterator(),
                      [](const fs::directory_entry& entry) { return entry.path().extension() == ".lwc"; }));
  }

  TemporaryDirectory base;
};

/// The build fails, soon, and its log says why.
void expect_refused(const std::string& result, const std::string& path) {
  EXPECT_TRUE(result.starts_with("-11\n")) << result;
  EXPECT_NE(result.find("file not found"), std::string::npos) << result;
  EXPECT_NE(result.find(path + "' is not a regular file"), std::string::npos) << result;
}

TEST_F(Includes, AHeaderThatAppearsEarlierInTheSearchIsSeen) {
  fs::create_directories(at("a"));
  write_value("b/value.h", 1);
  EXPECT_EQ(result({"a", "b"}), "1");
  EXPECT_EQ(result({"a", "b"}), "1");
  EXPECT_EQ(entries(), 2u) << "program and code; the second time from the cache";
  write_value("a/value.h", 2);
  EXPECT_EQ(result({"a", "b"}), "2");
  fs::remove(at("a/value.h"));
  EXPECT_EQ(result({"a", "b"}), "1");
}

TEST_F(Includes, ADirectoryThatAppearsIsSearched) {
  write_value("b/value.h", 1);
  EXPECT_EQ(result({"a", "b"}), "1");
  write_value("a/value.h", 2);
  EXPECT_EQ(result({"a", "b"}), "2");
}

TEST_F(Includes, ASubdirectoryThatAppearsIsSearched) {
  const char* source = "#include \"deep/value.h\"\nkernel void f(global int* a) { *a = VALUE; }";
  fs::create_directories(at("a"));
  write_value("b/deep/value.h", 1);
  EXPECT_EQ(result({"a", "b"}, source), "1");
  write_value("a/deep/value.h", 2);
  EXPECT_EQ(result({"a", "b"}, source), "2");
}

TEST_F(Includes, AHeaderThatAppearsBesideTheIncludingFileIsSeen) {
  write("a/value.h", "#include \"inner.h\"");
  write_value("b/inner.h", 1);
  EXPECT_EQ(result({"a", "b"}), "1");
  write_value("a/inner.h", 2);
  EXPECT_EQ(result({"a", "b"}), "2");
}

TEST_F(Includes, AHeaderInThePlaceOfADirectoryIsSeen) {
  fs::create_directories(at("a/value.h"));
  write_value("b/value.h", 1);
  EXPECT_EQ(result({"a", "b"}), "1");
  fs::remove(at("a/value.h"));
  EXPECT_EQ(result({"a", "b"}), "1");
  write_value("a/value.h", 2);
  EXPECT_EQ(result({"a", "b"}), "2");
}

TEST_F(Includes, AHeaderThatWasAskedForMayComeAndGo) {
  fs::create_directories(at("a"));
  EXPECT_EQ(result({"a"}, kAsks), "1");
  write_value("a/value.h", 7);
  EXPECT_EQ(result({"a"}, kAsks), "2");
  write_value("a/value.h", 8);
  EXPECT_EQ(result({"a"}, kAsks), "2");
  fs::remove(at("a/value.h"));
  EXPECT_EQ(result({"a"}, kAsks), "1");
}

TEST_F(Includes, AHeaderThatOnlyIsThereMayGo) {
  write_value("a/value.h", 7);
  EXPECT_EQ(result({"a"}, kAsks), "2");
  fs::remove(at("a/value.h"));
  EXPECT_EQ(result({"a"}, kAsks), "1");
}

TEST_F(Includes, ASymbolicLinkMayComeToLeadElsewhere) {
  write_value("one", 1);
  write_value("two", 2);
  fs::create_directories(at("a"));
  fs::create_symlink(at("one"), at("a/value.h"));
  EXPECT_EQ(result({"a"}), "1");
  fs::remove(at("a/value.h"));
  fs::create_symlink(at("two"), at("a/value.h"));
  EXPECT_EQ(result({"a"}), "2");
}

TEST_F(Includes, FifosAreNotOpened) {
  fs::create_directories(at("a"));
  ASSERT_EQ(mkfifo(at("a/value.h").c_str(), 0600), 0);
  expect_refused(result({"a"}), at("a/value.h"));
  EXPECT_EQ(result({"a"}, kAsks), "1") << "there is nothing to include";
  write_value("b/value.h", 3);
  EXPECT_EQ(result({"a", "b"}), "3") << "the search goes on";
  fs::remove(at("a/value.h"));
  write_value("a/value.h", 4);
  EXPECT_EQ(result({"a", "b"}), "4");
}

TEST_F(Includes, LinksToFifosAndDevicesAreNotOpened) {
  fs::create_directories(at("a"));
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  for (const std::string& target : {at("fifo").string(), std::string("/dev/zero"), std::string("/dev/tty")}) {
    fs::create_symlink(target, at("a/value.h"));
    expect_refused(result({"a"}), at("a/value.h"));
    EXPECT_EQ(result({"a"}, kAsks), "1");
    fs::remove(at("a/value.h"));
  }
}

TEST_F(Includes, AbsolutePathsOfFifosAndDevicesAreNotOpened) {
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  for (const std::string& path : {at("fifo").string(), std::string("/dev/zero")})
    expect_refused(result({}, ("#include \"" + path + "\"\nkernel void f(global int* a) {}").c_str()), path);
}

}  // namespace
}  // namespace lanewise::robustness
