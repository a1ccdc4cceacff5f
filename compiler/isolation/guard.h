// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's `report_fatal_error` as a return value. Without it such an error ends the process: bad inside the helper,
/// worse where the compiler runs in the application.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace lanewise {

/// Runs `body` on the calling thread. If LLVM reports a fatal error on this thread meanwhile, `body` is abandoned where
/// it stands (its memory is lost), the text goes to `message`, and the result is false. The same with a crash of this
/// thread while a `CrashRecovery` exists.
bool run_guarded(llvm::function_ref<void()> body, std::string& message);

/// Runs `body` on a thread with a large stack, and waits for it. Parser, optimiser and instruction selector recurse
/// over the depth of a program, and a caller's stack may be small. Where no thread can be made: on the calling thread.
void run_on_large_stack(llvm::function_ref<void()> body);

/// Calls `body(i)` for each i in [0, count), on the calling thread and on as many more as the affinity mask allows.
/// Returns when all are done. Works (slower) where no thread can be made.
void run_parallel(unsigned count, llvm::function_ref<void(unsigned)> body);

}  // namespace lanewise
