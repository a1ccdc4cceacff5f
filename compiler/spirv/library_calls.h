// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions that the translator does not know, as calls of functions (translated_form.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/spirv/module_writer.h"

namespace lanewise::spirv {

class LibraryCalls {
 public:
  explicit LibraryCalls(ModuleWriter& out) : out_(out), types_(out.types) {}

  void round_to_tf32(const Instruction& i);
  void bitwise_function(const Instruction& i);
  /// The function, whose name has the alignment, stands for the access until there is IR (lower_predicated_accesses).
  void predicated_access(const Instruction& i);
  /// Memory scopes and semantics do not matter on one coherent host.
  void named_barrier(const Instruction& i);
  /// OpUntypedGroupAsyncCopyKHR. Elements are lines of bytes for a function of cl_khr_extended_async_copies, of which
  /// only those on the side of global memory have gaps.
  void async_copy(const Instruction& i);

 private:
  /// The result of `i` is that of the function.
  void call(const std::string& function, const Instruction& i, const Words& parameters, const Words& arguments);
  /// The validator does not look at some of these instructions. Calls of other types would be of undefined functions.
  bool are_of_type(const Instruction& i, std::size_t first, std::size_t last, std::uint32_t type);

  ModuleWriter& out_;
  Types& types_;
};

}  // namespace lanewise::spirv
