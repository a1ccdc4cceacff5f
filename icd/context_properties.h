// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The property list of contexts (API 4.4, table 13).
#pragma once

#include <CL/cl.h>

#include <memory>
#include <vector>

#include "runtime/core/platform.h"
#include "runtime/gl/share_group.h"

namespace lanewise {

/// A checked property list: a copy with its closing 0 (empty if none was given), and the values that it sets.
struct ContextProperties {
  std::vector<cl_context_properties> list;
  Platform* platform;
  bool can_terminate = false;
  cl_context_properties initialize = 0;
  gl::SharedContext shared = {};
  bool names_sharing = false;    ///< a property of cl_khr_gl_sharing is there
  bool names_user_sync = false;  ///< CL_CONTEXT_INTEROP_USER_SYNC is there
  bool other_systems = false;    ///< a context of a window system that is not of Linux

  /// Whether a context of OpenGL, or of part of one, is given.
  [[nodiscard]] bool shares() const {
    return shared.context != nullptr || shared.glx_display != nullptr || shared.egl_display != nullptr || other_systems;
  }
};

/// Reads a list, which may be null. Throws `refusal` for unknown properties and those given twice, CL_INVALID_PROPERTY,
/// CL_INVALID_PLATFORM, CL_INVALID_OPERATION.
ContextProperties read_context_properties(const cl_context_properties* list, cl_int refusal);

/// Opens what the list shares with. Throws CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, CL_OUT_OF_RESOURCES.
std::unique_ptr<gl::ShareGroup> open_sharing(const ContextProperties& properties);

}  // namespace lanewise
