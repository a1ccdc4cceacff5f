// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/formats.h"

#include <algorithm>

namespace lanewise::gl {

namespace {

constexpr Format kFormats[] = {
#define GL_FORMAT(internal, order, type, format, data) {GL_##internal, {CL_##order, CL_##type}, GL_##format, GL_##data},
#include "runtime/gl/formats.def"
#undef GL_FORMAT
};

const Format* sized(GLenum internal) {
  const auto* const row =
      std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& f) { return f.internal == internal; });
  return row != std::end(kFormats) ? row : nullptr;
}

/// The extension GL_EXT_texture_format_BGRA8888 of OpenGL ES has these numbers.
constexpr GLenum kBgra = 0x80E1;
constexpr GLenum kBgra8 = 0x93A1;
constexpr Format kBgraFormat = {kBgra8, {CL_BGRA, CL_UNORM_INT8}, GL_BGRA, GL_UNSIGNED_BYTE};

/// The sized format of a normalised colour.
GLenum colour(GLint bits, GLenum type, GLenum eight, GLenum sixteen, GLenum half, GLenum full) {
  if (type == GL_UNSIGNED_NORMALIZED) return bits == 8 ? eight : bits == 16 ? sixteen : 0;
  if (type == GL_FLOAT) return bits == 16 ? half : bits == 32 ? full : 0;
  return 0;
}

}  // namespace

const Format* find_format(const StorageFacts& storage) {
  switch (storage.internal) {
    case GL_RGBA:
      return sized(storage.alpha_bits != storage.red_bits
                       ? 0
                       : colour(storage.red_bits, storage.red_type, GL_RGBA8, GL_RGBA16, GL_RGBA16F, GL_RGBA32F));
    case GL_RG:
      return sized(colour(storage.red_bits, storage.red_type, GL_RG8, GL_RG16, GL_RG16F, GL_RG32F));
    case GL_RED:
      return sized(colour(storage.red_bits, storage.red_type, GL_R8, GL_R16, GL_R16F, GL_R32F));
    case GL_SRGB_ALPHA:
      return sized(GL_SRGB8_ALPHA8);
    case GL_DEPTH_COMPONENT:
      if (storage.depth_bits == 16) return sized(GL_DEPTH_COMPONENT16);
      return storage.depth_type == GL_FLOAT ? sized(GL_DEPTH_COMPONENT32F) : nullptr;
    case GL_DEPTH_STENCIL:
      return sized(storage.depth_type == GL_FLOAT ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8);
    case kBgra:
    case kBgra8:
      return &kBgraFormat;
    default:
      return sized(storage.internal);
  }
}

}  // namespace lanewise::gl
