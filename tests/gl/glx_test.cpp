// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sharing with contexts of GLX, on an X server of the test's own.
#define GL_GLEXT_PROTOTYPES
#include <CL/cl_gl.h>
#include <GL/glcorearb.h>

#include <array>
#include <thread>

#include "tests/api/fixture.h"
#include "tests/gl/x_server.h"

// Their macros have usual names, so they come last.
#include <GL/glx.h>
#include <X11/Xlib.h>

namespace lanewise::test {
namespace {

int g_errors = 0;

class Glx : public testing::Test {
 protected:
  void SetUp() override {
    if (x_display().empty()) GTEST_SKIP() << "no Xvfb";
    display = XOpenDisplay(x_display().c_str());
    ASSERT_NE(display, nullptr);
    config = first_config(display);
    gl_context = make_context();
    ASSERT_NE(gl_context, nullptr);
    device = first_device();
  }
  void TearDown() override {
    if (context != nullptr) clReleaseContext(context);
    if (display == nullptr) return;
    glXMakeContextCurrent(display, None, None, nullptr);
    if (gl_context != nullptr) glXDestroyContext(display, gl_context);
    XCloseDisplay(display);
  }

  static GLXFBConfig first_config(Display* display) {
    int count = 0;
    GLXFBConfig* configs = glXChooseFBConfig(display, DefaultScreen(display), nullptr, &count);
    const GLXFBConfig first = count > 0 ? configs[0] : nullptr;
    XFree(configs);
    return first;
  }
  GLXContext make_context() { return glXCreateNewContext(display, config, GLX_RGBA_TYPE, nullptr, True); }

  cl_int share(void* with_display, void* with_context) {
    const std::array<cl_context_properties, 5> list = {
        CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(with_context), CL_GLX_DISPLAY_KHR,
        reinterpret_cast<cl_context_properties>(with_display), 0};
    cl_int code = 1;
    context = clCreateContext(list.data(), 1, &device, nullptr, nullptr, &code);
    EXPECT_EQ(context != nullptr, code == CL_SUCCESS);
    return code;
  }

  static GLuint gl_buffer(const std::vector<int>& values) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size() * sizeof(int)), values.data(), GL_STATIC_DRAW);
    return name;
  }

  /// The first number of a shared buffer, as OpenCL sees it. Below 0: the error.
  int first_number(cl_mem memory) const {
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
    int value = 0;
    cl_int code = clEnqueueAcquireGLObjects(queue, 1, &memory, 0, nullptr, nullptr);
    if (code == CL_SUCCESS)
      code = clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
    if (code == CL_SUCCESS) code = clEnqueueReleaseGLObjects(queue, 1, &memory, 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseCommandQueue(queue);
    return code == CL_SUCCESS ? value : code;
  }

  Display* display = nullptr;
  GLXFBConfig config = nullptr;
  GLXContext gl_context = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
};

TEST_F(Glx, ContextsThatAreCurrentAndNot) {
  ASSERT_NE(glXMakeContextCurrent(display, None, None, gl_context), False);
  const GLuint name = gl_buffer({41, 42});
  ASSERT_EQ(share(display, gl_context), CL_SUCCESS);
  cl_int code = 1;
  cl_mem memory = clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(first_number(memory), 41);
  glFinish();
  glXMakeContextCurrent(display, None, None, nullptr);
  EXPECT_EQ(first_number(memory), 41);
  clReleaseMemObject(memory);
  clReleaseContext(context);
  ASSERT_EQ(share(display, gl_context), CL_SUCCESS);
}

