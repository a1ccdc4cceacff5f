// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the images of OpenGL have in common.
#pragma once

#include <CL/cl.h>
#include <CL/cl_gl.h>

#include <array>

#include "runtime/gl/formats.h"
#include "runtime/gl/functions.h"
#include "runtime/layout/layout.h"
#include "src/base/result.h"

namespace lanewise::gl {

/// Width, height and depth as OpenGL counts them: layers of a 1D array are its height, those of a 2D array its depth.
using Extent = std::array<GLint, 3>;

/// The layout, without padding, of an image with this format and level 0. Errors: CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
/// (no image of this type has the format), CL_INVALID_GL_OBJECT (a size is 0), CL_OUT_OF_RESOURCES.
/// @param levels   mip levels; 0: one, and no mip map
/// @param samples  samples of a texel, of which each is a layer; 0: not multi-sampled
Result<ImageLayout> lay_out_image(cl_mem_object_type type, const Format& format, const Extent& extent,
                                  cl_uint levels = 0, cl_uint samples = 0);

/// The storage and the size of a level of the texture that is bound.
struct LevelFacts {
  StorageFacts storage;
  Extent extent{};
  GLint samples = 0;
};
LevelFacts facts_of_level(const Functions& gl, GLenum target, GLint level);
/// The width, height and depth alone.
Extent extent_of_level(const Functions& gl, GLenum target, GLint level);

/// The error of a transfer that has just been made.
cl_int error_of_transfer(const Functions& gl);

}  // namespace lanewise::gl
