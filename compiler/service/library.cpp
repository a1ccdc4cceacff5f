// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `liblanewise-compiler.so`: the compiler behind its one C function.
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>

#include "compiler/pipeline.h"
#include "include/lanewise/compiler_abi.h"

namespace {

using namespace lanewise;

/// OpenCL's CL_BUILD_PROGRAM_FAILURE and relatives, which this side knows as numbers only.
constexpr std::int32_t kBuildFailure = -11;
constexpr std::int32_t kInvalidOperation = -59;

bool is_helper() {
  return std::string_view(program_invocation_short_name) == "lanewise-compiler";
}

abi::Reply answer(std::span<const std::uint8_t> bytes) {
  const auto request = abi::decode_request(bytes);
  if (!request) {
    abi::Reply refused;
    refused.status = kInvalidOperation;
    refused.log = "internal compiler error: the request can't be read";
    return refused;
  }
  // In the helper a crash may end the process: the driver tries again, and then fails the build with a log. In an
  // application's process it must not; what the compiler held at that moment is lost.
  if (is_helper()) {
    // Nobody waits for a specialisation: its thread, and those that it starts, give way to everybody else.
    if (request->job == abi::Job::specialise) setpriority(PRIO_PROCESS, 0, 10);
    return run_request(*request);
  }
  abi::Reply reply;
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely([&] { reply = run_request(*request); })) return reply;
  abi::Reply crashed;
  crashed.status = kBuildFailure;
  crashed.log = "internal compiler error: the compiler crashed on this program";
  return crashed;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void lanewise_compiler_run(
    const std::uint8_t* request, std::uint64_t size, void (*sink)(void*, const std::uint8_t*, std::uint64_t),
    void* context) {
  static std::once_flag once;
  std::call_once(once, [] {
    if (!is_helper()) llvm::CrashRecoveryContext::Enable();
    // A fatal error becomes a trap, which ends the helper or is caught by the recovery context, instead of exit(1).
    llvm::install_fatal_error_handler([](void*, const char*, bool) { __builtin_trap(); });
  });
  const Bytes reply = abi::encode(answer({request, size}));
  sink(context, reply.data(), reply.size());
}
