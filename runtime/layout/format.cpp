// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/layout/format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "include/lanewise/cl_compat.h"

namespace lanewise {

namespace {

constexpr cl_channel_type kPlainTypes[] = {
    CL_UNORM_INT8,   CL_UNORM_INT16,   CL_SNORM_INT8,     CL_SNORM_INT16,    CL_SIGNED_INT8, CL_SIGNED_INT16,
    CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,  CL_FLOAT,
};
constexpr cl_channel_type kNormalisedTypes[] = {CL_UNORM_INT8,  CL_UNORM_INT16, CL_SNORM_INT8,
                                                CL_SNORM_INT16, CL_HALF_FLOAT,  CL_FLOAT};
constexpr cl_channel_type kByteTypes[] = {CL_UNORM_INT8, CL_SNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8};
constexpr cl_channel_type kDepthTypes[] = {CL_UNORM_INT16, CL_FLOAT};
constexpr cl_channel_type kDepthStencilTypes[] = {CL_UNORM_INT24, CL_FLOAT};
constexpr cl_channel_type kUnormByte[] = {CL_UNORM_INT8};
constexpr cl_channel_type kPackedTypes[] = {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010};
constexpr cl_channel_type kTenBits[] = {CL_UNORM_INT_101010_2};
constexpr cl_channel_type kReversedTenBits[] = {CL_UNORM_INT_2_101010_EXT};
constexpr cl_channel_type kHighBits[] = {CL_UNORM_INT10X6_EXT,    CL_UNORM_INT12X4_EXT,    CL_UNORM_INT14X2_EXT,
                                         CL_UNSIGNED_INT10X6_EXT, CL_UNSIGNED_INT12X4_EXT, CL_UNSIGNED_INT14X2_EXT};

/// In place of an index into red, green, blue, alpha: the stored channel is padding.
constexpr signed char kNothing = -1;

struct OrderRow {
  cl_channel_order order;
  unsigned channels;
  std::array<signed char, 4> source;
  std::span<const cl_channel_type> types;
};

/// API tables 24 and 25, cl_ext_image_unorm_int_2_101010, cl_ext_image_unsigned_10x6_12x4_14x2. Rows with the same
/// order have different types.
constexpr OrderRow kOrders[] = {
    {CL_R, 1, {0}, kPlainTypes},
    {CL_A, 1, {3}, kPlainTypes},
    {CL_RG, 2, {0, 1}, kPlainTypes},
    {CL_RA, 2, {0, 3}, kPlainTypes},
    {CL_RGBA, 4, {0, 1, 2, 3}, kPlainTypes},
    {CL_RGBA, 4, {0, 1, 2, 3}, kTenBits},
    {CL_R, 1, {0}, kHighBits},
    {CL_RG, 2, {0, 1}, kHighBits},
    {CL_RGBA, 4, {0, 1, 2, 3}, kHighBits},
    {CL_RGB, 3, {0, 1, 2}, kPackedTypes},
    {CL_RGBx, 3, {0, 1, 2}, kPackedTypes},
    {CL_BGRA, 4, {2, 1, 0, 3}, kByteTypes},
    {CL_ARGB, 4, {3, 0, 1, 2}, kByteTypes},
    {CL_ABGR, 4, {3, 2, 1, 0}, kByteTypes},
    {CL_ABGR, 4, {3, 2, 1, 0}, kReversedTenBits},
    {CL_INTENSITY, 1, {0}, kNormalisedTypes},
    {CL_LUMINANCE, 1, {0}, kNormalisedTypes},
    {CL_DEPTH, 1, {0}, kDepthTypes},
    {CL_sRGBA, 4, {0, 1, 2, 3}, kUnormByte},
    {CL_sBGRA, 4, {2, 1, 0, 3}, kUnormByte},
    {CL_sRGBx, 4, {0, 1, 2, kNothing}, kUnormByte},
};

/// The format of images that only OpenGL makes (cl_khr_gl_depth_images). The stencil is not a channel.
constexpr OrderRow kDepthStencil = {CL_DEPTH_STENCIL, 1, {0}, kDepthStencilTypes};

bool has(const OrderRow& row, const cl_image_format& format) {
  return row.order == format.image_channel_order &&
         std::find(row.types.begin(), row.types.end(), format.image_channel_data_type) != row.types.end();
}

const OrderRow* find(const cl_image_format& format) {
  for (const OrderRow& row : kOrders)
    if (has(row, format)) return &row;
  return has(kDepthStencil, format) ? &kDepthStencil : nullptr;
}

/// Bytes of a channel, or of the whole element of a packed type.
std::size_t type_bytes(cl_channel_type type) {
  if (high_bits(type) != 0) return 2;
  switch (type) {
    case CL_UNORM_INT8:
    case CL_SNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_UNORM_INT16:
    case CL_SNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
      return 2;
    default:
      return 4;
  }
}

bool is_packed(cl_channel_type type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010 ||
         type == CL_UNORM_INT_101010_2 || type == CL_UNORM_INT_2_101010_EXT;
}

/// OpenCL C 8.3.1: `f * scale`, rounded to nearest even, in [low, high]. NaN becomes 0.
double normalised(float f, double scale, double low, double high) {
  return std::isnan(f) ? 0.0 : std::clamp(std::nearbyint(static_cast<double>(f) * scale), low, high);
}

std::uint32_t unorm(float f, unsigned bits) {
  const auto most = static_cast<double>((std::uint64_t{1} << bits) - 1);
  return static_cast<std::uint32_t>(normalised(f, most, 0.0, most));
}

/// OpenCL C 8.3.1.3: a linear value in the sRGB colour space.
float linear_to_srgb(float c) {
  if (std::isnan(c)) return 0.0F;
  if (c >= 1.0F) return 1.0F;
  if (c < 0.0F) return 0.0F;
  if (c < 0.0031308F) return 12.92F * c;
  return static_cast<float>(1.055 * std::pow(static_cast<double>(c), 1.0 / 2.4) - 0.055);
}

template <class T, class Wide>
T saturated(Wide value) {
  return static_cast<T>(std::clamp<Wide>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T>
void put(std::byte* out, T value) {
  std::memcpy(out, &value, sizeof value);
}

void put_float(std::byte* out, cl_channel_type type, float f) {
  if (const unsigned bits = high_bits(type); bits != 0)
    return put(out, static_cast<std::uint16_t>(unorm(f, bits) << (16 - bits)));
  switch (type) {
    case CL_UNORM_INT8:
      return put(out, static_cast<std::uint8_t>(unorm(f, 8)));
    case CL_UNORM_INT16:
      return put(out, static_cast<std::uint16_t>(unorm(f, 16)));
    case CL_SNORM_INT8:
      return put(out, static_cast<std::int8_t>(normalised(f, 127.0, -128.0, 127.0)));
    case CL_SNORM_INT16:
      return put(out, static_cast<std::int16_t>(normalised(f, 32767.0, -32768.0, 32767.0)));
    case CL_HALF_FLOAT:
      return put(out, static_cast<_Float16>(f));
    default:
      return put(out, f);
  }
}

void put_signed(std::byte* out, cl_channel_type type, std::int32_t value) {
  switch (type) {
    case CL_SIGNED_INT8:
      return put(out, saturated<std::int8_t>(value));
    case CL_SIGNED_INT16:
      return put(out, saturated<std::int16_t>(value));
    default:
      return put(out, value);
  }
}

void put_unsigned(std::byte* out, cl_channel_type type, std::uint32_t value) {
  if (const unsigned bits = high_bits(type); bits != 0)
    return put(out, static_cast<std::uint16_t>(std::min(value, (1U << bits) - 1) << (16 - bits)));
  switch (type) {
    case CL_UNSIGNED_INT8:
      return put(out, saturated<std::uint8_t>(value));
    case CL_UNSIGNED_INT16:
      return put(out, saturated<std::uint16_t>(value));
    default:
      return put(out, value);
  }
}

/// API 5.3.1.1: the first channel is in the most significant bits in use, in the order of the name.
void put_packed(std::byte* out, cl_channel_type type, const float* c) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      return put(out, static_cast<std::uint16_t>(unorm(c[0], 5) << 11 | unorm(c[1], 6) << 5 | unorm(c[2], 5)));
    case CL_UNORM_SHORT_555:
      return put(out, static_cast<std::uint16_t>(unorm(c[0], 5) << 10 | unorm(c[1], 5) << 5 | unorm(c[2], 5)));
    case CL_UNORM_INT_101010:
      return put(out, unorm(c[0], 10) << 20 | unorm(c[1], 10) << 10 | unorm(c[2], 10));
    case CL_UNORM_INT_2_101010_EXT:
      return put(out, unorm(c[3], 2) << 30 | unorm(c[2], 10) << 20 | unorm(c[1], 10) << 10 | unorm(c[0], 10));
    default:
      return put(out, unorm(c[0], 10) << 22 | unorm(c[1], 10) << 12 | unorm(c[2], 10) << 2 | unorm(c[3], 2));
  }
}

}  // namespace

unsigned high_bits(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_INT10X6_EXT:
    case CL_UNSIGNED_INT10X6_EXT:
      return 10;
    case CL_UNORM_INT12X4_EXT:
    case CL_UNSIGNED_INT12X4_EXT:
      return 12;
    case CL_UNORM_INT14X2_EXT:
    case CL_UNSIGNED_INT14X2_EXT:
      return 14;
    default:
      return 0;
  }
}

