// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels on images, each beside the same on buffers as a user would write it, for measuring builds.
#pragma once

#include <string>

namespace lanewise::bench {

struct ImageProgram {
  const char* name;
  const char* on_images;
  const char* on_buffers;
};

inline constexpr const char* kImageHead = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t tiled = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
#define AT (int2)(get_global_id(0), get_global_id(1))
#define CENTRE ((float2)(get_global_id(0), get_global_id(1)) + 0.5f)
)";
inline constexpr const char* kBufferHead = R"(
#define X (int)get_global_id(0)
#define Y (int)get_global_id(1)
int place(int x, int y, int2 size) { return clamp(y, 0, size.y - 1) * size.x + clamp(x, 0, size.x - 1); }
float4 smooth(global const float4* in, float2 at, int2 size) {
  const float2 low = floor(at - 0.5f), w = at - 0.5f - low;
  const int x = (int)low.x, y = (int)low.y;
  return mix(mix(in[place(x, y, size)], in[place(x + 1, y, size)], w.x),
             mix(in[place(x, y + 1, size)], in[place(x + 1, y + 1, size)], w.x), w.y);
}
#define CENTRE ((float2)(get_global_id(0), get_global_id(1)) + 0.5f)
)";

/// `k` is the kernel. On buffers it takes what the image would have: float4, or bytes.
inline constexpr ImageProgram kImagePrograms[] = {
    {"copy float4, sampler",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out) { write_imagef(out, AT, read_imagef(in, nearest, AT)); })",
     R"(kernel void k(global const float4* in, global float4* out, int2 size) { if (X < size.x && Y < size.y) out[Y * size.x + X] = in[place(X, Y, size)]; })"},
    {"copy float4, no sampler",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out) { write_imagef(out, AT, read_imagef(in, AT)); })",
     R"(kernel void k(global const float4* in, global float4* out, int2 size) { if (X < size.x && Y < size.y) out[Y * size.x + X] = in[Y * size.x + X]; })"},
    {"copy uint4",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out) { write_imageui(out, AT, read_imageui(in, nearest, AT)); })",
     R"(kernel void k(global const uint4* in, global uint4* out, int2 size) { if (X < size.x && Y < size.y) out[Y * size.x + X] = in[place(X, Y, size)]; })"},
    {"swizzle",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out) { write_imagef(out, AT, read_imagef(in, nearest, AT).zyxw); })",
     R"(kernel void k(global const uchar4* in, global uchar4* out, int2 size) { if (X < size.x && Y < size.y) out[Y * size.x + X] = convert_uchar4_sat_rte(convert_float4(in[place(X, Y, size)]).zyxw); })"},
    {"convolution 3 x 3",
     R"(kernel void k(read_only image2d_t in, constant float* weight, write_only image2d_t out) {
  float4 sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += weight[j * 3 + i] * read_imagef(in, nearest, AT + (int2)(i - 1, j - 1));
  write_imagef(out, AT, sum);
})",
     R"(kernel void k(global const float4* in, constant float* weight, global float4* out, int2 size) {
  float4 sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += weight[j * 3 + i] * in[place(X + i - 1, Y + j - 1, size)];
  if (X < size.x && Y < size.y) out[Y * size.x + X] = sum;
})"},
    {"convolution 3 x 3, written out",
     R"(#define TAP(i, j) weight[(j) * 3 + (i)] * read_imagef(in, nearest, AT + (int2)((i) - 1, (j) - 1))
kernel void k(read_only image2d_t in, constant float* weight, write_only image2d_t out) {
  const float4 a = TAP(0, 0) + TAP(1, 0) + TAP(2, 0), b = TAP(0, 1) + TAP(1, 1) + TAP(2, 1);
  write_imagef(out, AT, a + b + TAP(0, 2) + TAP(1, 2) + TAP(2, 2));
})",
     R"(#define TAP(i, j) weight[(j) * 3 + (i)] * in[place(X + (i) - 1, Y + (j) - 1, size)]
