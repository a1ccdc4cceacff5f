// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the driver's context has of a texture.
#pragma once

#include "runtime/gl/images.h"
#include "runtime/gl/shared_object.h"

namespace lanewise::gl {

/// A value of `target` in clCreateFromGLTexture.
struct TextureTarget {
  GLenum target;
  GLenum binding;  ///< what the texture is bound to
  cl_gl_object_type object;
  cl_mem_object_type image;
};

/// A texture of the application, bound to a unit of its own: that keeps its content alive, and reaches it even if its
/// name is deleted or belongs to another texture. Where no unit is left, the texture is bound again each time.
class HeldTexture : public Held {
 public:
  HeldTexture(ContextThread& thread, const Functions& gl, const TextureTarget& target, GLuint name);

  /// Sets what is transferred.
  /// @param base  the level of the texture that is level 0 of the image
  void set_image(const Format& format, const ImageLayout& layout, GLint base) {
    format_ = &format;
    layout_ = layout;
    base_ = base;
  }

  cl_int acquire(const Functions& gl, std::byte* data) noexcept override;
  cl_int release(const Functions& gl, const std::byte* data) noexcept override;

 protected:
  [[nodiscard]] const TextureTarget& target() const { return target_; }
  [[nodiscard]] const Format& format() const { return *format_; }
  [[nodiscard]] const ImageLayout& layout() const { return layout_; }
  [[nodiscard]] GLuint unit() const { return unit_; }
  void drop(const Functions& gl) noexcept override;
  /// Makes the texture the one that commands act on. False: it has been deleted.
  bool select(const Functions& gl);

 private:
  [[nodiscard]] GLint level_of(std::size_t i) const { return base_ + static_cast<GLint>(i); }
  [[nodiscard]] bool has_size(const Functions& gl, std::size_t i) const;
  void write(const Functions& gl, std::size_t i, const std::byte* data) const;

  TextureUnits& units_;
  const TextureTarget& target_;
  const GLuint name_;
  const GLuint unit_;
  const Format* format_ = nullptr;
  ImageLayout layout_;
  GLint base_ = 0;
};

/// A multi-sampled texture, of which `set_image` says how it is read.
[[nodiscard]] std::unique_ptr<HeldTexture> hold_multisample(ContextThread& thread, const Functions& gl,
                                                            const TextureTarget& target, GLuint name);

}  // namespace lanewise::gl
