// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/api/images/reference.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "include/lanewise/cl_compat.h"

namespace lanewise::test {

namespace {

/// The channels of an order, from the lowest address on; for packed types from the highest bits on.
std::string channels_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_DEPTH:
      return "r";
    case CL_A:
      return "a";
    case CL_RG:
      return "rg";
    case CL_RA:
      return "ra";
    case CL_RGB:
    case CL_RGBx:
      return "rgb";
    case CL_BGRA:
    case CL_sBGRA:
      return "bgra";
    case CL_ARGB:
      return "argb";
    case CL_ABGR:
      return "abgr";
    case CL_INTENSITY:
      return "i";
    case CL_LUMINANCE:
      return "l";
    case CL_sRGBx:
      return "rgbx";
    default:
      return "rgba";
  }
}

struct TypeOf {
  unsigned bits = 0;  ///< of a channel that is a whole number of bytes; 0: packed
  unsigned used = 0;  ///< how many of the upper bits have a meaning
  enum { unorm, snorm, sint, uint, half, single } what = unorm;
};

TypeOf type_of(cl_channel_type type) {
  switch (type) {
    case CL_SNORM_INT8:
      return {8, 8, TypeOf::snorm};
    case CL_SNORM_INT16:
      return {16, 16, TypeOf::snorm};
    case CL_UNORM_INT8:
      return {8, 8, TypeOf::unorm};
    case CL_UNORM_INT16:
      return {16, 16, TypeOf::unorm};
    case CL_SIGNED_INT8:
      return {8, 8, TypeOf::sint};
    case CL_SIGNED_INT16:
      return {16, 16, TypeOf::sint};
    case CL_SIGNED_INT32:
      return {32, 32, TypeOf::sint};
    case CL_UNSIGNED_INT8:
      return {8, 8, TypeOf::uint};
    case CL_UNSIGNED_INT16:
      return {16, 16, TypeOf::uint};
    case CL_UNSIGNED_INT32:
      return {32, 32, TypeOf::uint};
    case CL_HALF_FLOAT:
      return {16, 16, TypeOf::half};
    case CL_FLOAT:
      return {32, 32, TypeOf::single};
    case CL_UNORM_INT10X6_EXT:
      return {16, 10, TypeOf::unorm};
    case CL_UNORM_INT12X4_EXT:
      return {16, 12, TypeOf::unorm};
    case CL_UNORM_INT14X2_EXT:
      return {16, 14, TypeOf::unorm};
    case CL_UNSIGNED_INT10X6_EXT:
      return {16, 10, TypeOf::uint};
    case CL_UNSIGNED_INT12X4_EXT:
      return {16, 12, TypeOf::uint};
    case CL_UNSIGNED_INT14X2_EXT:
      return {16, 14, TypeOf::uint};
    default:
      return {};
  }
}

/// Widths of the channels of a packed type, from the highest bits in use on.
std::vector<unsigned> packed_widths(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      return {5, 6, 5};
    case CL_UNORM_SHORT_555:
      return {5, 5, 5};
    case CL_UNORM_INT_101010:
      return {10, 10, 10};
    case CL_UNORM_INT_2_101010_EXT:
      return {2, 10, 10, 10};
    default:
      return {10, 10, 10, 2};
  }
}

std::uint32_t load(const unsigned char* from, std::size_t bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

/// All channels with the number of their bits.
struct Wide {
  StoredChannel channel;
  unsigned width;
};
std::vector<Wide> split(const cl_image_format& format, const unsigned char* texel) {
  const std::string names = channels_of(format.image_channel_order);
  const TypeOf type = type_of(format.image_channel_data_type);
  std::vector<Wide> out;
  if (type.bits != 0) {
    const std::size_t bytes = type.bits / 8;
    for (std::size_t i = 0; i < names.size(); ++i)
      out.push_back({{names[i], load(texel + i * bytes, bytes) >> (type.bits - type.used)}, type.used});
    return out;
  }
  const std::vector<unsigned> widths = packed_widths(format.image_channel_data_type);
  const std::uint32_t all = load(texel, texel_bytes(format));
  unsigned at = 0;
  for (const unsigned width : widths) at += width;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    at -= widths[i];
    out.push_back({{names[i], all >> at & ((1U << widths[i]) - 1)}, widths[i]});
  }
  return out;
}

