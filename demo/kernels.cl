// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Escape time of z -> z*z + c; one work-item for each pixel, with a loop whose length differs from pixel to pixel.
kernel void mandelbrot(global uint* counts, uint width, float left, float top, float step, uint limit) {
  const uint x = get_global_id(0);
  const uint y = get_global_id(1);
  const float cr = left + step * (float)x;
  const float ci = top + step * (float)y;
  float zr = 0.0f;
  float zi = 0.0f;
  uint count = 0;
  while (count < limit && zr * zr + zi * zi <= 4.0f) {
    const float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    ++count;
  }
  counts[y * width + x] = count;
}

/// One step of n-body: every body against every other, tiles of bodies shared through local memory.
kernel void nbody(global const float4* position, global float4* velocity, global float4* moved, local float4* tile,
                  uint count, float dt, float softening) {
  const uint i = get_global_id(0);
  const uint lid = get_local_id(0);
  const uint lsize = get_local_size(0);
  const float4 me = position[i];
  float3 force = (float3)(0.0f);
  for (uint base = 0; base < count; base += lsize) {
    tile[lid] = position[base + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < lsize; ++j) {
      const float3 d = tile[j].xyz - me.xyz;
      const float r2 = dot(d, d) + softening;
      const float inverse = 1.0f / sqrt(r2);
      force += d * (tile[j].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float3 v = velocity[i].xyz + force * dt;
  velocity[i] = (float4)(v, 0.0f);
  moved[i] = (float4)(me.xyz + v * dt, me.w);
}

#define TILE 16

/// c = a * b for square matrices whose size is a multiple of TILE.
kernel void matmul(global const float* a, global const float* b, global float* c, uint n) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  const uint x = get_local_id(0);
  const uint y = get_local_id(1);
  const uint column = get_global_id(0);
  const uint row = get_global_id(1);
  float sum = 0.0f;
  for (uint k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE; ++i) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

/// 256 bins: counted in local memory first, then added to those in global memory, both with atomics.
kernel void histogram(global const uchar* data, global uint* bins, uint count) {
  local uint mine[256];
  const uint lid = get_local_id(0);
  for (uint i = lid; i < 256; i += get_local_size(0)) mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&mine[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = lid; i < 256; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}

// A chain on images: smooth, sharpen, shrink, tone curve. Samplers do the conversions, the edges and the filters.
constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t between = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

/// Applies the binomial filter of 3 x 3 texels.
kernel void smooth(read_only image2d_t from, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = (float4)(0.0f);
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += read_imagef(from, texels, at + (int2)(x, y)) * (float)((2 - abs(x)) * (2 - abs(y)));
  write_imagef(to, at, sum / 16.0f);
}

/// Moves each texel away from the mean of its four neighbours.
kernel void sharpen(read_only image2d_t from, write_only image2d_t to, float amount) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 here = read_imagef(from, texels, at);
  const float4 around = read_imagef(from, texels, at + (int2)(-1, 0)) + read_imagef(from, texels, at + (int2)(1, 0)) +
                        read_imagef(from, texels, at + (int2)(0, -1)) + read_imagef(from, texels, at + (int2)(0, 1));
  write_imagef(to, at, here + (here - around * 0.25f) * amount);
}

/// Resizes to the size of `to`, with linear interpolation.
kernel void resize(read_only image2d_t from, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 size = (float2)(get_image_width(to), get_image_height(to));
  write_imagef(to, at, read_imagef(from, between, (convert_float2(at) + 0.5f) / size));
}

/// Maps each colour by a curve, which is a 1D image.
kernel void tone(read_only image2d_t from, read_only image1d_t curve, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 in = read_imagef(from, texels, at);
  write_imagef(to, at,
               (float4)(read_imagef(curve, between, in.x).x, read_imagef(curve, between, in.y).x,
                        read_imagef(curve, between, in.z).x, 1.0f));
}
