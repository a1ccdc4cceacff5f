// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Works on copies of functions end in one of them.
#pragma once

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// `to` gets the body of its copy `from`, which is a declaration afterwards.
void take_body(llvm::Function& to, llvm::Function& from);

}  // namespace lanewise::spmd