std::span<const signed char> channel_sources(const cl_image_format& format) {
  const OrderRow& row = *find(format);
  return std::span(row.source).first(row.channels);
}

std::optional<std::size_t> element_bytes(const cl_image_format& format) {
  const OrderRow* row = find(format);
  if (row == nullptr) return std::nullopt;
  const std::size_t bytes = type_bytes(format.image_channel_data_type);
  // A word for the stencil follows a depth that fills a word.
  if (row == &kDepthStencil) return format.image_channel_data_type == CL_FLOAT ? 2 * bytes : bytes;
  return is_packed(format.image_channel_data_type) ? bytes : bytes * row->channels;
}

std::span<const cl_image_format> supported_formats() {
  static const auto& formats = *new std::vector<cl_image_format>([] {
    std::vector<cl_image_format> all;
    for (const OrderRow& row : kOrders)
      for (const cl_channel_type type : row.types) all.push_back({row.order, type});
    return all;
  }());
  return formats;
}

bool is_legal(const cl_image_format& format) {
  if (find(format) != nullptr) return true;
  const cl_channel_type type = format.image_channel_data_type;
  const auto among = [type](std::span<const cl_channel_type> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  switch (format.image_channel_order) {
    case CL_Rx:
    case CL_RGx:
      return among(kPlainTypes);
    case CL_sRGB:
      return among(kUnormByte);
    default:
      return false;
  }
}

ColourKind colour_kind(cl_channel_type type) {
  switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32:
      return ColourKind::signed_integer;
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32:
    case CL_UNSIGNED_INT10X6_EXT:
    case CL_UNSIGNED_INT12X4_EXT:
    case CL_UNSIGNED_INT14X2_EXT:
      return ColourKind::unsigned_integer;
    default:
      return ColourKind::floating;
  }
}

