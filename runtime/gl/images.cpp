// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/images.h"

#include <algorithm>

#include "runtime/layout/format.h"

namespace lanewise::gl {

namespace {

GLint level_value(const Functions& gl, GLenum target, GLint level, GLenum what) {
  GLint value = 0;
  gl.GetTexLevelParameteriv(target, level, what, &value);
  return value;
}

bool is_flat(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

cl_image_desc describe(cl_mem_object_type type, const Extent& extent) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = static_cast<std::size_t>(extent[0]);
  const auto height = static_cast<std::size_t>(extent[1]);
  const auto depth = static_cast<std::size_t>(extent[2]);
  if (is_flat(type) || type == CL_MEM_OBJECT_IMAGE3D) desc.image_height = height;
  if (type == CL_MEM_OBJECT_IMAGE3D) desc.image_depth = depth;
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) desc.image_array_size = height;
  if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY) desc.image_array_size = depth;
  return desc;
}

}  // namespace

Result<ImageLayout> lay_out_image(cl_mem_object_type type, const Format& format, const Extent& extent, cl_uint levels,
                                  cl_uint samples) {
  if (format.has_depth() && !is_flat(type))
    return Error{CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "only 2D images and arrays of them have depths"};
  if (std::any_of(extent.begin(), extent.end(), [](GLint size) { return size <= 0; }))
    return Error{CL_INVALID_GL_OBJECT, "a size is 0"};
  cl_image_desc desc = describe(type, extent);
  desc.num_mip_levels = levels;
  ImageLayout layout;
  const cl_image_desc shown = desc;
  if (samples != 0) {
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_array_size = std::max<std::size_t>(shown.image_array_size, 1) * samples;
  }
  if (!lay_out(format.image, *element_bytes(format.image), desc, layout))
    return Error{CL_OUT_OF_RESOURCES, "the image is too large"};
  if (samples != 0) {
    layout.desc.image_type = shown.image_type;
    layout.desc.image_array_size = shown.image_array_size;
    layout.desc.num_samples = samples;
  }
  return layout;
}

Extent extent_of_level(const Functions& gl, GLenum target, GLint level) {
  return {level_value(gl, target, level, GL_TEXTURE_WIDTH), level_value(gl, target, level, GL_TEXTURE_HEIGHT),
          level_value(gl, target, level, GL_TEXTURE_DEPTH)};
}

LevelFacts facts_of_level(const Functions& gl, GLenum target, GLint level) {
  LevelFacts facts;
  facts.extent = extent_of_level(gl, target, level);
  facts.samples = level_value(gl, target, level, GL_TEXTURE_SAMPLES);
  facts.storage.internal = static_cast<GLenum>(level_value(gl, target, level, GL_TEXTURE_INTERNAL_FORMAT));
  facts.storage.red_bits = level_value(gl, target, level, GL_TEXTURE_RED_SIZE);
  facts.storage.alpha_bits = level_value(gl, target, level, GL_TEXTURE_ALPHA_SIZE);
  facts.storage.depth_bits = level_value(gl, target, level, GL_TEXTURE_DEPTH_SIZE);
  facts.storage.red_type = static_cast<GLenum>(level_value(gl, target, level, GL_TEXTURE_RED_TYPE));
  facts.storage.depth_type = static_cast<GLenum>(level_value(gl, target, level, GL_TEXTURE_DEPTH_TYPE));
  return facts;
}

cl_int error_of_transfer(const Functions& gl) {
  const GLenum error = gl.GetError();
  gl.forget_errors();
  if (error == GL_NO_ERROR) return CL_SUCCESS;
  return error == GL_OUT_OF_MEMORY ? CL_OUT_OF_RESOURCES : CL_INVALID_GL_OBJECT;
}

}  // namespace lanewise::gl
