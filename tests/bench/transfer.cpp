// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-transfer [PLATFORM]: blocking transfers of small and large buffers, and the time of a plain copy by as many
// threads as there are processors, which is the limit of the large ones and is measured in turn with them.
#include "tests/bench/pair.h"
#include "tests/bench/plain.h"

namespace {

using namespace lanewise::bench;

constexpr std::size_t kSmall = std::size_t{4} << 10;
constexpr std::size_t kLarge = std::size_t{64} << 20;
/// The rectangle, in bytes and rows.
constexpr std::size_t kRow = 16384;
constexpr std::size_t kRows = 1024;
constexpr std::size_t kPitch = 65536;

class Transfers : public Pair {
 public:
  explicit Transfers(const std::string& platform) : Pair(platform, kLarge, make) {
    for (cl_mem buffer : {first_, second_})
      check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, kLarge, host_.data(), 0, nullptr, nullptr), "write");
  }

  /// Each command with `size` bytes; `label` is the suffix of the names of the values.
  void add(std::size_t size, const std::string& label) {
    turns_.add("write_" + label, [=, this] {
      check(clEnqueueWriteBuffer(queue_, first_, CL_TRUE, 0, size, host_.data(), 0, nullptr, nullptr), "write");
    });
    turns_.add("read_" + label, [=, this] {
      check(clEnqueueReadBuffer(queue_, first_, CL_TRUE, 0, size, other_.data(), 0, nullptr, nullptr), "read");
    });
    turns_.add("copy_" + label, [=, this] {
      check(clEnqueueCopyBuffer(queue_, first_, second_, 0, 0, size, 0, nullptr, nullptr), "copy");
      check(clFinish(queue_), "clFinish");
    });
    turns_.add("fill_" + label, [=, this] {
      const cl_uint pattern = 0x01020304;
      check(clEnqueueFillBuffer(queue_, second_, &pattern, sizeof pattern, 0, size, 0, nullptr, nullptr), "fill");
      check(clFinish(queue_), "clFinish");
    });
    turns_.add("map_" + label, [=, this] {
      cl_int code = CL_SUCCESS;
      void* at =
          clEnqueueMapBuffer(queue_, first_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, nullptr, nullptr, &code);
      check(code, "map");
      check(clEnqueueUnmapMemObject(queue_, first_, at, 0, nullptr, nullptr), "unmap");
      check(clFinish(queue_), "clFinish");
    });
  }

  /// A part of a large buffer, 1,024 rows of 16 KiB.
  void add_rectangle() {
    turns_.add("rectangle", [this] {
      const std::size_t origin[3] = {0, 0, 0};
      const std::size_t region[3] = {kRow, kRows, 1};
      check(clEnqueueReadBufferRect(queue_, first_, CL_TRUE, origin, origin, region, kPitch, 0, kRow, 0, other_.data(),
                                    0, nullptr, nullptr),
            "read rectangle");
    });
  }

  /// The limits of the large ones.
  void add_plain() {
    turns_.add("plain_large", [this] { plain_copy(other_, host_); });
    turns_.add("plain_fill", [this] { plain_fill(other_); });
    turns_.add("plain_rectangle", [this] {
      share(kRows * kRow, [&](std::size_t at, std::size_t size) {
        for (std::size_t row = at / kRow; row < (at + size) / kRow; ++row)
          stream(other_.data() + row * kRow, host_.data() + row * kPitch, kRow);
      });
    });
  }

 private:
  static cl_mem make(cl_context context, cl_int* code) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE, kLarge, nullptr, code);
  }
};

}  // namespace

int main(int count, char** values) {
  const std::string platform = count > 1 ? values[1] : "";
  Transfers small(platform);
  small.add(kSmall, "small");
  small.run(5000);
  Transfers large(platform);
  large.add(kLarge, "large");
  large.add_rectangle();
  large.add_plain();
  large.run(30);
  return 0;
}
