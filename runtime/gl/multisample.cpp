// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Multi-sampled textures (cl_khr_gl_msaa_sharing). No transfer of OpenGL reads them, so a shader fetches one sample of
/// all texels into a texture that a transfer reads. Kernels only read such images, and so does the host.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "runtime/gl/texture.h"

namespace lanewise::gl {

namespace {

constexpr const char* kVertexShader = R"(#version 150
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }
)";

/// The type of the texels in the shader: "" for floats, "i" or "u" for integers.
const char* prefix_of(const Format& format) {
  if (!format.is_integer()) return "";
  return format.type == GL_BYTE || format.type == GL_SHORT || format.type == GL_INT ? "i" : "u";
}

std::string fragment_shader(const Format& format, bool layers) {
  const std::string prefix = prefix_of(format);
  const std::string place = layers ? "ivec3(gl_FragCoord.xy, layer)" : "ivec2(gl_FragCoord.xy)";
  return "#version 150\nuniform " + prefix + "sampler2DMS" + (layers ? "Array" : "") +
         " image;\nuniform int layer;\nuniform int index;\nout " + prefix +
         "vec4 colour;\nvoid main() { colour = texelFetch(image, " + place + ", index); }\n";
}

void attach(const Functions& gl, GLuint program, GLenum kind, const char* source) {
  const GLuint shader = gl.CreateShader(kind);
  gl.ShaderSource(shader, 1, &source, nullptr);
  gl.CompileShader(shader);
  gl.AttachShader(program, shader);
  gl.DeleteShader(shader);  // with the program
}

/// Depths are fetched as floats.
constexpr Format kDepths = {GL_R32F, {CL_R, CL_FLOAT}, GL_RED, GL_FLOAT};

/// Stores depths, which are in the first `count` floats of `data`, as a format has them.
void store_depths(const Format& format, const float* depths, std::size_t count, std::byte* data) {
  for (std::size_t i = 0; i < count; ++i) {
    const double depth = depths[i];
    if (format.type == GL_UNSIGNED_SHORT) {
      const auto value = static_cast<std::uint16_t>(std::lround(depth * 0xFFFF));
      std::memcpy(data + i * sizeof value, &value, sizeof value);
    } else if (format.type == GL_UNSIGNED_INT_24_8) {
      const auto value = static_cast<std::uint32_t>(std::lround(depth * 0xFFFFFF)) << 8;
      std::memcpy(data + i * sizeof value, &value, sizeof value);
    } else {
      const std::size_t bytes = format.has_stencil() ? 2 * sizeof(float) : sizeof(float);
      std::memcpy(data + i * bytes, &depths[i], sizeof(float));
    }
  }
}

class HeldMultisample final : public HeldTexture {
 public:
  using HeldTexture::HeldTexture;

  cl_int acquire(const Functions& gl, std::byte* data) noexcept override {
    const bool layers = target().image == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    try {
      if (!select(gl)) return CL_INVALID_GL_OBJECT;
      const Extent now = extent_of_level(gl, target().target, 0);
      const auto& desc = layout().desc;
      if (!std::cmp_equal(now[0], desc.image_width) || !std::cmp_equal(now[1], desc.image_height))
        return CL_INVALID_GL_OBJECT;
      if (program_ == 0 && !make_program(gl, layers)) return CL_OUT_OF_RESOURCES;
      depths_.resize(format().has_depth() ? desc.image_width * desc.image_height : 0);
      return fetch(gl, data);
    } catch (const std::bad_alloc&) {
      return CL_OUT_OF_HOST_MEMORY;
    }
  }
  cl_int release(const Functions& /*gl*/, const std::byte* /*data*/) noexcept override { return CL_SUCCESS; }

 private:
  [[nodiscard]] const Format& fetched() const { return format().has_depth() ? kDepths : format(); }

  bool make_program(const Functions& gl, bool layers) {
    program_ = gl.CreateProgram();
    attach(gl, program_, GL_VERTEX_SHADER, kVertexShader);
    attach(gl, program_, GL_FRAGMENT_SHADER, fragment_shader(format(), layers).c_str());
    gl.LinkProgram(program_);
    GLint linked = GL_FALSE;
    gl.GetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE) return false;
    gl.GenVertexArrays(1, &array_);
    gl.GenTextures(1, &slice_);
    gl.ActiveTexture(GL_TEXTURE0 + TextureUnits::kShared);
    gl.BindTexture(GL_TEXTURE_2D, slice_);
    const auto& desc = layout().desc;
    gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(fetched().internal), static_cast<GLsizei>(desc.image_width),
                  static_cast<GLsizei>(desc.image_height), 0, fetched().format, fetched().type, nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.GenFramebuffers(1, &framebuffer_);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, slice_, 0);
    return gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }

  cl_int fetch(const Functions& gl, std::byte* data) {
    const auto& desc = layout().desc;
    const auto width = static_cast<GLsizei>(desc.image_width);
    const auto height = static_cast<GLsizei>(desc.image_height);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl.BindVertexArray(array_);
    gl.UseProgram(program_);
    gl.Viewport(0, 0, width, height);
    gl.Enable(GL_FRAMEBUFFER_SRGB);
    gl.Uniform1i(gl.GetUniformLocation(program_, "image"), static_cast<GLint>(unit()));
    gl.ActiveTexture(GL_TEXTURE0 + unit());
    const ImageLevel& level = layout().levels.front();
    for (std::size_t i = 0; i < level.extent[2]; ++i) {
      gl.Uniform1i(gl.GetUniformLocation(program_, "layer"), static_cast<GLint>(i / desc.num_samples));
      gl.Uniform1i(gl.GetUniformLocation(program_, "index"), static_cast<GLint>(i % desc.num_samples));
      gl.DrawArrays(GL_TRIANGLES, 0, 3);
      std::byte* to = data + i * level.stride.slice;
      void* read = depths_.empty() ? static_cast<void*>(to) : depths_.data();
      gl.ReadPixels(0, 0, width, height, fetched().format, fetched().type, read);
      store_depths(format(), depths_.data(), depths_.size(), to);
    }
    gl.UseProgram(0);
    return error_of_transfer(gl);
  }

  void drop(const Functions& gl) noexcept override {
    HeldTexture::drop(gl);
    gl.DeleteProgram(program_);
    gl.DeleteVertexArrays(1, &array_);
    gl.DeleteFramebuffers(1, &framebuffer_);
    gl.DeleteTextures(1, &slice_);
  }

  GLuint program_ = 0;
  GLuint array_ = 0;
  GLuint framebuffer_ = 0;
  GLuint slice_ = 0;  ///< one sample of all texels of a layer
  std::vector<float> depths_;
};

}  // namespace

std::unique_ptr<HeldTexture> hold_multisample(ContextThread& thread, const Functions& gl, const TextureTarget& target,
                                              GLuint name) {
  return std::make_unique<HeldMultisample>(thread, gl, target, name);
}

}  // namespace lanewise::gl
