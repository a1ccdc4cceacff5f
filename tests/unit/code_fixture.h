// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared by the tests of files, cache, compiler client and image loader.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/code/compiler_client.h"
#include "tests/temporary_directory.h"
#include "tests/time_limits.h"

namespace lanewise::test {

/// `<build>/lib`, seen from the test program in `<build>/bin`.
inline std::filesystem::path library_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib";
}
inline std::filesystem::path fake_folder() {
  return library_folder() / "fake-compiler";
}
inline bool fake_is_built() {
  return exists(fake_folder() / "liblanewise-compiler.so") && exists(fake_folder() / "image.so");
}

/// A compiler directory of its own: the real helper program beside the fake compiler.
class FakeInstallation {
 public:
  FakeInstallation() {
    std::filesystem::copy_file(library_folder() / "lanewise" / "lanewise-compiler", helper());
    std::filesystem::copy_file(fake_folder() / "liblanewise-compiler.so", library());
  }
  [[nodiscard]] std::string path() const { return directory_.path(); }
  [[nodiscard]] std::string helper() const { return directory_ / "lanewise-compiler"; }
  [[nodiscard]] std::string library() const { return directory_ / "liblanewise-compiler.so"; }

 private:
  TemporaryDirectory directory_;
};

/// Tests of clients of the fake compiler.
class FakeCompilerTest : public ::testing::Test {
 protected:
  static constexpr unsigned kTimeoutMs = 60'000;

  void SetUp() override {
    if (!fake_is_built()) GTEST_SKIP() << "the fake compiler is not built";
    installation_.emplace();
  }
  [[nodiscard]] CompilerClient make(unsigned timeout_ms = kTimeoutMs) const {
    return CompilerClient(installation_->path(), false, timeout_ms);
  }

  std::optional<FakeInstallation> installation_;
};

inline abi::Build request(const std::string& source) {
  abi::Build out;
  out.source.text = source;
  return out;
}

/// Runs `body` in a forked child and returns its exit status: `body`'s value, or 200 + signal. The child never returns
/// into the test framework.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}
inline constexpr int kSkipped = 77;

/// True if the process ends within ten seconds (a zombie that another process must reap has ended).
inline bool ends(pid_t process) {
  return within(std::chrono::seconds(10), [process] {
    const std::string path = "/proc/" + std::to_string(process) + "/stat";
    FILE* file = fopen(path.c_str(), "re");
    if (file == nullptr) return true;
    char state = 0;
    const int fields = fscanf(file, "%*d (%*[^)]) %c", &state);
    fclose(file);
    return fields == 1 && state == 'Z';
  });
}

/// Processes that execute the program of this path.
inline std::vector<pid_t> processes_of(const std::string& program) {
  std::vector<pid_t> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const auto executed = std::filesystem::read_symlink(it->path() / "exe", ignored);
    if (!ignored && executed == program) found.push_back(static_cast<pid_t>(std::stol(it->path().filename())));
  }
  return found;
}

}  // namespace lanewise::test
