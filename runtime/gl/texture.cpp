// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Textures of all targets, and images of EGL. OpenGL offers no address of a texture's content, so it is copied.
#include <CL/cl_egl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "runtime/gl/formats.h"
#include "runtime/gl/texture.h"

namespace lanewise::gl {

namespace {

constexpr TextureTarget kTargets[] = {
    {GL_TEXTURE_1D, GL_TEXTURE_1D, CL_GL_OBJECT_TEXTURE1D, CL_MEM_OBJECT_IMAGE1D},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY, CL_GL_OBJECT_TEXTURE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY},
    {GL_TEXTURE_2D, GL_TEXTURE_2D, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {GL_TEXTURE_3D, GL_TEXTURE_3D, CL_GL_OBJECT_TEXTURE3D, CL_MEM_OBJECT_IMAGE3D},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY,
     CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_X, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_Y, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_Z, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
};

const TextureTarget* find_target(GLenum target) {
  const auto* const found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                         [&](const TextureTarget& t) { return t.target == target; });
  return found != std::end(kTargets) ? found : nullptr;
}

bool is_multisample(const TextureTarget& target) {
  return target.target == GL_TEXTURE_2D_MULTISAMPLE || target.target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

/// The levels of a texture that clCreateFromGLTexture may name.
struct LevelRange {
  GLint first;
  GLint last;
};

/// OpenGL 4.6, 8.17: level_base to q.
LevelRange levels_of(const Functions& gl, const TextureTarget& target) {
  LevelRange range{0, 0};
  if (target.target == GL_TEXTURE_RECTANGLE || is_multisample(target)) return range;
  GLint most = 0;
  gl.GetTexParameteriv(target.binding, GL_TEXTURE_BASE_LEVEL, &range.first);
  gl.GetTexParameteriv(target.binding, GL_TEXTURE_MAX_LEVEL, &most);
  Extent extent = extent_of_level(gl, target.target, range.first);
  // The layers of an array do not count.
  if (target.image == CL_MEM_OBJECT_IMAGE1D_ARRAY) extent[1] = 1;
  if (target.image == CL_MEM_OBJECT_IMAGE2D_ARRAY) extent[2] = 1;
  const auto largest = static_cast<unsigned>(std::max(*std::max_element(extent.begin(), extent.end()), 1));
  range.last = std::min(range.first + static_cast<GLint>(std::bit_width(largest)) - 1, most);
  return range;
}

/// Whether the texture has a border, which only contexts of before OpenGL 3.2 know.
bool has_border(const Functions& gl, GLenum target, GLint level) {
  constexpr GLenum kBorder = 0x1005;
  GLint border = 0;
  gl.GetTexLevelParameteriv(target, level, kBorder, &border);
  gl.forget_errors();
  return border > 0;
}

/// Finds the image that the memory object gets. A level below 0 stands for all levels.
Result<ImageLayout> find_image(const Functions& gl, const TextureTarget& target, GLint level, HeldTexture& held) {
  const LevelRange range = levels_of(gl, target);
  if (level > range.last || (level >= 0 && level < range.first))
    return Error{CL_INVALID_MIP_LEVEL, "the texture has no such level"};
  const bool all = level < 0 && !is_multisample(target);
  const GLint base = all ? range.first : std::max(level, 0);
  const LevelFacts facts = facts_of_level(gl, target.target, base);
  if (gl.GetError() != GL_NO_ERROR || facts.extent[0] <= 0)
    return Error{CL_INVALID_GL_OBJECT, "the level of the texture is not defined"};
  if (has_border(gl, target.target, base)) return Error{CL_INVALID_OPERATION, "the texture has a border"};
  const Format* format = find_format(facts.storage);
  if (format == nullptr) return Error{CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format for the internal format"};
  const cl_uint levels = all ? static_cast<cl_uint>(range.last - range.first + 1) : 0;
  const auto samples = is_multisample(target) ? static_cast<cl_uint>(std::max(facts.samples, 1)) : 0;
  auto layout = lay_out_image(target.image, *format, facts.extent, levels, samples);
  if (layout.ok()) held.set_image(*format, layout.value(), base);
  return layout;
}

/// The driver's own texture that shows an image of EGL.
class HeldEglImage final : public HeldTexture {
 public:
  static std::unique_ptr<HeldEglImage> make(ContextThread& thread, const Functions& gl) {
    GLuint name = 0;
    gl.GenTextures(1, &name);
    return std::unique_ptr<HeldEglImage>(new HeldEglImage(thread, gl, name));
  }

 private:
  HeldEglImage(ContextThread& thread, const Functions& gl, GLuint name)
      : HeldTexture(thread, gl, *find_target(GL_TEXTURE_2D), name), own_(name) {}
  void drop(const Functions& gl) noexcept override {
    HeldTexture::drop(gl);
    gl.DeleteTextures(1, &own_);
  }
  const GLuint own_;
};

}  // namespace

HeldTexture::HeldTexture(ContextThread& thread, const Functions& gl, const TextureTarget& target, GLuint name)
    : Held(thread), units_(thread.units()), target_(target), name_(name), unit_(units_.take(gl)) {
  gl.ActiveTexture(GL_TEXTURE0 + unit_);
  gl.BindTexture(target_.binding, name_);
}

cl_int HeldTexture::acquire(const Functions& gl, std::byte* data) noexcept {
  if (!select(gl)) return CL_INVALID_GL_OBJECT;
  for (std::size_t i = 0; i < layout_.levels.size(); ++i) {
    const ImageLevel& level = layout_.levels[i];
    if (!has_size(gl, i)) return CL_INVALID_GL_OBJECT;
    // Not glGetnTexImage, which writes nothing in Mesa 22.3.
    gl.GetTexImage(target_.target, level_of(i), format_->format, format_->type, data + level.offset);
  }
  return error_of_transfer(gl);
}

cl_int HeldTexture::release(const Functions& gl, const std::byte* data) noexcept {
  // Kernels and the host only read these.
  if (format_->has_stencil()) return CL_SUCCESS;
  if (!select(gl)) return CL_INVALID_GL_OBJECT;
  for (std::size_t i = 0; i < layout_.levels.size(); ++i) {
    if (!has_size(gl, i)) return CL_INVALID_GL_OBJECT;
    write(gl, i, data + layout_.levels[i].offset);
  }
  return error_of_transfer(gl);
}

void HeldTexture::drop(const Functions& gl) noexcept {
  gl.ActiveTexture(GL_TEXTURE0 + unit_);
  gl.BindTexture(target_.binding, 0);
  units_.give(unit_);
}

bool HeldTexture::select(const Functions& gl) {
  gl.forget_errors();
  gl.ActiveTexture(GL_TEXTURE0 + unit_);
  if (unit_ != TextureUnits::kShared) return true;
  if (gl.IsTexture(name_) == GL_FALSE) return false;
  gl.BindTexture(target_.binding, name_);
  return gl.GetError() == GL_NO_ERROR;
}

bool HeldTexture::has_size(const Functions& gl, std::size_t i) const {
  const Extent now = extent_of_level(gl, target_.target, level_of(i));
  const auto& then = layout_.levels[i].extent;
  return std::equal(now.begin(), now.end(), then.begin(), [](GLint a, std::size_t b) { return std::cmp_equal(a, b); });
}

void HeldTexture::write(const Functions& gl, std::size_t i, const std::byte* data) const {
  const GLint level = level_of(i);
  const auto& extent = layout_.levels[i].extent;
  const auto width = static_cast<GLsizei>(extent[0]);
  const auto height = static_cast<GLsizei>(extent[1]);
  const auto depth = static_cast<GLsizei>(extent[2]);
  switch (target_.image) {
    case CL_MEM_OBJECT_IMAGE1D:
      gl.TexSubImage1D(target_.target, level, 0, width, format_->format, format_->type, data);
      break;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
      gl.TexSubImage3D(target_.target, level, 0, 0, 0, width, height, depth, format_->format, format_->type, data);
      break;
    default:
      gl.TexSubImage2D(target_.target, level, 0, 0, width, height, format_->format, format_->type, data);
  }
}

bool is_target_of_2d(GLenum target) {
  const TextureTarget* const row = find_target(target);
  return row != nullptr && row->image == CL_MEM_OBJECT_IMAGE2D;
}

GLuint TextureUnits::take(const Functions& gl) {
  if (free_.empty() && made_ == 0) {
    GLint count = 0;
    gl.GetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &count);
    most_ = static_cast<GLuint>(std::max(count, 1));
  }
  if (!free_.empty()) {
    const GLuint unit = free_.back();
    free_.pop_back();
    return unit;
  }
  if (made_ + 1 >= most_) return kShared;
  free_.reserve(made_ + 1);  // so that `give` needs no memory
  return ++made_;
}

void TextureUnits::give(GLuint unit) noexcept {
  if (unit != kShared) free_.push_back(unit);
}

Result<Found> find_texture(ContextThread& thread, const Functions& gl, GLenum target, GLint level, GLuint name) {
  gl.forget_errors();
  const TextureTarget* const row = find_target(target);
  if (target == GL_TEXTURE_BUFFER) return find_texture_buffer(thread, gl, level, name);
  if (row == nullptr) return Error{CL_INVALID_VALUE, "not a target of textures"};
  if (name == 0 || gl.IsTexture(name) == GL_FALSE) return Error{CL_INVALID_GL_OBJECT, "not a texture"};
  std::unique_ptr<HeldTexture> held = is_multisample(*row) ? hold_multisample(thread, gl, *row, name)
                                                           : std::make_unique<HeldTexture>(thread, gl, *row, name);
  HeldTexture& texture = *held;
  Found found;
  ObjectName what{.type = row->object, .name = name, .target = target, .level = level};
  const bool bound = gl.GetError() == GL_NO_ERROR;
  auto layout = bound ? find_image(gl, *row, level, texture)
                      : Result<ImageLayout>(Error{CL_INVALID_GL_OBJECT, "a texture of another target"});
  gl.forget_errors();
  if (layout.ok()) what.samples = static_cast<cl_GLint>(layout.value().desc.num_samples);
  found.object = std::make_unique<SharedObject>(thread.shared_from_this(), std::move(held), what);
  if (!layout.ok()) return layout.error();
  found.layout = std::move(layout).value();
  return found;
}

Result<Found> find_egl_image(ContextThread& thread, const Functions& gl, void* image) {
  if (gl.EGLImageTargetTexture2DOES == nullptr)
    return Error{CL_IMAGE_FORMAT_NOT_SUPPORTED, "OpenGL has no GL_OES_EGL_image"};
  gl.forget_errors();
  std::unique_ptr<HeldEglImage> held = HeldEglImage::make(thread, gl);
  HeldEglImage& texture = *held;
  Found found;
  found.object = std::make_unique<SharedObject>(thread.shared_from_this(), std::move(held), ObjectName{});
  gl.EGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
  const GLenum error = gl.GetError();
  if (error == GL_INVALID_VALUE) return Error{CL_INVALID_EGL_OBJECT_KHR, "not an EGLImage of the display"};
  if (error != GL_NO_ERROR) return Error{CL_IMAGE_FORMAT_NOT_SUPPORTED, "not an image of one plane of colours"};
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  auto layout = find_image(gl, *find_target(GL_TEXTURE_2D), 0, texture);
  gl.forget_errors();
  if (!layout.ok()) return Error{CL_IMAGE_FORMAT_NOT_SUPPORTED, layout.error().message};
  found.layout = std::move(layout).value();
  return found;
}

}  // namespace lanewise::gl
