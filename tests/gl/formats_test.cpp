// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All internal formats and all targets, in both directions, with contents compared.
#include <cstring>
#include <random>

#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

struct FormatRow {
  const char* name;
  GLenum internal;
  cl_channel_order order;
  cl_channel_type type;
  GLenum format;
  GLenum data;
};

constexpr FormatRow kFormats[] = {
#define GL_FORMAT(internal, order, type, format, data) \
  {#internal, GL_##internal, CL_##order, CL_##type, GL_##format, GL_##data},
#include "runtime/gl/formats.def"
#undef GL_FORMAT
};

using Bytes = std::vector<unsigned char>;

/// Texels that every format keeps: floats and halves are finite, signed normalised numbers are not the lowest.
Bytes some_texels(std::size_t size, const FormatRow& row) {
  Bytes bytes(size);
  std::minstd_rand random(row.internal);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random() % 120 + 1);
  if (row.order == CL_DEPTH && row.type == CL_FLOAT)
    for (std::size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
      const float depth = static_cast<float>(random() % 1000) / 1000;
      std::memcpy(bytes.data() + i, &depth, sizeof depth);
    }
  return bytes;
}

/// How a target is used: its image in OpenCL and its size.
struct TargetRow {
  const char* name;
  GLenum target;
  GLenum binding;
  cl_mem_object_type image;
  cl_gl_object_type object;
  GLsizei size[3];
};
constexpr GLsizei kFaces = 6;
constexpr TargetRow kTargets[] = {
    {"1D", GL_TEXTURE_1D, GL_TEXTURE_1D, CL_MEM_OBJECT_IMAGE1D, CL_GL_OBJECT_TEXTURE1D, {37, 1, 1}},
    {"1DArray",
     GL_TEXTURE_1D_ARRAY,
     GL_TEXTURE_1D_ARRAY,
     CL_MEM_OBJECT_IMAGE1D_ARRAY,
     CL_GL_OBJECT_TEXTURE1D_ARRAY,
     {19, 5, 1}},
    {"2D", GL_TEXTURE_2D, GL_TEXTURE_2D, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D, {13, 7, 1}},
    {"2DArray",
     GL_TEXTURE_2D_ARRAY,
     GL_TEXTURE_2D_ARRAY,
     CL_MEM_OBJECT_IMAGE2D_ARRAY,
     CL_GL_OBJECT_TEXTURE2D_ARRAY,
     {9, 5, 3}},
    {"3D", GL_TEXTURE_3D, GL_TEXTURE_3D, CL_MEM_OBJECT_IMAGE3D, CL_GL_OBJECT_TEXTURE3D, {5, 6, 7}},
    {"Rectangle",
     GL_TEXTURE_RECTANGLE,
     GL_TEXTURE_RECTANGLE,
     CL_MEM_OBJECT_IMAGE2D,
     CL_GL_OBJECT_TEXTURE2D,
     {11, 3, 1}},
    {"Face",
     GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
     GL_TEXTURE_CUBE_MAP,
     CL_MEM_OBJECT_IMAGE2D,
     CL_GL_OBJECT_TEXTURE2D,
     {8, 8, 1}},
};

