// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Comparisons of queues and of events (OpenCL C 6.3.d), of which Clang makes instructions that are not valid for their
/// types:
///
///     %same = icmp eq target("spirv.Queue") %a, %b  =>  %s = call spir_func i32 @__lw_same_queue(... %a, ... %b)
///                                                       %same = icmp ne i32 %s, 0
///
/// After it no comparison has such operands. The functions are in kernels-builtin/enqueue.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise {

/// Completes one source, as Clang has left it, before it is verified.
void complete_handle_comparisons(llvm::Module& module);

}  // namespace lanewise
