// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images, several texels each: convolutions, resizing, rotation, mip levels, volumes. The C++ beside works on the same
// texels, a row at a time where that pays.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t placed = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t tiled = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
#define AT (int2)(get_global_id(0), get_global_id(1))
#define CENTRE ((float2)(get_global_id(0), get_global_id(1)) + 0.5f)
kernel void conv3(read_only image2d_t in, constant float* weight, write_only image2d_t out) {
  float4 sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += weight[j * 3 + i] * read_imagef(in, nearest, AT + (int2)(i - 1, j - 1));
  write_imagef(out, AT, sum);
}
kernel void conv15(read_only image2d_t in, constant float* weight, write_only image2d_t out) {
  float sum = 0.0f;
  for (int j = 0; j < 15; ++j)
    for (int i = 0; i < 15; ++i) sum += weight[j * 15 + i] * read_imagef(in, nearest, AT + (int2)(i - 7, j - 7)).x;
  write_imagef(out, AT, (float4)(sum, 0.0f, 0.0f, 1.0f));
}
kernel void conv9(read_only image2d_t in, read_only image2d_t weight, global float* out, int2 size) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= size.x || y >= size.y) return;
  float sum = 0.0f;
  for (int j = 0; j < get_image_height(weight); ++j)
    for (int i = 0; i < get_image_width(weight); ++i) {
      const float2 at = (float2)((x + 0.5f - 4 + i) / size.x, (y + 0.5f - 4 + j) / size.y);
      sum += read_imagef(in, placed, at).x * read_imagef(weight, (int2)(i, j)).x;
    }
  out[y * size.x + x] = sum;
}
kernel void blur(read_only image2d_t in, constant float* weight, write_only image2d_t out, int2 step) {
  float4 sum = 0.0f;
  for (int i = -8; i <= 8; ++i) sum += weight[i + 8] * read_imagef(in, nearest, AT + i * step);
  write_imagef(out, AT, sum);
}
kernel void resize(read_only image2d_t in, write_only image2d_t out, float2 scale) {
  write_imagef(out, AT, read_imagef(in, smooth, CENTRE * scale));
}
kernel void rotate_tiled(read_only image2d_t in, write_only image2d_t out, float4 turn, float2 scale) {
  const float2 at = CENTRE * scale - 0.5f;
  write_imagef(out, AT, read_imagef(in, tiled, (float2)(dot(turn.xy, at), dot(turn.zw, at))));
}
kernel void trilinear(read_only image3d_t in, global float* out, float scale) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const float4 at = (float4)(x + 0.5f, y + 0.5f, z + 0.5f, 0.0f) * scale;
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(in, smooth, at).x;
}
)";
const char* const kMipSource = R"(
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void from_level(read_only image2d_t in, write_only image2d_t out, float2 scale, float level) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, smooth, (convert_float2(at) + 0.5f) * scale, level));
}
)";

typedef float Colour __attribute__((vector_size(16)));

constexpr cl_image_format kRgbaFloat{CL_RGBA, CL_FLOAT};
constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};
/// Other drivers interpolate with fractions of 8 bits.
constexpr double kFraction = 1.0 / 200;

std::size_t held(std::ptrdiff_t i, std::size_t size) {
  return i < 0 ? 0 : std::min(static_cast<std::size_t>(i), size - 1);
}

/// A row of texels of `channels` values with `margin` texels of the edge on both sides.
template <class T>
void widen(const T* from, std::size_t width, std::size_t channels, std::size_t margin, std::vector<float>& to) {
  to.resize((width + 2 * margin) * channels);
  for (std::size_t x = 0; x < margin * channels; ++x) {
    to[x] = static_cast<float>(from[x % channels]);
    to[(width + margin) * channels + x] = static_cast<float>(from[(width - 1) * channels + x % channels]);
  }
  for (std::size_t x = 0; x < width * channels; ++x) to[margin * channels + x] = static_cast<float>(from[x]);
}

float stored(float value, float) {
  return value;
}
std::uint8_t stored(float value, std::uint8_t) {
  const float most = value + 0.5f;
  return static_cast<std::uint8_t>(most < 0.0f ? 0.0f : most > 255.0f ? 255.0f : most);
}

