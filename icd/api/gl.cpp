// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sharing with OpenGL (API 5.2.9, 5.3.14, 5.5.15, 5.11.1.2, 5.18).
#include <CL/cl_gl.h>

#include <utility>

#include "icd/context_properties.h"
#include "icd/graphics.h"
#include "icd/info.h"
#include "icd/selection.h"

using namespace lanewise;

namespace {

/// @param takes_target  whether the function is for textures of this target
cl_mem make_texture(cl_context handle, cl_mem_flags flags, cl_GLenum target, cl_GLint level, cl_GLuint name,
                    bool takes_target = true) {
  auto& context = live_context(handle);
  require(takes_target, CL_INVALID_VALUE, "the function is not for textures of this target");
  auto& group = share_group(context);
  check_graphics_flags(flags, kKernelAccess);
  return make_graphics_image(context, flags,
                             unwrap(group.find<gl::Found>([&](gl::ContextThread& thread, const gl::Functions& gl) {
                               return gl::find_texture(thread, gl, target, level, name);
                             })));
}

/// The object of OpenGL behind a memory object. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_GL_OBJECT.
const gl::ObjectName& name_of(cl_mem handle) {
  const auto& object = as<MemObject>(handle);
  const gl::SharedObject* shared = object.parent() == nullptr ? gl::shared_object(object) : nullptr;
  require(shared != nullptr && !shared->is_egl_image(), CL_INVALID_GL_OBJECT, "not made from an object of OpenGL");
  return shared->name();
}

using N = const gl::ObjectName&;
constexpr Row<gl::ObjectName> kTextureInfo[] = {
    {CL_GL_TEXTURE_TARGET, type<cl_GLenum>, [](N name) { return name.target; }},
    {CL_GL_MIPMAP_LEVEL, type<cl_GLint>, [](N name) { return name.level; }},
    {CL_GL_NUM_SAMPLES, type<cl_GLint>, [](N name) -> cl_GLint { return name.samples == 0 ? 1 : name.samples; }},
};

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                                                     cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto& group = share_group(owner);
    check_graphics_flags(flags, kKernelAccess);
    return make_graphics_buffer(owner, flags,
                                unwrap(group.find<gl::Found>([&](gl::ContextThread& thread, const gl::Functions& gl) {
                                  return gl::find_buffer(thread, gl, bufobj);
                                })));
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                                      cl_GLint miplevel, cl_GLuint texture, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] { return make_texture(context, flags, target, miplevel, texture); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                                        cl_GLint miplevel, cl_GLuint texture, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    return make_texture(context, flags, target, miplevel, texture, gl::is_target_of_2d(target));
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                                        cl_GLint miplevel, cl_GLuint texture, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret,
                      [&] { return make_texture(context, flags, target, miplevel, texture, target == GL_TEXTURE_3D); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                                           cl_GLuint renderbuffer, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto& group = share_group(owner);
    check_graphics_flags(flags, kKernelAccess);
    return make_graphics_image(owner, flags,
                               unwrap(group.find<gl::Found>([&](gl::ContextThread& thread, const gl::Functions& gl) {
                                 return gl::find_renderbuffer(thread, gl, renderbuffer);
                               })));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type* gl_object_type,
                                                  cl_GLuint* gl_object_name) {
  return entry(__func__, [&] {
    const auto& name = name_of(memobj);
    if (gl_object_type != nullptr) *gl_object_type = name.type;
    if (gl_object_name != nullptr) *gl_object_name = name.name;
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name,
                                                   size_t param_value_size, void* param_value,
                                                   size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& name = name_of(memobj);
    require(name.is_texture(), CL_INVALID_GL_OBJECT, "not made from a texture");
    answer(kTextureInfo, param_name, name, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                                          const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                                          const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_transfer(command_queue, CL_COMMAND_ACQUIRE_GL_OBJECTS, {num_objects, mem_objects},
                     {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                                          const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                                          const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_transfer(command_queue, CL_COMMAND_RELEASE_GL_OBJECTS, {num_objects, mem_objects},
                     {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return unwrap(share_group(owner).event_of_gl_sync(owner, sync)).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties* properties,
                                                      cl_gl_context_info param_name, size_t param_value_size,
                                                      void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const ContextProperties checked = read_context_properties(properties, CL_INVALID_VALUE);
    require(checked.shares(), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "no context of OpenGL is given");
    static_cast<void>(open_sharing(checked));
    InfoWriter out(param_value_size, param_value, param_value_size_ret);
    const cl_device_id device = checked.platform->device().handle();
    require(param_name == CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR || param_name == CL_DEVICES_FOR_GL_CONTEXT_KHR,
            CL_INVALID_VALUE, "param_name is not a query of contexts of OpenGL");
    out.write(device);
  });
}
