// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Internal formats of OpenGL and their image formats.
#pragma once

#include <CL/cl.h>
#include <GL/glcorearb.h>

namespace lanewise::gl {

/// A row of formats.def.
struct Format {
  GLenum internal;
  cl_image_format image;
  GLenum format;  ///< argument of transfers
  GLenum type;    ///< argument of transfers

  [[nodiscard]] bool has_depth() const { return format == GL_DEPTH_COMPONENT || has_stencil(); }
  [[nodiscard]] bool has_stencil() const { return format == GL_DEPTH_STENCIL; }
  [[nodiscard]] bool is_integer() const {
    return format == GL_RED_INTEGER || format == GL_RG_INTEGER || format == GL_RGBA_INTEGER;
  }
};

/// What OpenGL says of the storage of a texture or renderbuffer.
struct StorageFacts {
  GLenum internal = 0;
  GLint red_bits = 0, alpha_bits = 0, depth_bits = 0;
  GLenum red_type = GL_NONE;    ///< GL_UNSIGNED_NORMALIZED and so on
  GLenum depth_type = GL_NONE;  ///< GL_UNSIGNED_NORMALIZED or GL_FLOAT
};

/// The format of such a storage. A format without sizes, such as GL_RGBA, is that which has the bits that OpenGL chose.
/// Null: no image format fits.
const Format* find_format(const StorageFacts& storage);

}  // namespace lanewise::gl