/// columns x rows weights around each texel, the edge going on outside.
template <class T>
void convolve(const std::vector<T>& from, std::vector<T>& to, const std::vector<float>& weight, std::size_t width,
              std::size_t height, std::size_t channels, std::size_t columns) {
  const std::size_t rows = weight.size() / columns, row = width * channels;
  parallel(
      height,
      [&](std::size_t y, std::size_t end) {
        const std::size_t margin = columns / 2;
        std::vector<std::vector<float>> wide(rows);
        std::vector<float> sum(row);
        const auto fill = [&](std::size_t line) {
          const std::size_t source =
              held(static_cast<std::ptrdiff_t>(line) - static_cast<std::ptrdiff_t>(rows / 2), height);
          widen(&from[source * row], width, channels, margin, wide[line % rows]);
        };
        for (std::size_t line = y; line < y + rows - 1; ++line) fill(line);
        for (; y < end; ++y) {
          fill(y + rows - 1);
          std::fill(sum.begin(), sum.end(), 0.0f);
          for (std::size_t j = 0; j < rows; ++j)
            for (std::size_t i = 0; i < columns; ++i) {
              const float factor = weight[j * columns + i];
              const float* line = wide[(y + j) % rows].data() + i * channels;
              float* into = sum.data();
              for (std::size_t x = 0; x < row; ++x) into[x] += factor * line[x];
            }
          for (std::size_t x = 0; x < row; ++x) to[y * row + x] = stored(sum[x], T{});
        }
      },
      8);
}

std::vector<float> weights_of(std::size_t count) {
  auto weights = floats(count, 7, 0.5f, 1.0f);
  float sum = 0;
  for (const float w : weights) sum += w;
  for (float& w : weights) w /= sum;
  return weights;
}

void conv3(Run& r) {
  const std::size_t width = r.size(2048, 131), height = r.size(1024, 63);
  const auto from = octets(4 * width * height, 1);
  const auto weight = weights_of(9);
  std::vector<std::uint8_t> out(from.size()), want(from.size());
  r.plain([&] { convolve(from, want, weight, width, height, 4, 3); });
  r.source(kSource);
  const Picture picture{kRgba8, {width, height}};
  r.launch("conv3", {{width, height}, {}, {}}, image(picture, in(from)), in(weight), image(picture, out_of(out)));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want, 1.0 / 32);
}
void conv15(Run& r) {
  const std::size_t width = r.size(640, 131), height = r.size(480, 63);
  const auto from = floats(width * height, 1), weight = weights_of(225);
  std::vector<float> out(from.size()), want(from.size());
  r.plain([&] { convolve(from, want, weight, width, height, 1, 15); });
  r.source(kSource);
  const Picture picture{{CL_R, CL_FLOAT}, {width, height}};
  r.launch("conv15", {{width, height}, {}, {}}, image(picture, in(from)), in(weight), image(picture, out_of(out)));
  r.work(450.0 * width * height, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}

struct Step {
  cl_int x, y;
};
Argument argument(Step step) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&step);
  return {{bytes, bytes + sizeof step}, nullptr, sizeof step, Argument::Kind::kValue};
}
template <class... T>
Argument pack(T... values) {
  const float all[] = {values...};
  const auto* bytes = reinterpret_cast<const unsigned char*>(all);
  return {{bytes, bytes + sizeof all}, nullptr, sizeof all, Argument::Kind::kValue};
}

/// Coordinates and weights as a library writes them that was made for the texture units of other devices.
void conv9_placed(Run& r) {
  const std::size_t width = r.size(640, 131), height = r.size(480, 63);
  const auto from = floats(width * height, 1), weight = weights_of(81);
  std::vector<float> out(from.size()), want(from.size());
  r.plain([&] { convolve(from, want, weight, width, height, 1, 9); });
  r.source(kSource);
  const cl_image_format format{CL_R, CL_FLOAT};
  r.launch("conv9", {{width, height}, {}, {}}, image(Picture{format, {width, height}}, in(from)),
           image(Picture{format, {9, 9}}, in(weight)), out_of(out),
           argument(Step{static_cast<cl_int>(width), static_cast<cl_int>(height)}));
  r.work(162.0 * width * height, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}

void blur(Run& r) {
  const std::size_t width = r.size(1024, 131), height = r.size(768, 63);
  const auto from = floats(4 * width * height, 1), weight = weights_of(17);
  std::vector<float> between(from.size()), first(from.size()), out(from.size()), want(from.size());
  r.plain([&] {
    convolve(from, first, weight, width, height, 4, 17);
    convolve(first, want, weight, width, height, 4, 1);
  });
  r.source(kSource);
  const Picture picture{kRgbaFloat, {width, height}};
  const Sizes sizes{{width, height}, {}, {}};
  r.launch("blur", sizes, image(picture, in(from)), in(weight), image(picture, out_of(between)), argument(Step{1, 0}));
  r.launch("blur", sizes, image(picture, out_of(between)), in(weight), image(picture, out_of(out)),
           argument(Step{0, 1}));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want, 1e-4);
}

