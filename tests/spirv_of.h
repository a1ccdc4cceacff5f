// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From OpenCL C to SPIR-V, for tests and benchmarks.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace lanewise::test {

/// The module that the compiler (lanewise-cc) makes of OpenCL C; empty if it refuses. What it says goes to standard error.
inline std::string spirv_of(const std::string& compiler, const std::string& source, const std::string& options) {
  char folder[] = "/tmp/lanewise-test-XXXXXX";
  if (mkdtemp(folder) == nullptr) return {};
  const std::string from = std::string(folder) + "/program.cl";
  const std::string to = std::string(folder) + "/program.spv";
  std::ofstream(from) << source;
  std::string command = compiler + " --source=" + from + " --output=" + to + " --";
  std::istringstream words(options);  // which may be expressions, that would mean something to the shell
  for (std::string word; words >> word;) command += " '" + word + "'";
  std::string module;
  if (std::system(command.c_str()) == 0) {  // NOLINT(cert-env33-c): the caller's own words
    std::ifstream file(to, std::ios::binary);
    module.assign(std::istreambuf_iterator<char>(file), {});
  }
  unlink(from.c_str());
  unlink(to.c_str());
  rmdir(folder);
  return module;
}

}  // namespace lanewise::test
