// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The files of code objects and sources: in a cache, in a folder of the process, or none; which are kept, which are
/// removed, and which are never changed.
#include "runtime/code/code_object_files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "runtime/code/code_object.h"
#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 30U;

class CodeObjectFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    elf_ = file::read_all(test::fake_folder() / "image.so").value_or(Bytes());
    ASSERT_FALSE(elf_.empty());
  }
  [[nodiscard]] std::string cache() const { return place_ / "cache"; }
  [[nodiscard]] std::string base() const { return place_.path(); }
  static Ref<CodeObject> open(const Bytes& elf, CodeObjectFiles& files) {
    auto code_object = CodeObject::open(elf, files);
    EXPECT_TRUE(code_object.ok()) << code_object.error().message;
    return code_object.ok() ? std::move(code_object).value() : nullptr;
  }
  /// The name that debuggers see.
  static std::string name_of(const Ref<CodeObject>& code_object) {
    Dl_info info{};
    EXPECT_NE(dladdr(reinterpret_cast<void*>(code_object->symbol("add_up")), &info), 0);
    return info.dli_fname;
  }
  [[nodiscard]] std::vector<std::string> process_folders() const {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator it(base() + "/lanewise-" + std::to_string(geteuid()), error), end; !error && it != end;
         it.increment(error))
      found.push_back(it->path());
    return found;
  }

  test::TemporaryDirectory place_;
  Bytes elf_;
};

TEST_F(CodeObjectFilesTest, KeptImagesHaveNamesThatStay) {
  CodeObjectFiles files(cache(), kLimit, {base()});
  std::string name;
  {
    const auto code_object = open(elf_, files);
    name = name_of(code_object);
    EXPECT_EQ(name, cache() + "/code-objects/" + hash_bytes(elf_).text() + ".so");
  }
  EXPECT_EQ(file::read_all(name), elf_) << "perf and core files come later";
  EXPECT_EQ(name_of(open(elf_, files)), name) << "and it is used again";
  EXPECT_TRUE(process_folders().empty());
}

TEST_F(CodeObjectFilesTest, ASecondImageWithVariablesHasANameOfItsOwn) {
  CodeObjectFiles files(cache(), kLimit, {base()});
  const auto first = open(elf_, files);
  std::string second_name;
  {
    const auto second = open(elf_, files);
    second_name = name_of(second);
    EXPECT_NE(second_name, name_of(first));
    EXPECT_TRUE(fs::exists(second_name));
  }
  EXPECT_FALSE(fs::exists(second_name)) << "a private image goes when it is closed";
  EXPECT_TRUE(fs::exists(name_of(first)));
}

TEST_F(CodeObjectFilesTest, DamagedKeptImagesAreReplaced) {
  CodeObjectFiles files(cache(), kLimit, {base()});
  const std::string name = name_of(open(elf_, files));
  for (const Bytes& damage : {Bytes(elf_.size(), 0), Bytes{}, Bytes(elf_.begin(), elf_.end() - 1)}) {
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(damage.data()), static_cast<std::streamsize>(damage.size()));
    EXPECT_EQ(name_of(open(elf_, files)), name);
    EXPECT_EQ(file::read_all(name), elf_);
  }
}

TEST_F(CodeObjectFilesTest, ACacheThatIsEmptiedMeanwhileHarmsNobody) {
  CodeObjectFiles files(cache(), kLimit, {base()});
  const auto code_object = open(elf_, files);
  fs::remove_all(cache());
  EXPECT_NE(code_object->symbol("add_up"), nullptr);
  Bytes other = elf_;
  other.push_back(0);
  EXPECT_TRUE(fs::exists(name_of(open(other, files))));
}

TEST_F(CodeObjectFilesTest, ARelativeCacheHasAnAbsoluteName) {
  EXPECT_EQ(test::in_child([&] {
              if (chdir(base().c_str()) != 0) return 1;
              CodeObjectFiles files("cache", kLimit, {});
              const auto code_object = open(elf_, files);
              return name_of(code_object).starts_with(fs::canonical(base()).string() + "/cache/") ? 0 : 2;
            }),
            0);
}

TEST_F(CodeObjectFilesTest, WithoutACacheImagesArePrivate) {
  std::ofstream(place_ / "file") << "not a folder";
  for (const std::string& unusable : {std::string(), place_ / "file", place_ / "file/below", base() + "/$ORIGIN"}) {
    CodeObjectFiles files(unusable, kLimit, {"", "relative", place_ / "missing/../file", base()});
    const auto code_object = open(elf_, files);
    const std::string name = name_of(code_object);
    EXPECT_TRUE(name.starts_with(base() + "/lanewise-")) << name;
    EXPECT_EQ(file::read_all(name), elf_);
  }
}

