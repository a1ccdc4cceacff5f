// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A SPIR-V module -> canonical bitcode and back, by the SPIR-V translator of LLVM.
#pragma once

#include "compiler/spirv/protocol.h"

namespace lanewise::spirv {

/// Translates the job's module with its constants. The translator ends its process on most damaged modules (asserts,
/// exits), so the caller runs this in a process of its own.
Answer translate(const Job& job);

/// Writes the job's bitcode as a module of SPIR-V.
Answer write(const Job& job);

}  // namespace lanewise::spirv
