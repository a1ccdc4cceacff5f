// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "runtime/gl/library.h"

namespace lanewise::gl {

/// The functions of libEGL.
struct EglFunctions {
  Library egl{"libEGL.so.1"};
#define EGL_FUNCTION(name) decltype(&::name) name = egl.find<decltype(&::name)>(#name);
  EGL_FUNCTION(eglQueryContext)
  EGL_FUNCTION(eglGetProcAddress)
  EGL_FUNCTION(eglBindAPI)
  EGL_FUNCTION(eglCreateContext)
  EGL_FUNCTION(eglDestroyContext)
  EGL_FUNCTION(eglMakeCurrent)
  EGL_FUNCTION(eglReleaseThread)
  EGL_FUNCTION(eglGetCurrentContext)
  EGL_FUNCTION(eglQueryString)
  EGL_FUNCTION(eglChooseConfig)
#undef EGL_FUNCTION

  [[nodiscard]] bool complete() const;
};

}  // namespace lanewise::gl
