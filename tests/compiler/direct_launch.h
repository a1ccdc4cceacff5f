// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches without a runtime: opens the image that the compiler made and calls the range function with a worker made
/// by hand. Scratch areas have exactly the promised size, between guard bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "tests/kernels/harness.h"

namespace lanewise::test {

struct Observed {
  struct Print {
    std::uint64_t group;
    std::string format;
    std::vector<std::uint8_t> records;
    std::uint32_t count;
  };
  struct Divergence {
    std::uint64_t group;
    std::string site;
  };
  std::vector<Print> prints;
  std::vector<Divergence> divergent;
};

/// The extensions that the device reports and the kernels of the tests use, as a request lists them.
const std::vector<std::string>& device_extensions();

/// The macros of its features.
const std::vector<std::string>& device_macros();

/// Runs a kernel of a successful build on the calling thread. Returns an empty string or the error: no such kernel,
/// another number of arguments, an image that does not open, bytes written outside of the scratch areas. `observed` may
/// be null.
std::string launch_direct(const abi::Reply& reply, const std::string& kernel, const Range& range,
                          const std::vector<Arg>& args, Observed* observed);

}  // namespace lanewise::test