Colour load(const float* texel) {
  return Colour{texel[0], texel[1], texel[2], texel[3]};
}
Colour load(const std::uint8_t* texel) {
  typedef std::uint8_t Bytes __attribute__((vector_size(4), aligned(1)));
  return __builtin_convertvector(*reinterpret_cast<const Bytes*>(texel), Colour);
}
void store(Colour colour, float* to) {
  for (int c = 0; c < 4; ++c) to[c] = colour[c];
}
void store(Colour colour, std::uint8_t* to) {
  typedef std::uint8_t Bytes __attribute__((vector_size(4), aligned(1)));
  typedef int Words __attribute__((vector_size(16)));
  *reinterpret_cast<Bytes*>(to) = __builtin_convertvector(__builtin_convertvector(colour + 0.5f, Words), Bytes);
}

/// Two neighbours on an axis, and the weight of the second.
struct Pair {
  std::uint32_t at[2];
  float weight;
};
Pair pair_of(float place, std::size_t size) {
  const float low = std::floor(place - 0.5f);
  const auto i = static_cast<std::ptrdiff_t>(low);
  return {{static_cast<std::uint32_t>(held(i, size)), static_cast<std::uint32_t>(held(i + 1, size))},
          place - 0.5f - low};
}
std::vector<Pair> pairs_of(std::size_t count, float scale, std::size_t size) {
  std::vector<Pair> pairs(count);
  for (std::size_t i = 0; i < count; ++i)
    pairs[i] = pair_of((static_cast<float>(i) + 0.5f) * scale * static_cast<float>(size), size);
  return pairs;
}

/// One row, of two rows of the picture.
template <class T>
void resize_row(const T* const (&rows)[2], float weight, const std::vector<Pair>& columns, T* to) {
  for (const Pair& p : columns) {
    const std::size_t left = std::size_t{4} * p.at[0], right = std::size_t{4} * p.at[1];
    const Colour a = load(rows[0] + left) + p.weight * (load(rows[0] + right) - load(rows[0] + left));
    const Colour b = load(rows[1] + left) + p.weight * (load(rows[1] + right) - load(rows[1] + left));
    store(a + weight * (b - a), to);
    to += 4;
  }
}
template <class T>
void resize(const T* from, std::size_t width, std::size_t height, T* to, std::size_t new_width,
            std::size_t new_height) {
  const auto columns = pairs_of(new_width, 1.0f / static_cast<float>(new_width), width);
  const auto lines = pairs_of(new_height, 1.0f / static_cast<float>(new_height), height);
  parallel(new_height, [&](std::size_t y, std::size_t end) {
    for (; y < end; ++y) {
      const T* const rows[2] = {from + 4 * width * lines[y].at[0], from + 4 * width * lines[y].at[1]};
      resize_row(rows, lines[y].weight, columns, to + 4 * new_width * y);
    }
  });
}

template <class T>
void resize_of(Run& r, const cl_image_format& format, const std::vector<T>& from, std::size_t width,
               std::size_t height) {
  const std::size_t to_width = r.size(1536, 97), to_height = r.size(1152, 47);
  std::vector<T> out(4 * to_width * to_height), want(out.size());
  r.plain([&] { resize(from.data(), width, height, want.data(), to_width, to_height); });
  r.source(kSource);
  r.launch("resize", {{to_width, to_height}, {}, {}}, image({format, {width, height}}, in(from)),
           image({format, {to_width, to_height}}, out_of(out)),
           pack(1.0f / static_cast<float>(to_width), 1.0f / static_cast<float>(to_height)));
  r.work(static_cast<double>(to_width * to_height), "pixel");
  if (r.go()) r.check(out, want, sizeof(T) == 1 ? 2 : kFraction);
}
void resize_float(Run& r) {
  const std::size_t width = r.size(2048, 131), height = r.size(1536, 63);
  resize_of(r, kRgbaFloat, floats(4 * width * height, 1), width, height);
}
void resize_unorm8(Run& r) {
  const std::size_t width = r.size(2048, 131), height = r.size(1536, 63);
  resize_of(r, kRgba8, octets(4 * width * height, 1), width, height);
}

Pair tiled_pair(float at, std::size_t size) {
  const float place = (at - std::floor(at)) * static_cast<float>(size), low = std::floor(place - 0.5f);
  const auto i = static_cast<std::ptrdiff_t>(low), last = static_cast<std::ptrdiff_t>(size) - 1;
  return {{static_cast<std::uint32_t>(i < 0 ? last : i), static_cast<std::uint32_t>(i >= last ? 0 : i + 1)},
          place - 0.5f - low};
}

