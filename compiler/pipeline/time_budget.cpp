// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/time_budget.h"

#include <llvm/IR/PassInstrumentation.h>

#include <ctime>

namespace lanewise {
namespace {

std::chrono::nanoseconds thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

void limit_time(llvm::PassInstrumentationCallbacks& callbacks, std::chrono::nanoseconds budget) {
  callbacks.registerShouldRunOptionalPassCallback(
      [end = thread_time() + budget](llvm::StringRef /*pass*/, const llvm::Any& /*unit*/) {
        return thread_time() < end;
      });
}

}  // namespace lanewise
