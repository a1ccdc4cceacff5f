// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=race: tests and writes the records of memory (runtime/check/shadow.h) in line.
///
///     store float %v, ptr %p          =>      %w = load i64, %writes      ; of the address, in two planes
///                                             %r = load i64, %reads
///                                             br (conflict(%w) or conflict(%r)), %call, %go_on
///                                           go_on:
///                                             store i64 %now, %writes
///                                             store float %v, ptr %p
///                                             %again = load i64, %writes
///                                             br (%again != %now), %call, %rest
///
/// `conflict` is an exclusive or and one or two comparisons of ranges, so vectors do it for all lanes at once. The
/// lanes of a vector access memory at the same time. Where several lanes write one place, the record of one lane stays,
/// and the others see it when they load it again. A lane that reads a place and finds the record of another reader
/// stores the mark of several readers.
///
/// The code calls the runtime where a comparison fails, which is rare, for atomic operations, and where it does not
/// know whose memory a pointer points to. Accesses by an argument whose memory the kernel does not write are not
/// tested.
///
/// A kernel without barriers, atomic operations and local memory is one of work-items without groups: a record has the
/// global id, so that code for neighbouring groups stays together.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <utility>

#include "compiler/check/calls.h"
#include "compiler/check/intervals.h"
#include "compiler/check/places.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise {

class RaceChecks {
 public:
  /// Looks at all accesses of the kernel.
  RaceChecks(llvm::Function& kernel, const abi::KernelInfo& info, CheckCalls& calls);

  /// To be called for each instruction before `watch` of any.
  bool count(llvm::Instruction& i) { return intervals_.count(i) && has_atomics_; }
  /// Watches one access of `i`, which will be made. Adds code before and after `i`.
  void watch(llvm::Instruction& i, const CheckedAccess& access, const AccessedObject& pointee, check::CheckCall call,
             const CheckedObject& object);
  /// The record of a work-item at this time, without its place.
  llvm::Value* now(llvm::IRBuilder<>& b, bool local) const;

 private:
  /// The records of global or of local memory.
  struct Planes {
    llvm::Value* records = nullptr;  ///< ptr
    llvm::Value* again = nullptr;    ///< the same, which LLVM does not know
    llvm::Value* plane = nullptr;    ///< i64: bytes from one plane to the next
    llvm::Value* epoch = nullptr;    ///< i64
    unsigned granule = 3;            ///< log2 of the bytes of a cell
  };
  /// Those of one access.
  struct Records {
    const Planes& planes;
    llvm::Value* offset;  ///< i64: bytes to the first in a plane
    llvm::Value* now;     ///< i64
    std::uint64_t cells;
    bool local;
  };
  struct RaceCall {
    check::CheckCall call;
    const CheckedObject& object;
    llvm::DebugLoc where;
  };

  void look_at(const llvm::Instruction& i, const CheckedAccess& access, const AccessedObject& pointee);
  void load_table();
  llvm::Value* shift_of(const AccessedObject& pointee);
  Records records_of(llvm::Instruction& at, const CheckedAccess& access, llvm::Value* shift, bool local,
                     std::uint64_t cells);
  llvm::Value* conflict(llvm::IRBuilder<>& b, llvm::Value* before, llvm::Value* now, bool local) const;
  llvm::Value* joined(llvm::IRBuilder<>& b, llvm::Value* before, llvm::Value* now, bool local) const;
  llvm::Value* bits_of(llvm::IRBuilder<>& b, llvm::Value* value);
  llvm::CallInst* call(llvm::Instruction& at, const CheckedAccess& access, const RaceCall& what);
  void call_after(llvm::Instruction& at, const CheckedAccess& access, RaceCall what);
  void call_around(llvm::Instruction& i, const CheckedAccess& access, const RaceCall& what);
  static llvm::Value* record(llvm::IRBuilder<>& b, const Records& records, llvm::Value* base, std::uint64_t cell,
                             unsigned plane);
  llvm::Value* with_place(llvm::IRBuilder<>& b, const Records& records, const RaceCall& what);
  void test_before(llvm::Instruction& at, const CheckedAccess& access, const Records& records, const RaceCall& what);
  void join_readers(llvm::Instruction& at, const Records& records, std::uint64_t cell, llvm::Value* now);
  void test_after(llvm::Instruction& at, const CheckedAccess& access, const Records& records, const RaceCall& what);

  llvm::Function& kernel_;
  CheckCalls& calls_;
  Intervals intervals_;
  bool linear_ = true;
  bool has_atomics_ = false;
  Planes global_;
  Planes local_;
  llvm::Instruction* behind_table_ = nullptr;
  llvm::Value* id_ = nullptr;
  llvm::Value* local_shift_ = nullptr;
  llvm::Value* shifts_ = nullptr;
  std::map<unsigned, llvm::Value*> argument_shifts_;
};

}  // namespace lanewise
