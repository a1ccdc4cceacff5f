// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/build_cache.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "include/lanewise/builtin_library.h"
#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using test::TemporaryDirectory;

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 40;

abi::Reply reply(std::size_t image_bytes, std::uint8_t fill = 3) {
  abi::Reply out;
  out.log = "a warning";
  out.ir.assign(64, 1);
  out.code_object.assign(image_bytes, fill);
  abi::KernelInfo kernel;
  kernel.name = "k";
  kernel.args.resize(2);
  out.kernels.push_back(kernel);
  return out;
}

Hash128 key(std::uint64_t number) {
  return {number, number + 1};
}
std::string entry(const std::string& directory, std::uint64_t number) {
  return directory + "/" + key(number).text() + ".lwc";
}

std::uint64_t bytes_in(const std::string& directory) {
  std::uint64_t total = 0;
  for (const auto& item : std::filesystem::directory_iterator(directory))
    if (item.path().extension() == ".lwc") total += item.file_size();
  return total;
}

TEST(CacheStore, GivesBackWhatItKept) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), kNoLimit);
  EXPECT_FALSE(store.load(key(1)));
  store.store(key(1), reply(1000));
  const auto found = store.load(key(1));
  ASSERT_TRUE(found);
  EXPECT_EQ(abi::encode(*found), abi::encode(reply(1000)));
  EXPECT_FALSE(store.load(key(2)));
  CacheStore other(directory.path(), kNoLimit);
  EXPECT_TRUE(other.load(key(1))) << "as another process sees it";
}

TEST(CacheStore, AnyDamageIsAMissAndIsRepaired) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), kNoLimit);
  store.store(key(1), reply(300));
  const Bytes whole = file::read_all(entry(directory.path(), 1)).value();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes damaged = whole;
    damaged[at] ^= 0x10;
    ASSERT_TRUE(file::write_atomically(directory.path(), key(1).text() + ".lwc", damaged));
    EXPECT_FALSE(store.load(key(1))) << "byte " << at;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_TRUE(file::write_atomically(directory.path(), key(1).text() + ".lwc", cut));
    EXPECT_FALSE(store.load(key(1))) << "size " << size;
  }
  ASSERT_TRUE(file::write_atomically(directory.path(), key(2).text() + ".lwc", whole));
  EXPECT_FALSE(store.load(key(2))) << "an entry under another's name";
  store.store(key(1), reply(300));
  EXPECT_TRUE(store.load(key(1)));
}

TEST(CacheStore, OnlySuccessIsFound) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), kNoLimit);
  for (const std::int32_t status : {CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_RESOURCES, 1, -1000}) {
    abi::Reply failed = reply(100);
    failed.status = status;
    store.store(key(1), failed);
    EXPECT_FALSE(store.load(key(1))) << status;
  }
}

TEST(CacheStore, ADirectoryInTheEntrysPlaceIsAMiss) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), kNoLimit);
  ASSERT_EQ(mkdir(entry(directory.path(), 1).c_str(), 0700), 0);
  EXPECT_FALSE(store.load(key(1)));
  store.store(key(1), reply(10));
  EXPECT_FALSE(store.load(key(1)));
}

TEST(CacheStore, ValidOnlyWhileIncludedFilesAreUnchanged) {
  const TemporaryDirectory directory;
  const TemporaryDirectory sources;
  CacheStore store(directory.path(), kNoLimit);
  std::ofstream(sources / "a.h") << "int a;";
  abi::Reply built = reply(10);
  const Hash128 hash = hash_bytes(file::read_all(sources / "a.h").value());
  built.dependencies.push_back({sources / "a.h", hash.low, hash.high});
  store.store(key(1), built);
  EXPECT_TRUE(store.load(key(1)));
  std::ofstream(sources / "a.h") << "int b;";
  EXPECT_FALSE(store.load(key(1)));
  std::ofstream(sources / "a.h") << "int a;";
  EXPECT_TRUE(store.load(key(1)));
  unlink((sources / "a.h").c_str());
  EXPECT_FALSE(store.load(key(1)));
}

