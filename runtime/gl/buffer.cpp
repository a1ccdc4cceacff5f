// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers. Where OpenGL runs on the processor, a buffer that is mapped is the memory itself, and is not copied.
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/gl/images.h"
#include "runtime/gl/shared_object.h"
#include "runtime/layout/format.h"
#include "runtime/process/imported_memory.h"
#include "src/host/topology.h"

namespace lanewise::gl {

namespace {

/// A buffer is reached through a vertex array with it as its element array: that keeps the buffer alive, and reaches it
/// even if its name is deleted or belongs to another buffer.
constexpr GLenum kTarget = GL_ELEMENT_ARRAY_BUFFER;

/// Whether the memory of buffers is the host's, always at the same address: that of Mesa's drivers without a GPU.
bool is_host_memory(const Functions& gl) {
  const auto* name = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
  if (name == nullptr) return false;
  const std::string_view renderer(name);
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

class HeldBuffer final : public Held {
 public:
  HeldBuffer(ContextThread& thread, const Functions& gl, GLuint name) : Held(thread) {
    gl.GenVertexArrays(1, &array_);
    gl.BindVertexArray(array_);
    gl.BindBuffer(kTarget, name);
    size_ = size_now(gl);
    bytes_ = size_;
    if (size_ != 0 && is_host_memory(gl)) find_memory(gl);
  }
  ~HeldBuffer() override {
    if (memory_ != nullptr) remove_imported_memory(memory_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* memory() const { return memory_; }
  /// Shares only a part, which is in the buffer.
  void set_part(std::size_t offset, std::size_t bytes) {
    offset_ = offset;
    bytes_ = bytes;
  }

  cl_int acquire(const Functions& gl, std::byte* data) noexcept override {
    gl.BindVertexArray(array_);
    if (size_now(gl) != size_) return lose();
    if (memory_ != nullptr) return acquire_memory(gl);
    gl.GetBufferSubData(kTarget, static_cast<GLintptr>(offset_), static_cast<GLsizeiptr>(bytes_), data);
    return gl.GetError() == GL_NO_ERROR ? CL_SUCCESS : CL_INVALID_GL_OBJECT;
  }

  cl_int release(const Functions& gl, const std::byte* data) noexcept override {
    gl.BindVertexArray(array_);
    if (memory_ != nullptr) {
      // An error is that of an application that has unmapped the buffer itself.
      if (mapped_) gl.UnmapBuffer(kTarget);
      mapped_ = false;
      return CL_SUCCESS;
    }
    if (size_now(gl) != size_) return CL_INVALID_GL_OBJECT;
    gl.BufferSubData(kTarget, static_cast<GLintptr>(offset_), static_cast<GLsizeiptr>(bytes_), data);
    return gl.GetError() == GL_NO_ERROR ? CL_SUCCESS : CL_INVALID_GL_OBJECT;
  }

 private:
  void drop(const Functions& gl) noexcept override {
    gl.BindVertexArray(array_);
    if (mapped_) gl.UnmapBuffer(kTarget);
    gl.DeleteVertexArrays(1, &array_);
  }

  static std::size_t size_now(const Functions& gl) {
    GLint64 size = 0;
    gl.GetBufferParameteri64v(kTarget, GL_BUFFER_SIZE, &size);
    return gl.GetError() == GL_NO_ERROR && size > 0 ? static_cast<std::size_t>(size) : 0;
  }

  [[nodiscard]] std::byte* map(const Functions& gl) const {
    return static_cast<std::byte*>(
        gl.MapBufferRange(kTarget, 0, static_cast<GLsizeiptr>(size_), GL_MAP_READ_BIT | GL_MAP_WRITE_BIT));
  }

  [[nodiscard]] bool is_mapped(const Functions& gl) const {
    GLint mapped = GL_FALSE;
    gl.GetBufferParameteriv(kTarget, GL_BUFFER_MAPPED, &mapped);
    return mapped != GL_FALSE;
  }

  void find_memory(const Functions& gl) {
    std::byte* found = nullptr;
    if (is_mapped(gl)) {  // by the application, or for another memory object
      found = mapped_memory(gl);
    } else {
      found = map(gl);
      if (found != nullptr) gl.UnmapBuffer(kTarget);
    }
    gl.forget_errors();
    if (found != nullptr && add_imported_memory(found, size_, host::page_bytes())) memory_ = found;
  }

  /// The memory of a map of the whole buffer, whoever made it. Null: the map is of a part.
  [[nodiscard]] std::byte* mapped_memory(const Functions& gl) const {
    void* there = nullptr;
    GLint64 length = 0;
    gl.GetBufferPointerv(kTarget, GL_BUFFER_MAP_POINTER, &there);
    gl.GetBufferParameteri64v(kTarget, GL_BUFFER_MAP_LENGTH, &length);
    return std::cmp_equal(length, size_) ? static_cast<std::byte*>(there) : nullptr;
  }

  cl_int acquire_memory(const Functions& gl) {
    // Of several memory objects of one buffer, the first that is acquired has the map.
    const bool theirs = is_mapped(gl);
    std::byte* found = theirs ? mapped_memory(gl) : map(gl);
    mapped_ = !theirs && found != nullptr;
    if (found == memory_) return CL_SUCCESS;
    if (mapped_) gl.UnmapBuffer(kTarget);
    mapped_ = false;
    gl.forget_errors();
    return lose();
  }

  /// The application has given the buffer other memory, so what commands know is not the buffer's any more.
  cl_int lose() {
    if (memory_ != nullptr) lose_imported_memory(memory_);
    return CL_INVALID_GL_OBJECT;
  }

  GLuint array_ = 0;
  std::size_t size_ = 0;         ///< bytes of the buffer
  std::size_t offset_ = 0;       ///< of the part that is shared
  std::size_t bytes_ = 0;        ///< of the part that is shared
  std::byte* memory_ = nullptr;  ///< null: the content is copied
  bool mapped_ = false;
};

/// The part of a buffer that a texture shows.
struct Shown {
  GLint buffer = 0;
  GLint offset = 0;
  GLint bytes = 0;  ///< 0: all from the offset on
  GLint internal = 0;
};

Shown facts_of_texture_buffer(const Functions& gl, GLuint name) {
  const auto read = [&gl](GLenum what, GLint& out) {
    gl.GetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, what, &out);
    if (gl.GetError() != GL_NO_ERROR) out = 0;
  };
  Shown shown;
  gl.ActiveTexture(GL_TEXTURE0 + TextureUnits::kShared);
  gl.BindTexture(GL_TEXTURE_BUFFER, name);
  if (gl.GetError() != GL_NO_ERROR) return shown;
  read(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, shown.buffer);
  read(GL_TEXTURE_BUFFER_OFFSET, shown.offset);
  read(GL_TEXTURE_BUFFER_SIZE, shown.bytes);
  read(GL_TEXTURE_INTERNAL_FORMAT, shown.internal);
  gl.BindTexture(GL_TEXTURE_BUFFER, 0);
  return shown;
}

}  // namespace

Result<Found> find_buffer(ContextThread& thread, const Functions& gl, GLuint name) {
  gl.forget_errors();
  if (name == 0 || gl.IsBuffer(name) == GL_FALSE) return Error{CL_INVALID_GL_OBJECT, "not a buffer of OpenGL"};
  auto held = std::make_unique<HeldBuffer>(thread, gl, name);
  Found found;
  found.bytes = held->size();
  found.memory = held->memory();
  const ObjectName what{.type = CL_GL_OBJECT_BUFFER, .name = name};
  found.object = std::make_unique<SharedObject>(thread.shared_from_this(), std::move(held), what);
  if (found.bytes == 0) return Error{CL_INVALID_GL_OBJECT, "the buffer has no data store"};
  return found;
}

Result<Found> find_texture_buffer(ContextThread& thread, const Functions& gl, GLint level, GLuint name) {
  gl.forget_errors();
  if (name == 0 || gl.IsTexture(name) == GL_FALSE) return Error{CL_INVALID_GL_OBJECT, "not a texture"};
  if (level != 0) return Error{CL_INVALID_MIP_LEVEL, "a texture of a buffer has one level"};
  const Shown shown = facts_of_texture_buffer(gl, name);
  const auto buffer = static_cast<GLuint>(shown.buffer);
  if (buffer == 0 || gl.IsBuffer(buffer) == GL_FALSE) return Error{CL_INVALID_GL_OBJECT, "the texture has no buffer"};
  const Format* format = find_format({.internal = static_cast<GLenum>(shown.internal)});
  if (format == nullptr) return Error{CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format for the internal format"};
  auto held = std::make_unique<HeldBuffer>(thread, gl, buffer);
  HeldBuffer& part = *held;
  Found found;
  const ObjectName what{.type = CL_GL_OBJECT_TEXTURE_BUFFER, .name = name, .target = GL_TEXTURE_BUFFER};
  found.object = std::make_unique<SharedObject>(thread.shared_from_this(), std::move(held), what);
  const auto offset = static_cast<std::size_t>(shown.offset);
  const std::size_t after = part.size() > offset ? part.size() - offset : 0;
  const std::size_t bytes = shown.bytes > 0 ? std::min(after, static_cast<std::size_t>(shown.bytes)) : after;
  const std::size_t width = bytes / *element_bytes(format->image);
  if (!std::in_range<GLint>(width)) return Error{CL_OUT_OF_RESOURCES, "the image is too large"};
  auto layout = lay_out_image(CL_MEM_OBJECT_IMAGE1D_BUFFER, *format, {static_cast<GLint>(width), 1, 1});
  if (!layout.ok()) return layout.error();
  part.set_part(offset, layout.value().bytes);
  found.memory = part.memory() != nullptr ? part.memory() + offset : nullptr;
  found.layout = std::move(layout).value();
  return found;
}

}  // namespace lanewise::gl