/// None of these ends the process, and none raises an error on the application's connection.
TEST_F(Glx, WhatIsNoContext) {
  const auto before = XSetErrorHandler([](Display*, XErrorEvent*) { return ++g_errors; });
  std::array<char, 4096> zeros{};
  EXPECT_EQ(share(display, zeros.data()), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(share(display, reinterpret_cast<void*>(16)), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(share(zeros.data(), gl_context), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(share(reinterpret_cast<void*>(16), gl_context), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(share(display, nullptr), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(share(nullptr, gl_context), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  GLXContext gone = make_context();
  glXDestroyContext(display, gone);
  EXPECT_EQ(share(display, gone), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  XSync(display, False);
  EXPECT_EQ(g_errors, 0);
  XSetErrorHandler(before);
}

TEST_F(Glx, TheApplicationsContextIsDestroyedFirst) {
  glXMakeContextCurrent(display, None, None, gl_context);
  const GLuint name = gl_buffer({7});
  ASSERT_EQ(share(display, gl_context), CL_SUCCESS);
  cl_mem memory = clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, nullptr);
  ASSERT_NE(memory, nullptr);
  glFinish();
  glXMakeContextCurrent(display, None, None, nullptr);
  glXDestroyContext(display, gl_context);
  gl_context = nullptr;
  EXPECT_EQ(first_number(memory), 7);
  clReleaseMemObject(memory);
}

TEST_F(Glx, TheDisplayIsClosedFirst) {
  glXMakeContextCurrent(display, None, None, gl_context);
  const GLuint name = gl_buffer({7});
  for (const bool with_memory : {false, true}) {
    Display* other = XOpenDisplay(x_display().c_str());
    ASSERT_NE(other, nullptr);
    GLXContext theirs = glXCreateNewContext(other, first_config(other), GLX_RGBA_TYPE, gl_context, True);
    ASSERT_EQ(share(other, theirs), CL_SUCCESS);
    cl_mem memory = with_memory ? clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, nullptr) : nullptr;
    EXPECT_EQ(memory != nullptr, with_memory);
    glFinish();
    glXDestroyContext(other, theirs);
    XCloseDisplay(other);
    cl_int code = 1;
    if (with_memory) {
      EXPECT_EQ(first_number(memory), 7);
      clReleaseMemObject(memory);
    } else {
      EXPECT_EQ(clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, &code), nullptr);
      EXPECT_EQ(code, CL_INVALID_GL_OBJECT);
    }
    clReleaseContext(context);
    context = nullptr;
  }
}

/// The Display goes with all that the application has on it, while OpenCL has a buffer of its context.
TEST_F(Glx, TheDisplayIsClosedInUse) {
  Display* other = XOpenDisplay(x_display().c_str());
  ASSERT_NE(other, nullptr);
  GLXContext theirs = glXCreateNewContext(other, first_config(other), GLX_RGBA_TYPE, nullptr, True);
  ASSERT_NE(glXMakeContextCurrent(other, None, None, theirs), False);
  const GLuint name = gl_buffer({7});
  ASSERT_EQ(share(other, theirs), CL_SUCCESS);
  cl_mem memory = clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, nullptr);
  ASSERT_NE(memory, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue, 1, &memory, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  glXMakeContextCurrent(other, None, None, nullptr);
  XCloseDisplay(other);
  int value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(clEnqueueReleaseGLObjects(queue, 1, &memory, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  clReleaseCommandQueue(queue);
  clReleaseMemObject(memory);
}

TEST_F(Glx, ContextsOfSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([this] {
      for (int n = 0; n < 3; ++n) {
        Display* own = XOpenDisplay(x_display().c_str());
        GLXContext theirs = glXCreateNewContext(own, first_config(own), GLX_RGBA_TYPE, nullptr, True);
        const std::array<cl_context_properties, 5> list = {
            CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(theirs), CL_GLX_DISPLAY_KHR,
            reinterpret_cast<cl_context_properties>(own), 0};
        cl_context made = clCreateContext(list.data(), 1, &device, nullptr, nullptr, nullptr);
        EXPECT_NE(made, nullptr);
        if (n == 1) XCloseDisplay(own);
        clReleaseContext(made);
        if (n == 1) continue;
        glXDestroyContext(own, theirs);
        XCloseDisplay(own);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Glx, QueriesOfTheContext) {
  const std::array<cl_context_properties, 5> list = {
      CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(gl_context), CL_GLX_DISPLAY_KHR,
      reinterpret_cast<cl_context_properties>(display), 0};
  for (const cl_gl_context_info what : {CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, CL_DEVICES_FOR_GL_CONTEXT_KHR}) {
    cl_device_id found = nullptr;
    std::size_t size = 0;
    EXPECT_EQ(clGetGLContextInfoKHR(list.data(), what, sizeof found, &found, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof found);
    EXPECT_EQ(found, device);
    EXPECT_EQ(clGetGLContextInfoKHR(list.data(), what, 1, &found, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(clGetGLContextInfoKHR(list.data(), 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

}  // namespace
}  // namespace lanewise::test
