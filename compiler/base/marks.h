// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every metadata kind and string attribute by which one pass tells another something about the IR. They are text in
/// the IR, so each is named here once.
#pragma once

namespace lanewise::marks {

// In the metadata of a loop, `!{!"name", ...}`.

/// The innermost work-item loop of a region. A second operand, a string, is a reason to leave it scalar.
inline constexpr const char* kItems = "lanewise.items";
/// `i32 W`: a work-item loop of a kernel with sub-groups, which has no meaning until it runs vectors of W work-items.
inline constexpr const char* kSubGroup = "lanewise.sub_group";
/// `i32 W`: a loop that the vectoriser has made, over vectors of W work-items.
inline constexpr const char* kVector = "lanewise.vector";

// On instructions.

/// The same value for all work-items of a vector, though its operands do not show it: the number of a sub-group.
inline constexpr const char* kUniform = "lanewise.uniform";
/// The number of the work-item in its vector: its local id in a sub-group.
inline constexpr const char* kLane = "lanewise.lane";
/// The global id of a group's first work-item along the innermost loop, on which checks of indices may rely.
inline constexpr const char* kBase = "lanewise.base";
/// A private variable (alloca) that the work-items use one after the other; lanes of a vector need a copy each.
inline constexpr const char* kPrivate = "lanewise.private";
/// The copies of such a variable for all lanes (alloca), or the one that the lanes of a vector share.
inline constexpr const char* kLanes = "lanewise.lanes";
/// A branch between two forms of one operation, of which the second is right whatever the condition is, and slow.
inline constexpr const char* kForms = "lanewise.forms";
/// Of a branch: the first way is a faster form, which may come often or never (lanes/emit/two_forms.h).
inline constexpr const char* kGuess = "lanewise.guess";
/// The branch that ends a block of a report, which runs rarely; in checked builds only.
inline constexpr const char* kRare = "lanewise.rare";
/// An access of an asynchronous copy, which any work-item may do; in checked builds only.
inline constexpr const char* kAnyItem = "lanewise.any_item";
/// A branch of a check; in checked builds only.
inline constexpr const char* kCheck = "lanewise.check";
/// A branch around code under a mask, for vectors without an active lane.
inline constexpr const char* kSkips = "lanewise.skips";
/// The branch that ends an iteration of a loop whose lanes leave in nearly the same one: the first way is the next
/// iteration, for vectors with an active lane.
inline constexpr const char* kStays = "lanewise.stays";

// On global variables.

/// `!{}`: the variable is the program's and not the library's; in checked builds only.
inline constexpr const char* kOfProgram = "lanewise.program";
/// `i64 offset`: the variable's place in the storage of the program (program/variable_storage.h).
inline constexpr const char* kStored = "lanewise.stored";
/// `!"name", ...`: what the application may call the variable.
inline constexpr const char* kNames = "lanewise.names";

/// Begins the name of a table in the built-in library that few kernels read, and those in all lanes. The processor's
/// gathers read it. They take time there, and all other kernels have less code to compile.
inline constexpr const char* kGatheredTable = "__lw_gathered_";

// Attributes.

/// Of a pointer parameter: the pointee does not change while a range runs.
inline constexpr const char* kConstantPointee = "lanewise-constant";
/// Of a pointer parameter: no other parameter or variable of the function points there (base/opencl_aliases.h).
inline constexpr const char* kRestrict = "lanewise-restrict";
/// `"n"`: of the kernel of a block, its number (program/blocks.h).
inline constexpr const char* kBlock = "lanewise-block";
/// Of a function that has one body per kernel (kernel/shared_calls.h); it is `alwaysinline` as well.
inline constexpr const char* kSharedFunction = "lanewise-shared";
/// Of a kernel in which several calls share one body, and of its range function.
inline constexpr const char* kSharedBodies = "lanewise-shared-bodies";
/// Of a range function in which the lanes of a sub-group leave every loop in which they may wait for each other, after
/// some rounds (groups/gathered_turns.h).
inline constexpr const char* kTakesTurns = "lanewise-takes-turns";
/// Of all functions of a program: its options let sums be computed in another order.
inline constexpr const char* kReassociates = "lanewise-reassociates";
/// Of a function that has called others through pointers (program/function_pointers.h).
inline constexpr const char* kCallsByPointer = "lanewise-calls-by-pointer";
/// Of a function that may be called by a pointer that no code of its module has; set by the SPIR-V translator.
inline constexpr const char* kReferencedIndirectly = "referenced-indirectly";

// Metadata of a module.

/// `!{!"name", i64 pointer}`, ...: functions for whose pointers the application may ask.
inline constexpr const char* kFunctionPointers = "lanewise.function_pointers";

}  // namespace lanewise::marks
