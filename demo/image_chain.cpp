// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace demo {
namespace {

constexpr float kAmount = 0.6F;
constexpr std::size_t kCurve = 64;

std::vector<float> curve() {
  std::vector<float> values(kCurve);
  for (std::size_t i = 0; i < kCurve; ++i) values[i] = std::pow(static_cast<float>(i) / (kCurve - 1), 0.8F);
  return values;
}

using Colour = std::array<float, 4>;

struct Plane {
  std::size_t width, height;
  std::vector<Colour> texels;

  Plane(std::size_t w, std::size_t h) : width(w), height(h), texels(w * h) {}
  /// Outside of the picture, the nearest texel of its edge.
  [[nodiscard]] const Colour& at(std::ptrdiff_t x, std::ptrdiff_t y) const {
    const auto inside = [](std::ptrdiff_t i, std::size_t size) {
      return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(size) - 1));
    };
    return texels[inside(y, height) * width + inside(x, width)];
  }
};

template <class Function>
Plane made(std::size_t width, std::size_t height, Function function) {
  Plane plane(width, height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 4; ++c)
        plane.texels[y * width + x][c] = function(static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y), c);
  return plane;
}

/// Linear interpolation between two texels; `place` is a coordinate in texels.
template <class Function>
float between(float place, Function texel) {
  const float low = std::floor(place - 0.5F);
  const float weight = place - 0.5F - low;
  const auto first = static_cast<std::ptrdiff_t>(low);
  return (1 - weight) * texel(first) + weight * texel(first + 1);
}

Picture plain(const Picture& from, std::size_t width, std::size_t height) {
  const Plane source = made(from.width, from.height, [&](std::ptrdiff_t x, std::ptrdiff_t y, std::size_t c) {
    const auto index = static_cast<std::size_t>(y) * from.width + static_cast<std::size_t>(x);
    return static_cast<float>(from.bytes[4 * index + c]) / 255.0F;
  });
  const Plane smooth = made(from.width, from.height, [&](std::ptrdiff_t x, std::ptrdiff_t y, std::size_t c) {
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        sum += source.at(x + i, y + j)[c] * static_cast<float>((2 - std::abs(i)) * (2 - std::abs(j)));
    return sum / 16.0F;
  });
  const Plane sharp = made(from.width, from.height, [&](std::ptrdiff_t x, std::ptrdiff_t y, std::size_t c) {
    const float here = smooth.at(x, y)[c];
    const float around =
        smooth.at(x - 1, y)[c] + smooth.at(x + 1, y)[c] + smooth.at(x, y - 1)[c] + smooth.at(x, y + 1)[c];
    return here + (here - around * 0.25F) * kAmount;
  });
  const std::vector<float> values = curve();
  Picture out{width, height, std::vector<std::uint8_t>(width * height * 4)};
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 4; ++c) {
        const float u = (static_cast<float>(x) + 0.5F) * static_cast<float>(from.width) / static_cast<float>(width);
        const float v = (static_cast<float>(y) + 0.5F) * static_cast<float>(from.height) / static_cast<float>(height);
        const float small = between(v, [&](std::ptrdiff_t row) {
          return between(u, [&](std::ptrdiff_t column) { return sharp.at(column, row)[c]; });
        });
        const float toned = between(small * kCurve, [&](std::ptrdiff_t i) {
          return values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, kCurve - 1))];
        });
        const float value = c == 3 ? 1.0F : std::clamp(toned, 0.0F, 1.0F);
        out.bytes[4 * (y * width + x) + c] = static_cast<std::uint8_t>(std::nearbyint(value * 255.0F));
      }
  return out;
}

}  // namespace

ChainResult image_chain(Session& session, const Picture& from) {
  const std::size_t width = from.width * 5 / 8, height = from.height * 5 / 8;
  constexpr cl_image_format kBytes{CL_RGBA, CL_UNORM_INT8};
  constexpr cl_image_format kFloats{CL_RGBA, CL_FLOAT};
  std::vector<float> values = curve();
  cl_mem source = session.image(kBytes, from.width, from.height, from.bytes.data());
  cl_mem smooth = session.image(kFloats, from.width, from.height);
  cl_mem sharp = session.image(kFloats, from.width, from.height);
  cl_mem small = session.image(kFloats, width, height);
  cl_mem toned = session.image(kBytes, width, height);
  cl_mem tones = session.image({CL_R, CL_FLOAT}, kCurve, 0, values.data());
  const auto chain = [&] {
    return session.run("smooth", {from.width, from.height}, {}, source, smooth) +
           session.run("sharpen", {from.width, from.height}, {}, smooth, sharp, kAmount) +
           session.run("resize", {width, height}, {}, sharp, small) +
           session.run("tone", {width, height}, {}, small, tones, toned);
  };
  ChainResult result{{width, height, std::vector<std::uint8_t>(width * height * 4)}};
  result.seconds = chain();
  for (int i = 0; i < 2; ++i) result.seconds = std::min(result.seconds, chain());
  session.read_image(toned, width, height, result.picture.bytes.data());
  const Picture expected = plain(from, width, height);
  for (std::size_t i = 0; i < expected.bytes.size(); ++i)
    result.largest_error = std::max(result.largest_error, std::abs(expected.bytes[i] - result.picture.bytes[i]));
  return result;
}

}  // namespace demo
