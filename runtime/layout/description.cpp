// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/layout/description.h"

#include <algorithm>
#include <array>
#include <optional>

#include "include/lanewise/cl_compat.h"
#include "runtime/layout/format.h"

namespace lanewise {

namespace {

constexpr unsigned kAlpha = 3;

/// The bits of a stored channel: where they begin in the element, and how many they are.
struct ChannelBits {
  unsigned begin = 0;
  unsigned bits = 0;
};
using Fields = std::array<ChannelBits, 4>;

/// API 5.3.1.1: in packed types the first channel has the highest bits in use.
std::optional<Fields> packed_fields(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_SHORT_565:
      return Fields{{{11, 5}, {5, 6}, {0, 5}}};
    case CL_UNORM_SHORT_555:
      return Fields{{{10, 5}, {5, 5}, {0, 5}}};
    case CL_UNORM_INT_101010:
      return Fields{{{20, 10}, {10, 10}, {0, 10}}};
    case CL_UNORM_INT_101010_2:
      return Fields{{{22, 10}, {12, 10}, {2, 10}, {0, 2}}};
    case CL_UNORM_INT_2_101010_EXT:
      return Fields{{{30, 2}, {20, 10}, {10, 10}, {0, 10}}};
    default:
      return std::nullopt;
  }
}

Fields fields_of(const cl_image_format& format, std::size_t element) {
  const cl_channel_type type = format.image_channel_data_type;
  // The stencil has the lowest byte, or a word of its own.
  if (format.image_channel_order == CL_DEPTH_STENCIL)
    return Fields{{type == CL_FLOAT ? ChannelBits{0, 32} : ChannelBits{8, 24}}};
  if (const auto packed = packed_fields(type)) return *packed;
  const auto channels = static_cast<unsigned>(channel_sources(format).size());
  const unsigned bits = static_cast<unsigned>(8 * element) / channels;
  const unsigned high = high_bits(type);
  Fields fields;
  for (unsigned i = 0; i < channels; ++i)
    fields[i] = high != 0 ? ChannelBits{(i * bits) + bits - high, high} : ChannelBits{i * bits, bits};
  return fields;
}

std::uint32_t mask_of(unsigned bits) {
  return bits >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
}

bool is_signed_type(cl_channel_type type) {
  return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || colour_kind(type) == ColourKind::signed_integer;
}

lanewise_texel_kind kind_of(const cl_image_format& format, std::size_t element) {
  if (colour_kind(format.image_channel_data_type) != ColourKind::floating) return lanewise_texel_integer;
  if (is_srgb(format.image_channel_order)) return lanewise_texel_srgb;
  if (format.image_channel_data_type == CL_FLOAT) return lanewise_texel_float;
  if (format.image_channel_data_type == CL_HALF_FLOAT) return lanewise_texel_half;
  return element <= 4 && !is_signed_type(format.image_channel_data_type) ? lanewise_texel_narrow
                                                                         : lanewise_texel_normalised;
}

/// OpenCL C 6.15.15.1.1, but for orders with padding, which it has among the transparent ones: the conformance tests
/// hold every order to an opaque border whose texels are opaque, and no device passes otherwise.
bool has_opaque_border(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_RG:
    case CL_RGB:
    case CL_LUMINANCE:
    case CL_RGBx:
    case CL_sRGBx:
      return true;
    default:
      return false;
  }
}

/// How a field becomes a fraction of `most`, the largest one: 2^n - 1. 1 / (2^n - 1) is 2^-n and a rest. With 8 bits a
/// factor alone, which is cheaper, is at most one ULP above and never below. So `(int)(value * largest)` is the number
/// that is stored, for every number of every format.
void set_read_scale(lanewise_texel& texel, unsigned channel, std::uint32_t most) {
  constexpr std::uint32_t kOctet = 255;
  texel.read_scale[channel] = 1.0F / static_cast<float>(most);
  if (most == kOctet) return;
  const double power = 1.0 / (static_cast<double>(most) + 1);
  texel.read_scale[channel] = static_cast<float>(power);
  texel.read_rest[channel] = static_cast<float>(1.0 / static_cast<double>(most) - power);
  texel.rests = 1;
}

