// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomics on local memory become plain loads and stores.
///
///     %old = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic   =>   %old = load i32, ptr addrspace(3) %p
///                                                                      %new = add i32 %old, 1
///                                                                      store i32 %new, ptr addrspace(3) %p
///
/// Local memory belongs to one work-group, and one thread runs all work-items of a group one after the other, so
/// no other thread can interfere. A locked instruction is about twenty times as expensive, and cannot be vectorised.
/// Pointers whose address space is not known to be local stay atomic, except for operations on private copies of global
/// memory (accumulations.h).
#pragma once

namespace llvm {
class AtomicRMWInst;
class Function;
}  // namespace llvm

namespace lanewise {

/// Whether only the calling thread uses what the operation changes.
[[nodiscard]] bool needs_no_lock(const llvm::AtomicRMWInst& atomic);

/// Works on a range function, after vectorisation: lanes of a vector do interfere with each other.
/// Expects generic pointers to be resolved where they can be (LLVM's InferAddressSpaces). True if something changed.
bool make_local_atomics_plain(llvm::Function& function);

}  // namespace lanewise
