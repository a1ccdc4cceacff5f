// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// EGL.
#include <CL/cl_gl.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/gl/binding.h"
#include "runtime/gl/egl.h"
#include "runtime/gl/library.h"

namespace lanewise::gl {

bool EglFunctions::complete() const {
  return eglQueryContext != nullptr && eglGetProcAddress != nullptr && eglBindAPI != nullptr &&
         eglCreateContext != nullptr && eglDestroyContext != nullptr && eglMakeCurrent != nullptr &&
         eglReleaseThread != nullptr && eglGetCurrentContext != nullptr && eglQueryString != nullptr &&
         eglChooseConfig != nullptr;
}

namespace {

class EglBinding final : public Binding {
 public:
  EglBinding(EglFunctions functions, void* display, void* context)
      : egl_(functions), display_(display), theirs_(context) {}

  Result<void> open() override {
    // EGL finds both among those that exist, and reads nothing of others.
    if (egl_.eglQueryString(display_, EGL_EXTENSIONS) == nullptr) return refusal("not an initialised EGLDisplay");
    EGLint id = 0;
    if (theirs_ != EGL_NO_CONTEXT && egl_.eglQueryContext(display_, theirs_, EGL_CONFIG_ID, &id) == EGL_FALSE)
      return refusal("not an EGLContext of the display");
    if (egl_.eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return refusal("the display has no desktop OpenGL");
    constexpr std::array<EGLint, 7> kAttributes = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    own_ = egl_.eglCreateContext(display_, config(id), theirs_, kAttributes.data());
    if (own_ == EGL_NO_CONTEXT) return refusal("the EGLContext cannot share with one of OpenGL 3.2");
    if (egl_.eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, own_) == EGL_FALSE) {
      close();
      return refusal("a context without a surface cannot be made current");
    }
    const auto find = [](const char* name, void* data) {
      return reinterpret_cast<void*>(static_cast<const EglBinding*>(data)->egl_.eglGetProcAddress(name));
    };
    if (functions_.load(find, this)) return {};
    close();
    return refusal("functions of OpenGL 3.2 are missing");
  }

  void close() noexcept override {
    // Both fail where the application has terminated the display; the thread's end of EGL then lets go of the context.
    egl_.eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl_.eglDestroyContext(display_, std::exchange(own_, EGL_NO_CONTEXT));
    egl_.eglReleaseThread();
  }

  bool has_current_context() const override { return egl_.eglGetCurrentContext() != EGL_NO_CONTEXT; }

 private:
  static Error refusal(const char* reason) { return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, reason}; }

  /// The configuration of the driver's context: none, or that of the application's context where EGL wants one.
  [[nodiscard]] EGLConfig config(EGLint id) const {
    const char* extensions = egl_.eglQueryString(display_, EGL_EXTENSIONS);
    const bool needless = extensions != nullptr &&
                          std::string_view(extensions).find("EGL_KHR_no_config_context") != std::string_view::npos;
    if (needless) return EGL_NO_CONFIG_KHR;
    const std::array<EGLint, 3> wanted = {EGL_CONFIG_ID, id != 0 ? id : EGL_DONT_CARE, EGL_NONE};
    EGLConfig found = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    return egl_.eglChooseConfig(display_, wanted.data(), &found, 1, &count) != EGL_FALSE && count == 1
               ? found
               : EGL_NO_CONFIG_KHR;
  }

  const EglFunctions egl_;
  EGLDisplay display_;
  EGLContext theirs_;  ///< EGL_NO_CONTEXT: none
  EGLContext own_ = EGL_NO_CONTEXT;
};

}  // namespace

Result<std::unique_ptr<Binding>> bind_egl(void* display, void* context) {
  const EglFunctions functions;
  if (!functions.complete()) return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "the process has no libEGL"};
  return std::unique_ptr<Binding>(std::make_unique<EglBinding>(functions, display, context));
}

}  // namespace lanewise::gl
