// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "tests/robustness/confined.h"
#include "tests/robustness/processes.h"

namespace lanewise::robustness {

namespace {

class Il {
 public:
  Il(Session& session, const std::string& file) : session_(session) {
    create_ = reinterpret_cast<decltype(create_)>(session.cl.address("clCreateProgramWithIL"));
    std::ifstream in(file, std::ios::binary);
    module_.assign(std::istreambuf_iterator<char>(in), {});
    expect(create_ != nullptr && module_.size() > 20, "a module");
  }
  /// CL_SUCCESS or the error of its creation or its build.
  cl_int build() {
    cl_int code = 0;
    cl_program program = create_(session_.context, module_.data(), module_.size(), &code);
    if (code != CL_SUCCESS) return code;
    code = session_.cl.BuildProgram(program, 1, &session_.device, "", nullptr, nullptr);
    if (code != CL_SUCCESS) log_ = session_.log(program);
    session_.cl.ReleaseProgram(program);
    return code;
  }
  void expect_built(const char* when) {
    const cl_int code = build();
    expect(code == CL_SUCCESS, (when + (": " + log_)).c_str(), code);
  }
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  Session& session_;
  cl_program (*create_)(cl_context, const void*, std::size_t, cl_int*);
  std::vector<char> module_;
  std::string log_;
};

}  // namespace

/// Kills the translator's processes while modules are built: every now and then ("often"), or as soon as there is one
/// ("always"). Prints the codes that came, each once.
int killed_translators(Session& session, const Arguments& arguments) {
  const bool always = arguments.at(1) == "always";
  Il il(session, arguments.at(0));
  const auto begin = Clock::now();
  il.expect_built("the first build");
  // A few jobs of the translator last as long, its start included.
  const double pause = always ? 0.0005 : 4 * seconds_since(begin);
  std::atomic<bool> stop{false};
  std::thread killer([&] {
    while (!stop) {
      for (const pid_t process : translators()) kill(process, SIGKILL);
      usleep(static_cast<useconds_t>(1e6 * pause));
    }
  });
  std::map<cl_int, int> codes;
  for (int i = 0; i < (always ? 3 : 20); ++i) ++codes[il.build()];
  stop = true;
  killer.join();
  for (const auto& [code, count] : codes) std::printf("%d ", code);
  if (!il.log().empty()) expect(il.log().find("the SPIR-V translator did not run") != std::string::npos, "the log");
  il.expect_built("a build afterwards");
  return 0;
}

/// Stops the translator's processes.
int stopped_translators(Session& session, const Arguments& arguments) {
  Il il(session, arguments.at(0));
  il.expect_built("the first build");
  const auto stopped = translators();
  expect(!stopped.empty(), "a translator");
  for (const pid_t process : stopped) kill(process, SIGSTOP);
  const auto begin = Clock::now();
  il.expect_built("a build");
  std::printf("%s", seconds_since(begin) < 40 ? "soon" : "late");
  let_go_on(stopped);
  return 0;
}

/// No more processes, for a user that is not root: `fork` of the translator fails, or no helper gets a thread.
int no_processes(Session& session, const Arguments& arguments) {
  constexpr uid_t kUser = 64123;  // who has no other process
  const bool translator_first = arguments.at(1) == "late";
  if (setresgid(kUser, kUser, kUser) != 0 || setresuid(kUser, kUser, kUser) != 0) return 77;
  Il il(session, arguments.at(0));
  session.compute(1);
  if (translator_first) il.expect_built("the first build");
  rlimit old{};
  getrlimit(RLIMIT_NPROC, &old);
  // The translator's limit is that of when it was started, so it is told apart by its own.
  const rlimit none{1, old.rlim_max};
  for (const pid_t process : translators()) prlimit(process, RLIMIT_NPROC, &none, nullptr);
  if (!translator_first) {
    setrlimit(RLIMIT_NPROC, &none);
    for (const pid_t helper : helpers()) kill(helper, SIGKILL);
    usleep(50'000);
  }
  const cl_int code = il.build();
  std::printf("%d", code);
  setrlimit(RLIMIT_NPROC, &old);
  for (const pid_t process : translators()) prlimit(process, RLIMIT_NPROC, &old, nullptr);
  il.expect_built("a build when there are processes again");
  session.compute(3);
  return 0;
}

}  // namespace lanewise::robustness
