// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/shared_object.h"

#include <CL/cl_egl.h>

#include "runtime/process/fork_guard.h"

namespace lanewise::gl {

SharedObject::~SharedObject() {
  if (in_forked_child()) {
    static_cast<void>(held_.release());  // it is of a context that the child does not have
    return;
  }
  thread_->post(*held_.release());
}

cl_int SharedObject::error_of_use() const {
  return is_egl_image() ? CL_EGL_RESOURCE_NOT_ACQUIRED_KHR : CL_INVALID_GL_OBJECT;
}

}  // namespace lanewise::gl
