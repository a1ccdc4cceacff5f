// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <map>

#include "tests/robustness/confined.h"

namespace lanewise::robustness {

namespace {

const std::map<std::string, std::vector<long>>& calls() {
#if defined(__x86_64__)
#define OLD(name) SYS_##name,
#else
#define OLD(name)
#endif
  static const std::map<std::string, std::vector<long>> all = {
      {"memfd_create", {SYS_memfd_create}},
      {"readlink", {OLD(readlink) SYS_readlinkat}},
      {"poll", {OLD(poll) SYS_ppoll}},
      {"eventfd", {OLD(eventfd) SYS_eventfd2}},
      {"socketpair", {SYS_socketpair}},
      {"pipe", {OLD(pipe) SYS_pipe2}},
      {"clone", {OLD(fork) OLD(vfork) SYS_clone, SYS_clone3}},
      {"execve", {SYS_execve, SYS_execveat}},
      {"mmap", {SYS_mmap}},
      {"mprotect", {SYS_mprotect}},
      {"munmap", {SYS_munmap}},
      {"getrandom", {SYS_getrandom}},
      {"sched_getaffinity", {SYS_sched_getaffinity}},
      {"sched_setaffinity", {SYS_sched_setaffinity}},
      {"stat", {OLD(stat) OLD(lstat) SYS_newfstatat, SYS_statx}},
      {"fstat", {SYS_fstat}},
      {"statfs", {SYS_statfs, SYS_fstatfs}},
      {"open", {OLD(open) SYS_openat, SYS_openat2}},
      {"access", {OLD(access) SYS_faccessat, SYS_faccessat2}},
      {"mkdir", {OLD(mkdir) SYS_mkdirat}},
      {"rename", {OLD(rename) SYS_renameat, SYS_renameat2}},
      {"unlink", {OLD(unlink) OLD(rmdir) SYS_unlinkat}},
      {"getdents", {OLD(getdents) SYS_getdents64}},
      {"getcwd", {SYS_getcwd}},
      {"flock", {SYS_flock}},
      {"ftruncate", {SYS_ftruncate, SYS_fallocate}},
      {"fcntl", {SYS_fcntl}},
      {"madvise", {SYS_madvise}},
      {"limits", {SYS_prlimit64, SYS_getrlimit, SYS_setrlimit}},
      {"utimens", {SYS_utimensat}},
      {"ids", {SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_capget, SYS_capset, SYS_setfsuid, SYS_setfsgid}},
      {"priority", {SYS_setpriority, SYS_getpriority, SYS_setpgid}},
      {"sendmsg", {SYS_sendmsg}},
      {"recvmsg", {SYS_recvmsg}},
      {"sockopt", {SYS_setsockopt, SYS_getsockopt}},
      {"write", {SYS_write, SYS_pwrite64}},
      {"close_range", {SYS_close_range}},
      {"sysinfo", {SYS_sysinfo, SYS_uname}},
      {"sigaltstack", {SYS_sigaltstack}},
      {"signals", {SYS_rt_sigaction, SYS_rt_sigprocmask}},
      {"sleep", {SYS_nanosleep, SYS_clock_nanosleep}},
      {"wait", {SYS_wait4, SYS_waitid}},
      {"pidfd_open", {SYS_pidfd_open}},
      // Not rseq: glibc registers it for the first thread at the start, and ends a process in which it fails for another.
      {"membarrier", {SYS_membarrier}},
  };
#undef OLD
  return all;
}

/// The calls return the error from now on, in this process and in its children.
void deny(const std::vector<long>& numbers, unsigned error) {
  std::vector<sock_filter> program;
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const long number : numbers) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs", errno);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0) std::_Exit(77);
}

/// By a call that is not denied.
void say(const std::string& text) {
  const iovec part{const_cast<char*>(text.data()), text.size()};
  (void)!writev(STDOUT_FILENO, &part, 1);
}

/// Ends with 0 after it has said where the driver gave up.
[[noreturn]] void end_with(const char* where, cl_int code, const std::string& log = {}) {
  say(std::string(where) + " " + std::to_string(code) + " " + log + "\n");
  std::_Exit(code < 0 ? 0 : 1);
}

}  // namespace

/// Arguments: the call and its error.
int deny_call(const Arguments& arguments) {
  const auto found = calls().find(arguments.at(0));
  expect(found != calls().end(), "a known call");
  const unsigned error = arguments.at(1) == "ENOSYS" ? ENOSYS : EPERM;
  Driver cl;
  deny(found->second, error);
  cl_platform_id platform = nullptr;
  cl_int code = cl.GetPlatformIDs(1, &platform, nullptr);
  if (code != CL_SUCCESS) end_with("platform", code);
  cl_device_id device = nullptr;
  code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  if (code != CL_SUCCESS) end_with("device", code);
  cl_context context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) end_with("context", code);
  cl_command_queue queue = cl.CreateCommandQueue(context, device, 0, &code);
  if (code != CL_SUCCESS) end_with("queue", code);
  const char* source = "kernel void f(global int* a) { a[get_global_id(0)] = 3 * (int)get_global_id(0); }";
  cl_program program = cl.CreateProgramWithSource(context, 1, &source, nullptr, &code);
  if (code != CL_SUCCESS) end_with("program", code);
  code = cl.BuildProgram(program, 1, &device, "", nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::vector<char> log(1 << 16);
    cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    end_with("build", code, log.data());
  }
  cl_kernel kernel = cl.CreateKernel(program, "f", &code);
  if (code != CL_SUCCESS) end_with("kernel", code);
  constexpr std::size_t kItems = 4096;
  cl_mem buffer = cl.CreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(int), nullptr, &code);
  if (code != CL_SUCCESS) end_with("buffer", code);
  cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_event event = nullptr;
  code = cl.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, &event);
  if (code != CL_SUCCESS) end_with("launch", code);
  std::vector<int> got(kItems, -1);
  code = cl.EnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kItems * sizeof(int), got.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) end_with("read", code);
  code = cl.WaitForEvents(1, &event);  // the command fails where the kernel's code cannot be made
  if (code != CL_SUCCESS) end_with("command", code);
  for (std::size_t i = 0; i < kItems; ++i) expect(static_cast<std::size_t>(got[i]) == 3 * i, "the result", got[i]);
  say("works\n");
  return 0;
}

}  // namespace lanewise::robustness
