// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Displays that end while OpenCL shares with them, and processes that fork or exit in the middle of transfers.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

/// A process that takes longer than this hangs, and is ended by a signal.
constexpr unsigned kPatienceSeconds = 60;

class GlLifetimes : public WithEgl {
 protected:
  static constexpr GLsizei kSize = 1024;
  static constexpr int kTransfers = 20;

  void SetUp() override {
    // A process of its own begins anew, without a copy of half of the threads.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    WithEgl::SetUp();
    if (context == nullptr) return;
    const std::vector<float> texels(std::size_t{4} * kSize * kSize, 0.5F);
    texture = gl_texture_2d(GL_RGBA32F, kSize, kSize, GL_RGBA, GL_FLOAT, texels.data());
    glFinish();
  }

  /// Enqueues copies in both directions that go on after the call: no context is current any more.
  void begin_transfers(const Mem& image) const {
    leave();
    for (int i = 0; i < kTransfers; ++i) {
      acquire(image);
      release(image);
    }
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  }
  /// Whether OpenCL finds the texels of the texture.
  bool has_texels(const Mem& image) const {
    acquire(image);
    const std::size_t origin[3] = {kSize - 1, kSize - 1, 0};
    const std::size_t one[3] = {1, 1, 1};
    float texel[4] = {};
    EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
              CL_SUCCESS);
    release(image);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return texel[0] == 0.5F && texel[3] == 0.5F;
  }
  void release_objects() {
    EXPECT_EQ(clReleaseCommandQueue(std::exchange(queue, nullptr)), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(std::exchange(context, nullptr)), CL_SUCCESS);
  }
  [[noreturn]] static void leave_process() { std::exit(HasFailure() ? 1 : 0); }

  GLuint texture = 0;
};

/// The driver's context is current in its thread, so it goes on.
TEST_F(GlLifetimes, TheDisplayIsTerminatedBetweenTransfers) {
  const auto body = [this] {
    alarm(kPatienceSeconds);
    const int seven = 7;
    const Mem memory = from_buffer(gl_buffer(&seven, sizeof seven));
    Mem image = from_texture(GL_TEXTURE_2D, texture);
    acquire(memory);
    leave();
    EXPECT_NE(eglTerminate(surfaceless_display()), EGL_FALSE);
    int value = 0;
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(value, 7);
    release(memory);
    EXPECT_TRUE(has_texels(image));
    const auto list = properties();
    cl_int code = 1;
    EXPECT_EQ(clCreateContext(list.data(), 1, &device, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
    image.reset();
    release_objects();
    leave_process();
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST_F(GlLifetimes, TheDisplayIsTerminatedDuringTransfers) {
  const auto body = [this] {
    alarm(kPatienceSeconds);
    Mem image = from_texture(GL_TEXTURE_2D, texture);
    begin_transfers(image);
    EXPECT_NE(eglTerminate(surfaceless_display()), EGL_FALSE);
    EXPECT_TRUE(has_texels(image));
    image.reset();
    release_objects();
    leave_process();
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST_F(GlLifetimes, TheProcessExitsDuringTransfers) {
  for (const bool terminates : {false, true}) {
    const auto body = [&] {
      alarm(kPatienceSeconds);
      const Mem image = from_texture(GL_TEXTURE_2D, texture);
      begin_transfers(image);
      if (terminates) eglTerminate(surfaceless_display());
      leave_process();
    };
    EXPECT_EXIT(body(), testing::ExitedWithCode(0), "") << terminates;
  }
}

/// The child has no thread of OpenGL. It lets go of what it has inherited, and computes without OpenGL.
TEST_F(GlLifetimes, TheProcessForksDuringTransfers) {
  Mem image = from_texture(GL_TEXTURE_2D, texture);
  begin_transfers(image);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(kPatienceSeconds);
    clReleaseMemObject(image.release());
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    cl_int code = 1;
    const cl_device_id again = first_device();
    cl_context own = clCreateContext(nullptr, 1, &again, nullptr, nullptr, &code);
    cl_command_queue commands = clCreateCommandQueue(own, again, 0, nullptr);
    cl_mem buffer = clCreateBuffer(own, CL_MEM_READ_WRITE, sizeof code, nullptr, nullptr);
    const bool good =
        clEnqueueWriteBuffer(commands, buffer, CL_TRUE, 0, sizeof code, &code, 0, nullptr, nullptr) == CL_SUCCESS &&
        clFinish(commands) == CL_SUCCESS;
    _exit(good && code == CL_SUCCESS ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(has_texels(image));
  image.reset();
  make_current();
}

}  // namespace
}  // namespace lanewise::test
