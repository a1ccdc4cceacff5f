// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Starts the helper so that the application never notices a child.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

/// Starts `program` with one end of a socket as descriptor `helper::kSocketNumber` and returns the other end; empty if
/// no process can be made or the program cannot be executed.
///
/// The helper's parent is an intermediate process that ends at once, never executes anything and raises no signal at
/// its end (its exit signal is 0), so neither SIGCHLD nor waitpid(-1) of the application ever sees either of them. The
/// helper inherits nothing but the socket: other descriptors are closed, signals are reset, it has a session of its own
/// and, unless LANEWISE_DEBUG is set, no standard streams.
file::Descriptor start_helper(const std::string& program);

}  // namespace lanewise
