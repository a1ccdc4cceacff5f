// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fences of OpenGL and EGL as events (cl_khr_gl_event, cl_khr_egl_event), and the order without them.
#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

template <class T>
T event_value(cl_event event, cl_event_info what) {
  T value{};
  EXPECT_EQ(clGetEventInfo(event, what, sizeof value, &value, nullptr), CL_SUCCESS);
  return value;
}

/// A target that OpenGL draws to for a while.
class WithCanvas : public WithEgl {
 protected:
  static constexpr GLsizei kSize = 512;
  void SetUp() override {
    WithEgl::SetUp();
    if (context == nullptr) return;
    texture = gl_texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  }
  /// Draws `times` times over the whole texture; the last colour is white.
  static void draw(int times) {
    glEnable(GL_SCISSOR_TEST);  // a clear of a part is a draw
    glScissor(0, 0, kSize, kSize);
    for (int i = 1; i <= times; ++i) {
      glClearColor(static_cast<float>(i) / static_cast<float>(times), 1, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
    }
  }
  /// Whether all texels of the acquired image are white.
  bool is_white(const Mem& image, cl_uint waits = 0, const cl_event* list = nullptr) {
    std::vector<unsigned char> texels(std::size_t{4} * kSize * kSize);
    const std::size_t origin[3] = {};
    const std::size_t region[3] = {kSize, kSize, 1};
    EXPECT_EQ(
        clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, texels.data(), waits, list, nullptr),
        CL_SUCCESS);
    return std::all_of(texels.begin(), texels.end(), [](unsigned char c) { return c == 255; });
  }
  GLuint texture = 0;
};

class GlSync : public WithCanvas {};
class EglSync : public WithCanvas {};

TEST_F(GlSync, AnAcquireWaitsForTheCallingThreadsContext) {
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  draw(200);
  acquire(image);
  EXPECT_TRUE(is_white(image));
}

TEST_F(GlSync, AReleaseIsDoneBeforeWhatFollows) {
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  draw(1);
  acquire(image);
  const std::size_t origin[3] = {};
  const std::size_t region[3] = {kSize, kSize, 1};
  const float grey[4] = {0.2F, 0.2F, 0.2F, 0.2F};
  EXPECT_EQ(clEnqueueFillImage(queue, image.get(), grey, origin, region, 0, nullptr, nullptr), CL_SUCCESS);
  release(image);
  std::vector<unsigned char> texel(4);
  glReadPixels(kSize - 1, kSize - 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
  EXPECT_EQ(texel[0], 51);
}

/// A release that cannot end before the application does something else does not block its thread.
TEST_F(GlSync, AReleaseAfterAUserEventDoesNotBlock) {
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  acquire(image);
  cl_event user = clCreateUserEvent(context, nullptr);
  cl_mem handle = image.get();
  cl_event released = nullptr;
  EXPECT_EQ(clEnqueueReleaseGLObjects(queue, 1, &handle, 1, &user, &released), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &released), CL_SUCCESS);
  clReleaseEvent(released);
  clReleaseEvent(user);
}

TEST_F(GlSync, AnEventEndsWithItsFence) {
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  draw(200);
  GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  cl_int code = 1;
  cl_event event = clCreateEventFromGLsyncKHR(context, reinterpret_cast<cl_GLsync>(fence), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  glDeleteSync(fence);  // the event keeps what it needs
  leave();              // so that the order is that of the fence alone
  EXPECT_EQ(event_value<cl_command_type>(event, CL_EVENT_COMMAND_TYPE),
            static_cast<cl_command_type>(CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR));
  EXPECT_EQ(event_value<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(event_value<cl_context>(event, CL_EVENT_CONTEXT), context);
  const cl_int status = event_value<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  EXPECT_TRUE(status == CL_SUBMITTED || status == CL_COMPLETE);
  cl_mem handle = image.get();
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue, 1, &handle, 1, &event, nullptr), CL_SUCCESS);
  EXPECT_TRUE(is_white(image));
  EXPECT_EQ(event_value<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  // Only commands that acquire and release wait for it, and nobody else sets its status.
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &event, nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
  clReleaseEvent(event);
  make_current();
}

TEST_F(GlSync, WhatIsNoFence) {
  cl_int code = 1;
  EXPECT_EQ(clCreateEventFromGLsyncKHR(context, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_GL_OBJECT);
  int nothing[64] = {};
  EXPECT_EQ(clCreateEventFromGLsyncKHR(context, reinterpret_cast<cl_GLsync>(nothing), &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_GL_OBJECT);
}

TEST_F(EglSync, AnEventEndsWithItsFence) {
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  draw(200);
  EGLSync fence = eglCreateSync(surfaceless_display(), EGL_SYNC_FENCE, nullptr);
  if (fence == EGL_NO_SYNC) GTEST_SKIP() << "EGL has no fences";
  glFlush();
  cl_int code = 1;
  cl_event event = clCreateEventFromEGLSyncKHR(context, fence, surfaceless_display(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  eglDestroySync(surfaceless_display(), fence);
  leave();
  EXPECT_EQ(event_value<cl_command_type>(event, CL_EVENT_COMMAND_TYPE),
            static_cast<cl_command_type>(CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR));
  cl_mem handle = image.get();
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue, 1, &handle, 1, &event, nullptr), CL_SUCCESS);
  EXPECT_TRUE(is_white(image));
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &event, nullptr), CL_INVALID_EVENT);
  clReleaseEvent(event);
  make_current();
}

TEST_F(EglSync, WhatIsNoFence) {
  cl_int code = 1;
  int nothing[64] = {};
  EXPECT_EQ(clCreateEventFromEGLSyncKHR(context, nothing, surfaceless_display(), &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_EGL_OBJECT_KHR);
  EXPECT_EQ(clCreateEventFromEGLSyncKHR(context, nullptr, nothing, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_EGL_OBJECT_KHR);
}

}  // namespace
}  // namespace lanewise::test
