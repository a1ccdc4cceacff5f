// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects -> kernel image: a self-contained ELF shared object (design D7).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include "src/base/bytes.h"

namespace lanewise {

/// Links `objects` and what they need of the support object. Nothing touches the disk. Images are reproducible: no
/// build id, no path, no time. lld runs in this process, one link at a time; thread-safe.
/// Errors: lld's messages, for example the undefined symbols; no descriptors left.
llvm::Expected<Bytes> link_image(llvm::ArrayRef<llvm::StringRef> objects);

}  // namespace lanewise