bool is_depth(const FormatRow& row) {
  return row.order == CL_DEPTH || row.order == CL_DEPTH_STENCIL;
}
bool is_flat(const TargetRow& row) {
  return row.image == CL_MEM_OBJECT_IMAGE2D || row.image == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

class GlFormats : public WithEgl {
 protected:
  /// A texture of the target and format. Null: OpenGL does not have it.
  static GLuint texture(const TargetRow& target, const FormatRow& format, const void* texels, GLint level = 0) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(target.binding, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    const auto internal = static_cast<GLint>(format.internal);
    const auto& [width, height, depth] = target.size;
    const auto fill = [&](GLenum image, const void* from) {
      if (target.image == CL_MEM_OBJECT_IMAGE1D) {
        glTexImage1D(image, level, internal, width, 0, format.format, format.data, from);
      } else if (target.image == CL_MEM_OBJECT_IMAGE3D || target.image == CL_MEM_OBJECT_IMAGE2D_ARRAY) {
        glTexImage3D(image, level, internal, width, height, depth, 0, format.format, format.data, from);
      } else {
        glTexImage2D(image, level, internal, width, height, 0, format.format, format.data, from);
      }
    };
    if (target.binding == GL_TEXTURE_CUBE_MAP) {
      for (GLsizei face = 0; face < kFaces; ++face)
        fill(GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face), nullptr);
    }
    fill(target.target, texels);
    if (glGetError() != GL_NO_ERROR) {
      glDeleteTextures(1, &name);
      return 0;
    }
    return name;
  }

  static std::size_t texels_of(const TargetRow& target) {
    return static_cast<std::size_t>(target.size[0]) * static_cast<std::size_t>(target.size[1]) *
           static_cast<std::size_t>(target.size[2]);
  }

  /// Reads and writes an image whole, as the host does.
  Bytes read(const Mem& image, std::size_t size, const TargetRow& target) {
    Bytes bytes(size);
    const std::size_t origin[3] = {};
    const std::size_t region[3] = {static_cast<std::size_t>(target.size[0]), static_cast<std::size_t>(target.size[1]),
                                   static_cast<std::size_t>(target.size[2])};
    EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return bytes;
  }
  void write(const Mem& image, const Bytes& bytes, const TargetRow& target) {
    const std::size_t origin[3] = {};
    const std::size_t region[3] = {static_cast<std::size_t>(target.size[0]), static_cast<std::size_t>(target.size[1]),
                                   static_cast<std::size_t>(target.size[2])};
    EXPECT_EQ(clEnqueueWriteImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  template <class T>
  T image_value(const Mem& image, cl_image_info what) {
    T value{};
    EXPECT_EQ(clGetImageInfo(image.get(), what, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }

  void check(const TargetRow& target, const FormatRow& format) {
    SCOPED_TRACE(std::string(target.name) + " " + format.name);
    // An element has at most 16 bytes.
    const Bytes texels = some_texels(texels_of(target) * 16, format);
    const GLuint name = texture(target, format, texels.data());
    if (name == 0) return;  // OpenGL does not have it
    const Mem image = from_texture(target.target, name);
    ASSERT_NE(image, nullptr);
    const auto shown = image_value<cl_image_format>(image, CL_IMAGE_FORMAT);
    EXPECT_EQ(shown.image_channel_order, format.order);
    EXPECT_EQ(shown.image_channel_data_type, format.type);
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_WIDTH), static_cast<std::size_t>(target.size[0]));
    cl_mem_object_type type = 0;
    EXPECT_EQ(clGetMemObjectInfo(image.get(), CL_MEM_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, target.image);
    cl_gl_object_type object = 0;
    cl_GLuint object_name = 0;
    EXPECT_EQ(clGetGLObjectInfo(image.get(), &object, &object_name), CL_SUCCESS);
    EXPECT_EQ(object, target.object);
    EXPECT_EQ(object_name, name);
    acquire(image);
    if (format.order != CL_DEPTH_STENCIL) exchange(target, format, texels, image);
    release(image);
    glDeleteTextures(1, &name);
  }

  /// The content arrives, and what the host then writes arrives on the other side.
  void exchange(const TargetRow& target, const FormatRow& format, Bytes texels, const Mem& image) {
    texels.resize(texels_of(target) * image_value<std::size_t>(image, CL_IMAGE_ELEMENT_SIZE));
    EXPECT_EQ(read(image, texels.size(), target), texels);
    std::rotate(texels.begin(),
                texels.begin() + static_cast<std::ptrdiff_t>(image_value<std::size_t>(image, CL_IMAGE_ELEMENT_SIZE)),
                texels.end());
    write(image, texels, target);
    release(image);
    Bytes after(texels.size());
    glGetTexImage(target.target, 0, format.format, format.data, after.data());
    EXPECT_EQ(after, texels);
    acquire(image);
  }
};

TEST_F(GlFormats, EachFormatOfEachTarget) {
  for (const TargetRow& target : kTargets)
    for (const FormatRow& format : kFormats)
      if (!is_depth(format) || is_flat(target)) check(target, format);
}

TEST_F(GlFormats, Renderbuffers) {
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (const FormatRow& format : kFormats) {
    SCOPED_TRACE(format.name);
    GLuint names[2] = {};  // a renderbuffer and a framebuffer
    glGenRenderbuffers(1, &names[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, names[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, format.internal, 13, 7);
    if (glGetError() != GL_NO_ERROR) continue;  // a renderbuffer cannot have it
    glGenFramebuffers(1, &names[1]);
    glBindFramebuffer(GL_FRAMEBUFFER, names[1]);
    const GLenum attachment = format.order == CL_DEPTH           ? GL_DEPTH_ATTACHMENT
                              : format.order == CL_DEPTH_STENCIL ? GL_DEPTH_STENCIL_ATTACHMENT
                                                                 : GL_COLOR_ATTACHMENT0;
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, names[0]);
    glReadBuffer(attachment == GL_COLOR_ATTACHMENT0 ? attachment : GL_NONE);
    cl_int code = 1;
    const Mem image(clCreateFromGLRenderbuffer(context, CL_MEM_READ_WRITE, names[0], &code));
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) continue;
    ASSERT_EQ(code, CL_SUCCESS);
    acquire(image);
    if (format.order != CL_DEPTH_STENCIL) {
      const TargetRow& target = kTargets[2];
      const std::size_t size = texels_of(target) * image_value<std::size_t>(image, CL_IMAGE_ELEMENT_SIZE);
      const Bytes texels = some_texels(size, format);
      write(image, texels, target);
      release(image);
      Bytes after(size);
      glReadPixels(0, 0, 13, 7, format.format, format.data, after.data());
      EXPECT_EQ(after, texels);
      acquire(image);
      EXPECT_EQ(read(image, size, target), texels);
    }
    release(image);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &names[1]);
    glDeleteRenderbuffers(1, &names[0]);
  }
}

TEST_F(GlFormats, FormatsWithoutImageFormats) {
  for (const GLenum internal : {GL_RGB8, GL_R11F_G11F_B10F, GL_RGB9_E5}) {
    const GLuint name = gl_texture_2d(internal, 8, 8, GL_RGB, GL_FLOAT, nullptr);
    cl_int code = 1;
    EXPECT_EQ(clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    glDeleteTextures(1, &name);
  }
}

TEST_F(GlFormats, ATextureOfABuffer) {
  std::vector<float> values(400);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const GLuint buffer = gl_buffer(values.data(), values.size() * sizeof(float));
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_BUFFER, name);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
  const Mem image = from_texture(GL_TEXTURE_BUFFER, name);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_WIDTH), 100u);
  acquire(image);
  cl_kernel kernel = kernel_of(
      "kernel void change(read_write image1d_buffer_t image) {"
      "  const int at = get_global_id(0);"
      "  write_imagef(image, at, read_imagef(image, at) * 2.0f);"
      "}",
      "change");
  cl_mem handle = image.get();
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_SUCCESS);
  const std::size_t items = 100;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  clReleaseKernel(kernel);
  release(image);
  std::vector<float> after(values.size());
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(after.size() * sizeof(float)), after.data());
  for (float& value : values) value *= 2;
  EXPECT_EQ(after, values);
  glDeleteTextures(1, &name);
  glDeleteBuffers(1, &buffer);
}

