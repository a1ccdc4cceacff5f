// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The demo: a picture, a chain of filters on it, n-body, a matrix product and a histogram, each checked and timed.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "image_chain.h"
#include "opencl.h"

#ifndef DEMO_KERNELS
#define DEMO_KERNELS "kernels.cl"
#endif

namespace {

using demo::Session;

/// Best of a few runs: the first one includes page faults and the start of threads.
template <class Run>
double best_of(int times, Run run) {
  double best = run();
  for (int i = 1; i < times; ++i) best = std::min(best, run());
  return best;
}

void verdict(const char* name, bool right, double seconds, double amount, const char* unit) {
  std::printf("  %-22s %s %9.3f ms %10.2f %s\n", name, right ? "right" : "WRONG", seconds * 1e3, amount, unit);
  if (!right) std::exit(1);
}

std::uint32_t escape_time(float cr, float ci, std::uint32_t limit) {
  float zr = 0.0f;
  float zi = 0.0f;
  std::uint32_t count = 0;
  while (count < limit && zr * zr + zi * zi <= 4.0f) {
    const float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    ++count;
  }
  return count;
}

demo::Picture coloured(const std::vector<std::uint32_t>& counts, std::uint32_t size, std::uint32_t limit) {
  demo::Picture picture{size, size, std::vector<std::uint8_t>(counts.size() * 4, 255)};
  std::vector<std::uint8_t>& pixels = picture.bytes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double t = counts[i] == limit ? 0.0 : std::sqrt(counts[i] / static_cast<double>(limit));
    pixels[4 * i] = static_cast<std::uint8_t>(255 * std::min(1.0, 1.5 * t));
    pixels[4 * i + 1] = static_cast<std::uint8_t>(255 * std::min(1.0, t * t * 3));
    pixels[4 * i + 2] = static_cast<std::uint8_t>(255 * std::min(1.0, 0.2 * (t > 0) + 4 * t * (1 - t)));
  }
  return picture;
}

void write_png(const std::string& path, const demo::Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGBA;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.bytes.data(), 0, nullptr) == 0)
    throw std::runtime_error("can't write " + path);
  std::printf("  %-22s %s\n", "", path.c_str());
}

demo::Picture mandelbrot(Session& session, const std::string& path) {
  constexpr std::uint32_t size = 4096;
  constexpr std::uint32_t limit = 256;
  const float left = -2.2f;
  const float top = -1.5f;
  const float step = 3.0f / size;
  std::vector<std::uint32_t> counts(std::size_t{size} * size);
  cl_mem buffer = session.buffer(counts);
  const double seconds =
      best_of(3, [&] { return session.run("mandelbrot", {size, size}, {}, buffer, size, left, top, step, limit); });
  session.read(buffer, counts);
  // Fused multiply-adds may move single pixels across the border of the set; more than one in 200 is an error.
  double iterations = 0;
  std::size_t checked = 0;
  std::size_t different = 0;
  for (std::uint32_t count : counts) iterations += count;
  for (std::size_t i = 0; i < counts.size(); i += 17, ++checked) {
    const auto x = static_cast<float>(i % size);
    const std::size_t row = i / size;
    const auto y = static_cast<float>(row);
    different += escape_time(left + step * x, top + step * y, limit) != counts[i];
  }
  verdict("Mandelbrot 4096x4096", different * 200 < checked, seconds, iterations / seconds * 1e-9, "Giter/s");
  demo::Picture picture = coloured(counts, size, limit);
  write_png(path, picture);
  return picture;
}

/// A chain of kernels on images. Filters may round differently by a few parts in a thousand.
void chain(Session& session, const demo::Picture& picture, std::string path) {
  const demo::ChainResult result = demo::image_chain(session, picture);
  const auto pixels = static_cast<double>(picture.width * picture.height);
  verdict("image chain 4096x4096", result.largest_error <= 1, result.seconds, pixels / result.seconds * 1e-6,
          "Mpixel/s");
  path.insert(path.rfind('.') == std::string::npos ? path.size() : path.rfind('.'), "-chain");
  write_png(path, result.picture);
}

struct Body {
  float x, y, z, w;
};

