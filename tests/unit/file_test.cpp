// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <thread>

#include "src/file/known_descriptor.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using test::TemporaryDirectory;

Bytes pattern(std::size_t size, std::uint8_t seed = 1) {
  Bytes out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(i * 31 + seed);
  return out;
}

std::size_t entries(const std::string& path) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator()));
}

TEST(File, ReadsWhatWasWritten) {
  const TemporaryDirectory directory;
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 1000000u}) {
    ASSERT_TRUE(file::write_atomically(directory.path(), "name", pattern(size)));
    const auto back = file::read_all(directory / "name");
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, pattern(size));
  }
  EXPECT_EQ(entries(directory.path()), 1u) << "a temporary file was left";
  struct stat info{};
  ASSERT_EQ(stat((directory / "name").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
}

TEST(File, WhatCannotBeReadIsEmpty) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(file::read_all(directory / "missing"));
  EXPECT_FALSE(file::read_all(directory.path()));
  EXPECT_FALSE(file::Mapping::of(-1));
  EXPECT_FALSE(file::write_atomically(directory / "missing", "name", pattern(10)));
  EXPECT_FALSE(file::write_all(-1, pattern(1)));
}

TEST(File, OwnedFilesOnly) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(file::write_atomically(directory.path(), "mine", pattern(10)));
  const std::string path = directory / "mine";
  EXPECT_TRUE(file::open_read(path, true));
  ASSERT_EQ(symlink(path.c_str(), (directory / "link").c_str()), 0);
  EXPECT_FALSE(file::open_read(directory / "link", true));
  EXPECT_TRUE(file::open_read(directory / "link"));
  EXPECT_FALSE(file::open_read(directory.path(), true)) << "a directory";
  ASSERT_EQ(chmod(path.c_str(), 0620), 0);
  EXPECT_FALSE(file::open_read(path, true)) << "others may write";
  if (geteuid() == 0) {
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
    ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(file::open_read(path, true)) << "somebody else's";
  }
}

TEST(File, ReadersSeeOldOrNewNeverATornFile) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(file::write_atomically(directory.path(), "name", pattern(200000, 0)));
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (std::uint8_t w = 0; w < 3; ++w) {
    writers.emplace_back([&, w] {
      while (!stop) EXPECT_TRUE(file::write_atomically(directory.path(), "name", pattern(200000, w)));
    });
  }
  for (int round = 0; round < 200; ++round) {
    const auto back = file::read_all(directory / "name");
    ASSERT_TRUE(back && !back->empty());
    EXPECT_EQ(*back, pattern(200000, back->front()));
  }
  stop = true;
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(entries(directory.path()), 1u);
}

