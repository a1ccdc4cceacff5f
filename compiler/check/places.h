// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel accesses: the accesses of a function, and the objects that their pointers point to.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <string>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// The memory that one operand of an instruction names.
struct CheckedAccess {
  llvm::Value* pointer = nullptr;
  llvm::Value* bytes = nullptr;  ///< i64
  llvm::Align align{};
  bool reads = false;
  bool writes = false;
  bool updates = false;  ///< a read that is there because a component of a vector is written
  bool atomic = false;
  bool acquires = false;
  llvm::Value* stored = nullptr;  ///< the value that is written; null: more than one, or none

  /// The size if it is a constant; otherwise 0.
  [[nodiscard]] std::uint64_t constant_bytes() const;
};

/// Of an instruction: one for most, two for copies. Empty: it accesses no memory, or only in a way that is its own.
llvm::SmallVector<CheckedAccess, 2> accesses_of(llvm::Instruction& i);

/// What kind of memory an object is.
enum class ObjectKind {
  unknown,   ///< any memory
  trusted,   ///< memory that the compiler or the library names: images, tables, the argument block
  argument,  ///< the buffer or local memory of a kernel's argument
  variable,  ///< a __local, __constant or __global variable of known size
  alloca     ///< a private variable
};

/// What a pointer points to.
struct AccessedObject {
  ObjectKind kind = ObjectKind::unknown;
  llvm::Value* base = nullptr;  ///< null where it is not known
  std::uint64_t bytes = 0;      ///< size; 0: not known here
  unsigned space = 0;           ///< address space of the object

  [[nodiscard]] bool is_shared() const;  ///< work-items may meet there
};

/// @param kernel  the description of the function's arguments; null: none is a kernel's
AccessedObject pointee_of(const llvm::Value& pointer, const abi::KernelInfo* kernel);

/// An array inside of a structure that is a variable: the object that an index of it may not leave. Otherwise
/// `pointee`.
AccessedObject array_in_structure(const CheckedAccess& access, const AccessedObject& pointee);

/// Whether no value of the kernel makes the access leave its object, and it is aligned as it has to be.
bool is_inside(const CheckedAccess& access, const AccessedObject& pointee);

/// Whether the address is a multiple of the alignment wherever the object begins.
bool is_aligned(const CheckedAccess& access, const AccessedObject& pointee);

}  // namespace lanewise