void rotate_tiled(Run& r) {
  const std::size_t width = r.size(1024, 131), height = r.size(1024, 63);
  const auto from = octets(4 * width * height, 1);
  std::vector<std::uint8_t> out(from.size()), want(from.size());
  const float c = 1.2f, s = 0.7f, sx = 1.0f / static_cast<float>(width), sy = 1.0f / static_cast<float>(height);
  r.plain([&] {
    parallel(height, [&](std::size_t y, std::size_t end) {
      for (; y < end; ++y)
        for (std::size_t x = 0; x < width; ++x) {
          const float u = (static_cast<float>(x) + 0.5f) * sx - 0.5f, v = (static_cast<float>(y) + 0.5f) * sy - 0.5f;
          const Pair p = tiled_pair(c * u - s * v, width), q = tiled_pair(s * u + c * v, height);
          const auto texel = [&](int i, int j) { return load(&from[4 * (q.at[j] * width + p.at[i])]); };
          const Colour a = texel(0, 0) + p.weight * (texel(1, 0) - texel(0, 0));
          const Colour b = texel(0, 1) + p.weight * (texel(1, 1) - texel(0, 1));
          store(a + q.weight * (b - a), &want[4 * (y * width + x)]);
        }
    });
  });
  r.source(kSource);
  const Picture picture{kRgba8, {width, height}};
  r.launch("rotate_tiled", {{width, height}, {}, {}}, image(picture, in(from)), image(picture, out_of(out)),
           pack(c, -s, s, c), pack(sx, sy));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want, 3);
}

void trilinear(Run& r) {
  const std::size_t n = r.size(128, 21), m = r.size(160, 33);
  const auto from = floats(n * n * n, 1);
  std::vector<float> out(m * m * m), want(out.size());
  const float scale = 1.0f / static_cast<float>(m);
  r.plain([&] {
    const auto pairs = pairs_of(m, scale, n);
    parallel(m, [&](std::size_t z, std::size_t end) {
      for (; z < end; ++z)
        for (std::size_t y = 0; y < m; ++y) {
          const Pair p = pairs[y], q = pairs[z];
          const float *a = &from[(q.at[0] * n + p.at[0]) * n], *b = &from[(q.at[0] * n + p.at[1]) * n],
                      *c = &from[(q.at[1] * n + p.at[0]) * n], *d = &from[(q.at[1] * n + p.at[1]) * n];
          for (std::size_t x = 0; x < m; ++x) {
            float side[2];
            for (int i = 0; i < 2; ++i) {
              const std::size_t at = pairs[x].at[i];
              const float near = a[at] + p.weight * (b[at] - a[at]), far = c[at] + p.weight * (d[at] - c[at]);
              side[i] = near + q.weight * (far - near);
            }
            want[(z * m + y) * m + x] = side[0] + pairs[x].weight * (side[1] - side[0]);
          }
        }
    });
  });
  r.source(kSource);
  r.launch("trilinear", {{m, m, m}, {}, {}}, image({{CL_R, CL_FLOAT}, {n, n, n}}, in(from)), out_of(out), scale);
  r.work(static_cast<double>(m * m * m), "sample");
  if (r.go()) r.check(out, want, kFraction);
}

void downsample(Run& r) {
  if (!r.needs_extension("cl_khr_mipmap_image")) return;
  const std::size_t width = r.size(2048, 132), height = r.size(1536, 64);
  const auto from = octets(4 * (width * height + width / 2 * (height / 2)), 1);
  const std::size_t to_width = width / 4, to_height = height / 4;
  std::vector<std::uint8_t> out(4 * to_width * to_height), want(out.size());
  r.plain([&] { resize(from.data() + 4 * width * height, width / 2, height / 2, want.data(), to_width, to_height); });
  r.source(kMipSource, "-cl-std=CL3.0");
  r.launch("from_level", {{to_width, to_height}, {}, {}}, image({kRgba8, {width, height}, 2}, in(from)),
           image({kRgba8, {to_width, to_height}}, out_of(out)),
           pack(1.0f / static_cast<float>(to_width), 1.0f / static_cast<float>(to_height)), 1.0f);
  r.work(static_cast<double>(to_width * to_height), "pixel");
  if (r.go()) r.check(out, want, 2);
}

}  // namespace

void add_image_filters(Suite& suite) {
  suite.insert(suite.end(), {{"image/conv3x3", conv3},
                             {"image/conv15x15", conv15},
                             {"image/conv9x9_placed", conv9_placed},
                             {"image/blur_separable", blur},
                             {"image/resize_float", resize_float},
                             {"image/resize_unorm8", resize_unorm8},
                             {"image/rotate_tiled", rotate_tiled},
                             {"image/trilinear", trilinear},
                             {"image/downsample_level", downsample}});
}

}  // namespace lanewise::bench
