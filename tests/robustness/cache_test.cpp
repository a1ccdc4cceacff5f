// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache that is broken, full, read-only or belongs to another user is never an error (design D7).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "tests/robustness/child.h"

namespace lanewise::robustness {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  Outcome compute(std::function<bool()> before_exec = {}) const {
    return run_app({"compute"},
                   {.environment = {{"LANEWISE_CACHE_DIR", directory()}}, .unset = {}, .before_exec = before_exec});
  }
  void expect_works(std::function<bool()> before_exec = {}) const {
    const Outcome outcome = compute(std::move(before_exec));
    if (outcome.exit_code == kNotAllowedHere) GTEST_SKIP() << "mounting is not allowed here";
    EXPECT_FALSE(outcome.timed_out);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
  [[nodiscard]] std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (fs::is_directory(directory()))
      for (const auto& entry : fs::directory_iterator(directory()))
        if (entry.path().extension() == ".lwc")
          found.push_back(entry.path());  // beside folders of code objects and sources
    return found;
  }
  [[nodiscard]] std::string directory() const { return (base.path() / "cache").string(); }
  void make_directory(mode_t mode = 0700) const {
    ASSERT_EQ(mkdir(directory().c_str(), 0700), 0);
    ASSERT_EQ(chmod(directory().c_str(), mode), 0);
  }

  TemporaryDirectory base;
};