void nbody(Session& session) {
  constexpr std::uint32_t count = 8192;
  constexpr float dt = 0.001f;
  constexpr float softening = 0.01f;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-1.0f, 1.0f);
  std::vector<Body> position(count);
  std::vector<Body> velocity(count, Body{0, 0, 0, 0});
  std::vector<Body> moved(count);
  for (Body& b : position) b = {place(random), place(random), place(random), 1.0f / count};
  cl_mem p = session.buffer(position);
  cl_mem v = session.buffer(velocity);
  cl_mem m = session.buffer(moved);
  const double seconds = best_of(3, [&] {
    session.write(v, velocity);
    return session.run("nbody", {count}, {128}, p, v, m, Session::Local{128 * sizeof(Body)}, count, dt, softening);
  });
  session.read(m, moved);
  double worst = 0;
  for (std::uint32_t i = 0; i < count; i += 61) {
    double force[3] = {0, 0, 0};
    for (const Body& b : position) {
      const double d[3] = {b.x - position[i].x, b.y - position[i].y, b.z - position[i].z};
      const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening;
      for (int k = 0; k < 3; ++k) force[k] += d[k] * b.w / (r2 * std::sqrt(r2));
    }
    const double expected[3] = {position[i].x + force[0] * dt * dt, position[i].y + force[1] * dt * dt,
                                position[i].z + force[2] * dt * dt};
    worst = std::max({worst, std::abs(expected[0] - moved[i].x), std::abs(expected[1] - moved[i].y),
                      std::abs(expected[2] - moved[i].z)});
  }
  // 20 operations for each interaction, as is usual for n-body.
  verdict("n-body 8192", worst < 1e-5, seconds, 20.0 * count * count / seconds * 1e-9, "GFLOP/s");
}

void matmul(Session& session) {
  constexpr std::uint32_t n = 1024;
  std::mt19937 random(11);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> a(std::size_t{n} * n);
  std::vector<float> b(std::size_t{n} * n);
  std::vector<float> c(std::size_t{n} * n);
  for (float& x : a) x = value(random);
  for (float& x : b) x = value(random);
  cl_mem da = session.buffer(a);
  cl_mem db = session.buffer(b);
  cl_mem dc = session.buffer(c);
  const double seconds = best_of(3, [&] { return session.run("matmul", {n, n}, {16, 16}, da, db, dc, n); });
  session.read(dc, c);
  double worst = 0;
  for (std::uint32_t row = 0; row < n; row += 37) {
    for (std::uint32_t column = 0; column < n; column += 13) {
      double sum = 0;
      for (std::uint32_t k = 0; k < n; ++k) sum += static_cast<double>(a[row * n + k]) * b[k * n + column];
      worst = std::max(worst, std::abs(sum - c[row * n + column]));
    }
  }
  verdict("matrix multiply 1024", worst < 1e-3, seconds, 2.0 * n * n * n / seconds * 1e-9, "GFLOP/s");
}

void histogram(Session& session) {
  constexpr std::uint32_t count = 64u << 20;
  std::mt19937 random(13);
  std::vector<std::uint8_t> data(count);
  for (std::size_t i = 0; i < count; i += 4) {
    const auto r = static_cast<std::uint32_t>(random());
    for (std::size_t k = 0; k < 4; ++k) data[i + k] = static_cast<std::uint8_t>(r >> (8 * k));
  }
  std::vector<std::uint32_t> bins(256, 0);
  std::vector<std::uint32_t> expected(256, 0);
  for (std::uint8_t byte : data) ++expected[byte];
  const std::vector<std::uint32_t> zero(256, 0);
  cl_mem d = session.buffer(data);
  cl_mem h = session.buffer(bins);
  const double seconds = best_of(3, [&] {
    session.write(h, zero);
    return session.run("histogram", {std::size_t{256} * 64}, {256}, d, h, count);
  });
  session.read(h, bins);
  verdict("histogram 64 MiB", bins == expected, seconds, count / seconds * 1e-9, "GB/s");
}

std::string text_of(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  demo::check(clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  demo::check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  text.resize(text.find('\0'));
  return text;
}

cl_device_id first_cpu() {
  cl_uint count = 0;
  demo::check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  demo::check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  throw std::runtime_error("no CPU device");
}

std::string read_file(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("can't read ") + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

/// Arguments: the picture's path (mandelbrot.png), the kernel file.
int main(int argc, char** argv) try {
  cl_device_id device = first_cpu();
  std::printf("%s (%s, driver %s)\n", text_of(device, CL_DEVICE_NAME).c_str(),
              text_of(device, CL_DEVICE_VERSION).c_str(), text_of(device, CL_DRIVER_VERSION).c_str());
  Session session(device, read_file(argc > 2 ? argv[2] : DEMO_KERNELS));
  const std::string path = argc > 1 ? argv[1] : "mandelbrot.png";
  const demo::Picture picture = mandelbrot(session, path);
  chain(session, picture, path);
  nbody(session);
  matmul(session);
  histogram(session);
  std::printf("every result is right\n");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "demo: %s\n", error.what());
  return 1;
}
