// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Blocks that kernels enqueue (OpenCL C 6.15.18). Clang makes two functions of each: one that a call of the block
/// calls, whose address stands in the block's literal, and a kernel around it, whose address `enqueue_kernel` is given.
///
///     define spir_kernel void @__f_block_invoke_kernel(ptr addrspace(4) %literal, ptr addrspace(3) %local)
///     call i32 @__enqueue_kernel_varargs(..., ptr addrspace(4) addrspacecast (ptr @__f_block_invoke_kernel to ptr
///                                        addrspace(4)), ptr addrspace(4) %literal, i32 1, ptr %sizes)
///
/// Each kernel is compiled by itself and knows no address of another one. So such kernels get numbers, from 1 on, which
/// stand in place of their addresses (KernelInfo::block), and the runtime knows the code of each number. The address in
/// the literal is used by nobody: Clang resolves calls of blocks itself.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

/// Numbers the kernels of the blocks of `module` anew, and makes them private to it. The numbers are part of the
/// program's IR, so that code which is made from it later means the same by them.
void number_blocks(llvm::Module& module);

/// The number of the block that `kernel` belongs to; 0 for a kernel of the program.
[[nodiscard]] unsigned block_number(const llvm::Function& kernel);

/// Whether `function` is what a call of a block calls, whose address stands in the block's literal.
[[nodiscard]] bool is_in_literal(const llvm::Function& function);

/// Replaces the addresses of such kernels by their numbers, so that they are as visible as other kernels from now on,
/// and the addresses of the functions in their literals by null.
void replace_block_addresses(llvm::Module& module);

}  // namespace lanewise