bool is_srgb(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA || order == CL_sRGBx;
}

std::int32_t extended(std::uint32_t bits, unsigned width) {
  return static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
}

double value_of(const cl_image_format& format, const Wide& wide) {
  const std::uint32_t bits = wide.channel.bits;
  const double most = std::ldexp(1.0, static_cast<int>(wide.width)) - 1;
  switch (type_of(format.image_channel_data_type).what) {
    case TypeOf::snorm:
      return std::max(-1.0, extended(bits, wide.width) / std::floor(most / 2));
    case TypeOf::sint:
      return extended(bits, wide.width);
    case TypeOf::uint:
      return bits;
    case TypeOf::half:
      return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
    case TypeOf::single:
      return static_cast<double>(std::bit_cast<float>(bits));
    default:
      break;
  }
  const double r = bits / most;
  if (!is_srgb(format.image_channel_order) || wide.channel.name == 'a') return r;
  return r <= 0.04045 ? r / 12.92 : std::pow((r + 0.055) / 1.055, 2.4);
}

double to_srgb(double y) {
  if (!(y > 0)) return 0;
  if (y >= 1) return 1;
  return y < 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
}

double component(const Colour& colour, char name) {
  switch (name) {
    case 'g':
      return colour[1];
    case 'b':
      return colour[2];
    case 'a':
      return colour[3];
    case 'x':
      return 1.0;
    default:
      return colour[0];  // intensity and luminance store red
  }
}

bool may_store_channel(const cl_image_format& format, const Wide& wide, const Colour& colour) {
  const std::uint32_t bits = wide.channel.bits;
  double value = component(colour, wide.channel.name);
  const double most = std::ldexp(1.0, static_cast<int>(wide.width)) - 1;
  const double half = std::floor(most / 2);
  switch (type_of(format.image_channel_data_type).what) {
    case TypeOf::sint:
      return extended(bits, wide.width) == std::clamp(value, -half - 1, half);
    case TypeOf::uint:
      return bits == std::min(value, most);
    case TypeOf::half:
      if (std::isnan(value)) return std::isnan(value_of(format, wide));
      return std::bit_cast<std::uint16_t>(static_cast<_Float16>(static_cast<float>(value))) == bits;
    case TypeOf::single:
      if (std::isnan(value)) return std::isnan(value_of(format, wide));
      return std::bit_cast<std::uint32_t>(static_cast<float>(value)) == bits;
    case TypeOf::snorm:
      return !std::isfinite(value) ||
             std::abs(extended(bits, wide.width) - std::clamp(half * value, -half - 1, half)) <= 0.6;
    default:
      break;
  }
  if (wide.channel.name == 'x') return true;
  if (is_srgb(format.image_channel_order) && wide.channel.name != 'a') value = to_srgb(value);
  return !std::isfinite(value) || std::abs(bits - std::clamp(most * value, 0.0, most)) <= 0.6;
}

}  // namespace

Kind kind_of(const cl_image_format& format) {
  switch (type_of(format.image_channel_data_type).what) {
    case TypeOf::sint:
      return Kind::signed_integer;
    case TypeOf::uint:
      return Kind::unsigned_integer;
    default:
      return Kind::floating;
  }
}

std::size_t texel_bytes(const cl_image_format& format) {
  const TypeOf type = type_of(format.image_channel_data_type);
  if (type.bits != 0) return type.bits / 8 * channels_of(format.image_channel_order).size();
  const cl_channel_type packed = format.image_channel_data_type;
  return packed == CL_UNORM_SHORT_565 || packed == CL_UNORM_SHORT_555 ? 2 : 4;
}

Colour decode(const cl_image_format& format, const unsigned char* texel) {
  Colour colour{0, 0, 0, 1};
  for (const Wide& wide : split(format, texel)) {
    const double value = value_of(format, wide);
    switch (wide.channel.name) {
      case 'i':
        colour = {value, value, value, value};
        break;
      case 'l':
        colour = {value, value, value, 1};
        break;
      case 'x':
        break;
      default:
        colour[std::string("rgba").find(wide.channel.name)] = value;
    }
  }
  return colour;
}

/// OpenCL C 6.15.15.1.1; of the orders with padding as the conformance tests have it, which differs.
Colour border_of(const cl_image_format& format) {
  switch (format.image_channel_order) {
    case CL_R:
    case CL_RG:
    case CL_RGB:
    case CL_RGBx:
    case CL_sRGBx:
    case CL_LUMINANCE:
      return {0, 0, 0, 1};
    default:
      return {0, 0, 0, 0};
  }
}