TEST_F(GlFormats, MipLevels) {
  constexpr GLsizei kSize = 16;
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (GLint level = 0; (kSize >> level) != 0; ++level) {
    const Bytes texels(std::size_t{4} * kSize * kSize, static_cast<unsigned char>(10 + level));
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, kSize >> level, kSize >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
  }
  const Mem second = from_texture(GL_TEXTURE_2D, name, 2);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(image_value<std::size_t>(second, CL_IMAGE_WIDTH), 4u);
  acquire(second);
  const std::size_t origin[3] = {};
  const std::size_t one[3] = {1, 1, 1};
  unsigned char texel[4] = {};
  EXPECT_EQ(clEnqueueReadImage(queue, second.get(), CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(texel[0], 12);
  release(second);
  // A level below 0 stands for all of them (cl_khr_mipmap_image).
  const Mem all = from_texture(GL_TEXTURE_2D, name, -1);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(image_value<cl_uint>(all, CL_IMAGE_NUM_MIP_LEVELS), 5u);
  acquire(all);
  for (std::size_t level = 0; level < 5; ++level) {
    const std::size_t at[3] = {0, 0, level};
    EXPECT_EQ(clEnqueueReadImage(queue, all.get(), CL_TRUE, at, one, 0, 0, texel, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(texel[0], 10 + level);
  }
  release(all);
  cl_int code = 1;
  for (const GLint level : {5, 100}) {
    EXPECT_EQ(clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, level, name, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_MIP_LEVEL);
  }
  glDeleteTextures(1, &name);
}

}  // namespace
}  // namespace lanewise::test
