// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-images [PLATFORM]: blocking transfers of small and large images, and of a part of a large one; the time of
// plain C++, which is the limit of the large ones, is measured in turn with them.
#include <array>

#include "tests/bench/pair.h"
#include "tests/bench/plain.h"

namespace {

using namespace lanewise::bench;

using Extent = std::array<std::size_t, 3>;
constexpr std::size_t kElement = 4;

class Images : public Pair {
 public:
  /// @param whole  extents of the images in elements; depth 1 is a 2D image
  Images(const std::string& platform, const Extent& whole)
      : Pair(platform, bytes(whole), [&](cl_context context, cl_int* code) { return make(context, whole, code); }),
        whole_(whole) {
    write(first_, whole_);
    write(second_, whole_);
  }

  /// Each command on the first `region` of the images; `label` is the suffix of the names of the values.
  void add(const Extent& region, const std::string& label) {
    turns_.add("write_" + label, [=, this] { write(first_, region); });
    turns_.add("read_" + label, [=, this] {
      check(
          clEnqueueReadImage(queue_, first_, CL_TRUE, kOrigin, region.data(), 0, 0, other_.data(), 0, nullptr, nullptr),
          "read");
    });
    turns_.add("copy_" + label, [=, this] {
      check(clEnqueueCopyImage(queue_, first_, second_, kOrigin, kOrigin, region.data(), 0, nullptr, nullptr), "copy");
      check(clFinish(queue_), "clFinish");
    });
    turns_.add("fill_" + label, [=, this] {
      const cl_float colour[4] = {0.1F, 0.2F, 0.3F, 0.4F};
      check(clEnqueueFillImage(queue_, second_, colour, kOrigin, region.data(), 0, nullptr, nullptr), "fill");
      check(clFinish(queue_), "clFinish");
    });
    turns_.add("map_" + label, [=, this] {
      std::size_t row = 0;
      std::size_t slice = 0;
      cl_int code = CL_SUCCESS;
      void* at = clEnqueueMapImage(queue_, first_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, kOrigin, region.data(), &row,
                                   whole_[2] == 1 ? nullptr : &slice, 0, nullptr, nullptr, &code);
      check(code, "map");
      check(clEnqueueUnmapMemObject(queue_, first_, at, 0, nullptr, nullptr), "unmap");
      check(clFinish(queue_), "clFinish");
    });
  }

  /// The limits of commands on the whole image.
  void add_plain(const std::string& label) {
    turns_.add("plain_copy_" + label, [this] { plain_copy(other_, host_); });
    turns_.add("plain_fill_" + label, [this] { plain_fill(other_); });
  }

 private:
  static constexpr std::size_t kOrigin[3] = {0, 0, 0};

  static std::size_t bytes(const Extent& extent) { return extent[0] * extent[1] * extent[2] * kElement; }
  static cl_mem make(cl_context context, const Extent& whole, cl_int* code) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = whole[2] == 1 ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = whole[0];
    desc.image_height = whole[1];
    desc.image_depth = whole[2] == 1 ? 0 : whole[2];
    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, code);
  }
  void write(cl_mem image, const Extent& region) {
    check(clEnqueueWriteImage(queue_, image, CL_TRUE, kOrigin, region.data(), 0, 0, host_.data(), 0, nullptr, nullptr),
          "write");
  }

  Extent whole_;
};

}  // namespace

int main(int count, char** values) {
  const std::string platform = count > 1 ? values[1] : "";
  const auto measure = [&](const Extent& whole, const Extent& region, const std::string& label, int rounds) {
    Images images(platform, whole);
    images.add(region, label);
    if (label.ends_with("large")) images.add_plain(label);
    images.run(rounds);
  };
  measure({32, 32, 1}, {32, 32, 1}, "2d_small", 5000);
  measure({16, 16, 4}, {16, 16, 4}, "3d_small", 5000);
  measure({4096, 4096, 1}, {1024, 1024, 1}, "2d_part", 50);
  measure({4096, 4096, 1}, {4096, 4096, 1}, "2d_large", 30);
  measure({256, 256, 256}, {256, 256, 256}, "3d_large", 30);
  return 0;
}
