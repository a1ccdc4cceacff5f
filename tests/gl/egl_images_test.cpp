// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images of EGL (cl_khr_egl_image), in contexts with and without a context of OpenGL.
#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

class EglImages : public WithEgl {
 protected:
  void SetUp() override {
    WithEgl::SetUp();
    if (context == nullptr) return;
    const std::vector<unsigned char> texels(std::size_t{4} * kSize * kSize, 30);
    texture = gl_texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    image = eglCreateImage(surfaceless_display(), gl_context, EGL_GL_TEXTURE_2D,
                           reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(texture)), nullptr);
    if (image == EGL_NO_IMAGE) GTEST_SKIP() << "EGL makes no images of textures";
    glFinish();
  }
  static constexpr GLsizei kSize = 16;

  /// Reads the first byte of the image, and sets all bytes.
  void exchange(cl_context where) {
    cl_int code = 1;
    const Mem memory(clCreateFromEGLImageKHR(where, surfaceless_display(), image, CL_MEM_READ_WRITE, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    cl_command_queue own = clCreateCommandQueue(where, device, 0, nullptr);
    cl_mem handle = memory.get();
    const std::size_t origin[3] = {};
    const std::size_t all[3] = {kSize, kSize, 1};
    const std::size_t one[3] = {1, 1, 1};
    unsigned char texel[4] = {};
    EXPECT_EQ(clEnqueueReadImage(own, handle, CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
              CL_EGL_RESOURCE_NOT_ACQUIRED_KHR);
    EXPECT_EQ(clEnqueueAcquireGLObjects(own, 1, &handle, 0, nullptr, nullptr),
              where == context ? CL_INVALID_GL_OBJECT : CL_INVALID_CONTEXT);
    EXPECT_EQ(clGetGLObjectInfo(handle, nullptr, nullptr), CL_INVALID_GL_OBJECT);
    EXPECT_EQ(clEnqueueAcquireEGLObjectsKHR(own, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadImage(own, handle, CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(texel[0], 30);
    const float colour[4] = {1, 1, 1, 1};
    EXPECT_EQ(clEnqueueFillImage(own, handle, colour, origin, all, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReleaseEGLObjectsKHR(own, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(own), CL_SUCCESS);
    clReleaseCommandQueue(own);
    std::vector<unsigned char> texels(std::size_t{4} * kSize * kSize);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    EXPECT_EQ(texels, std::vector<unsigned char>(texels.size(), 255));
  }

  GLuint texture = 0;
  EGLImage image = EGL_NO_IMAGE;
};

TEST_F(EglImages, InAContextThatSharesWithOpenGl) {
  exchange(context);
}

TEST_F(EglImages, InAnyContext) {
  cl_context plain = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  exchange(plain);
  clReleaseContext(plain);
}

TEST_F(EglImages, Errors) {
  cl_int code = 1;
  int nothing[64] = {};
  const auto error = [&](cl_context where, void* display, void* what, cl_mem_flags flags,
                         const cl_egl_image_properties_khr* list) {
    EXPECT_EQ(clCreateFromEGLImageKHR(where, display, what, flags, list, &code), nullptr);
    return code;
  };
  const cl_egl_image_properties_khr unknown[] = {1, 1, 0};
  EGLDisplay display = surfaceless_display();
  EXPECT_EQ(error(nullptr, display, image, CL_MEM_READ_WRITE, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(error(context, nullptr, image, CL_MEM_READ_WRITE, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error(context, nothing, image, CL_MEM_READ_WRITE, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error(context, display, image, CL_MEM_USE_HOST_PTR, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error(context, display, image, CL_MEM_READ_WRITE, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(error(context, display, nothing, CL_MEM_READ_WRITE, nullptr), CL_INVALID_EGL_OBJECT_KHR);
  EXPECT_EQ(error(context, display, nullptr, CL_MEM_READ_WRITE, nullptr), CL_INVALID_EGL_OBJECT_KHR);
}

}  // namespace
}  // namespace lanewise::test