void set_channel(lanewise_texel& texel, unsigned channel, const ChannelBits& field, bool written) {
  texel.word[channel] = field.begin / 32;
  texel.shift[channel] = field.begin % 32;
  texel.read_mask[channel] = mask_of(field.bits);
  texel.write_mask[channel] = written ? texel.read_mask[channel] : 0;
  const std::uint32_t most = texel.read_mask[channel] >> (texel.sign != 0 ? 1 : 0);
  set_read_scale(texel, channel, most);
  texel.write_scale[channel] = written ? static_cast<float>(most) : 0.0F;
}

/// Which other channels are read from the stored red channel (OpenCL C, table of channel orders).
std::span<const unsigned> copies_of_red(cl_channel_order order) {
  static constexpr unsigned kRest[] = {1, 2, 3};
  if (order == CL_INTENSITY) return kRest;
  return order == CL_LUMINANCE ? std::span(kRest).first(2) : std::span<const unsigned>();
}

}  // namespace

lanewise_texel describe_texel(const cl_image_format& format) {
  const std::size_t element = *element_bytes(format);
  const Fields fields = fields_of(format, element);
  const auto sources = channel_sources(format);
  lanewise_texel texel{};
  texel.bytes = static_cast<std::uint32_t>(element);
  texel.kind = kind_of(format, element);
  texel.order = format.image_channel_order;
  texel.type = format.image_channel_data_type;
  if (is_signed_type(format.image_channel_data_type)) texel.sign = std::uint32_t{1} << (fields[0].bits - 1);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= 0) {
      set_channel(texel, static_cast<unsigned>(sources[i]), fields[i], true);
    } else {
      // Padding, which is not read. Any value may be written there; the conformance tests expect alpha.
      set_channel(texel, kAlpha, fields[i], true);
      texel.read_mask[kAlpha] = 0;
    }
  }
  for (const unsigned channel : copies_of_red(format.image_channel_order))
    set_channel(texel, channel, fields[0], false);
  texel.missing = texel.read_mask[kAlpha] == 0 ? 1 : 0;
  texel.border_alpha = has_opaque_border(format.image_channel_order) ? 1 : 0;
  texel.write_low = texel.sign != 0 ? -static_cast<float>(texel.sign) : 0.0F;
  const std::uint32_t most = mask_of(fields[0].bits);
  texel.integer_low = texel.sign != 0 ? static_cast<std::int32_t>(-static_cast<std::int64_t>(texel.sign)) : 0;
  texel.integer_high = texel.sign != 0 ? most >> 1 : most;
  return texel;
}

ImageDescription::ImageDescription(const ImageLayout& layout, std::byte* data) {
  for (const ImageLevel& level : layout.levels) {
    lanewise_image_level out{};
    out.offset = level.offset;
    out.row_pitch = level.stride.row;
    out.slice_pitch = level.stride.slice;
    for (std::size_t i = 0; i < level.extent.size(); ++i) out.extent[i] = static_cast<std::int32_t>(level.extent[i]);
    levels_.push_back(out);
  }
  const lanewise_image_level& first = levels_.front();
  image_.data = reinterpret_cast<char*>(data);
  image_.row_pitch = first.row_pitch;
  image_.slice_pitch = first.slice_pitch;
  std::copy(std::begin(first.extent), std::end(first.extent), image_.extent);
  // Multi-sampled images have no mip levels; what reads them takes this for the number of samples.
  image_.level_count = layout.desc.num_samples != 0 ? static_cast<std::int32_t>(layout.desc.num_samples)
                                                    : static_cast<std::int32_t>(levels_.size());
  image_.levels = levels_.data();
  image_.texel = describe_texel(layout.format);
}

}  // namespace lanewise
