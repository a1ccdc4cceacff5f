// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects of OpenGL and EGL that memory objects share their content with.
#pragma once

#include <CL/cl.h>
#include <CL/cl_gl.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "runtime/gl/context_thread.h"
#include "runtime/layout/layout.h"
#include "runtime/memory/graphics_object.h"
#include "src/base/result.h"

namespace lanewise::gl {

/// What the driver's context has of an object. It keeps the object's content alive, even if the application deletes the
/// name. It is made and used on the context's thread only; as a job it ends itself.
class Held : public ContextJob {
 public:
  virtual ~Held() = default;
  /// Copies the object's content to `data`. Errors: CL_INVALID_GL_OBJECT (the object has another size by now),
  /// CL_OUT_OF_RESOURCES.
  [[nodiscard]] virtual cl_int acquire(const Functions& gl, std::byte* data) noexcept = 0;
  /// The same in the other direction.
  [[nodiscard]] virtual cl_int release(const Functions& gl, const std::byte* data) noexcept = 0;

  void run(const Functions* gl) noexcept final {
    if (gl != nullptr) drop(*gl);
    thread_->let_go();
    delete this;
  }

 protected:
  explicit Held(ContextThread& thread) : thread_(thread.shared_from_this()) { thread.hold(); }

 private:
  /// Deletes the driver's names.
  virtual void drop(const Functions& gl) noexcept = 0;

  std::shared_ptr<ContextThread> thread_;
};

/// How the application named an object.
struct ObjectName {
  cl_gl_object_type type = 0;  ///< 0: an image of EGL
  cl_GLuint name = 0;
  cl_GLenum target = 0;  ///< textures
  cl_GLint level = 0;    ///< textures
  cl_GLint samples = 0;  ///< textures; 0: not multi-sampled

  [[nodiscard]] bool is_texture() const {
    return type != 0 && type != CL_GL_OBJECT_BUFFER && type != CL_GL_OBJECT_RENDERBUFFER;
  }
};

/// The object behind a memory object.
class SharedObject final : public GraphicsObject {
 public:
  SharedObject(std::shared_ptr<ContextThread> thread, std::unique_ptr<Held> held, const ObjectName& name)
      : thread_(std::move(thread)), held_(std::move(held)), name_(name) {}
  ~SharedObject() override;

  [[nodiscard]] const ObjectName& name() const { return name_; }
  [[nodiscard]] bool is_egl_image() const { return name_.type == 0; }
  [[nodiscard]] cl_int error_of_use() const override;
  [[nodiscard]] ContextThread& thread() const { return *thread_; }
  /// Used on the context's thread only.
  [[nodiscard]] Held& held() const { return *held_; }

 private:
  std::shared_ptr<ContextThread> thread_;
  std::unique_ptr<Held> held_;
  const ObjectName name_;
};

/// An object that has been found in the context, for a new memory object.
struct Found {
  std::unique_ptr<SharedObject> object;
  std::size_t bytes = 0;        ///< buffers
  std::byte* memory = nullptr;  ///< buffers: the address of the content while it is acquired; null: it is copied
  ImageLayout layout;           ///< images
};

/// Whether clCreateFromGLTexture2D takes a target.
[[nodiscard]] bool is_target_of_2d(GLenum target);

// The following find an object. They are called on the context's thread.

/// Errors: CL_INVALID_GL_OBJECT.
[[nodiscard]] Result<Found> find_buffer(ContextThread& thread, const Functions& gl, GLuint name);
/// Errors: CL_INVALID_GL_OBJECT, CL_INVALID_MIP_LEVEL, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_OPERATION,
/// CL_INVALID_VALUE (no target of textures).
[[nodiscard]] Result<Found> find_texture(ContextThread& thread, const Functions& gl, GLenum target, GLint level,
                                         GLuint name);
/// The part of `find_texture` for GL_TEXTURE_BUFFER.
[[nodiscard]] Result<Found> find_texture_buffer(ContextThread& thread, const Functions& gl, GLint level, GLuint name);
/// Errors: CL_INVALID_GL_OBJECT, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_OPERATION.
[[nodiscard]] Result<Found> find_renderbuffer(ContextThread& thread, const Functions& gl, GLuint name);
/// Errors: CL_INVALID_EGL_OBJECT_KHR, CL_IMAGE_FORMAT_NOT_SUPPORTED.
[[nodiscard]] Result<Found> find_egl_image(ContextThread& thread, const Functions& gl, void* image);

}  // namespace lanewise::gl
