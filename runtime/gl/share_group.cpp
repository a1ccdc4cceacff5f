// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/share_group.h"

#include <CL/cl_gl.h>

namespace lanewise::gl {

Result<std::unique_ptr<ShareGroup>> ShareGroup::start(Result<std::unique_ptr<Binding>> binding, void* egl_display) {
  if (!binding.ok()) return binding.error();
  auto thread = ContextThread::start(std::move(binding).value());
  if (!thread.ok()) return thread.error();
  return std::unique_ptr<ShareGroup>(new ShareGroup(std::move(thread).value(), egl_display));
}

Result<std::unique_ptr<ShareGroup>> ShareGroup::open(const SharedContext& with) {
  if (with.context == nullptr) return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "a display without a context"};
  if (with.egl_display != nullptr) return start(bind_egl(with.egl_display, with.context), with.egl_display);
  if (with.glx_display == nullptr) return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "a context without a display"};
  auto made = start(bind_glx(with.glx_display, with.context), nullptr);
  if (!made.ok()) return made;
  const auto closing = [thread = std::weak_ptr(made.value()->thread_)] {
    if (const auto still = thread.lock()) still->lose();
  };
  if (!watch_display(with.glx_display, closing)) return Error{CL_OUT_OF_HOST_MEMORY, "a hook of the Display"};
  return made;
}

Result<std::unique_ptr<ShareGroup>> ShareGroup::open_for_images(void* egl_display) {
  return start(bind_egl(egl_display, nullptr), egl_display);
}

ShareGroup::~ShareGroup() {
  thread_->close();
}

}  // namespace lanewise::gl
