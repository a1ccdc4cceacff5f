// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of OpenGL. The driver links no library of OpenGL, EGL or X11 and opens none: whoever gives it a
/// context has opened them already.
#pragma once

#include <GL/glcorearb.h>

namespace lanewise::gl {

using EglImageTargetTexture = void(APIENTRYP)(GLenum target, void* image);

/// The functions that act on the current context of the calling thread.
struct Functions {
#define GL_FUNCTION(type, name) type name = nullptr;
#include "runtime/gl/functions.def"

  /// Fills the table. False: a function of OpenGL 3.2 is missing.
  /// @param find  the address of a function with this name; null: there is none
  [[nodiscard]] bool load(void* (*find)(const char* name, void* data), void* data);

  /// Forgets all errors that the context has recorded.
  void forget_errors() const {
    // A context that is lost reports its error again and again.
    for (int i = 0; i < 16 && GetError() != GL_NO_ERROR; ++i) {
    }
  }
};

}  // namespace lanewise::gl
