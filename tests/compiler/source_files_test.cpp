// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The dependencies on the disk that a compilation records.
#include <CL/cl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

namespace fs = std::filesystem;
using State = abi::Dependency::State;

class SourceFiles : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/lanewise-sources-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    base_ = name;
  }
  void TearDown() override { fs::remove_all(base_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((base_ / name).parent_path());
    std::ofstream(base_ / name) << text;
  }
  /// The recorded states, by path below the directory of the test.
  [[nodiscard]] std::map<std::string, State> compile(const std::string& source, std::vector<std::string> directories,
                                                     const std::string& working_directory = "") const {
    abi::Compile q = compile_of(source);
    for (const std::string& directory : directories) q.source.options.push_back("-I" + (base_ / directory).string());
    if (!working_directory.empty()) q.source.working_directory = base_ / working_directory;
    const abi::Reply reply = run_request(q);
    EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
    std::map<std::string, State> found;
    for (const abi::Dependency& dependency : reply.dependencies) {
      const fs::path below = fs::path(dependency.path).lexically_relative(base_);
      // Clang looks in the system's own directories in the end.
      if (!below.empty() && *below.begin() != "..") found[below] = dependency.state;
    }
    return found;
  }

  fs::path base_;
};

using Expected = std::map<std::string, State>;

TEST_F(SourceFiles, EveryPlaceOfASearchIsRemembered) {
  write("a/other.h", "");
  write("b/x.h", "#include \"y.h\"\n#include <x/z.h>\n");
  write("c/y.h", "");
  write("c/x/z.h", "");
  EXPECT_EQ(compile("#include <x.h>\nkernel void k() {}", {"a", "missing", "b", "c"}),
            (Expected{{"missing", State::nothing},
                      {"a/x.h", State::nothing},
                      {"b/x.h", State::text},
                      {"b/y.h", State::nothing},
                      {"a/y.h", State::nothing},
                      {"c/y.h", State::text},
                      {"a/x", State::nothing},
                      {"b/x", State::nothing},
                      {"c/x/z.h", State::text}}));
}

TEST_F(SourceFiles, QuestionsAreRemembered) {
  write("b/there.h", "");
  write("b/read.h", "");
  const char* source =
      "#if !__has_include(<there.h>) || __has_include(<absent.h>) || !__has_include(<read.h>)\n#error\n#endif\n"
      "#include <read.h>\nkernel void k() {}";
  EXPECT_EQ(compile(source, {"b"}),
            (Expected{{"b/there.h", State::present}, {"b/absent.h", State::nothing}, {"b/read.h", State::text}}));
}

TEST_F(SourceFiles, DirectoriesAndOtherThingsAreNoHeaders) {
  fs::create_directories(base_ / "a/x.h");
  fs::create_directories(base_ / "b");
  ASSERT_EQ(mkfifo((base_ / "b/x.h").c_str(), 0600), 0);
  write("c/x.h", "");
  EXPECT_EQ(compile("#include \"x.h\"\nkernel void k() {}", {"a", "b"}, "c"),
            (Expected{{"a/x.h", State::no_file}, {"b/x.h", State::nothing}, {"c/x.h", State::text}}));
}

TEST_F(SourceFiles, AProgramWithoutIncludesAsksForNothing) {
  fs::create_directories(base_ / "a");
  EXPECT_EQ(compile("kernel void k() {}", {"a"}, "a"), Expected{});
}

/// The working directory is searched last, unless the user names it earlier.
TEST_F(SourceFiles, TheOrderOfDirectoriesIsTheUsers) {
  write("a/x.h", "");
  write("b/x.h", "");
  EXPECT_EQ(compile("#include \"x.h\"\nkernel void k() {}", {"a", "b"}, "a"), (Expected{{"a/x.h", State::text}}));
  EXPECT_EQ(compile("#include \"x.h\"\nkernel void k() {}", {"b"}, "a"), (Expected{{"b/x.h", State::text}}));
}

/// The header of the language comes from memory, whatever is in the user's directories.
TEST_F(SourceFiles, TheBaseHeaderIsNotLookedFor) {
  write("a/opencl-c-base.h", "#error\n");
  EXPECT_EQ(compile("kernel void k(global uint* p) { *p = 1; }", {"a"}), Expected{});
}

TEST_F(SourceFiles, WhatLiesBelowTheVirtualDirectoriesIsNotReadFromDisk) {
  const abi::Reply reply =
      run_request(compile_of("#if __has_include(\"/lanewise/x.h\")\n#error\n#endif\nkernel void k() {}"));
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_TRUE(reply.dependencies.empty());
}

}  // namespace
}  // namespace lanewise::test
