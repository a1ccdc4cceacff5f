// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a context of OpenCL shares with OpenGL or EGL: a context of OpenGL of the driver's own, on a thread of its own.
#pragma once

#include <CL/cl.h>

#include <memory>
#include <new>
#include <utility>

#include "runtime/core/sharing.h"
#include "runtime/exec/user_event.h"
#include "runtime/gl/context_thread.h"
#include "runtime/gl/shared_object.h"
#include "src/base/result.h"

namespace lanewise::gl {

/// The context of the application that objects are shared with; at most one of the displays is not null.
struct SharedContext {
  void* context = nullptr;      ///< a GLXContext or an EGLContext
  void* glx_display = nullptr;  ///< a Display
  void* egl_display = nullptr;  ///< an EGLDisplay
};

class ShareGroup final : public Sharing {
 public:
  /// Makes a context that shares with the application's. Errors: CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
  /// CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
  static Result<std::unique_ptr<ShareGroup>> open(const SharedContext& with);
  /// Makes a context for the images of an EGLDisplay. Errors: as above.
  static Result<std::unique_ptr<ShareGroup>> open_for_images(void* egl_display);
  ~ShareGroup() override;

  /// The EGLDisplay of the context; null: it is of GLX.
  [[nodiscard]] void* egl_display() const { return egl_display_; }

  /// Whether the calling thread has a context current whose commands have to be ordered with those of OpenCL.
  [[nodiscard]] bool has_current_context() const { return thread_->binding().has_current_context(); }
  /// Waits for the commands of the calling thread's context.
  void finish_current_context() const { thread_->binding().functions().Finish(); }

  /// Runs `find(thread, gl)` on the context's thread and returns its result, a Result<T>. Errors: those of `find`;
  /// CL_INVALID_GL_OBJECT: the context has gone; CL_OUT_OF_HOST_MEMORY.
  template <class T, class Find>
  Result<T> find(Find&& find) {
    Result<T> result = Error{CL_INVALID_GL_OBJECT, "the context of OpenGL has gone"};
    thread_->call([&](const Functions* gl) noexcept {
      if (gl == nullptr) return;
      try {
        result = find(*thread_, *gl);
      } catch (const std::bad_alloc&) {
        result = Error{CL_OUT_OF_HOST_MEMORY, ""};
      }
    });
    return result;
  }

  /// An event that ends with a fence of OpenGL. Errors: CL_INVALID_GL_OBJECT (not a sync object of the share group).
  Result<Ref<UserEvent>> event_of_gl_sync(Context& context, void* sync);
  /// An event that ends with a fence of EGL. Errors: CL_INVALID_EGL_OBJECT_KHR.
  Result<Ref<UserEvent>> event_of_egl_sync(Context& context, void* display, void* sync);

 private:
  ShareGroup(std::shared_ptr<ContextThread> thread, void* egl_display)
      : thread_(std::move(thread)), egl_display_(egl_display) {}
  static Result<std::unique_ptr<ShareGroup>> start(Result<std::unique_ptr<Binding>> binding, void* egl_display);

  std::shared_ptr<ContextThread> thread_;
  void* egl_display_;
};

}  // namespace lanewise::gl
