// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Starts the helper in a way that the application does not notice a child process.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

/// Starts `lanewise-compiler` from the driver's private directory, with one end of a socket as descriptor
/// `helper::kSocketNumber`, and returns the other end. The program's arguments are that directory and the rights of the
/// calling thread. The result is empty if no process can be created, if only the first one of a new namespace can, or if
/// the program cannot be executed; `error` is the reason then, an errno.
///
/// The helper's parent is an intermediate process that ends at once, executes no other program and sends no signal when
/// it ends (its exit signal is 0), so the application gets no SIGCHLD for either and waitpid(-1) returns neither of
/// them. The helper inherits only the socket: other descriptors are closed, signals are reset, it has a process
/// group of its own and no standard streams, except stderr if LANEWISE_DEBUG is set. Of the application's environment it
/// gets LANEWISE_*, TMPDIR, TZ and LD_LIBRARY_PATH, in particular no library that is to be loaded first. From a privileged
/// application it gets nothing, because the unprivileged caller chose that environment, and the libraries that the
/// helper loads cannot see that it is privileged: its real and its effective identity may be the same.
file::Descriptor start_helper(const std::string& directory, int& error);

}  // namespace lanewise