void pack_colour(const cl_image_format& format, const void* colour, std::span<std::byte> out) {
  const OrderRow& row = *find(format);
  const cl_channel_type type = format.image_channel_data_type;
  float values[4] = {};
  std::uint32_t words[4] = {};
  const std::size_t given = format.image_channel_order == CL_DEPTH ? sizeof values[0] : sizeof values;
  std::memcpy(values, colour, given);
  std::memcpy(words, colour, given);
  if (is_srgb(format.image_channel_order))
    for (int i = 0; i < 3; ++i) values[i] = linear_to_srgb(values[i]);
  if (is_packed(type)) return put_packed(out.data(), type, values);
  const std::size_t bytes = type_bytes(type);
  for (unsigned channel = 0; channel < row.channels; ++channel) {
    std::byte* to = out.data() + channel * bytes;
    const signed char from = row.source[channel];
    const auto index = static_cast<std::size_t>(std::max<signed char>(from, 0));
    const float value = from == kNothing ? 1.0F : values[index];  // padding is filled with 1, as an opaque alpha
    switch (colour_kind(type)) {
      case ColourKind::floating:
        put_float(to, type, value);
        break;
      case ColourKind::signed_integer:
        put_signed(to, type, static_cast<std::int32_t>(words[index]));
        break;
      case ColourKind::unsigned_integer:
        put_unsigned(to, type, words[index]);
        break;
    }
  }
}

bool is_srgb(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA || order == CL_sRGBx;
}

bool compatible_orders(cl_channel_order view, cl_channel_order data) {
  constexpr std::array<cl_channel_order, 2> kPairs[] = {
      {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA}, {CL_RGBA, CL_sRGBA}, {CL_sRGB, CL_RGB},
      {CL_RGB, CL_sRGB},   {CL_sRGBx, CL_RGBx}, {CL_RGBx, CL_sRGBx}, {CL_DEPTH, CL_R},
  };
  return std::any_of(std::begin(kPairs), std::end(kPairs), [&](const auto& p) { return p[0] == view && p[1] == data; });
}

}  // namespace lanewise
