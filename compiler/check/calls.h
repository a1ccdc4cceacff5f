// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls that checks are made of. They are declarations that stand for the runtime's service until work-groups are
/// lowered (compiler/groups/check_calls.cpp), which knows the work-item:
///
///     i64 __lw_check(i64 what, ptr place, i64 address, i64 value)                       one work-item and its memory
///     i64 __lw_check_shared(i64 what, ptr place, i64 address, i64 value, i64 interval)  work-items against each other
///     ptr __lw_check_bounds()                                          lanewise_worker::bounds
///
/// `what`, `place` and `value` are those of include/lanewise/check_abi.h.
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

/// Makes the calls of one kernel and numbers their places.
class CheckCalls {
 public:
  explicit CheckCalls(llvm::Module& module) : module_(module) {}

  /// `__lw_check`. `call.place` is set here; `bytes` replaces `call.bytes` if it is not null.
  llvm::CallInst* check(llvm::IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                        const CheckedObject& object, llvm::Value* address, llvm::Value* value,
                        llvm::Value* bytes = nullptr);
  /// `__lw_check_shared`.
  llvm::CallInst* shared(llvm::IRBuilder<>& b, check::CheckCall call, const llvm::DebugLoc& where,
                         const CheckedObject& object, llvm::Value* address, llvm::Value* value, llvm::Value* interval,
                         llvm::Value* bytes = nullptr);
  /// `__lw_check_bounds`.
  llvm::CallInst* bounds(llvm::IRBuilder<>& b);

 private:
  struct CheckPlace {
    llvm::Constant* text;
    unsigned number;
  };
  const CheckPlace& place(llvm::IRBuilder<>& b, const llvm::DebugLoc& where, const CheckedObject& object);
  llvm::CallInst* call(llvm::IRBuilder<>& b, const char* name, llvm::ArrayRef<llvm::Value*> operands);
  llvm::Value* what(llvm::IRBuilder<>& b, check::CheckCall call, const CheckPlace& place, llvm::Value* bytes);

  llvm::Module& module_;
  std::map<std::string, CheckPlace> places_;
};

}  // namespace lanewise
