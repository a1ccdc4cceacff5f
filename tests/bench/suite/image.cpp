// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images, a texel each: copies, swizzles, conversions of colours, tables, writing in place. The C++ beside works on the
// same bytes.
#include <cstring>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
#define AT (int2)(get_global_id(0), get_global_id(1))
kernel void copy(read_only image2d_t in, write_only image2d_t out) { write_imagef(out, AT, read_imagef(in, nearest, AT)); }
kernel void copy_plain(read_only image2d_t in, write_only image2d_t out) { write_imagef(out, AT, read_imagef(in, AT)); }
kernel void copy_integer(read_only image2d_t in, write_only image2d_t out) {
  write_imageui(out, AT, read_imageui(in, nearest, AT));
}
kernel void swizzle(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, AT, read_imagef(in, nearest, AT).zyxw);
}
// Rec. 709 in the narrow range; the chroma plane has half the size.
kernel void nv12(read_only image2d_t luma, read_only image2d_t chroma, write_only image2d_t out) {
  const int2 at = AT;
  const float y = 1.1644f * (read_imagef(luma, nearest, at).x - 0.0627f);
  const float2 c = read_imagef(chroma, nearest, at / 2).xy - 0.5f;
  const float r = y + 1.7927f * c.y, g = y - 0.2132f * c.x - 0.5329f * c.y, b = y + 2.1124f * c.x;
  write_imagef(out, at, (float4)(r, g, b, 1.0f));
}
kernel void curve(read_only image2d_t in, read_only image1d_t table, write_only image2d_t out) {
  const float4 c = read_imagef(in, nearest, AT);
  const float r = read_imagef(table, smooth, c.x).x, g = read_imagef(table, smooth, c.y).x;
  write_imagef(out, AT, (float4)(r, g, read_imagef(table, smooth, c.z).x, c.w));
}
)";
const char* const kInPlace = R"(
kernel void in_place(read_write image2d_t picture) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 c = read_imagef(picture, at);
  write_imagef(picture, at, (float4)(1.0f - c.xyz, c.w));
}
)";

constexpr cl_image_format kRgbaFloat{CL_RGBA, CL_FLOAT};
constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

struct Size {
  std::size_t width, height;
  [[nodiscard]] std::size_t texels() const { return width * height; }
};
Size size_of(Run& r, std::size_t width = 2048, std::size_t height = 1536) {
  return {r.size(width, 131), r.size(height, 63)};
}

template <class T>
void plain_copy(const std::vector<T>& from, std::vector<T>& to, std::size_t count) {
  parallel(count, [&](std::size_t i, std::size_t end) {
    const std::size_t each = from.size() / count;
    std::memcpy(to.data() + i * each, from.data() + i * each, (end - i) * each * sizeof(T));
  });
}

