// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which functions of a kernel may have one body for all of their calls (compiler/kernel/shared_calls.h). What is known
/// before code is made (compiler/program/foresight.h) follows the same rules.
#pragma once

namespace llvm {
class Function;
}

namespace lanewise {

/// In a kernel that is large after inlining, a function is shared if its copies together would have more instructions
/// than this.
inline constexpr unsigned kCopiedInstructions = 500;

/// Whether calls of the function could go to one body: plain calls are all that uses it. Operations of sub-groups in it
/// forbid that too, and are not looked at here.
[[nodiscard]] bool can_share_body(const llvm::Function& function);

}  // namespace lanewise
