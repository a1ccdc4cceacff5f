// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The device of the driver, with what limits it, and the cache of compiled programs.
#pragma once

#include <string>

#include "compiler/tools/info/apart.h"
#include "compiler/tools/info/document.h"

namespace lanewise::info {

/// The device. `facts` are those of `ask_device`.
Value describe_device(const Facts& facts, Problems& problems);

/// The instruction sets that the driver makes code for, and which of them it uses.
Value describe_instruction_sets(const std::string& private_directory, Problems& problems);

/// Where the cache lies, what it holds, and why it is not used.
Value describe_cache(Problems& problems);

/// The variables of the driver that are set, and those that are ignored.
Value describe_options(Problems& problems);

}  // namespace lanewise::info
