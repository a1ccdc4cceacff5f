// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts of OpenGL without a window system, and contexts of OpenCL that share with them.
#pragma once

#define GL_GLEXT_PROTOTYPES
#define EGL_NO_X11
#define EGL_EGLEXT_PROTOTYPES
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/api/fixture.h"
#include "tests/by_spirv.h"

namespace lanewise::test {

struct ReleaseMemory {
  void operator()(cl_mem memory) const { EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS); }
};
using Mem = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseMemory>;

/// The display without surfaces; null: EGL has none here.
inline EGLDisplay surfaceless_display() {
  static EGLDisplay display = [] {
    EGLDisplay found = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    return found != EGL_NO_DISPLAY && eglInitialize(found, nullptr, nullptr) != EGL_FALSE ? found : EGL_NO_DISPLAY;
  }();
  return display;
}

/// The kinds of contexts that an application may have.
enum class Api { core, legacy, es2, es3 };

inline EGLContext make_egl_context(Api api, EGLContext shared = EGL_NO_CONTEXT) {
  const bool es = api == Api::es2 || api == Api::es3;
  eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
  std::vector<EGLint> attributes;
  if (es) attributes = {EGL_CONTEXT_MAJOR_VERSION, api == Api::es3 ? 3 : 2};
  if (api == Api::core)
    attributes = {EGL_CONTEXT_MAJOR_VERSION,          3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  attributes.push_back(EGL_NONE);
  return eglCreateContext(surfaceless_display(), EGL_NO_CONFIG_KHR, shared, attributes.data());
}

/// A context of OpenGL, current in the test's thread, and one of OpenCL that shares with it.
class WithEgl : public testing::Test {
 protected:
  void SetUp() override { start(Api::core); }

  void start(Api api) {
    if (surfaceless_display() == EGL_NO_DISPLAY) GTEST_SKIP() << "no EGLDisplay without a window system";
    gl_context = make_egl_context(api);
    if (gl_context == EGL_NO_CONTEXT) GTEST_SKIP() << "no such context of OpenGL";
    ASSERT_TRUE(make_current());
    cl_int code = 1;
    const auto list = properties();
    device = first_device();
    context = clCreateContext(list.data(), 1, &device, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    queue = clCreateCommandQueue(context, device, 0, &code);
    ASSERT_EQ(code, CL_SUCCESS);
  }

  void TearDown() override {
    if (queue != nullptr) clReleaseCommandQueue(queue);
    if (context != nullptr) clReleaseContext(context);
    if (gl_context != EGL_NO_CONTEXT) {
      EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
      leave();
      eglDestroyContext(surfaceless_display(), gl_context);
    }
  }

  bool make_current() const {
    return eglMakeCurrent(surfaceless_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, gl_context) != EGL_FALSE;
  }
  static void leave() { eglMakeCurrent(surfaceless_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

  [[nodiscard]] std::array<cl_context_properties, 5> properties() const {
    return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(gl_context), CL_EGL_DISPLAY_KHR,
            reinterpret_cast<cl_context_properties>(surfaceless_display()), 0};
  }

  /// A buffer of OpenGL with these bytes.
  static GLuint gl_buffer(const void* bytes, std::size_t size) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(size), bytes, GL_DYNAMIC_DRAW);
    return name;
  }
  /// A texture with one level.
  static GLuint gl_texture_2d(GLenum internal, GLsizei width, GLsizei height, GLenum format, GLenum type,
                              const void* texels) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), width, height, 0, format, type, texels);
    return name;
  }

  Mem from_buffer(GLuint name, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    cl_int code = 1;
    Mem made(clCreateFromGLBuffer(context, flags, name, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  Mem from_texture(GLenum target, GLuint name, GLint level = 0, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    cl_int code = 1;
    Mem made(clCreateFromGLTexture(context, flags, target, level, name, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }

  void acquire(const Mem& memory) const {
    cl_mem handle = memory.get();
    EXPECT_EQ(clEnqueueAcquireGLObjects(queue, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
  }
  void release(const Mem& memory) const {
    cl_mem handle = memory.get();
    EXPECT_EQ(clEnqueueReleaseGLObjects(queue, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
  }

  cl_kernel kernel_of(const char* source, const char* name) const {
    cl_int code = 1;
    cl_program program = make_program(context, source, "-cl-std=CL3.0");
    EXPECT_EQ(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, name, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    clReleaseProgram(program);
    return kernel;
  }

  cl_device_id device = nullptr;
  EGLContext gl_context = EGL_NO_CONTEXT;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

}  // namespace lanewise::test
