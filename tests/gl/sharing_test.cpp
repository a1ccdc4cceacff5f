// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory objects that share their content with OpenGL (cl_khr_gl_sharing): contents both ways, through kernels.
#include <numeric>

#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

class GlSharing : public WithEgl {
 protected:
  /// Runs a kernel of one memory object over `items` work-items.
  void run(const char* source, const Mem& memory, std::size_t x, std::size_t y = 1) {
    cl_kernel kernel = kernel_of(source, "change");
    cl_mem handle = memory.get();
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_SUCCESS);
    const std::size_t sizes[] = {x, y};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, sizes, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    clReleaseKernel(kernel);
  }
};

TEST_F(GlSharing, AKernelChangesABuffer) {
  std::vector<unsigned> values(1000);
  std::iota(values.begin(), values.end(), 0u);
  const GLuint name = gl_buffer(values.data(), values.size() * sizeof values[0]);
  const Mem memory = from_buffer(name);
  ASSERT_NE(memory, nullptr);
  acquire(memory);
  run("kernel void change(global uint* values) { values[get_global_id(0)] += 7; }", memory, values.size());
  release(memory);
  std::vector<unsigned> after(values.size());
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(after.size() * sizeof after[0]), after.data());
  for (unsigned& value : values) value += 7;
  EXPECT_EQ(after, values);
  glDeleteBuffers(1, &name);
}

TEST_F(GlSharing, AKernelChangesATexture) {
  constexpr GLsizei kWidth = 33;
  constexpr GLsizei kHeight = 17;
  std::vector<unsigned char> texels(std::size_t{4} * kWidth * kHeight);
  std::iota(texels.begin(), texels.end(), 0);
  const GLuint name = gl_texture_2d(GL_RGBA8, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const Mem memory = from_texture(GL_TEXTURE_2D, name);
  ASSERT_NE(memory, nullptr);
  acquire(memory);
  run("kernel void change(read_write image2d_t image) {"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imagef(image, at, read_imagef(image, at).wzyx);"
      "}",
      memory, kWidth, kHeight);
  release(memory);
  std::vector<unsigned char> after(texels.size());
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, after.data());
  for (std::size_t i = 0; i < texels.size(); i += 4) {
    std::swap(texels[i], texels[i + 3]);
    std::swap(texels[i + 1], texels[i + 2]);
  }
  EXPECT_EQ(after, texels);
  glDeleteTextures(1, &name);
}

/// Where OpenGL runs on the processor, a buffer's memory is the same on both sides.
TEST_F(GlSharing, ABufferIsNotCopied) {
  const std::string renderer(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
  if (renderer.rfind("llvmpipe", 0) != 0) GTEST_SKIP() << "OpenGL does not run on the processor";
  const std::vector<char> bytes(1 << 16, 'a');
  const GLuint name = gl_buffer(bytes.data(), bytes.size());
  const Mem memory = from_buffer(name);
  acquire(memory);
  void* ours = clEnqueueMapBuffer(queue, memory.get(), CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory.get(), ours, 0, nullptr, nullptr), CL_SUCCESS);
  release(memory);
  void* theirs = glMapBufferRange(GL_ARRAY_BUFFER, 0, 16, GL_MAP_READ_BIT);
  EXPECT_EQ(ours, theirs);
  glUnmapBuffer(GL_ARRAY_BUFFER);
}

/// Several memory objects of one buffer.
TEST_F(GlSharing, ABufferOfTwoMemoryObjects) {
  const int seven = 7;
  const GLuint name = gl_buffer(&seven, sizeof seven);
  const Mem first = from_buffer(name);
  acquire(first);
  const Mem second = from_buffer(name);
  acquire(second);
  for (const Mem* memory : {&first, &second}) {
    int value = 0;
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory->get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(value, 7);
  }
  release(first);
  release(second);
}

class GlSharingWith : public GlSharing, public testing::WithParamInterface<Api> {
 protected:
  void SetUp() override { start(GetParam()); }
};

TEST_P(GlSharingWith, BuffersAndTextures) {
  const int numbers[] = {3, 4, 5, 6};
  const GLuint name = gl_buffer(numbers, sizeof numbers);
  const unsigned char texels[] = {1, 2, 3, 4, 5, 6, 7, 8};
  // OpenGL ES 2 has no sized formats.
  const GLenum internal = GetParam() == Api::es2 ? GL_RGBA : GL_RGBA8;
  const GLuint texture = gl_texture_2d(internal, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  const Mem memory = from_buffer(name);
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  ASSERT_NE(memory, nullptr);
  ASSERT_NE(image, nullptr);
  acquire(memory);
  acquire(image);
  int read[4] = {};
  EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, sizeof read, read, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read[3], 6);
  const std::size_t origin[3] = {};
  const std::size_t region[3] = {2, 1, 1};
  unsigned char seen[8] = {};
  EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, seen, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(seen[7], 8);
  release(image);
  release(memory);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Contexts, GlSharingWith, testing::Values(Api::core, Api::legacy, Api::es2, Api::es3));

}  // namespace
}  // namespace lanewise::test
