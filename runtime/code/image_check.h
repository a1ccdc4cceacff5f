// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What can be told of a kernel image before the dynamic linker believes it.
///
/// The dynamic linker trusts the files that it opens: a table that leaves its segment, a relocation that writes outside
/// of it or an initialiser somewhere in the middle of the code end the application. Program binaries come from outside,
/// so everything that opening and looking up a symbol reads, writes or calls is checked here, against the little that
/// our own linker writes. The machine code itself cannot be checked: a program binary is native code, and whoever runs
/// it trusts its maker.
#pragma once

#include <cstdint>
#include <span>

#include "src/base/result.h"

namespace lanewise {

struct ImageTraits {
  /// It has variables that its code writes: two programs must not share one mapping.
  bool has_variables = false;
};

/// Errors: CL_INVALID_BINARY, with the reason. An image that passes can be opened, searched for symbols and closed
/// without running any of its code and without harm to anything else in the process.
/// Source: System V ABI, chapters 4 and 5 (ELF header, program header, dynamic section, hash table); psABI x86-64, 4.4.
Result<ImageTraits> check_image(std::span<const std::uint8_t> elf);

}  // namespace lanewise
