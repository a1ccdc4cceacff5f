// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer division that cannot end the process. In OpenCL C division by zero and INT_MIN / -1 have an unspecified
/// result; in LLVM they are undefined, and on x86 they raise SIGFPE.
///
///     %q = sdiv i32 %x, %y     ->     %bad = (%y == 0) | (%y == -1 & %x == INT_MIN)
///                                     %q   = sdiv i32 %x, (%bad ? 1 : %y)
#pragma once

namespace llvm {
class Module;
}

namespace lanewise {

/// Makes every division and remainder of the module total. Divisors that are harmless constants are left alone.
void make_divisions_total(llvm::Module& module);

}  // namespace lanewise
