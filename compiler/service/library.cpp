// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `liblanewise-compiler.so`: the compiler, whose only entry point is one C function.
#include <llvm/Support/ErrorHandling.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>

#include "compiler/isolation/crash_recovery.h"
#include "compiler/request/run_request.h"
#include "compiler/service/dump.h"
#include "include/lanewise/compiler_abi.h"

namespace {

using namespace lanewise;

/// OpenCL's CL_INVALID_OPERATION and CL_OUT_OF_HOST_MEMORY: the compiler does not include OpenCL's headers.
constexpr std::int32_t kInvalidOperation = -59;
constexpr std::int32_t kOutOfHostMemory = -6;

/// LLVM takes some of its memory with malloc; a failure of that is to end as one of `new` does.
void share_new_handler() {
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) {
    if (const std::new_handler handler = std::get_new_handler()) handler();
    std::abort();
  });
}

/// Whether a job is about a SPIR-V module.
bool has_module(const abi::Request& request) {
  return std::visit(
      [](const auto& job) {
        if constexpr (requires { job.il; }) return !job.il.empty();
        if constexpr (requires { job.source.il; }) return !job.source.il.empty();
        return false;
      },
      request);
}

/// Runs the request, with the files of LANEWISE_DUMP.
abi::Reply run_dumped(const abi::Request& request, const abi::Host& host, const Progress& progress) {
  if (!Dump::wanted(request)) return run_request(request, nullptr, host.directory, progress);
  Dump dump(request);
  abi::Reply reply = run_request(request, &dump.observer(), host.directory, progress);
  dump.finish(reply);
  return reply;
}

abi::Reply answer(const abi::Host& host, std::span<const std::uint8_t> bytes, const Progress& progress) {
  const auto request = abi::decode<abi::Request>(bytes);
  if (!request) {
    abi::Reply refused;
    refused.status = kInvalidOperation;
    refused.log = "internal compiler error: the request can't be read";
    return refused;
  }
  // The translator is a child process, which an application must not find among its own.
  if (host.in_application != 0 && has_module(*request)) {
    abi::Reply refused;
    refused.status = kOutOfHostMemory;
    refused.log = "error: SPIR-V needs the compiler's own process, and none can be made";
    return refused;
  }
  // In an application's process a crash must not end the process; what the compiler held at that moment is lost. The
  // helper may end: the driver tries again, and then fails the build with a log.
  if (host.in_application != 0) {
    const CrashRecovery recovery;
    return run_dumped(*request, host, progress);
  }
  [[maybe_unused]] static const bool shared = (share_new_handler(), true);
  // Nothing waits for a specialisation, so its thread, and those that it starts, give way to others: they get a third
  // of a busy processor. With a quarter, code of silx's median filter, twice as fast, came after its eighth run; with
  // four tenths, transforms of clFFT, which end before theirs comes, lost a tenth.
  if (std::holds_alternative<abi::Specialise>(*request)) setpriority(PRIO_PROCESS, 0, 3);
  return run_dumped(*request, host, progress);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void lanewise_compiler_run(
    const abi::Host* host, const std::uint8_t* request, std::uint64_t size,
    void (*sink)(void*, const std::uint8_t*, std::uint64_t), void* context) {
  Progress progress;
  if (host->advanced != nullptr) progress.advanced = [&] { host->advanced(context); };
  if (host->begins != nullptr) progress.begins = [&] { host->begins(context); };
  const Bytes reply = abi::encode(answer(*host, {request, size}, progress));
  sink(context, reply.data(), reply.size());
}
