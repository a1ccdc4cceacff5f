// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Starts the helper in a way that the application does not notice a child process.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

/// Starts `lanewise-compiler` from the driver's private directory, which is also its argument, with one end of a socket
/// as descriptor `helper::kSocketNumber`, and returns the other end; empty if no process can be created or the program
/// cannot be executed.
///
/// The helper's parent is an intermediate process that ends at once, executes no other program and sends no signal when
/// it ends (its exit signal is 0), so the application gets no SIGCHLD for either and waitpid(-1) returns neither of
/// them. The helper inherits only the socket: other descriptors are closed, signals are reset, it has a process
/// group of its own and, unless LANEWISE_DEBUG is set, no standard streams. It gets the application's environment. From a privileged
/// application it gets an empty one, because the unprivileged caller chose that environment, and the libraries that the
/// helper loads cannot see that it is privileged: its real and its effective identity may be the same.
file::Descriptor start_helper(const std::string& directory);

}  // namespace lanewise