TEST(CacheStore, DirectoriesThatAreNotPrivateAreNotUsed) {
  const TemporaryDirectory parent;
  const std::string path = parent / "cache";
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  CacheStore(path, kNoLimit).store(key(1), reply(10));
  ASSERT_TRUE(CacheStore(path, kNoLimit).load(key(1)));
  const auto expect_unused = [&](const char* why) {
    EXPECT_FALSE(CacheStore(path, kNoLimit).load(key(1))) << why;
    CacheStore(path, kNoLimit).store(key(2), reply(10));
    EXPECT_NE(access(entry(path, 2).c_str(), F_OK), 0) << why;
  };
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  expect_unused("open to everybody");
  ASSERT_EQ(chmod(path.c_str(), 0700), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
    expect_unused("somebody else's");
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    ASSERT_EQ(chown(entry(path, 1).c_str(), 65534, 65534), 0);
    EXPECT_FALSE(CacheStore(path, kNoLimit).load(key(1))) << "an entry of somebody else";
  }
  CacheStore nowhere("", kNoLimit);
  nowhere.store(key(1), reply(10));
  EXPECT_FALSE(nowhere.load(key(1)));
  CacheStore impossible("/proc/lanewise-cache", kNoLimit);
  impossible.store(key(1), reply(10));
  EXPECT_FALSE(impossible.load(key(1)));
}

/// Mounts a small tmpfs on `path` that only this (forked) process sees; false without the permission to.
bool mount_small(const std::string& path, const char* size) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", path.c_str(), "tmpfs", 0, size) == 0 && chmod(path.c_str(), 0700) == 0;
}

