// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Renderbuffers. They are read through a framebuffer, and written by way of a texture.
#include "runtime/gl/images.h"
#include "runtime/gl/shared_object.h"

namespace lanewise::gl {

namespace {

GLenum attachment_of(const Format& format) {
  if (format.has_stencil()) return GL_DEPTH_STENCIL_ATTACHMENT;
  return format.has_depth() ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
}

class HeldRenderbuffer final : public Held {
 public:
  HeldRenderbuffer(ContextThread& thread, const Functions& gl, const Format& format, ImageLayout layout, GLuint name)
      : Held(thread), format_(format), layout_(std::move(layout)), attachment_(attachment_of(format)) {
    gl.GenFramebuffers(1, &framebuffer_);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    // Attached, the renderbuffer lives on after its name is deleted.
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment_, GL_RENDERBUFFER, name);
    const GLenum colour = attachment_ == GL_COLOR_ATTACHMENT0 ? attachment_ : GL_NONE;
    gl.ReadBuffer(colour);
    gl.DrawBuffer(colour);
  }

  cl_int acquire(const Functions& gl, std::byte* data) noexcept override {
    gl.forget_errors();
    if (!bind(gl, GL_READ_FRAMEBUFFER)) return CL_INVALID_GL_OBJECT;
    const auto width = static_cast<GLsizei>(layout_.desc.image_width);
    const auto height = static_cast<GLsizei>(layout_.desc.image_height);
    if (gl.ReadnPixels != nullptr && std::in_range<GLsizei>(layout_.bytes)) {
      gl.ReadnPixels(0, 0, width, height, format_.format, format_.type, static_cast<GLsizei>(layout_.bytes), data);
    } else {
      gl.ReadPixels(0, 0, width, height, format_.format, format_.type, data);
    }
    return error_of_transfer(gl);
  }

  cl_int release(const Functions& gl, const std::byte* data) noexcept override {
    // Kernels and the host only read these.
    if (format_.has_stencil()) return CL_SUCCESS;
    gl.forget_errors();
    if (!bind(gl, GL_DRAW_FRAMEBUFFER)) return CL_INVALID_GL_OBJECT;
    const auto width = static_cast<GLsizei>(layout_.desc.image_width);
    const auto height = static_cast<GLsizei>(layout_.desc.image_height);
    if (staging_ == 0) make_staging(gl, width, height);
    gl.ActiveTexture(GL_TEXTURE0 + TextureUnits::kShared);
    gl.BindTexture(GL_TEXTURE_2D, staging_);
    gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format_.format, format_.type, data);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, staging_framebuffer_);
    gl.BlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                       format_.has_depth() ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return error_of_transfer(gl);
  }

 private:
  /// False: the renderbuffer has another size by now, or no storage.
  [[nodiscard]] bool bind(const Functions& gl, GLenum target) const {
    gl.BindFramebuffer(target, framebuffer_);
    return gl.CheckFramebufferStatus(target) == GL_FRAMEBUFFER_COMPLETE;
  }

  void make_staging(const Functions& gl, GLsizei width, GLsizei height) {
    gl.GenTextures(1, &staging_);
    gl.ActiveTexture(GL_TEXTURE0 + TextureUnits::kShared);
    gl.BindTexture(GL_TEXTURE_2D, staging_);
    gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format_.internal), width, height, 0, format_.format,
                  format_.type, nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.GenFramebuffers(1, &staging_framebuffer_);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, staging_framebuffer_);
    gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, attachment_, GL_TEXTURE_2D, staging_, 0);
    gl.ReadBuffer(attachment_ == GL_COLOR_ATTACHMENT0 ? attachment_ : GL_NONE);
  }

  void drop(const Functions& gl) noexcept override {
    gl.DeleteFramebuffers(1, &framebuffer_);
    gl.DeleteFramebuffers(1, &staging_framebuffer_);
    gl.DeleteTextures(1, &staging_);
  }

  const Format& format_;
  const ImageLayout layout_;
  const GLenum attachment_;
  GLuint framebuffer_ = 0;
  GLuint staging_ = 0;  ///< a texture of the same format and size, made with the first release
  GLuint staging_framebuffer_ = 0;
};

struct RenderbufferFacts {
  StorageFacts storage;
  Extent extent{};
  GLint samples = 0;
};

RenderbufferFacts facts_of(const Functions& gl, GLuint name) {
  const auto value = [&gl](GLenum what) {
    GLint out = 0;
    gl.GetRenderbufferParameteriv(GL_RENDERBUFFER, what, &out);
    return out;
  };
  gl.BindRenderbuffer(GL_RENDERBUFFER, name);
  RenderbufferFacts facts;
  facts.extent = {value(GL_RENDERBUFFER_WIDTH), value(GL_RENDERBUFFER_HEIGHT), 1};
  facts.samples = value(GL_RENDERBUFFER_SAMPLES);
  facts.storage.internal = static_cast<GLenum>(value(GL_RENDERBUFFER_INTERNAL_FORMAT));
  facts.storage.red_bits = value(GL_RENDERBUFFER_RED_SIZE);
  facts.storage.alpha_bits = value(GL_RENDERBUFFER_ALPHA_SIZE);
  facts.storage.depth_bits = value(GL_RENDERBUFFER_DEPTH_SIZE);
  // Formats without sizes are normalised.
  facts.storage.red_type = GL_UNSIGNED_NORMALIZED;
  facts.storage.depth_type = GL_UNSIGNED_NORMALIZED;
  gl.BindRenderbuffer(GL_RENDERBUFFER, 0);
  return facts;
}

}  // namespace

Result<Found> find_renderbuffer(ContextThread& thread, const Functions& gl, GLuint name) {
  gl.forget_errors();
  if (name == 0 || gl.IsRenderbuffer(name) == GL_FALSE) return Error{CL_INVALID_GL_OBJECT, "not a renderbuffer"};
  const RenderbufferFacts facts = facts_of(gl, name);
  if (facts.extent[0] <= 0 || facts.extent[1] <= 0) return Error{CL_INVALID_GL_OBJECT, "no storage"};
  if (facts.samples > 0) return Error{CL_INVALID_OPERATION, "the renderbuffer is multi-sampled"};
  const Format* format = find_format(facts.storage);
  if (format == nullptr) return Error{CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format for the internal format"};
  auto layout = lay_out_image(CL_MEM_OBJECT_IMAGE2D, *format, facts.extent);
  if (!layout.ok()) return layout.error();
  Found found;
  found.layout = std::move(layout).value();
  std::unique_ptr<Held> held(new HeldRenderbuffer(thread, gl, *format, found.layout, name));
  const ObjectName what{.type = CL_GL_OBJECT_RENDERBUFFER, .name = name};
  found.object = std::make_unique<SharedObject>(thread.shared_from_this(), std::move(held), what);
  return found;
}

}  // namespace lanewise::gl
