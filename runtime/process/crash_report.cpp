// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/crash_report.h"

#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "src/base/survives_fork.h"
#include "src/config/config.h"

namespace lanewise {

namespace detail {
constinit std::atomic<bool> g_reports_crashes{false};
}

namespace {

struct FaultSignal {
  int signal;
  const char* name;
};
constexpr std::array<FaultSignal, 4> kFaults{
    {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}}};

/// The handlers of the application, one for each of kFaults. Written before the driver's are installed.
LANEWISE_SURVIVES_FORK std::array<struct sigaction, kFaults.size()> g_before{};
LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_installed{false};
constinit thread_local RunsKernel* t_running = nullptr;

/// A line that is put together without any function that a signal handler may not call.
class ReportLine {
 public:
  ReportLine& text(std::string_view part) {
    const std::size_t count = std::min(part.size(), bytes_.size() - used_);
    std::memcpy(bytes_.data() + used_, part.data(), count);
    used_ += count;
    return *this;
  }
  ReportLine& number(std::uint64_t value, unsigned base = 10) {
    std::array<char, 20> digits;
    std::size_t first = digits.size();
    do digits[--first] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    return text({digits.data() + first, digits.size() - first});
  }
  ReportLine& address(std::uint64_t value) { return text("0x").number(value, 16); }
  void put() {
    text("\n");
    static_cast<void>(!write(STDERR_FILENO, bytes_.data(), used_));
    used_ = 0;
  }

 private:
  std::array<char, 2048> bytes_;
  std::size_t used_ = 0;
};

std::uint64_t instruction(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#endif
}

}  // namespace

/// The functions that run inside of the signal handler.
struct CrashHandler {
  static void report(const RunsKernel& kernel, const char* name, const siginfo_t& info, const void* context) {
    ReportLine line;
    line.text("lanewise crash: ")
        .text(name)
        .text(" at address ")
        .address(reinterpret_cast<std::uintptr_t>(info.si_addr));
    line.text(" in ").text(kernel.text_).put();
    const std::uint64_t first = kernel.first_.load(std::memory_order_relaxed);
    const std::uint64_t last = kernel.last_.load(std::memory_order_relaxed);
    line.text("lanewise crash:   work-group ").number(first);
    if (last - first > 1) line.text(" to ").number(last - 1);
    line.text(", counted along x, then y, then z").put();
    const std::uint64_t offset = instruction(context) - kernel.base_;
    line.text("lanewise crash:   addr2line -fie ").text(kernel.file_).text(" ").address(offset);
    line.text("   names the line if the program was built with -g").put();
  }

  static void handle(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    std::size_t which = 0;
    while (which + 1 < kFaults.size() && kFaults[which].signal != signal) ++which;
    // Signals that somebody sends are not the kernel's fault. A crash inside of the report is not reported.
    if (RunsKernel* kernel = std::exchange(t_running, nullptr); kernel != nullptr && info->si_code > 0)
      report(*kernel, kFaults[which].name, *info, context);
    errno = error;
    const struct sigaction& before = g_before[which];
    if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
    if (before.sa_handler == SIG_IGN && info->si_code <= 0) return;
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
    // The instruction runs again and ends the process, with the usual status and core file.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    if (info->si_code <= 0) raise(signal);
  }
};

void start_crash_reports() noexcept {
  if (!config().debug.has(Channel::crash)) return;
  detail::g_reports_crashes.store(true, std::memory_order_relaxed);
  if (g_installed.exchange(true)) return;
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (sigaction(kFaults[i].signal, nullptr, &g_before[i]) != 0) continue;
    struct sigaction ours{};
    ours.sa_sigaction = &CrashHandler::handle;
    ours.sa_mask = g_before[i].sa_mask;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(kFaults[i].signal, &ours, nullptr);
  }
}

RunsKernel::RunsKernel(const char* text, const void* code) noexcept
    : outer_(std::exchange(t_running, this)), text_(text) {
  Dl_info info{};
  if (dladdr(code, &info) == 0) return;
  file_ = info.dli_fname;
  base_ = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

RunsKernel::~RunsKernel() {
  t_running = outer_;
}

void RunsKernel::at(std::uint64_t first, std::uint64_t last) noexcept {
  first_.store(first, std::memory_order_relaxed);
  last_.store(last, std::memory_order_relaxed);
}

}  // namespace lanewise
