// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The start of the helper, such that the application does not notice a child process.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

/// Starts `lanewise-compiler` from the driver's private directory, with one end of a socket as descriptor
/// `helper::kSocketNumber`, and returns the other end. The program's arguments are that directory and the rights of the
/// calling thread. The result is empty if no process can be created, if only the first process of a new namespace can,
/// or if the program cannot be executed; `error` is then the errno.
///
/// The helper's parent is an intermediate process that ends at once, executes no other program and sends no signal when
/// it ends (its exit signal is 0). The application therefore gets no SIGCHLD for either process, and waitpid(-1)
/// returns neither of them.
///
/// The helper inherits only the socket: other descriptors are closed, signals are reset, and it has a process group of
/// its own. It has no standard streams, except stderr if LANEWISE_DEBUG is set. Its environment has LANEWISE_*, TMPDIR,
/// TZ and LD_LIBRARY_PATH of the application, and no LD_PRELOAD. The helper of a privileged application has an empty
/// environment: the unprivileged caller chose the application's, and the libraries that the helper loads cannot see
/// that it is privileged, because its real and its effective identity may be equal.
file::Descriptor start_helper(const std::string& directory, int& error);

}  // namespace lanewise
