// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that read depth, stencil and multi-sampled images (cl_khr_gl_depth_images, cl_khr_gl_msaa_sharing).
#include <cstring>

#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

class GlKernels : public WithEgl {
 protected:
  /// What a kernel that reads `image` writes to `count` floats.
  std::vector<float> results(const char* source, const Mem& image, std::size_t count, std::size_t x, std::size_t y) {
    cl_kernel kernel = kernel_of(source, "read");
    const Mem out(clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(float), nullptr, nullptr));
    cl_mem handles[] = {image.get(), out.get()};
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &handles[0]), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &handles[1]), CL_SUCCESS);
    const std::size_t sizes[] = {x, y};
    acquire(image);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, sizes, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    release(image);
    std::vector<float> values(count);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, out.get(), CL_TRUE, 0, count * sizeof(float), values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    clReleaseKernel(kernel);
    return values;
  }
  /// A multi-sampled texture, each sample of which has another colour or depth.
  GLuint samples_of(GLenum internal, GLenum attachment, GLsizei samples, GLsizei layers) const {
    const GLenum target = layers == 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    if (layers == 0) {
      glTexImage2DMultisample(target, samples, internal, kSize, kSize, GL_TRUE);
    } else {
      glTexImage3DMultisample(target, samples, internal, kSize, kSize, layers, GL_TRUE);
    }
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glEnable(GL_SAMPLE_MASK);
    for (GLsizei layer = 0; layer < std::max(layers, 1); ++layer) {
      if (layers == 0) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, target, name, 0);
      } else {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, name, 0, layer);
      }
      for (GLsizei sample = 0; sample < samples; ++sample) paint(layer, sample, attachment);
    }
    glDisable(GL_SAMPLE_MASK);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    return name;
  }

  static float value_of(std::size_t layer, std::size_t sample) {
    return static_cast<float>(4 * layer + sample + 1) / 16;
  }

  static constexpr GLsizei kSize = 8;

 private:
  /// Draws a triangle over all of one sample. A clear would ignore the mask.
  void paint(GLsizei layer, GLsizei sample, GLenum attachment) const {
    static const char* const kVertex =
        "#version 150\nuniform float value;\nvoid main() {"
        " gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 2 * value - 1, 1); }";
    static const char* const kFragment =
        "#version 150\nuniform float value;\nout vec4 colour;\nvoid main() { colour = vec4(value, 0, 0, 1); }";
    const GLuint program = glCreateProgram();
    for (const auto& [kind, text] : {std::pair(GL_VERTEX_SHADER, kVertex), std::pair(GL_FRAGMENT_SHADER, kFragment)}) {
      const GLuint shader = glCreateShader(static_cast<GLenum>(kind));
      glShaderSource(shader, 1, &text, nullptr);
      glCompileShader(shader);
      glAttachShader(program, shader);
      glDeleteShader(shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "value"),
                value_of(static_cast<std::size_t>(layer), static_cast<std::size_t>(sample)));
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    if (attachment == GL_DEPTH_ATTACHMENT) {
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_ALWAYS);
      glDrawBuffer(GL_NONE);
    }
    glViewport(0, 0, kSize, kSize);
    glSampleMaski(0, 1U << sample);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteVertexArrays(1, &array);
  }
};

