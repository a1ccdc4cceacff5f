// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Program binaries (CL_PROGRAM_BINARIES): what clCreateProgramWithBinary accepts later, in another process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "src/base/hash.h"
#include "src/base/result.h"

namespace lanewise {

/// API 5.8.13, CL_PROGRAM_BINARY_TYPE.
enum class BinaryKind : std::uint32_t { compiled = 1, library = 2, executable = 3 };

struct Container {
  BinaryKind kind = BinaryKind::executable;
  std::vector<std::string> options;  ///< canonical options that it was built with
  std::uint32_t isa_level = 2;       ///< x86-64-v<level> that the image needs
  abi::Reply reply;                  ///< IR, image, kernels; the log is not kept
  Hash128 key;                       ///< cache key of the request that made it; zero if unknown
};

/// Layout: magic "LWBINARY", format version, compiler and kernel ABI versions, payload size, payload, XXH3-128 of all
