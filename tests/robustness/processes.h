// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processes that the driver has started for an application of these tests.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace lanewise::robustness {

/// A variable of the environment that the driver passes on, as all whose names begin so. The test gives each application
/// a value of its own.
inline constexpr const char* kTag = "LANEWISE_TEST_TAG";

/// Processes whose name begins with `name` and that have this process's tag; not this process.
std::vector<pid_t> processes_named(const std::string& name);

/// Those of the compiler.
inline std::vector<pid_t> helpers() {
  return processes_named("lanewise-compil");
}
/// The SPIR-V translator's: the one that serves, and copies of it.
inline std::vector<pid_t> translators() {
  return processes_named("lanewise-spirv");
}

/// What the file holds, up to the first error: reading a file of /proc fails once its process has ended.
std::string file_text(const std::string& path);

}  // namespace lanewise::robustness
