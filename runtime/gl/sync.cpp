// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events that end with fences of OpenGL and EGL (cl_khr_gl_event, cl_khr_egl_event).
///
/// The application may delete a fence as soon as it has the event. OpenGL has no function that keeps a fence, so the
/// driver's context waits for it and then has a fence of its own, which counts where the first has gone.
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include <utility>

#include "runtime/gl/egl.h"
#include "runtime/gl/share_group.h"

namespace lanewise::gl {

namespace {

enum class Fence { open, signalled, gone };

Fence ask(const Functions& gl, GLsync sync, GLbitfield flags = 0) {
  switch (gl.ClientWaitSync(sync, flags, 0)) {
    case GL_ALREADY_SIGNALED:
    case GL_CONDITION_SATISFIED:
      return Fence::signalled;
    case GL_TIMEOUT_EXPIRED:
      return Fence::open;
    default:
      gl.forget_errors();
      return Fence::gone;
  }
}

/// A fence, its substitute and its event.
class PendingFence : public Pending {
 public:
  PendingFence(Ref<UserEvent> event, GLsync substitute) : event_(std::move(event)), substitute_(substitute) {}

  bool come(const Functions* gl) noexcept final {
    if (gl == nullptr) {
      event_->set_status(CL_INVALID_GL_OBJECT);
      return true;
    }
    Fence state = ask_theirs(*gl);
    if (state == Fence::gone && substitute_ != nullptr) state = ask(*gl, substitute_, GL_SYNC_FLUSH_COMMANDS_BIT);
    if (state == Fence::open) return false;
    gl->DeleteSync(substitute_);
    event_->set_status(CL_COMPLETE);
    return true;
  }

 private:
  virtual Fence ask_theirs(const Functions& gl) const = 0;

  Ref<UserEvent> event_;
  GLsync substitute_;
};

class PendingGlFence final : public PendingFence {
 public:
  PendingGlFence(Ref<UserEvent> event, GLsync substitute, GLsync fence)
      : PendingFence(std::move(event), substitute), fence_(fence) {}

 private:
  Fence ask_theirs(const Functions& gl) const override { return ask(gl, fence_); }
  GLsync fence_;
};

/// The functions of EGL_KHR_fence_sync and EGL_KHR_wait_sync.
struct FenceFunctions {
  EglFunctions egl;
  PFNEGLGETSYNCATTRIBKHRPROC get_attribute = find<PFNEGLGETSYNCATTRIBKHRPROC>("eglGetSyncAttribKHR");
  PFNEGLCLIENTWAITSYNCKHRPROC client_wait = find<PFNEGLCLIENTWAITSYNCKHRPROC>("eglClientWaitSyncKHR");
  PFNEGLWAITSYNCKHRPROC wait = find<PFNEGLWAITSYNCKHRPROC>("eglWaitSyncKHR");

  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return egl.complete() ? reinterpret_cast<Function>(egl.eglGetProcAddress(name)) : nullptr;
  }
  [[nodiscard]] bool complete() const { return get_attribute != nullptr && client_wait != nullptr && wait != nullptr; }
};

class PendingEglFence final : public PendingFence {
 public:
  PendingEglFence(Ref<UserEvent> event, GLsync substitute, const FenceFunctions& functions, EGLDisplay display,
                  EGLSyncKHR fence)
      : PendingFence(std::move(event), substitute), functions_(functions), display_(display), fence_(fence) {}

 private:
  Fence ask_theirs(const Functions& /*gl*/) const override {
    switch (functions_.client_wait(display_, fence_, 0, 0)) {
      case EGL_CONDITION_SATISFIED_KHR:
        return Fence::signalled;
      case EGL_TIMEOUT_EXPIRED_KHR:
        return Fence::open;
      default:
        return Fence::gone;
    }
  }
  const FenceFunctions functions_;
  EGLDisplay display_;
  EGLSyncKHR fence_;
};

}  // namespace

Result<Ref<UserEvent>> ShareGroup::event_of_gl_sync(Context& context, void* sync) {
  auto event = UserEvent::create(context, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR);
  if (!event.ok()) return event;
  return find<Ref<UserEvent>>([&](ContextThread& thread, const Functions& gl) -> Result<Ref<UserEvent>> {
    auto* const fence = static_cast<GLsync>(sync);
    if (sync == nullptr || gl.IsSync(fence) == GL_FALSE)
      return Error{CL_INVALID_GL_OBJECT, "not a sync object of the share group"};
    gl.WaitSync(fence, 0, GL_TIMEOUT_IGNORED);
    auto pending =
        std::make_unique<PendingGlFence>(event.value(), gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), fence);
    if (!pending->come(&gl)) thread.wait_for(std::move(pending));
    return event.value();
  });
}

Result<Ref<UserEvent>> ShareGroup::event_of_egl_sync(Context& context, void* display, void* sync) {
  auto event = UserEvent::create(context, CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR);
  if (!event.ok()) return event;
  return find<Ref<UserEvent>>([&](ContextThread& thread, const Functions& gl) -> Result<Ref<UserEvent>> {
    const FenceFunctions functions;
    EGLint type = 0;
    if (!functions.complete() || functions.get_attribute(display, sync, EGL_SYNC_TYPE_KHR, &type) == EGL_FALSE ||
        type != EGL_SYNC_FENCE_KHR)
      return Error{CL_INVALID_EGL_OBJECT_KHR, "not a fence of the EGLDisplay"};
    GLsync substitute = nullptr;
    if (display == egl_display() && functions.wait(display, sync, 0) != EGL_FALSE)
      substitute = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    auto pending = std::make_unique<PendingEglFence>(event.value(), substitute, functions, display, sync);
    if (!pending->come(&gl)) thread.wait_for(std::move(pending));
    return event.value();
  });
}

}  // namespace lanewise::gl
