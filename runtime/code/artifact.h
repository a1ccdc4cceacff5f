// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Artifacts: the result of a compile, link or build for one device, as data. An Executable (tier/executable.h) opens
/// it.
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

/// The build options that matter after the build. Compile, link and program binaries pass them on.
struct ProgramTraits {
  bool kernel_arg_info = false;      ///< a part of the program was compiled with -cl-kernel-arg-info
  bool uniform_work_groups = false;  ///< a part is OpenCL C below 2.0, or has -cl-uniform-work-group-size
};

/// The data of an artifact, immutable once made.
struct Artifact {
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options;  ///< options as the application gave them
  ProgramTraits traits;
  /// IR, code object and kernel descriptions. The log, the dependencies and the loops of the reply are empty here.
  abi::Reply reply;
  bool zero_private = false;  ///< CodeSettings::zero_private of `reply.code_object`; not stored in binaries
  Isa isa;                    ///< instruction set of `reply.code_object`
  /// The program binary whose code is for other processors than the device's; `reply` then has the IR only. Else empty.
  Bytes foreign;

  /// The index of a kernel in `reply.kernels`; -1: there is none.
  [[nodiscard]] std::ptrdiff_t find(std::string_view kernel) const;
};
using ArtifactPtr = std::shared_ptr<const Artifact>;

/// Encodes an artifact as the bytes of CL_PROGRAM_BINARIES.
Bytes encode_artifact(const Artifact& artifact);
/// Decodes the bytes of CL_PROGRAM_BINARIES, without opening the code object. The artifact has no code (`foreign`) if
/// the code is for a level or features that the device does not have. Errors: CL_INVALID_BINARY (damaged, or of another
/// version).
Result<Artifact> decode_artifact(std::span<const std::uint8_t> bytes, Isa device_isa);

/// LANEWISE_DEBUG=vectorize: writes the reports on the work-item loops to the debug log.
void show_vectors(const std::vector<abi::LoopReport>& loops);

}  // namespace lanewise
