// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-transfer [PLATFORM]: blocking transfers of small and large buffers, and what a plain copy by as many threads as
// there are processors takes, which bounds the large ones.
#include <cstring>
#include <thread>

#include "tests/bench/pair.h"

namespace {

using namespace lanewise::bench;

constexpr std::size_t kSmall = std::size_t{4} << 10;
constexpr std::size_t kLarge = std::size_t{64} << 20;

class Transfers : Pair {
 public:
  explicit Transfers(const std::string& platform) : Pair(platform, kLarge, make) {
    for (cl_mem buffer : {first_, second_})
      check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, kLarge, host_.data(), 0, nullptr, nullptr), "write");
  }

  /// Each command in `size` bytes; `label` ends the names of the values.
  void all(std::size_t size, const std::string& label, int runs) {
    const auto time = [&](const char* name, const std::function<void()>& body) {
      report((name + label).c_str(), shortest(runs, body));
    };
    time("write_", [&] {
      check(clEnqueueWriteBuffer(queue_, first_, CL_TRUE, 0, size, host_.data(), 0, nullptr, nullptr), "write");
    });
    time("read_", [&] {
      check(clEnqueueReadBuffer(queue_, first_, CL_TRUE, 0, size, other_.data(), 0, nullptr, nullptr), "read");
    });
    time("copy_", [&] {
      check(clEnqueueCopyBuffer(queue_, first_, second_, 0, 0, size, 0, nullptr, nullptr), "copy");
      check(clFinish(queue_), "clFinish");
    });
    time("fill_", [&] {
      const cl_uint pattern = 0x01020304;
      check(clEnqueueFillBuffer(queue_, second_, &pattern, sizeof pattern, 0, size, 0, nullptr, nullptr), "fill");
      check(clFinish(queue_), "clFinish");
    });
    time("map_", [&] {
      cl_int code = CL_SUCCESS;
      void* at =
          clEnqueueMapBuffer(queue_, first_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, nullptr, nullptr, &code);
      check(code, "map");
      check(clEnqueueUnmapMemObject(queue_, first_, at, 0, nullptr, nullptr), "unmap");
      check(clFinish(queue_), "clFinish");
    });
  }

  /// A part of a large buffer, 1,024 rows of 16 KiB.
  void rectangle() {
    const std::size_t origin[3] = {0, 0, 0};
    const std::size_t region[3] = {16384, 1024, 1};
    report("rectangle", shortest(20, [&] {
             check(clEnqueueReadBufferRect(queue_, first_, CL_TRUE, origin, origin, region, 65536, 0, 16384, 0,
                                           other_.data(), 0, nullptr, nullptr),
                   "read rectangle");
           }));
  }

  /// What the large ones can take at best: plain C++ on all processors, past the caches.
  void plain() {
    report("plain_large", shared(kLarge, [&](std::size_t at, std::size_t size) {
             stream(other_.data() + at, host_.data() + at, size);
           }));
    report("plain_fill", shared(kLarge, [&](std::size_t at, std::size_t size) { put(other_.data() + at, size); }));
    report("plain_rectangle", shared(std::size_t{1024} * 16384, [&](std::size_t at, std::size_t size) {
             for (std::size_t row = at / 16384; row < (at + size) / 16384; ++row)
               stream(other_.data() + row * 16384, host_.data() + row * 65536, 16384);
           }));
  }

 private:
  static cl_mem make(cl_context context, cl_int* code) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE, kLarge, nullptr, code);
  }
  /// Seconds for `body` over equal shares of `bytes`, one on each processor.
  static double shared(std::size_t bytes, const std::function<void(std::size_t, std::size_t)>& body) {
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t share = bytes / threads / 65536 * 65536;
    return shortest(20, [&] {
      std::vector<std::thread> others;
      for (std::size_t i = 1; i < threads; ++i)
        others.emplace_back([&, i] { body(i * share, i + 1 == threads ? bytes - i * share : share); });
      body(0, threads == 1 ? bytes : share);
      for (auto& other : others) other.join();
    });
  }

  using Vector = long long __attribute__((vector_size(16), aligned(16)));
  /// Past the caches, as a copy of this size should go.
  static void stream(char* to, const char* from, std::size_t size) {
    for (std::size_t i = 0; i < size; i += sizeof(Vector)) {
      Vector v;
      std::memcpy(&v, from + i, sizeof v);
      __builtin_nontemporal_store(v, reinterpret_cast<Vector*>(to + i));
    }
  }
  static void put(char* to, std::size_t size) {
    const Vector v = {1, 2};
    for (std::size_t i = 0; i < size; i += sizeof(Vector))
      __builtin_nontemporal_store(v, reinterpret_cast<Vector*>(to + i));
  }
};

}  // namespace

int main(int count, char** values) {
  Transfers transfers(count > 1 ? values[1] : "");
  transfers.all(kSmall, "small", 5000);
  transfers.all(kLarge, "large", 20);
  transfers.rectangle();
  transfers.plain();
  return 0;
}