std::vector<StoredChannel> stored_channels(const cl_image_format& format, const unsigned char* texel) {
  std::vector<StoredChannel> out;
  for (const Wide& wide : split(format, texel)) out.push_back(wide.channel);
  return out;
}

bool may_store(const cl_image_format& format, const unsigned char* texel, const Colour& colour) {
  const auto channels = split(format, texel);
  return std::all_of(channels.begin(), channels.end(),
                     [&](const Wide& wide) { return may_store_channel(format, wide, colour); });
}

Colour ReferenceImage::texel(int x, int y, int z) const {
  const auto index = (static_cast<std::size_t>(z) * static_cast<std::size_t>(extent[1]) + static_cast<std::size_t>(y)) *
                         static_cast<std::size_t>(extent[0]) +
                     static_cast<std::size_t>(x);
  return decode(format, bytes.data() + index * texel_bytes(format));
}

namespace {

/// The one or two places on an axis, and the weight of the second. Places may be outside.
struct Places {
  int at[2] = {0, 0};
  double weight = 0;
};

double fraction(double x) {
  return x - std::floor(x);
}

int whole(double x) {
  return static_cast<int>(std::clamp(std::floor(x), -1e9, 1e9));
}

/// SPIR-V environment 7.2, which has a section for each mode.
Places places_of(const ReferenceSampler& sampler, float coordinate, int size) {
  Places places;
  const double s = coordinate;
  double u = sampler.normalised ? s * size : s;
  if (sampler.addressing == CL_ADDRESS_REPEAT) u = (s - std::floor(s)) * size;
  if (sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT) u = std::abs(s - 2.0 * std::nearbyint(0.5 * s)) * size;
  if (sampler.linear) {
    places.at[0] = whole(u - 0.5);
    places.at[1] = places.at[0] + 1;
    places.weight = fraction(u - 0.5);
  } else {
    places.at[0] = places.at[1] = whole(u);
  }
  for (int& at : places.at) switch (sampler.addressing) {
      case CL_ADDRESS_REPEAT:
        at = at < 0 ? size + at : at > size - 1 ? at - size : at;
        break;
      case CL_ADDRESS_MIRRORED_REPEAT:
      case CL_ADDRESS_CLAMP_TO_EDGE:
        at = std::clamp(at, 0, size - 1);
        break;
      default:
        at = std::clamp(at, -1, size);
    }
  return places;
}

}  // namespace

Sample sample(const ReferenceImage& image, const ReferenceSampler& sampler, const std::array<float, 3>& at) {
  Sample result;
  Places places[3];
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    if (d >= image.dims + (image.layers ? 1 : 0)) continue;
    if (!std::isfinite(at[axis])) return {{}, 0, false};
    if (d < image.dims) {
      places[d] = places_of(sampler, at[axis], image.extent[axis]);
    } else {
      const double layer = std::nearbyint(static_cast<double>(at[axis]));
      places[d].at[0] = static_cast<int>(std::clamp(layer, 0.0, image.extent[axis] - 1.0));
    }
  }
  const int taps = sampler.linear ? 1 << image.dims : 1;
  for (int tap = 0; tap < taps; ++tap) {
    int index[3];
    double weight = 1;
    bool inside = true;
    for (int d = 0; d < 3; ++d) {
      const int second = tap >> d & 1;
      index[d] = places[d].at[second];
      if (sampler.linear && d < image.dims) weight *= second != 0 ? places[d].weight : 1 - places[d].weight;
      inside = inside && index[d] >= 0 && index[d] < image.extent[static_cast<std::size_t>(d)];
    }
    if (!inside && sampler.addressing == CL_ADDRESS_NONE) result.valid = false;
    const Colour colour = inside ? image.texel(index[0], index[1], index[2]) : border_of(image.format);
    for (std::size_t c = 0; c < 4; ++c) {
      if (sampler.linear && !std::isfinite(colour[c])) result.valid = false;
      result.colour[c] = sampler.linear ? result.colour[c] + weight * colour[c] : colour[c];
      result.largest = std::max(result.largest, std::abs(colour[c]));
    }
  }
  return result;
}

}  // namespace lanewise::test
