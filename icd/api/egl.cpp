// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sharing with EGL: images (cl_khr_egl_image, API 5.3.13, 5.5.14) and fences (cl_khr_egl_event, API 5.11.1.1).
#include <CL/cl_egl.h>

#include <utility>

#include "icd/graphics.h"
#include "icd/property_list.h"
#include "icd/selection.h"

using namespace lanewise;

namespace {

/// The share group for images of an EGLDisplay: that of the context if it is of this display, or one for images only.
/// Throws CL_INVALID_VALUE.
gl::ShareGroup& group_of_images(Context& context, void* display) {
  require(display != nullptr, CL_INVALID_VALUE, "no EGLDisplay");
  auto* const group = static_cast<gl::ShareGroup*>(context.sharing());
  if (group != nullptr && group->egl_display() == display) return *group;
  const auto open = [&]() -> std::unique_ptr<Sharing> {
    auto opened = gl::ShareGroup::open_for_images(display);
    require(opened.ok(), CL_INVALID_VALUE, "not an EGLDisplay with OpenGL");
    return std::move(opened).value();
  };
  return static_cast<gl::ShareGroup&>(context.sharing_of_images(display, open));
}

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR egldisplay,
                                                        CLeglImageKHR eglimage, cl_mem_flags flags,
                                                        const cl_egl_image_properties_khr* properties,
                                                        cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    static_cast<void>(read_no_properties(properties, CL_INVALID_VALUE));
    check_graphics_flags(flags, kKernelAccess | kHostAccess);
    auto& group = group_of_images(owner, egldisplay);
    require(eglimage != nullptr, CL_INVALID_EGL_OBJECT_KHR, "no EGLImage");
    return make_graphics_image(owner, flags,
                               unwrap(group.find<gl::Found>([&](gl::ContextThread& thread, const gl::Functions& gl) {
                                 return gl::find_egl_image(thread, gl, eglimage);
                               })));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                              const cl_mem* mem_objects,
                                                              cl_uint num_events_in_wait_list,
                                                              const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_transfer(command_queue, CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR, {num_objects, mem_objects},
                     {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                              const cl_mem* mem_objects,
                                                              cl_uint num_events_in_wait_list,
                                                              const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_transfer(command_queue, CL_COMMAND_RELEASE_EGL_OBJECTS_KHR, {num_objects, mem_objects},
                     {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync,
                                                              CLeglDisplayKHR display, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return unwrap(share_group(owner).event_of_egl_sync(owner, display, sync)).detach()->handle();
  });
}
