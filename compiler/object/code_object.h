// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects -> code object: a self-contained ELF shared object (design D7).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include "src/base/bytes.h"
#include "src/base/isa.h"

namespace lanewise {

/// Links `objects`, made for `isa`, and what they need of the objects that the compiler contains. Nothing touches the
/// disk. Code objects are reproducible: no build id, no path, no time. lld runs in this process, one link at a time;
/// thread-safe. Errors: lld's messages, for example the undefined symbols; no descriptors left.
llvm::Expected<Bytes> link_code_object(llvm::ArrayRef<llvm::StringRef> objects, Isa isa);

}  // namespace lanewise
