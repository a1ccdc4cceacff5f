// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls that checks are made of. They are declarations that stand for the runtime's service until work-groups are
/// lowered (compiler/groups/check_calls.cpp), which knows the work-item:
///
///     i64 __lw_check(i64 what, ptr place, i64 address, i64 value)                       one work-item and its memory
///     i64 __lw_check_shared(i64 what, ptr places, i64 address, i64 value, i64 global, i64 local)
///                                                                      work-items against each other
///     ptr __lw_check_bounds()                                          lanewise_worker::bounds
///     ptr __lw_check_races()                                           lanewise_worker::races
///     i64 __lw_check_id(i64 linear)                                    a work-item's bits of its records
///
/// `what`, `place`, `value`, `global` and `local` are those of include/lanewise/check_abi.h.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <map>
#include <string>

#include "include/lanewise/check_abi.h"

namespace lanewise {

/// Something that an access may be outside of. `size` is 0 where the runtime knows it.
struct CheckedObject {
  const char* kind = "";  ///< name in check_abi.h; "": not known
  std::string name{};
  std::uint64_t size = 0;
};

/// Puts a block before `at` that runs if the condition holds, by a branch that is a check's own (marks::kCheck). A rare
/// one hardly ever runs, and its code may stand apart (marks::kRare).
/// @return the end of the block
llvm::Instruction& block_if(llvm::Value* condition, llvm::Instruction& at);
llvm::Instruction& rare_block_if(llvm::Value* condition, llvm::Instruction& at);

/// Makes the calls of one kernel and numbers their places.
class CheckCalls {
 public:
  explicit CheckCalls(llvm::Module& module) : module_(module) {}

  /// `__lw_check`. `call.place` is set here; `bytes` replaces `call.bytes` if it is not null.
  llvm::CallInst* check(llvm::IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                        const CheckedObject& object, llvm::Value* address, llvm::Value* value,
                        llvm::Value* bytes = nullptr);
  /// `__lw_check_shared`. `call.place` is set here; `bytes` replaces `call.bytes` if it is not null.
  /// @param global  the record of the work-item for global memory, without its place
  /// @param local   that for local memory
  llvm::CallInst* shared(llvm::IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                         const CheckedObject& object, llvm::Value* address, llvm::Value* value, llvm::Value* global,
                         llvm::Value* local, llvm::Value* bytes = nullptr);
  /// The number of a place in records.
  unsigned race_place(check::CheckCall call, const llvm::DebugLoc& where, const CheckedObject& object);
  /// `__lw_check_bounds`.
  llvm::CallInst* bounds(llvm::IRBuilder<>& b);
  /// `__lw_check_races`.
  llvm::CallInst* races(llvm::IRBuilder<>& b);
  /// `__lw_check_id`. `linear`: of a kernel without groups.
  llvm::CallInst* id(llvm::IRBuilder<>& b, bool linear);
  /// Completes the texts of the places of `shared`; to be called at the end.
  void finish();

 private:
  static std::string text_of(const llvm::DebugLoc& where, const CheckedObject& object);
  llvm::CallInst* call(llvm::IRBuilder<>& b, const char* name, llvm::ArrayRef<llvm::Value*> operands);
  static llvm::Value* what(llvm::IRBuilder<>& b, check::CheckCall call, llvm::Value* bytes);

  llvm::Module& module_;
  std::map<std::string, llvm::Constant*> places_;
  llvm::GlobalVariable* race_texts_ = nullptr;  ///< stands for the texts of the places of `shared`
  std::map<std::string, unsigned> race_places_;
  std::string race_text_;
};

}  // namespace lanewise
