// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The helper and the code object loader in unusual processes: without standard streams, without descriptors, without
/// system calls that a sandbox denies. Each test changes only a forked child.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "runtime/code/code_object.h"
#include "runtime/code/compiler_client.h"
#include "src/file/file.h"
#include "tests/unit/code_fixture.h"

namespace lanewise {
namespace {

using test::request;

constexpr unsigned kTimeoutMs = 20'000;

class CodeLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    installation_.emplace();
    elf_ = file::read_all(test::fake_folder() / "image.so").value_or(Bytes());
  }
  [[nodiscard]] CompilerClient client() const { return CompilerClient(installation_->path(), false, kTimeoutMs); }
  static int compiler_process(CompilerClient& client) { return atoi(client.run(request("pid")).log.c_str()); }
  /// 0 if two code objects of the same bytes are two mappings.
  [[nodiscard]] int second_image_is_another(const Ref<CodeObject>& first) const {
    const auto second = CodeObject::open(elf_);
    return second.ok() && second.value()->symbol("add_up") != first->symbol("add_up") ? 0 : 1;
  }

  std::optional<test::FakeInstallation> installation_;
  Bytes elf_;
};

/// From now on the calling process gets `error` for one system call.
bool refuse(long call, unsigned error) {
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{4, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(CodeLimits, StandardStreamsThatAreClosed) {
  for (int closed = 1; closed < 8; ++closed) {
    const int status = test::in_child([&] {
      for (int stream = 0; stream < 3; ++stream) {
        if ((closed >> stream & 1) != 0) close(stream);
      }
      CompilerClient one = client();
      const int process = compiler_process(one);
      return process > 0 && process != getpid() ? 0 : 1;
    });
    EXPECT_EQ(status, 0) << "closed: " << closed;
  }
}

TEST_F(CodeLimits, MemoryFilesAreRefused) {
  const int status = test::in_child([&] {
    if (!refuse(SYS_memfd_create, EPERM)) return test::kSkipped;
    CompilerClient one = client();
    if (compiler_process(one) <= 0) return 1;
    const auto first = CodeObject::open(elf_);
    return first.ok() ? second_image_is_another(first.value()) : 2;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "no seccomp";
  EXPECT_EQ(status, 0);
}

TEST_F(CodeLimits, OldKernelsWithoutCloseRangeLeakNothing) {
  const int status = test::in_child([&] {
    (void)open("/etc/passwd", O_RDONLY);  // NOLINT: inheritable, as applications do
    if (!refuse(SYS_close_range, ENOSYS)) return test::kSkipped;
    CompilerClient one = client();
    return one.run(request("surroundings")).log.find("passwd") == std::string::npos ? 0 : 1;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "no seccomp";
  EXPECT_EQ(status, 0);
}

TEST_F(CodeLimits, ProcessesAreRefused) {
  const int status = test::in_child([&] {
    if (!refuse(SYS_execve, EPERM)) return test::kSkipped;
    CompilerClient one = client();
    return compiler_process(one) == getpid() ? 0 : 1;
  });
  if (status == test::kSkipped) GTEST_SKIP() << "no seccomp";
  EXPECT_EQ(status, 0);
}

TEST_F(CodeLimits, MoreImagesThanDescriptors) {
  EXPECT_EQ(test::in_child([&] {
              const rlimit few{64, 64};
              setrlimit(RLIMIT_NOFILE, &few);
              std::vector<Ref<CodeObject>> code_objects;
              for (int i = 0; i < 300; ++i) {
                auto code_object = CodeObject::open(elf_);
                if (!code_object.ok()) return 1;
                code_objects.push_back(std::move(code_object).value());
              }
              return 0;
            }),
            0);
}

TEST_F(CodeLimits, AnApplicationThatClosesAllDescriptors) {
  EXPECT_EQ(test::in_child([&] {
              const auto first = CodeObject::open(elf_);
              for (int number = 3; number < 1024; ++number) close(number);
              return first.ok() ? second_image_is_another(first.value()) : 2;
            }),
            0);
}

TEST_F(CodeLimits, TheHelperEndsWithTheApplicationThoughAForkedChildLives) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const int status = test::in_child([&] {
    CompilerClient one = client();
    const int processes[2] = {compiler_process(one), fork()};
    if (processes[1] == 0) {
      sleep(60);
      _exit(0);
    }
    return write(ends[1], processes, sizeof processes) == sizeof processes ? 0 : 1;
  });
  ASSERT_EQ(status, 0);
  int processes[2] = {};
  ASSERT_EQ(read(ends[0], processes, sizeof processes), static_cast<ssize_t>(sizeof processes));
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(test::ends(processes[0]));
  kill(processes[1], SIGKILL);
}

TEST(FileLimits, AFifoIsNoFile) {
  const test::TemporaryDirectory directory;
  ASSERT_EQ(mkfifo((directory / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(test::in_child([&] {
              alarm(5);
              return file::read_all(directory / "fifo") ? 1 : 0;
            }),
            0);
}

}  // namespace
}  // namespace lanewise