TEST_F(CodeObjectFilesTest, FoldersThatOthersMayWriteAreNotUsed) {
  const std::string folder = base() + "/lanewise-" + std::to_string(geteuid());
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  ASSERT_EQ(mkdir(cache().c_str(), 0700), 0);
  ASSERT_EQ(chmod(cache().c_str(), 0775), 0);
  CodeObjectFiles files(cache(), kLimit, {base()});
  const auto code_object = open(elf_, files);
  EXPECT_TRUE(name_of(code_object).starts_with("/proc/self/fd/")) << name_of(code_object);
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_TRUE(fs::is_empty(cache()));
}

TEST_F(CodeObjectFilesTest, InMemoryTheNumberIsOneThatADebuggerDoesNotHave) {
  CodeObjectFiles files("", kLimit, {});
  const auto code_object = open(elf_, files);
  const std::string name = name_of(code_object);
  ASSERT_TRUE(name.starts_with("/proc/self/fd/")) << name;
  EXPECT_GE(atoi(name.substr(name.rfind('/') + 1).c_str()), 100) << name;
}

TEST_F(CodeObjectFilesTest, WhatMayNotBeExecutedIsPassedOver) {
  const int status = test::in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      return test::kSkipped;
    mkdir(cache().c_str(), 0700);
    if (mount("none", cache().c_str(), "tmpfs", MS_NOEXEC, "mode=0700") != 0) return test::kSkipped;
    CodeObjectFiles files(cache(), kLimit, {cache(), base()});
    const auto code_object = open(elf_, files);
    return code_object && name_of(code_object).starts_with(base() + "/lanewise-") ? 0 : 1;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "no mount namespaces";
  EXPECT_EQ(status, 0);
}

TEST_F(CodeObjectFilesTest, WithoutProcNamesDoNotNeedIt) {
  const int status = test::in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", "/proc", "tmpfs", 0, nullptr) != 0)
      return test::kSkipped;
    CodeObjectFiles kept(cache(), kLimit, {});
    CodeObjectFiles own("", kLimit, {base()});
    return CodeObject::open(elf_, kept).ok() && CodeObject::open(elf_, own).ok() ? 0 : 1;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "no mount namespaces";
  EXPECT_EQ(status, 0);
}

TEST_F(CodeObjectFilesTest, FoldersOfTheDeadAreCollectedAndThoseOfTheLivingAreNot) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const auto start = [&](bool dies) {
    const pid_t child = fork();
    if (child != 0) return child;
    CodeObjectFiles files("", kLimit, {base()});
    const auto code_object = open(elf_, files);
    (void)!write(ends[1], "x", 1);
    if (dies) raise(SIGKILL);
    pause();
    _exit(0);
  };
  const pid_t living = start(false);
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  const std::string kept = process_folders().at(0);
  const pid_t dead = start(true);
  waitpid(dead, nullptr, 0);
  ASSERT_EQ(process_folders().size(), 2u) << "a crash leaves its folder";
  {
    CodeObjectFolder next({base()});
    ASSERT_TRUE(next.path());
    EXPECT_EQ(process_folders().size(), 2u) << "the crashed one's is gone, this one's is new";
    EXPECT_TRUE(fs::exists(kept + "/kernel-0.so")) << "still in use";
    next.remove();
  }
  EXPECT_EQ(process_folders(), std::vector<std::string>{kept});
  kill(living, SIGKILL);
  waitpid(living, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CodeObjectFilesTest, OnlyOurOwnNamesAreCollected) {
  const std::string parent = base() + "/lanewise-" + std::to_string(geteuid());
  const auto put = [](const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "x";
  };
  fs::create_directories(parent);
  fs::permissions(parent, fs::perms::owner_all);
  const std::string hash(32, 'a');
  for (const char* kept :
       {"/notes.txt", "/process-abc/kernel-0.so", "/process-abcde./kernel-0.so", "/other/kernel-0.so",
        "/process-abcde1/kernel-x.so", "/process-abcde1/kernel-.so", "/process-abcde1/source-12/x"})
    put(parent + kept);
  put(parent + "/process-abcde1/kernel-17.so");
  put(parent + "/process-abcde1/source-" + hash + "/inc/x.h");
  put(parent + "/process-abcde2/kernel-0.so");
  const std::string elsewhere = place_ / "elsewhere";
  put(elsewhere + "/kernel-0.so");
  fs::create_directory_symlink(elsewhere, parent + "/process-abcde3");
  CodeObjectFolder next({base()});
  ASSERT_TRUE(next.path());
  next.remove();
  for (const char* kept :
       {"/notes.txt", "/process-abc/kernel-0.so", "/process-abcde./kernel-0.so", "/other/kernel-0.so",
        "/process-abcde1/kernel-x.so", "/process-abcde1/kernel-.so", "/process-abcde1/source-12/x"})
    EXPECT_TRUE(fs::exists(parent + kept)) << kept;
  EXPECT_FALSE(fs::exists(parent + "/process-abcde1/kernel-17.so"));
  EXPECT_FALSE(fs::exists(parent + "/process-abcde1/source-" + hash));
  EXPECT_FALSE(fs::exists(parent + "/process-abcde2"));
  EXPECT_TRUE(fs::exists(elsewhere + "/kernel-0.so")) << "a link leads nowhere";
}