TEST_F(Cache, IsMadeAndUsed) {
  expect_works();
  const auto first = entries();
  EXPECT_EQ(first.size(), 4u) << "one entry for each of two programs, and one for the code of its kernel";
  struct stat info{};
  ASSERT_EQ(stat(directory().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u) << "it holds machine code: nobody else may write there";
  expect_works();
  EXPECT_EQ(entries(), first);
}

TEST_F(Cache, AnswersWithoutACompiler) {
  expect_works();
  const TemporaryDirectory real;
  // The key covers the compiler's identity, so this is the same directory with a helper that cannot start.
  const fs::path driver(LANEWISE_DRIVER_FILE);
  for (const auto& entry : fs::directory_iterator(driver.parent_path() / "lanewise"))
    if (entry.path().filename() != "lanewise-compiler")
      fs::create_symlink(entry.path(), real.path() / entry.path().filename());
  const Outcome outcome = run_app(
      {"compute"}, {.environment = {{"LANEWISE_CACHE_DIR", directory()}, {"LANEWISE_COMPILER_DIR", real.path()}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Cache, CanBeSwitchedOff) {
  const Outcome outcome =
      run_app({"compute"}, {.environment = {{"LANEWISE_CACHE_DIR", directory()}, {"LANEWISE_CACHE", "off"}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, DamagedEntriesAreMisses) {
  expect_works();
  const auto damage = [](const fs::path& path, int way) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    in.close();
    switch (way) {
      case 0:
        text.clear();
        break;
      case 1:
        text.resize(text.size() / 2);
        break;
      case 2:
        text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 0x40);
        break;
      case 3:
        text[3] = static_cast<char>(text[3] ^ 1);
        break;
      case 4:
        text.assign(text.size(), '\0');
        break;
      default:
        text += "more";
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  };
  for (int way = 0; way < 6; ++way) {
    for (const auto& path : entries()) damage(path, way);
    expect_works();
  }
}

TEST_F(Cache, EntriesThatAreNoFilesAreMisses) {
  expect_works();
  const auto files = entries();
  ASSERT_EQ(files.size(), 4u);
  for (std::size_t i = 0; i < files.size(); ++i) {
    fs::remove(files[i]);
    if (i % 2 == 0)
      fs::create_directory(files[i]);
    else
      ASSERT_EQ(mkfifo(files[i].c_str(), 0600), 0);  // an open for reading would wait forever
  }
  expect_works();
  for (const auto& path : files) {
    fs::remove(path);
    fs::create_symlink(path, path);  // a loop
  }
  expect_works();
}

TEST_F(Cache, EntriesSwapped) {
  expect_works();
  const auto files = entries();
  ASSERT_EQ(files.size(), 4u);
  fs::rename(files[0], base.path() / "other");
  for (std::size_t i = 1; i < files.size(); ++i) fs::rename(files[i], files[i - 1]);
  fs::rename(base.path() / "other", files.back());
  expect_works();  // each entry is complete, but belongs to another key: its results would be wrong
}

TEST_F(Cache, ReadOnlyByMode) {
  make_directory(0500);
  expect_works();
}

TEST_F(Cache, ReadOnlyFileSystem) {
  make_directory();
  expect_works([this] { return mount_over(directory(), "mode=0700", MS_RDONLY); });
}

TEST_F(Cache, FullFileSystem) {
  make_directory();
  expect_works([this] { return mount_over(directory(), "mode=0700,size=4k", 0); });
}

TEST_F(Cache, NoInodesLeft) {
  make_directory();
  expect_works([this] { return mount_over(directory(), "mode=0700,nr_inodes=1", 0); });
}

TEST_F(Cache, NotExecutableFileSystem) {
  make_directory();
  expect_works([this] { return mount_over(directory(), "mode=0700", MS_NOEXEC); });
}

TEST_F(Cache, OfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make another user's directory";
  make_directory();
  ASSERT_EQ(chown(directory().c_str(), 65534, 65534), 0);
  expect_works();
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, WritableByOthersIsNotUsed) {
  make_directory(0777);
  expect_works();
  struct stat info{};
  ASSERT_EQ(stat(directory().c_str(), &info), 0);
  if ((info.st_mode & 022) != 0) EXPECT_TRUE(entries().empty()) << "others could put machine code there";
}

TEST_F(Cache, EntryOfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make another user's file";
  expect_works();
  for (const auto& path : entries()) ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  expect_works();
}

TEST_F(Cache, PathIsAFile) {
  std::ofstream(directory()) << "not a directory";
  expect_works();
}

TEST_F(Cache, PathIsASymbolicLinkToNowhere) {
  fs::create_symlink(base.path() / "absent", directory());
  expect_works();
}

TEST_F(Cache, PathIsASymbolicLinkToAFolder) {
  ASSERT_EQ(mkdir((base / "elsewhere").c_str(), 0700), 0);
  fs::create_symlink(base / "elsewhere", directory());
  expect_works();
  EXPECT_EQ(entries().size(), 4u) << "homes on clusters are links";
  expect_works();
  EXPECT_EQ(entries().size(), 4u);
}

TEST_F(Cache, ALinkIsAsGoodAsItsOwnerAndItsEnd) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make another user's link";
  ASSERT_EQ(mkdir((base / "elsewhere").c_str(), 0700), 0);
  fs::create_symlink(base / "elsewhere", directory());
  ASSERT_EQ(lchown(directory().c_str(), 65534, 65534), 0);
  expect_works();
  EXPECT_TRUE(entries().empty()) << "the link of another user";
  ASSERT_EQ(lchown(directory().c_str(), 0, 0), 0);
  ASSERT_EQ(chown((base / "elsewhere").c_str(), 65534, 65534), 0);
  expect_works();
  EXPECT_TRUE(entries().empty()) << "the folder of another user";
}

TEST_F(Cache, TwoProcessesAtOnce) {
  // Both compile the same programs into one directory; renames make that safe.
  const Outcome first = run_app({"fork_before_use"}, {.environment = {{"LANEWISE_CACHE_DIR", directory()}}});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(Cache, StaysBelowItsSize) {
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = run_app(
        {"kill_idle_helper"}, {.environment = {{"LANEWISE_CACHE_DIR", directory()}, {"LANEWISE_CACHE_SIZE", "1"}}});
    EXPECT_EQ(outcome.exit_code, 0);
  }
  EXPECT_LE(entries().size(), 8u);  // scanned now and then, not at every store
}

}  // namespace
}  // namespace lanewise::robustness
