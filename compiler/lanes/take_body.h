// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A function gets the body of a copy of it that has been worked on.
#pragma once

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// Moves the body of `from`, a copy of `to`, into `to`. `from` is a declaration afterwards.
void take_body(llvm::Function& to, llvm::Function& from);

}  // namespace lanewise::spmd