TEST_F(CodeObjectFilesTest, AForkedChildHasAFolderOfItsOwn) {
  CodeObjectFolder folder({base()});
  const auto mine = folder.path();
  ASSERT_TRUE(mine);
  EXPECT_EQ(test::in_child([&] {
              folder.remove();  // as at exit: not the parent's
              if (!fs::exists(*mine)) return 1;
              const auto own = folder.path();
              return own && *own != *mine ? 0 : 2;
            }),
            0);
  EXPECT_EQ(folder.path(), mine);
  folder.remove();
  EXPECT_FALSE(fs::exists(*mine));
}

TEST_F(CodeObjectFilesTest, ClosedStandardStreamsStayClosed) {
  EXPECT_EQ(test::in_child([&] {
              for (int stream = 0; stream < 3; ++stream) close(stream);
              CodeObjectFolder folder({base()});
              if (!folder.path()) return 1;
              for (int stream = 0; stream < 3; ++stream)
                if (fcntl(stream, F_GETFD) >= 0) return 2;
              return 0;
            }),
            0);
}

TEST_F(CodeObjectFilesTest, TheOldestKeptImagesGoFirst) {
  const std::uint64_t limit = 40 * elf_.size();
  CodeObjectFiles files(cache(), limit, {base()});
  const auto name = files.keep(elf_, hash_bytes(elf_));
  ASSERT_TRUE(name);
  Bytes other = elf_;
  for (int i = 0; i < 200; ++i) {
    other.push_back(1);
    ASSERT_TRUE(files.keep(other, hash_bytes(other)));
    if (i % 20 == 0) fs::last_write_time(*name, fs::file_time_type::clock::now() + std::chrono::hours(1));
  }
  std::uint64_t total = 0;
  for (const auto& entry : fs::directory_iterator(cache() + "/code-objects")) total += entry.file_size();
  EXPECT_LT(total, 2 * limit + 32 * other.size());
  EXPECT_TRUE(fs::exists(*name)) << "used last";
}

TEST_F(CodeObjectFilesTest, SourcesLieWhereADebuggerCanOpenThem) {
  abi::Source source;
  source.text = "kernel void k() {}\n";
  source.headers = {{"a.h", "one"}, {"inc/b.h", "two"}, {"../out.h", "no"}, {"/abs.h", "no"}, {"program.cl", "no"}};
  const auto text = [](const std::string& path) {
    const auto bytes = file::read_all(path);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "(none)";
  };
  CodeObjectFiles kept(cache(), kLimit, {base()});
  CodeObjectFiles own("", kLimit, {base()});
  for (CodeObjectFiles* files : {&kept, &own}) {
    const std::string folder = files->publish_sources(source);
    EXPECT_EQ(text(folder + "/program.cl"), source.text);
    EXPECT_EQ(text(folder + "/a.h"), "one");
    EXPECT_EQ(text(folder + "/inc/b.h"), "two");
    EXPECT_FALSE(fs::exists(fs::path(folder).parent_path() / "out.h"));
    EXPECT_EQ(files->publish_sources(source), folder);
  }
  EXPECT_TRUE(kept.publish_sources(source).starts_with(cache() + "/sources/"));
  CodeObjectFiles none("", kLimit, {});
  EXPECT_EQ(none.publish_sources(source), "");
}

}  // namespace
}  // namespace lanewise
