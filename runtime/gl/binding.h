// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A context of OpenGL that belongs to the driver and shares its objects with a context of the application, through one
/// of the interfaces between OpenGL and window systems.
#pragma once

#include <functional>
#include <memory>

#include "runtime/gl/functions.h"
#include "src/base/result.h"

namespace lanewise::gl {

/// The driver's context. `open`, `close` and `abandon` are called on the one thread that has it.
class Binding {
 public:
  Binding() = default;
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;
  virtual ~Binding() = default;

  /// Makes the context, and makes it current in the calling thread. Errors: CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR (the
  /// application's context is none, or cannot share).
  [[nodiscard]] virtual Result<void> open() = 0;
  /// Destroys the context.
  virtual void close() noexcept = 0;
  /// Whether the calling thread has a context of this interface current.
  [[nodiscard]] virtual bool has_current_context() const = 0;

  /// The functions of OpenGL; complete after `open`.
  [[nodiscard]] const Functions& functions() const { return functions_; }

 protected:
  Functions functions_;
};

/// A binding to the GLXContext `context` of the Display `display`. Errors: CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
/// CL_INVALID_OPERATION (GLX is not there).
[[nodiscard]] Result<std::unique_ptr<Binding>> bind_glx(void* display, void* context);
/// Calls `closing` inside of the application's XCloseDisplay for this Display, which `bind_glx` has accepted. False:
/// out of memory.
[[nodiscard]] bool watch_display(void* display, std::function<void()> closing);

/// A binding to the EGLContext `context` of an EGLDisplay; null: the driver's context shares nothing, and is for images
/// of the display. Errors: as for `bind_glx`.
[[nodiscard]] Result<std::unique_ptr<Binding>> bind_egl(void* display, void* context);

}  // namespace lanewise::gl
