// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The location and the identity of the driver's private files.
#pragma once

#include <string>

namespace lanewise {

/// The folder of the helper, the compiler library and the built-in library: LANEWISE_COMPILER_DIR, else `lanewise`
/// beside the file that contains this code, else `../lib/lanewise` from there (test programs in the build tree).
const std::string& private_directory();

/// The sizes and times of the files of the compiler, the SPIR-V translator and the built-in library: the text changes
/// when one of them is replaced. Costs a few system calls and does not load LLVM, because a program in the cache must
/// not need LLVM.
std::string compiler_identity();

}  // namespace lanewise