kernel void k(global const float4* in, constant float* weight, global float4* out, int2 size) {
  const float4 a = TAP(0, 0) + TAP(1, 0) + TAP(2, 0), b = TAP(0, 1) + TAP(1, 1) + TAP(2, 1);
  if (X < size.x && Y < size.y) out[Y * size.x + X] = a + b + TAP(0, 2) + TAP(1, 2) + TAP(2, 2);
})"},
    {"convolution 15 x 15",
     R"(kernel void k(read_only image2d_t in, constant float* weight, write_only image2d_t out) {
  float sum = 0.0f;
  for (int j = 0; j < 15; ++j)
    for (int i = 0; i < 15; ++i) sum += weight[j * 15 + i] * read_imagef(in, nearest, AT + (int2)(i - 7, j - 7)).x;
  write_imagef(out, AT, (float4)(sum, 0.0f, 0.0f, 1.0f));
})",
     R"(kernel void k(global const float* in, constant float* weight, global float* out, int2 size) {
  float sum = 0.0f;
  for (int j = 0; j < 15; ++j)
    for (int i = 0; i < 15; ++i) sum += weight[j * 15 + i] * in[place(X + i - 7, Y + j - 7, size)];
  if (X < size.x && Y < size.y) out[Y * size.x + X] = sum;
})"},
    {"blur",
     R"(kernel void k(read_only image2d_t in, constant float* weight, write_only image2d_t out, int2 step) {
  float4 sum = 0.0f;
  for (int i = -8; i <= 8; ++i) sum += weight[i + 8] * read_imagef(in, nearest, AT + i * step);
  write_imagef(out, AT, sum);
})",
     R"(kernel void k(global const float4* in, constant float* weight, global float4* out, int2 step, int2 size) {
  float4 sum = 0.0f;
  for (int i = -8; i <= 8; ++i) sum += weight[i + 8] * in[place(X + i * step.x, Y + i * step.y, size)];
  if (X < size.x && Y < size.y) out[Y * size.x + X] = sum;
})"},
    {"bilinear resize",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out, float2 scale) { write_imagef(out, AT, read_imagef(in, smooth, CENTRE * scale)); })",
     R"(kernel void k(global const float4* in, global float4* out, float2 scale, int2 size, int2 to) {
  if (X < to.x && Y < to.y) out[Y * to.x + X] = smooth(in, CENTRE * scale * convert_float2(size), size);
})"},
    {"rotation, tiled",
     R"(kernel void k(read_only image2d_t in, write_only image2d_t out, float4 turn, float2 scale) {
  const float2 at = CENTRE * scale - 0.5f;
  write_imagef(out, AT, read_imagef(in, tiled, (float2)(dot(turn.xy, at), dot(turn.zw, at))));
})",
     R"(int tile(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }
float4 texel(global const uchar4* in, int x, int y, int2 size) {
  return convert_float4(in[tile(y, size.y) * size.x + tile(x, size.x)]);
}
kernel void k(global const uchar4* in, global uchar4* out, float4 turn, float2 scale, int2 size) {
  const float2 at = CENTRE * scale - 0.5f, turned = (float2)(dot(turn.xy, at), dot(turn.zw, at));
  const float2 place = (turned - floor(turned)) * convert_float2(size) - 0.5f, low = floor(place), w = place - low;
  const int x = (int)low.x, y = (int)low.y;
  const float4 sum = mix(mix(texel(in, x, y, size), texel(in, x + 1, y, size), w.x),
                         mix(texel(in, x, y + 1, size), texel(in, x + 1, y + 1, size), w.x), w.y);
  if (X < size.x && Y < size.y) out[Y * size.x + X] = convert_uchar4_sat_rte(sum);
})"},
    {"trilinear",
     R"(kernel void k(read_only image3d_t in, global float* out, float scale) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const float4 at = (float4)(x + 0.5f, y + 0.5f, z + 0.5f, 0.0f) * scale;
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imagef(in, smooth, at).x;
})",
     R"(int voxel(int x, int y, int z, int4 size) { return (clamp(z, 0, size.z - 1) * size.y + clamp(y, 0, size.y - 1)) * size.x + clamp(x, 0, size.x - 1); }
