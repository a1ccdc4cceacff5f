// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The debug info of a kernel built with -g.
///
/// With `-g` the range function stands for the kernel: a breakpoint by name stops before its work-groups.
/// Arguments are described from there on, other variables where LLVM still knows them.
///
/// With `-g -cl-opt-disable` the work-item function is described as inlined into the work-item loops of the range
/// function ("k.range", artificial), once, whatever number of regions it was cut into, so a breakpoint stops for each
/// work-item:
///
///     #0  k (x=..., n=...) at program.cl:7        the work-item
///     #1  k.range () at program.cl:3              its work-groups, one after the other
///     #2  lanewise::...                           the launch
///
/// Every private variable keeps a place in memory while the kernel runs, one for each work-item if there are barriers,
/// and declares it in the entry block, through a pointer where the place depends on the work-item. The ids are
/// variables of the kernel, arrays of three: __global_id, __local_id, __group_id, __global_size, __local_size.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/base/pass.h"
#include "compiler/groups/range_function.h"
#include "compiler/groups/work_item_function.h"

namespace llvm {
class DILocation;
class DISubprogram;
}  // namespace llvm

namespace lanewise {

/// The debug info of one range function. Without -g nothing here does anything.
class DebugInfo {
 public:
  /// Gives `range` a subprogram, and the work-item function's locations a place in it.
  /// @param every_value  the work-item function is inlined into it, and private variables and ids have declared places
  DebugInfo(const WorkItemFunction& item, RangeFunction& range, bool every_value);

  /// Private variables have declared places.
  [[nodiscard]] bool declares() const { return every_value_; }
  /// Declares the private variable `variable` of the work-item function at `place`, an alloca of the range function.
  void declare(const llvm::AllocaInst& variable, llvm::AllocaInst* place);
  /// The same for a place that work-items change: `b` writes its address for the work-item that begins.
  void declare_at(llvm::IRBuilder<>& b, const llvm::AllocaInst& variable, llvm::Value* address);
  /// At the group's begin: what is the same in a group, its number, its sizes and the addresses of __local variables.
  void describe_group(llvm::IRBuilder<>& b);
  /// The ids of the work-item that begins.
  void describe_item(llvm::IRBuilder<>& b, llvm::ArrayRef<llvm::Value*> local_id);
  /// Removes the declarations from copied blocks: each variable has one, in the entry block.
  void drop_declares(llvm::BasicBlock& copy) const;
  /// Removes locations that mean nothing at their place, and gives instructions without a line to the range function.
  void finish();

 private:
  void name_bodies();
  void make_subprogram();
  void move_locations();
  void describe_arguments();
  llvm::DILocation* moved(const llvm::DILocation& at, bool distinct = false);
  void declare(llvm::Value* slot, llvm::DILocalVariable* variable, llvm::DIExpression* expression);
  llvm::AllocaInst* slot_for(llvm::Type* type, const llvm::Twine& name);
  void store_triple(llvm::IRBuilder<>& b, const char* name, llvm::ArrayRef<llvm::Value*> values);
  void describe_local_variables(llvm::IRBuilder<>& b);

  const WorkItemFunction& item_;
  RangeFunction& range_;
  llvm::DISubprogram* body_ = nullptr;     ///< what the user wrote; null without -g
  llvm::DISubprogram* wrapper_ = nullptr;  ///< the caller of the body, if Clang made two functions
  llvm::DILocation* call_ = nullptr;       ///< where the work-item function is inlined; null: it is the range function
  llvm::DenseMap<const llvm::DILocation*, llvm::DILocation*> calls_;  ///< new locations of calls that were inlined
  bool every_value_;
  llvm::StringMap<llvm::AllocaInst*> triples_;
  llvm::DenseMap<const llvm::AllocaInst*, llvm::AllocaInst*> addresses_;
};

/// Decides whether variables keep their places (WorkgroupOptions::every_value). Changes no IR.
struct KeepVariablesPass : RequiredPass<KeepVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