TEST(File, AFullDiskLeavesNothingBehind) {
  const TemporaryDirectory directory;
  const int status = test::in_child([&] {
    // In a mount namespace of its own; only the child sees the small file system.
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=64k") != 0)
      return test::kSkipped;
    if (!file::write_atomically(directory.path(), "small", pattern(4096))) return 1;
    if (file::write_atomically(directory.path(), "small", pattern(1 << 20))) return 2;
    const auto old = file::read_all(directory / "small");
    if (!old || *old != pattern(4096)) return 3;
    return entries(directory.path()) == 1 ? 0 : 4;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(status, 0);
}

TEST(File, PrivateDirectoryIsMadeWithItsParents) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a/b/c";
  EXPECT_TRUE(file::make_private_directory(path));
  EXPECT_TRUE(file::make_private_directory(path)) << "again";
  struct stat info{};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(File, PrivateDirectoryRefusesWhatIsNot) {
  const TemporaryDirectory directory;
  ASSERT_EQ(mkdir((directory / "open").c_str(), 0700), 0);
  ASSERT_EQ(chmod((directory / "open").c_str(), 0777), 0);
  EXPECT_FALSE(file::make_private_directory(directory / "open"));
  ASSERT_EQ(symlink((directory / "open").c_str(), (directory / "link").c_str()), 0);
  EXPECT_FALSE(file::make_private_directory(directory / "link")) << "what it leads to counts";
  ASSERT_EQ(symlink("nowhere", (directory / "broken").c_str()), 0);
  EXPECT_FALSE(file::make_private_directory(directory / "broken"));
  ASSERT_EQ(mkdir((directory / "real").c_str(), 0700), 0);
  std::ofstream(directory / "file") << "x";
  EXPECT_FALSE(file::make_private_directory(directory / "file"));
  EXPECT_FALSE(file::make_private_directory(directory / "file/below"));
  EXPECT_FALSE(file::make_private_directory("/proc/lanewise-test"));
  if (geteuid() == 0) {
    ASSERT_EQ(chown((directory / "real").c_str(), 65534, 65534), 0);
    EXPECT_FALSE(file::make_private_directory(directory / "real")) << "somebody else's";
  }
}

TEST(File, PrivateDirectoryMayBeALinkOfItsOwner) {
  const TemporaryDirectory directory;
  ASSERT_EQ(mkdir((directory / "real").c_str(), 0700), 0);
  const std::string link = directory / "link";
  ASSERT_EQ(symlink((directory / "real").c_str(), link.c_str()), 0);
  EXPECT_TRUE(file::make_private_directory(link));
  EXPECT_TRUE(file::make_private_directory(link + "/below"));
  if (geteuid() != 0) return;
  ASSERT_EQ(lchown(link.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(file::make_private_directory(link)) << "somebody else's";
}

/// As on a read-only mount of NFS. False: there are no filters here.
bool refuse_mkdir() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#ifdef SYS_mkdir
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 1, 0),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EROFS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), std::data(program)};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

TEST(File, PrivateDirectoryIsFoundWhereNoneCanBeMade) {
  constexpr int kNoFilters = 77;
  const TemporaryDirectory directory;
  ASSERT_EQ(mkdir((directory / "made").c_str(), 0700), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (!refuse_mkdir()) _exit(kNoFilters);
    const bool found = file::make_private_directory(directory / "made");
    const bool made = file::make_private_directory(directory / "other");
    _exit(!found ? 1 : made ? 2 : errno == EROFS ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoFilters) GTEST_SKIP() << "no filters here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(File, AKnownDescriptorIsThatFileAlone) {
  int first[2];
  int second[2];
  ASSERT_EQ(pipe2(first, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(second, O_CLOEXEC), 0);
  {
    file::KnownDescriptor known{file::Descriptor(first[0])};
    EXPECT_EQ(known.get(), first[0]);
    file::KnownDescriptor moved;
    EXPECT_EQ(moved.get(), -1);
    moved = std::move(known);
    EXPECT_EQ(moved.get(), first[0]);
    ASSERT_EQ(dup2(second[0], first[0]), first[0]);
    EXPECT_EQ(moved.get(), -1) << "another pipe";
  }
  EXPECT_NE(fcntl(first[0], F_GETFD), -1) << "which is not closed";
  {
    const file::KnownDescriptor known{file::Descriptor(first[0])};
  }
  EXPECT_EQ(fcntl(first[0], F_GETFD), -1);
  {
    const file::KnownDescriptor known{file::Descriptor(second[0])};
    close(second[0]);
    EXPECT_EQ(known.get(), -1);
  }
  close(first[1]);
  close(second[1]);
}

TEST(File, MemoryFileHoldsTheBytesAndIsNotInherited) {
  const Bytes bytes = pattern(100000);
  const file::Descriptor made = file::in_memory("lanewise-test", bytes);
  ASSERT_TRUE(made);
  EXPECT_NE(fcntl(made.get(), F_GETFD) & FD_CLOEXEC, 0);
  const auto mapping = file::Mapping::of(made.get());
  ASSERT_TRUE(mapping);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), mapping->bytes().begin(), mapping->bytes().end()));
}

TEST(File, DescriptorClosesOnceAndMoves) {
  int number = -1;
  {
    file::Descriptor first = file::in_memory("lanewise-test", pattern(1));
    number = first.get();
    const file::Descriptor second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(second.get(), number);
  }
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace lanewise
