// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The result of a compile, link or build for one device, as data (executable.h opens it).
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "src/base/isa.h"
#include "src/base/result.h"

namespace lanewise {

/// Facts of the build options that are kept after the build and passed on by compile, link and program binaries.
struct ProgramTraits {
  bool kernel_arg_info = false;      ///< some part was compiled with -cl-kernel-arg-info
  bool uniform_work_groups = false;  ///< OpenCL C below 2.0, or -cl-uniform-work-group-size
};

/// Immutable once it is made.
struct Artifact {
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options;  ///< as the application gave them
  ProgramTraits traits;
  abi::Reply
      reply;  ///< IR, image bytes, kernel descriptions; without log (the program's), dependencies (the cache's) and loops
  bool zero_private = false;  ///< how `reply.image` was made: CodeSettings::zero_private; not in binaries
  Isa isa;                    ///< of `reply.image`
  Bytes foreign;              ///< the binary it was loaded from, if its code is for other processors than the
                              ///< device's: then `reply` has the IR only; else empty

  /// Index in `reply.kernels`, or -1.
  [[nodiscard]] std::ptrdiff_t find(std::string_view kernel) const;
};
using ArtifactPtr = std::shared_ptr<const Artifact>;

/// Converts to and from the bytes of CL_PROGRAM_BINARIES. The result of decoding has no code if that is for a level or
/// features that the device does not have (`foreign`). Errors of decoding: CL_INVALID_BINARY (damaged, or of another
/// version). Decoding does not open the image.
Bytes encode_artifact(const Artifact& artifact);
Result<Artifact> decode_artifact(std::span<const std::uint8_t> bytes, Isa device_isa);

/// LANEWISE_DEBUG=vectorize: what became of the work-item loops.
void show_vectors(const std::vector<abi::LoopReport>& loops);

}  // namespace lanewise
