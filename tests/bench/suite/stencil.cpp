// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils in two and three dimensions, straight from memory and through local memory, and a 7 x 7 convolution.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
kernel void stencil2d(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int i = y * width + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
#define TX 32
#define TY 8
kernel void stencil2d_local(global const float* in, global float* out, int width, int height) {
  local float tile[TY + 2][TX + 2];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  tile[ly + 1][lx + 1] = x < width && y < height ? in[y * width + x] : 0.0f;
  if (lx == 0) tile[ly + 1][0] = x > 0 && y < height ? in[y * width + x - 1] : 0.0f;
  if (lx == TX - 1) tile[ly + 1][TX + 1] = x + 1 < width && y < height ? in[y * width + x + 1] : 0.0f;
  if (ly == 0) tile[0][lx + 1] = y > 0 && x < width ? in[(y - 1) * width + x] : 0.0f;
  if (ly == TY - 1) tile[TY + 1][lx + 1] = y + 1 < height && x < width ? in[(y + 1) * width + x] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  out[y * width + x] = 0.5f * tile[ly + 1][lx + 1] + 0.125f * (tile[ly + 1][lx] + tile[ly + 1][lx + 2] +
                                                             tile[ly][lx + 1] + tile[ly + 2][lx + 1]);
}
kernel void stencil3d(global const float* in, global float* out, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x, slice = nx * ny;
  out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - slice] + in[i + slice]);
}
// A column of the volume per work-item, the slice in local memory.
kernel void stencil3d_local(global const float* in, global float* out, int nx, int ny, int nz) {
  local float tile[TY + 2][TX + 2];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  int slice = nx * ny, i = slice + y * nx + x;
  bool inside = x < nx - 1 && y < ny - 1;
  float below = inside ? in[i - slice] : 0.0f, here = inside ? in[i] : 0.0f;
  for (int z = 1; z < nz - 1; ++z, i += slice) {
    float above = inside ? in[i + slice] : 0.0f;
    if (inside) {
      tile[ly + 1][lx + 1] = here;
      if (lx == 0) tile[ly + 1][0] = in[i - 1];
      if (lx == TX - 1 || x == nx - 2) tile[ly + 1][lx + 2] = in[i + 1];
      if (ly == 0) tile[0][lx + 1] = in[i - nx];
      if (ly == TY - 1 || y == ny - 2) tile[ly + 2][lx + 1] = in[i + nx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)
      out[i] = 0.4f * here + 0.1f * (tile[ly + 1][lx] + tile[ly + 1][lx + 2] + tile[ly][lx + 1] + tile[ly + 2][lx + 1] +
                                     below + above);
    barrier(CLK_LOCAL_MEM_FENCE);
    below = here;
    here = above;
  }
}
kernel void conv7(global const float* in, constant float* weight, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int pitch = width + 6;
  float sum = 0;
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 7; ++i) sum += weight[j * 7 + i] * in[(y + j) * pitch + x + i];
  out[y * width + x] = sum;
}
kernel void conv7_local(global const float* in, constant float* weight, global float* out, int width, int height) {
  local float tile[16 + 6][16 + 6];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), pitch = width + 6;
  int x0 = x - lx, y0 = y - ly;
  for (int k = ly * 16 + lx; k < 22 * 22; k += 256) {
    int tx = k % 22, ty = k / 22;
    tile[ty][tx] = x0 + tx < pitch && y0 + ty < height + 6 ? in[(y0 + ty) * pitch + x0 + tx] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 7; ++i) sum += weight[j * 7 + i] * tile[ly + j][lx + i];
  out[y * width + x] = sum;
}
// Clamps at the border, as image filters do.
kernel void blur_clamped(global const uchar* in, global uchar* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) sum += in[clamp(y + j, 0, height - 1) * width + clamp(x + i, 0, width - 1)];
  out[y * width + x] = (uchar)((sum * 7282 + 32768) >> 16);
}
)";

void stencil2d_of(Run& r, const char* kernel, const std::vector<std::size_t>& group) {
  const std::size_t width = r.size(4000, 133), height = r.size(2500, 61);
  const auto a = floats(width * height, 1);
  std::vector<float> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(height - 2, [&](std::size_t y, std::size_t end) {
      for (++y, ++end; y < end; ++y)
        for (std::size_t x = 1; x < width - 1; ++x) {
          const std::size_t i = y * width + x;
          want[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - width] + a[i + width]);
        }
    });
  });
  r.source(kSource);
  Sizes sizes{{width, height}, {}, {}};
  if (!group.empty()) sizes = {{round_up(width, group[0]), round_up(height, group[1])}, group, {}};
  r.launch(kernel, sizes, in(a), out_of(out), static_cast<cl_int>(width), static_cast<cl_int>(height));
  r.work(8.0 * width * height, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}
void stencil2d(Run& r) {
  stencil2d_of(r, "stencil2d", {});
}
void stencil2d_8x8(Run& r) {
  stencil2d_of(r, "stencil2d", {8, 8});
}
void stencil2d_local(Run& r) {
  stencil2d_of(r, "stencil2d_local", {32, 8});
}

