// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of a code object before the dynamic linker opens it.
///
/// The dynamic linker trusts the files that it opens: a table that reaches out of its segment, a relocation that writes
/// outside the code object or an initialiser that points into the middle of the code crashes the application. Program
/// binaries come from outside. Everything that opening a code object and looking up its symbols reads, writes or calls
/// is therefore checked, and only what the driver's own linker writes is accepted. A missing part is refused, too:
/// without a header for the stack, for example, the dynamic linker makes every stack of the process executable. The
/// machine code itself cannot be checked: a program binary is native code, and whoever runs it must trust its source.
#pragma once

#include <cstdint>
#include <span>

#include "src/base/result.h"

namespace lanewise {

/// The properties of a checked code object.
struct CodeObjectTraits {
  /// The code object has variables that its code writes, so two programs must not share one mapping.
  bool has_variables = false;
  std::uint64_t code = 0;        ///< address of the code in the code object
  std::uint64_t code_bytes = 0;  ///< size of the code
};

/// Checks a code object. A code object that passes can be opened, searched for symbols and closed without running any
/// of its code and without harm to anything else in the process. Errors: CL_INVALID_BINARY, with the reason. Source:
/// System V ABI, chapters 4 and 5 (ELF header, program header, dynamic section, hash table); psABI x86-64, 4.4.
Result<CodeObjectTraits> check_code_object(std::span<const std::uint8_t> elf);

}  // namespace lanewise
