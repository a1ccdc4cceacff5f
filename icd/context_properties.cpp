// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/context_properties.h"

#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

#include "icd/cast.h"
#include "icd/dispatch.h"
#include "icd/property_list.h"
#include "include/lanewise/cl_compat.h"

namespace lanewise {

namespace {

bool read_bool(cl_context_properties value) {
  require(value == CL_TRUE || value == CL_FALSE, CL_INVALID_PROPERTY, "the value is no cl_bool");
  return value == CL_TRUE;
}

/// Takes a handle of an interface between OpenGL and a window system.
template <void* gl::SharedContext::* member>
void take_shared(ContextProperties& c, cl_context_properties value) {
  c.names_sharing = true;
  c.shared.*member = reinterpret_cast<void*>(value);  // NOLINT(performance-no-int-to-ptr)
}

void take_other(ContextProperties& c, cl_context_properties value) {
  c.names_sharing = true;
  c.other_systems = c.other_systems || value != 0;
}

/// API 4.4, table 13.
constexpr PropertyRow<cl_context_properties, ContextProperties> kContextProperties[] = {
    {CL_CONTEXT_PLATFORM,
     [](ContextProperties& c, cl_context_properties value) {
       c.platform = &as<Platform>(reinterpret_cast<cl_platform_id>(value));
     }},
    {CL_CONTEXT_INTEROP_USER_SYNC,
     [](ContextProperties& c, cl_context_properties value) {
       read_bool(value);
       c.names_user_sync = true;
     }},
    {CL_CONTEXT_TERMINATE_KHR,
     [](ContextProperties& c, cl_context_properties value) { c.can_terminate = read_bool(value); }},
    {CL_CONTEXT_MEMORY_INITIALIZE_KHR,
     [](ContextProperties& c, cl_context_properties value) {
       constexpr cl_context_properties kKnown =
           CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
       require((value & ~kKnown) == 0, CL_INVALID_PROPERTY, "unknown kind of memory");
       c.initialize = value;
     }},
    {CL_GL_CONTEXT_KHR, &take_shared<&gl::SharedContext::context>},
    {CL_GLX_DISPLAY_KHR, &take_shared<&gl::SharedContext::glx_display>},
    {CL_EGL_DISPLAY_KHR, &take_shared<&gl::SharedContext::egl_display>},
    {CL_WGL_HDC_KHR, &take_other},
    {CL_CGL_SHAREGROUP_KHR, &take_other},
};

}  // namespace

ContextProperties read_context_properties(const cl_context_properties* list, cl_int refusal) {
  ContextProperties out{{}, &platform()};
  out.list = read_properties(list, kContextProperties, out, refusal);
  require(!out.names_sharing || !out.names_user_sync, CL_INVALID_PROPERTY,
          "CL_CONTEXT_INTEROP_USER_SYNC and a context of OpenGL");
  require(!out.other_systems, CL_INVALID_OPERATION, "OpenGL has no such window system here");
  require(out.shared.glx_display == nullptr || out.shared.egl_display == nullptr, CL_INVALID_OPERATION,
          "displays of two window systems");
  return out;
}

std::unique_ptr<gl::ShareGroup> open_sharing(const ContextProperties& properties) {
  return unwrap(gl::ShareGroup::open(properties.shared));
}

}  // namespace lanewise