TEST_F(GlKernels, DepthAndStencil) {
  constexpr std::size_t kCount = 16;
  std::vector<std::uint32_t> words(2 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const float depth = static_cast<float>(i) / kCount;
    std::memcpy(&words[2 * i], &depth, sizeof depth);
    words[2 * i + 1] = 200;
  }
  std::vector<std::uint32_t> packed(kCount);
  for (std::size_t i = 0; i < kCount; ++i) packed[i] = static_cast<std::uint32_t>(0xFFFFFF * i / kCount) << 8 | 200U;
  const GLuint names[] = {
      gl_texture_2d(GL_DEPTH32F_STENCIL8, 4, 4, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, words.data()),
      gl_texture_2d(GL_DEPTH24_STENCIL8, 4, 4, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data())};
  for (const GLuint name : names) {
    const Mem image = from_texture(GL_TEXTURE_2D, name, 0, CL_MEM_READ_ONLY);
    ASSERT_NE(image, nullptr);
    const auto values = results(
        "kernel void read(read_only image2d_depth_t image, global float* out) {"
        "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
        "  out[at.y * 4 + at.x] = get_image_channel_order(image) == CLK_DEPTH_STENCIL ? read_imagef(image, at) : -1.0f;"
        "}",
        image, kCount, 4, 4);
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_NEAR(values[i], static_cast<float>(i) / kCount, 1e-6);
    // API 5.3.14.1: the host does not read such an image.
    acquire(image);
    const std::size_t origin[3] = {};
    const std::size_t one[3] = {1, 1, 1};
    std::uint64_t texel = 0;
    EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, one, 0, 0, &texel, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueWriteImage(queue, image.get(), CL_TRUE, origin, one, 0, 0, &texel, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    release(image);
  }
  // Without OpenGL nobody makes them.
  const cl_image_format format{CL_DEPTH_STENCIL, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  cl_int code = 1;
  EXPECT_EQ(clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

constexpr const char* kReadSamples =
    "kernel void read(read_only image2d_msaa_t image, global float* out) {"
    "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "  const int count = get_image_num_samples(image);"
    "  for (int i = 0; i < count; ++i) out[(at.y * 8 + at.x) * count + i] = read_imagef(image, at, i).x;"
    "}";

TEST_F(GlKernels, MultiSampledColours) {
  const GLuint name = samples_of(GL_RGBA32F, GL_COLOR_ATTACHMENT0, 4, 0);
  const Mem image = from_texture(GL_TEXTURE_2D_MULTISAMPLE, name, 0, CL_MEM_READ_ONLY);
  ASSERT_NE(image, nullptr);
  cl_int samples = 0;
  EXPECT_EQ(clGetGLTextureInfo(image.get(), CL_GL_NUM_SAMPLES, sizeof samples, &samples, nullptr), CL_SUCCESS);
  ASSERT_EQ(samples, 4);
  cl_uint shown = 0;
  EXPECT_EQ(clGetImageInfo(image.get(), CL_IMAGE_NUM_SAMPLES, sizeof shown, &shown, nullptr), CL_SUCCESS);
  EXPECT_EQ(shown, 4U);
  const auto values = results(kReadSamples, image, std::size_t{4} * kSize * kSize, kSize, kSize);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], value_of(0, i % 4)) << i;
  // Neither is an image of the other kind.
  cl_kernel kernel = kernel_of("kernel void read(read_only image2d_t image) {}", "read");
  cl_mem handle = image.get();
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
  clReleaseKernel(kernel);
  acquire(image);
  const std::size_t origin[3] = {};
  const std::size_t one[3] = {1, 1, 1};
  float texel[4] = {};
  EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  release(image);
}

TEST_F(GlKernels, MultiSampledArraysAndDepths) {
  const Mem layers = from_texture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, samples_of(GL_R32F, GL_COLOR_ATTACHMENT0, 4, 3), 0,
                                  CL_MEM_READ_ONLY);
  ASSERT_NE(layers, nullptr);
  const auto colours = results(
      "kernel void read(read_only image2d_array_msaa_t image, global float* out) {"
      "  const int layers = (int)get_image_array_size(image);"
      "  for (int z = 0; z < layers; ++z)"
      "    for (int i = 0; i < 4; ++i) out[z * 4 + i] = read_imagef(image, (int4)(7, 7, z, 0), i).x;"
      "}",
      layers, 12, 1, 1);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(colours[i], value_of(i / 4, i % 4));
  for (const GLenum internal : {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT16}) {
    const Mem depths =
        from_texture(GL_TEXTURE_2D_MULTISAMPLE, samples_of(internal, GL_DEPTH_ATTACHMENT, 4, 0), 0, CL_MEM_READ_ONLY);
    ASSERT_NE(depths, nullptr);
    const auto values = results(
        "kernel void read(read_only image2d_msaa_depth_t image, global float* out) {"
        "  for (int i = 0; i < 4; ++i) out[i] = read_imagef(image, (int2)(3, 5), i);"
        "}",
        depths, 4, 1, 1);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(values[i], value_of(0, i), 1e-4);
  }
}

}  // namespace
}  // namespace lanewise::test
