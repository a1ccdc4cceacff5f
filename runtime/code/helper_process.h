// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Starts the helper so that the application never notices a child.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

/// Starts `lanewise-compiler` of the driver's private directory, which it is given as its argument, with one end of a
/// socket as descriptor `helper::kSocketNumber`, and returns the other end; empty if no process can be made or the
/// program cannot be executed.
///
/// The helper's parent is an intermediate process that ends at once, never executes anything and raises no signal at
/// its end (its exit signal is 0), so neither SIGCHLD nor waitpid(-1) of the application ever sees either of them. The
/// helper inherits nothing but the socket: other descriptors are closed, signals are reset, it has a session of its own
/// and, unless LANEWISE_DEBUG is set, no standard streams. It gets the application's environment; an empty one from a
/// privileged application, because that environment is its caller's, and the helper does not look privileged to what it
/// loads: the new program may well run under one and the same identity.
file::Descriptor start_helper(const std::string& directory);

}  // namespace lanewise