#define PAIR(j, k) mix(in[voxel(i.x, i.y + (j), i.z + (k), size)], in[voxel(i.x + 1, i.y + (j), i.z + (k), size)], w.x)
kernel void k(global const float* in, global float* out, float scale, int4 size) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const float4 at = (float4)(x + 0.5f, y + 0.5f, z + 0.5f, 0.0f) * scale * convert_float4(size) - 0.5f;
  const float4 low = floor(at), w = at - low;
  const int4 i = convert_int4(low);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
      mix(mix(PAIR(0, 0), PAIR(1, 0), w.y), mix(PAIR(0, 1), PAIR(1, 1), w.y), w.z);
})"},
    {"lookup tables",
     R"(kernel void k(read_only image2d_t in, read_only image1d_t table, write_only image2d_t out) {
  const float4 c = read_imagef(in, nearest, AT);
  const float r = read_imagef(table, smooth, c.x).x, g = read_imagef(table, smooth, c.y).x;
  write_imagef(out, AT, (float4)(r, g, read_imagef(table, smooth, c.z).x, c.w));
})",
     R"(float looked_up(global const float* table, float at, int size) {
  const float place = at * (float)size - 0.5f, low = floor(place);
  const int i = (int)low;
  return mix(table[clamp(i, 0, size - 1)], table[clamp(i + 1, 0, size - 1)], place - low);
}
kernel void k(global const float4* in, global const float* table, global float4* out, int2 size, int n) {
  const float4 c = in[place(X, Y, size)];
  const float4 to = (float4)(looked_up(table, c.x, n), looked_up(table, c.y, n), looked_up(table, c.z, n), c.w);
  if (X < size.x && Y < size.y) out[Y * size.x + X] = to;
})"},
    {"NV12 to RGBA",
     R"(kernel void k(read_only image2d_t luma, read_only image2d_t chroma, write_only image2d_t out) {
  const int2 at = AT;
  const float y = 1.1644f * (read_imagef(luma, nearest, at).x - 0.0627f);
  const float2 c = read_imagef(chroma, nearest, at / 2).xy - 0.5f;
  const float r = y + 1.7927f * c.y, g = y - 0.2132f * c.x - 0.5329f * c.y, b = y + 2.1124f * c.x;
  write_imagef(out, at, (float4)(r, g, b, 1.0f));
})",
     R"(kernel void k(global const uchar* luma, global const uchar2* chroma, global uchar4* out, int2 size) {
  const float y = 1.1644f * ((float)luma[place(X, Y, size)] / 255.0f - 0.0627f);
  const float2 c = convert_float2(chroma[place(X / 2, Y / 2, size / 2)]) / 255.0f - 0.5f;
  const float r = y + 1.7927f * c.y, g = y - 0.2132f * c.x - 0.5329f * c.y, b = y + 2.1124f * c.x;
  if (X < size.x && Y < size.y) out[Y * size.x + X] = convert_uchar4_sat_rte((float4)(r, g, b, 1.0f) * 255.0f);
})"},
    {"in place",
     R"(kernel void k(read_write image2d_t picture) {
  const float4 c = read_imagef(picture, AT);
  write_imagef(picture, AT, (float4)(1.0f - c.xyz, c.w));
})",
     R"(kernel void k(global uchar4* picture, int2 size) {
  if (X >= size.x || Y >= size.y) return;
  const float4 c = convert_float4(picture[Y * size.x + X]) / 255.0f;
  picture[Y * size.x + X] = convert_uchar4_sat_rte((float4)(1.0f - c.xyz, c.w) * 255.0f);
})"},
};

/// A source that is in no cache.
inline std::string image_program(const ImageProgram& program, bool images, long salt) {
  return std::string(images ? kImageHead : kBufferHead) + (images ? program.on_images : program.on_buffers) + "\n// " +
         std::to_string(salt) + "\n";
}

}  // namespace lanewise::bench