void stencil3d_of(Run& r, const char* kernel, bool columns) {
  const std::size_t nx = r.size(256, 37), ny = r.size(200, 21), nz = r.size(160, 11);
  const auto a = floats(nx * ny * nz, 1);
  std::vector<float> out(a.size()), want(a.size());
  const std::size_t slice = nx * ny;
  r.plain([&] {
    parallel(nz - 2, [&](std::size_t z, std::size_t end) {
      for (++z, ++end; z < end; ++z)
        for (std::size_t y = 1; y < ny - 1; ++y)
          for (std::size_t x = 1; x < nx - 1; ++x) {
            const std::size_t i = z * slice + y * nx + x;
            want[i] = 0.4f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - slice] + a[i + slice]);
          }
    });
  });
  r.source(kSource);
  Sizes sizes{{nx, ny, nz}, {}, {}};
  if (columns) sizes = {{round_up(nx - 2, 32), round_up(ny - 2, 8)}, {32, 8}, {}};
  r.launch(kernel, sizes, in(a), out_of(out), static_cast<cl_int>(nx), static_cast<cl_int>(ny),
           static_cast<cl_int>(nz));
  r.work(8.0 * nx * ny * nz, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}
void stencil3d(Run& r) {
  stencil3d_of(r, "stencil3d", false);
}
void stencil3d_local(Run& r) {
  stencil3d_of(r, "stencil3d_local", true);
}

void conv7_of(Run& r, const char* kernel) {
  const std::size_t width = r.size(1024, 83), height = r.size(768, 37), pitch = width + 6;
  const auto a = floats(pitch * (height + 6), 1), weight = floats(49, 2, -0.1f, 0.1f);
  std::vector<float> out(width * height), want(width * height);
  r.plain([&] {
    parallel(height, [&](std::size_t y, std::size_t end) {
      for (; y < end; ++y)
        for (std::size_t x0 = 0; x0 < width; x0 += 128) {
          const std::size_t span = std::min<std::size_t>(128, width - x0);
          float sum[128] = {};
          for (std::size_t j = 0; j < 7; ++j) {
            const float* from = &a[(y + j) * pitch + x0];
            const float* w = &weight[j * 7];
            for (std::size_t x = 0; x < span; ++x)
              sum[x] += w[0] * from[x] + w[1] * from[x + 1] + w[2] * from[x + 2] + w[3] * from[x + 3] +
                        w[4] * from[x + 4] + w[5] * from[x + 5] + w[6] * from[x + 6];
          }
          std::copy(sum, sum + span, &want[y * width + x0]);
        }
    });
  });
  r.source(kSource);
  r.launch(kernel, {{round_up(width, 16), round_up(height, 16)}, {16, 16}, {}}, in(a), in(weight), out_of(out),
           static_cast<cl_int>(width), static_cast<cl_int>(height));
  r.work(98.0 * width * height, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-4);
}
void conv7(Run& r) {
  conv7_of(r, "conv7");
}
void conv7_local(Run& r) {
  conv7_of(r, "conv7_local");
}

void blur_clamped(Run& r) {
  const std::size_t width = r.size(1920, 133), height = r.size(1080, 61);
  const auto a = octets(width * height, 1);
  std::vector<std::uint8_t> out(a.size()), want(a.size());
  r.plain([&] {
    parallel(height, [&](std::size_t y, std::size_t end) {
      std::vector<std::uint16_t> column(width + 2);
      for (; y < end; ++y) {
        const std::uint8_t* rows[3] = {&a[(y == 0 ? 0 : y - 1) * width], &a[y * width],
                                       &a[std::min(y + 1, height - 1) * width]};
        for (std::size_t x = 0; x < width; ++x)
          column[x + 1] = static_cast<std::uint16_t>(rows[0][x] + rows[1][x] + rows[2][x]);
        column[0] = column[1];
        column[width + 1] = column[width];
        for (std::size_t x = 0; x < width; ++x)
          want[y * width + x] =
              static_cast<std::uint8_t>(((unsigned{column[x]} + column[x + 1] + column[x + 2]) * 7282u + 32768u) >> 16);
      }
    });
  });
  r.source(kSource);
  r.launch("blur_clamped", {{width, height}, {}, {}}, in(a), out_of(out), static_cast<cl_int>(width),
           static_cast<cl_int>(height));
  r.work(static_cast<double>(width * height), "pixel");
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_stencil(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/stencil2d", stencil2d},
                             {"workgroup/stencil2d_8x8", stencil2d_8x8},
                             {"workgroup/stencil2d_local", stencil2d_local},
                             {"workgroup/stencil3d", stencil3d},
                             {"workgroup/stencil3d_local", stencil3d_local},
                             {"workgroup/conv7x7", conv7},
                             {"workgroup/conv7x7_local", conv7_local},
                             {"workgroup/blur_clamped", blur_clamped}});
}

}  // namespace lanewise::bench