template <class T>
void copy_of(Run& r, const char* kernel, const cl_image_format& format, const std::vector<T>& from, const Size& size) {
  std::vector<T> out(from.size()), want(from.size());
  r.plain([&] { plain_copy(from, want, size.height); });
  r.source(kSource);
  const Picture picture{format, {size.width, size.height}};
  r.launch(kernel, {{size.width, size.height}, {}, {}}, image(picture, in(from)), image(picture, out_of(out)));
  r.work(2.0 * sizeof(T) * from.size(), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}
void copy_float4(Run& r) {
  const Size size = size_of(r);
  copy_of(r, "copy", kRgbaFloat, floats(4 * size.texels(), 1), size);
}
void copy_uchar4(Run& r) {
  const Size size = size_of(r, 4096, 3072);
  copy_of(r, "copy_integer", {CL_RGBA, CL_UNSIGNED_INT8}, octets(4 * size.texels(), 1), size);
}
void copy_unorm8(Run& r) {
  const Size size = size_of(r, 4096, 3072);
  copy_of(r, "copy", kRgba8, octets(4 * size.texels(), 1), size);
}
void copy_unorm8_plain(Run& r) {
  const Size size = size_of(r, 4096, 3072);
  copy_of(r, "copy_plain", kRgba8, octets(4 * size.texels(), 1), size);
}

void swizzle(Run& r) {
  const Size size = size_of(r, 4096, 3072);
  const auto from = octets(4 * size.texels(), 1);
  std::vector<std::uint8_t> out(from.size()), want(from.size());
  r.plain([&] {
    parallel(size.texels(), [&, a = from.data(), b = want.data()](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t texel;
        std::memcpy(&texel, a + 4 * i, 4);
        texel = (texel & 0xFF00FF00U) | (texel & 0xFFU) << 16U | (texel >> 16U & 0xFFU);
        std::memcpy(b + 4 * i, &texel, 4);
      }
    });
  });
  r.source(kSource);
  const Picture picture{kRgba8, {size.width, size.height}};
  r.launch("swizzle", {{size.width, size.height}, {}, {}}, image(picture, in(from)), image(picture, out_of(out)));
  r.work(8.0 * size.texels(), "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

std::uint32_t octet_of(float value) {
  const float scaled = value * 255.0f + 0.5f;
  return static_cast<std::uint32_t>(scaled < 0.0f ? 0.0f : scaled > 255.0f ? 255.0f : scaled);
}

void nv12_row(const std::uint8_t* luma, const std::uint8_t* chroma, std::uint8_t* to, std::size_t width) {
  for (std::size_t x = 0; x < width; ++x) {
    const float y = 1.1644f * (luma[x] * (1 / 255.0f) - 0.0627f);
    const float cb = chroma[x / 2 * 2] * (1 / 255.0f) - 0.5f, cr = chroma[x / 2 * 2 + 1] * (1 / 255.0f) - 0.5f;
    const std::uint32_t texel = octet_of(y + 1.7927f * cr) | octet_of(y - 0.2132f * cb - 0.5329f * cr) << 8U |
                                octet_of(y + 2.1124f * cb) << 16U | 0xFF000000U;
    std::memcpy(to + 4 * x, &texel, 4);
  }
}

void nv12(Run& r) {
  const Size size{r.size(1920, 130), r.size(1080, 62)};
  const auto luma = octets(size.texels(), 1), chroma = octets(size.texels() / 2, 2);
  std::vector<std::uint8_t> out(4 * size.texels()), want(out.size());
  r.plain([&] {
    parallel(size.height, [&](std::size_t y, std::size_t end) {
      for (; y < end; ++y)
        nv12_row(&luma[y * size.width], &chroma[y / 2 * size.width], &want[4 * y * size.width], size.width);
    });
  });
  r.source(kSource);
  r.launch("nv12", {{size.width, size.height}, {}, {}},
           image({{CL_R, CL_UNORM_INT8}, {size.width, size.height}}, in(luma)),
           image({{CL_RG, CL_UNORM_INT8}, {size.width / 2, size.height / 2}}, in(chroma)),
           image({kRgba8, {size.width, size.height}}, out_of(out)));
  r.work(static_cast<double>(size.texels()), "pixel");
  if (r.go()) r.check(out, want, 1.0 / 64, 1e-4);  // sums in another order
}

float looked_up(const std::vector<float>& table, float at) {
  const auto last = static_cast<int>(table.size()) - 1;
  const float place = at * static_cast<float>(table.size()) - 0.5f, low = std::floor(place);
  const int i = static_cast<int>(low), first = i < 0 ? 0 : i, second = i + 1 > last ? last : i + 1;
  const auto* values = table.data();
  return values[first] + (place - low) * (values[second] - values[first]);
}

void curve(Run& r) {
  const Size size = size_of(r, 1024, 768);
  const auto from = floats(4 * size.texels(), 1);
  std::vector<float> table(256), out(from.size()), want(from.size());
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = std::sqrt(static_cast<float>(i) / 255.0f);
  r.plain([&] {
    parallel(size.texels(), [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        for (std::size_t c = 0; c < 3; ++c) want[4 * i + c] = looked_up(table, from[4 * i + c]);
        want[4 * i + 3] = from[4 * i + 3];
      }
    });
  });
  r.source(kSource);
  const Picture picture{kRgbaFloat, {size.width, size.height}};
  r.launch("curve", {{size.width, size.height}, {}, {}}, image(picture, in(from)),
           image({{CL_R, CL_FLOAT}, {table.size()}}, in(table)), image(picture, out_of(out)));
  r.work(static_cast<double>(size.texels()), "pixel");
  if (r.go()) r.check(out, want, 1e-3);  // other drivers have fractions of 8 bits
}

void in_place(Run& r) {
  if (!r.needs_feature("__opencl_c_read_write_images")) return;
  const Size size = size_of(r, 4096, 3072);
  const auto from = octets(4 * size.texels(), 1);
  auto picture = from, want = from;
  const auto invert = [&] {
    parallel(size.texels(), [&, b = want.data()](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t texel;
        std::memcpy(&texel, b + 4 * i, 4);
        texel ^= 0x00FFFFFFU;
        std::memcpy(b + 4 * i, &texel, 4);
      }
    });
  };
  r.plain(invert);
  r.source(kInPlace, "-cl-std=CL3.0");
  r.launch("in_place", {{size.width, size.height}, {}, {}},
           image({kRgba8, {size.width, size.height}}, updated(picture)));
  r.work(8.0 * size.texels(), "B", Limit::kBandwidth);
  if (r.go()) r.check(picture, want);
}

}  // namespace

void add_image(Suite& suite) {
  suite.insert(suite.end(), {{"image/copy_float4", copy_float4},
                             {"image/copy_uchar4", copy_uchar4},
                             {"image/copy_unorm8", copy_unorm8},
                             {"image/copy_unorm8_plain", copy_unorm8_plain},
                             {"image/swizzle", swizzle},
                             {"image/nv12", nv12},
                             {"image/curve", curve},
                             {"image/in_place", in_place}});
}

}  // namespace lanewise::bench