TEST(CacheStore, AFullDiskIsSilent) {
  const TemporaryDirectory directory;
  const int status = test::in_child([&] {
    if (!mount_small(directory.path(), "size=128k")) return test::kSkipped;
    CacheStore store(directory.path(), kNoLimit);
    store.store(key(1), reply(10000));
    if (!store.load(key(1))) return 1;
    for (std::uint64_t i = 2; i < 40; ++i) store.store(key(i), reply(20000));
    if (store.load(key(39))) return 2;
    for (const auto& item : std::filesystem::directory_iterator(directory.path())) {
      if (item.path().extension() != ".lwc") return 3;
    }
    return store.load(key(1)) ? 0 : 4;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(status, 0);
}

TEST(CacheStore, AReadOnlyCacheStillAnswers) {
  const TemporaryDirectory directory;
  const int status = test::in_child([&] {
    if (!mount_small(directory.path(), "size=1m")) return test::kSkipped;
    CacheStore(directory.path(), kNoLimit).store(key(1), reply(1000));
    if (mount("none", directory.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return test::kSkipped;
    CacheStore store(directory.path(), kNoLimit);
    store.store(key(2), reply(1000));
    if (store.load(key(2))) return 1;
    return store.load(key(1)) ? 0 : 2;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(status, 0);
}

TEST(CacheStore, TheOldestEntriesGoFirst) {
  const TemporaryDirectory directory;
  constexpr std::uint64_t kLimit = 400'000;
  const std::time_t now = std::time(nullptr);
  {
    CacheStore store(directory.path(), kNoLimit);
    for (std::uint64_t i = 0; i < 60; ++i) {
      store.store(key(i), reply(10000));
      const timespec old[2] = {{now - 100'000 + static_cast<std::time_t>(i), 0},
                               {now - 100'000 + static_cast<std::time_t>(i), 0}};
      ASSERT_EQ(utimensat(AT_FDCWD, entry(directory.path(), i).c_str(), old, 0), 0);
    }
    ASSERT_TRUE(store.load(key(0))) << "a use makes the oldest entry the newest";
  }
  CacheStore limited(directory.path(), kLimit);
  limited.store(key(100), reply(10000));
  EXPECT_LE(bytes_in(directory.path()), kLimit);
  EXPECT_TRUE(limited.load(key(0)));
  EXPECT_FALSE(limited.load(key(1)));
  EXPECT_TRUE(limited.load(key(59)));
  EXPECT_TRUE(limited.load(key(100)));
}

/// Makes a file look as if it had not been used for a day.
void age(const std::string& path) {
  const std::time_t day_ago = std::time(nullptr) - 100'000;
  const timespec old[2] = {{day_ago, 0}, {day_ago, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), old, 0), 0);
}

TEST(CacheStore, FilesOfOthersStay) {
  const TemporaryDirectory directory;
  constexpr std::uint64_t kLimit = 100'000;
  {
    CacheStore store(directory.path(), kNoLimit);
    for (std::uint64_t i = 0; i < 20; ++i) store.store(key(i), reply(10000));
  }
  const Bytes own_bytes = file::read_all(entry(directory.path(), 0)).value();
  const std::string own(own_bytes.begin(), own_bytes.end());
  const std::string name = key(77).text();
  const std::string foreign_text(50000, 'x');
  const std::vector<std::pair<std::string, const std::string*>> foreign = {
      {"notes.tmp", &own},  // not our name, whatever is in it
      {"stale.1.2.tmp", &own},
      {"kept.lwc", &own},
      {name.substr(1) + ".lwc", &own},
      {name + "0.lwc", &own},
      {name + ".lwc.old", &own},
      {name + ".lwc.1.tmp", &own},
      {name + ".lwc.1.x.tmp", &own},
      {name + ".lwc", &foreign_text},  // our name, but not our content
      {name + ".lwc.1.2.tmp", &foreign_text},
  };
  for (const auto& [file, text] : foreign) {
    std::ofstream(directory / file) << *text;
    age(directory / file);
  }
  const std::string link = key(78).text() + ".lwc";
  std::filesystem::create_symlink(directory / "kept.lwc", directory / link);
  std::ofstream(directory / (name + ".lwc.3.4.tmp")) << own;  // left by a writer that was killed
  age(directory / (name + ".lwc.3.4.tmp"));
  std::ofstream(directory / (name + ".lwc.5.6.tmp")) << own;  // of a writer that is at work
  CacheStore limited(directory.path(), kLimit);
  limited.store(key(100), reply(10000));
  for (const auto& [file, text] : foreign) EXPECT_EQ(access((directory / file).c_str(), F_OK), 0) << file;
  EXPECT_TRUE(std::filesystem::is_symlink(directory / link));
  EXPECT_NE(access((directory / (name + ".lwc.3.4.tmp")).c_str(), F_OK), 0);
  EXPECT_EQ(access((directory / (name + ".lwc.5.6.tmp")).c_str(), F_OK), 0);
  std::uint64_t ours = 0;
  for (std::uint64_t i = 0; i <= 100; ++i)
    if (const std::string path = entry(directory.path(), i); i != 77 && i != 78 && access(path.c_str(), F_OK) == 0)
      ours += std::filesystem::file_size(path);
  EXPECT_LE(ours, kLimit);
  EXPECT_GE(ours, kLimit / 2) << "others' files do not count";
}

TEST(CacheStore, StaysNearItsLimitOverManyStores) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), 1'000'000);
  for (std::uint64_t i = 0; i < 500; ++i) store.store(key(i), reply(10000));
  EXPECT_LE(bytes_in(directory.path()), 1'400'000u);
  EXPECT_TRUE(store.load(key(499)));
}

TEST(CacheStore, ProcessesThatWriteTheSameKeyNeverShowATornEntry) {
  const TemporaryDirectory directory;
  std::vector<pid_t> writers;
  for (std::uint8_t w = 1; w <= 3; ++w) {
    const pid_t child = fork();
    if (child == 0) {
      CacheStore store(directory.path(), kNoLimit);
      for (int i = 0; i < 200; ++i) store.store(key(1), reply(50000, w));
      _exit(0);
    }
    writers.push_back(child);
  }
  CacheStore store(directory.path(), kNoLimit);
  std::size_t found = 0;
  for (int round = 0; round < 20000 && found < 300; ++round) {
    const auto got = store.load(key(1));
    if (!got) {
      EXPECT_EQ(found, 0u) << "an entry that was there must not vanish";
      std::this_thread::yield();
      continue;
    }
    ++found;
    ASSERT_EQ(got->code_object.size(), 50000u);
    EXPECT_EQ(got->code_object, Bytes(50000, got->code_object[0]));
  }
  for (const pid_t writer : writers) waitpid(writer, nullptr, 0);
  EXPECT_TRUE(store.load(key(1)));
}

TEST(CacheStore, ThreadsShareOneStore) {
  const TemporaryDirectory directory;
  CacheStore store(directory.path(), 300'000);
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 40; ++i) {
        store.store(key(i), reply(10000, 9));
        const auto got = store.load(key((i + t) % 40));
        if (got) EXPECT_EQ(got->code_object, Bytes(10000, 9));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(CacheKey, EveryInputMatters) {
  std::vector<abi::Build> builds(11, test::request("kernel void k() {}"));
  builds[1].source.text += " ";
  builds[2].source.headers = {{"a.h", "int a;"}};
  builds[3].source.headers = {{"a.h", "int b;"}};
  builds[4].source.options = {"-DA", "-DB"};
  builds[5].source.options = {"-DB", "-DA"};
  builds[6].source.options = {"-DA-DB"};
  builds[7].source.extensions = {"cl_khr_fp64"};
  builds[8].source.macros = {"X=1"};
  builds[9].code.isa = IsaLevel::x86_64_v4;
  builds[10].code.isa = Isa(IsaLevel::x86_64_v4).with(IsaFeature::avx512_vnni);
  std::vector<abi::Request> requests(builds.begin(), builds.end());
  requests.emplace_back(abi::Compile{.source = builds[0].source});
  const abi::Link link{.inputs = {Bytes(3, 1)}, .code = {}};
  requests.emplace_back(link);
  requests.emplace_back(abi::Link{.inputs = link.inputs, .create_library = true, .code = {}});
  for (std::size_t a = 0; a < requests.size(); ++a) {
    EXPECT_EQ(cache_key(requests[a]), cache_key(requests[a]));
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(cache_key(requests[a]) == cache_key(requests[b])) << a << ' ' << b;
  }
}

TEST(CacheKey, KernelsOfProgramsDiffer) {
  const Bytes first(100'000, 1);
  const Bytes second(100'000, 2);
  std::vector<Hash128> keys;
  for (const Bytes* program : {&first, &second}) {
    const ProgramIr ir(*program);
    for (const char* kernel : {"a", "b"}) {
      keys.push_back(cache_key(abi::FirstCode{.program = {}, .kernel = kernel, .code = {}}, &ir));
      abi::Specialise hot;
      hot.launches.kernel = kernel;
      keys.push_back(cache_key(hot, &ir));
    }
  }
  for (std::size_t a = 0; a < keys.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(keys[a] == keys[b]) << a << ' ' << b;
}

// The whole cache belongs to a process and its environment, so these tests run this program again.

// The words of the command in front of a program for another processor.
#ifndef LANEWISE_TEST_EMULATOR
#define LANEWISE_TEST_EMULATOR
#endif

/// Runs the disabled test `name` in a new process against the fake compiler and the cache in `cache`; its exit status.
int run_again(const std::string& name, const std::string& compiler, const std::string& cache,
              const std::string& scratch) {
  std::vector<std::string> environment{"LANEWISE_COMPILER_DIR=" + compiler, "LANEWISE_CACHE_DIR=" + cache,
                                       "LANEWISE_TEST_SCRATCH=" + scratch};
  for (char** item = environ; *item != nullptr; ++item) {
    if (std::string(*item).rfind("LANEWISE_", 0) != 0) environment.emplace_back(*item);
  }
  std::vector<std::string> arguments{LANEWISE_TEST_EMULATOR};
  arguments.insert(arguments.end(), {std::filesystem::read_symlink("/proc/self/exe").string(),
                                     "--gtest_also_run_disabled_tests", "--gtest_brief=1", "--gtest_filter=" + name});
  std::vector<char*> argv;
  std::vector<char*> envp;
  for (auto& text : arguments) argv.push_back(text.data());
  for (auto& text : environment) envp.push_back(text.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), envp.data()) != 0) return -1;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

std::string scratch(const std::string& name) {
  const char* directory = getenv("LANEWISE_TEST_SCRATCH");
  return std::string(directory != nullptr ? directory : "/missing") + "/" + name;
}
std::uintmax_t compiles(const std::string& path) {
  return std::filesystem::exists(path) ? std::filesystem::file_size(path) : 0;
}

TEST(CachedRunInNewProcess, DISABLED_CountsOneCompile) {
  const auto answer = cached_run(test::request("count " + scratch("counter")));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer.value().status, CL_SUCCESS);
  EXPECT_EQ(compiles(scratch("counter")), 1u);
}

TEST(CachedRunInNewProcess, DISABLED_CountsTwoCompiles) {
  ASSERT_TRUE(cached_run(test::request("count " + scratch("counter"))).ok());
  EXPECT_EQ(compiles(scratch("counter")), 2u);
}

TEST(CachedRunInNewProcess, DISABLED_ARefusedReplyIsMadeAgain) {
  const abi::Request request = test::request("count " + scratch("counter"));
  ASSERT_TRUE(cached_run(request).ok());
  EXPECT_EQ(compiles(scratch("counter")), 1u);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { EXPECT_TRUE(run_anew(request).ok()); });
  for (auto& thread : threads) thread.join();
  const std::uintmax_t count = compiles(scratch("counter"));
  EXPECT_GE(count, 2u);
  ASSERT_TRUE(cached_run(request).ok());
  EXPECT_EQ(compiles(scratch("counter")), count) << "what was made again is in the cache";
}

TEST(CachedRunInNewProcess, DISABLED_ThreadsShareOneCompile) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([] {
      const auto answer = cached_run(test::request("count " + scratch("counter")));
      ASSERT_TRUE(answer.ok());
      EXPECT_EQ(answer.value().status, CL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(compiles(scratch("counter")), 1u);
}

TEST(CachedRunInNewProcess, DISABLED_FailuresAreNotKept) {
  for (int round = 0; round < 2; ++round) {
    const auto answer = cached_run(test::request("fail"));
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value().status, CL_BUILD_PROGRAM_FAILURE);
    const auto crashed = cached_run(test::request("crash"));
    ASSERT_TRUE(crashed.ok());
    EXPECT_EQ(crashed.value().status, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_FALSE(crashed.value().log.empty());
  }
}

TEST(CachedRunInNewProcess, DISABLED_AForkedChildGetsAnErrorAndNoHang) {
  const auto answer = cached_run(test::request("echo before"));
  ASSERT_TRUE(answer.ok());
  std::thread busy([] { (void)cached_run(test::request("sleep 500")); });
  const int status = test::in_child([] {
    alarm(20);
    const auto inherited = cached_run(test::request("echo in the child"));
    return !inherited.ok() && inherited.error().code == CL_OUT_OF_RESOURCES ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  busy.join();
  EXPECT_TRUE(cached_run(test::request("echo after")).ok()) << "the parent goes on";
}

/// Best of several: what the cache costs, without the compiler.
TEST(CachedRunInNewProcess, DISABLED_AHitIsCheap) {
  const auto request = test::request("size 20000");
  double first = 0;
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(cached_run(request).ok());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (round == 0) first = took.count();
    best = std::min(best, took.count());
  }
  RecordProperty("first_ms", std::to_string(first));
  if (getenv("LANEWISE_TEST_TIMES") != nullptr) printf("first %.3f ms, best %.3f ms\n", first, best);
  EXPECT_LT(best, 2.0);
}

class CachedRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    compiler_.emplace();
  }
  [[nodiscard]] int again(const std::string& name) const {
    return run_again("CachedRunInNewProcess.DISABLED_" + name, compiler_->path(), cache_.path(), scratch_.path());
  }
  std::optional<test::FakeInstallation> compiler_;
  TemporaryDirectory cache_;
  TemporaryDirectory scratch_;
};

TEST_F(CachedRun, ASecondProcessFindsTheFirstOnesWork) {
  EXPECT_EQ(again("CountsOneCompile"), 0);
  EXPECT_EQ(again("CountsOneCompile"), 0);
}
TEST_F(CachedRun, AHitNeedsNoCompiler) {
  EXPECT_EQ(again("CountsOneCompile"), 0);
  ASSERT_EQ(unlink(compiler_->helper().c_str()), 0);
  EXPECT_EQ(again("CountsOneCompile"), 0);
}
TEST_F(CachedRun, AnotherCompilerFindsNothing) {
  EXPECT_EQ(again("CountsOneCompile"), 0);
  std::ofstream(compiler_->path() + "/" + kBuiltinLibrary) << "another built-in library";
  EXPECT_EQ(again("CountsTwoCompiles"), 0);
}
TEST_F(CachedRun, ARefusedReplyIsMadeAgain) {
  EXPECT_EQ(again("ARefusedReplyIsMadeAgain"), 0);
}
TEST_F(CachedRun, ThreadsShareOneCompile) {
  EXPECT_EQ(again("ThreadsShareOneCompile"), 0);
}
TEST_F(CachedRun, FailuresAreNotKept) {
  EXPECT_EQ(again("FailuresAreNotKept"), 0);
  EXPECT_EQ(bytes_in(cache_.path()), 0u);
}
TEST_F(CachedRun, AForkedChildGetsAnErrorAndNoHang) {
  EXPECT_EQ(again("AForkedChildGetsAnErrorAndNoHang"), 0);
}
TEST_F(CachedRun, AHitIsCheap) {
  EXPECT_EQ(again("AHitIsCheap"), 0);
  EXPECT_EQ(again("AHitIsCheap"), 0);
}

}  // namespace
}  // namespace lanewise
