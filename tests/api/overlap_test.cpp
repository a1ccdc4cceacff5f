// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Transfers whose two sides share memory because the application passes the same memory twice, as a buffer of its own
/// (CL_MEM_USE_HOST_PTR) and as a pointer or as another buffer. The specification leaves the result open, but nothing
/// outside the destination may change; the driver promises memmove's result where both sides have the same layout.
#include <array>
#include <cstring>

#include "tests/api/memory_fixture.h"

namespace lanewise::test {
namespace {

// Not EXPECT_EQ on whole vectors: a failure would print megabytes.
bool same(const Bytes& a, const Bytes& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

class Overlap : public WithQueue {
 protected:
  /// One fits into a cache; the other is larger than most caches and has many pieces, so that it runs on all threads
  /// and uses streaming stores.
  static constexpr std::size_t kSizes[] = {1000, std::size_t{32} << 20};
  /// Destination relative to source: less than a word, a cache line, and (times a thousand for the large one) more than
  /// the piece of a copy that one thread takes.
  static constexpr std::ptrdiff_t kShifts[] = {1, -1, 64, -64, 300, -300};

  /// Calls `run(host, size, from, to)` for each size and shift, and expects memmove's result in the host memory.
  template <class Run>
  void each(Run&& run) {
    for (const std::size_t size : kSizes)
      for (const std::ptrdiff_t shift : kShifts) {
        const std::ptrdiff_t scaled = size > 1000 && (shift == 300 || shift == -300) ? shift * 1000 : shift;
        constexpr std::size_t kBase = 4096;
        const std::size_t from = scaled < 0 ? kBase - static_cast<std::size_t>(scaled) : kBase;
        const std::size_t to = from + static_cast<std::size_t>(scaled);
        SCOPED_TRACE(testing::Message() << size << " bytes, shifted by " << scaled);
        Bytes host = some_bytes(size + (std::size_t{1} << 20));
        Bytes expected = host;
        std::memmove(expected.data() + to, expected.data() + from, size);
        run(host, size, from, to);
        EXPECT_TRUE(same(host, expected));
        if (HasFailure()) return;
      }
  }
};

TEST_F(Overlap, ReadsIntoTheBuffersOwnHostMemory) {
  each([&](Bytes& host, std::size_t size, std::size_t from, std::size_t to) {
    const Mem memory = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, from, size, host.data() + to, 0, nullptr, nullptr),
              CL_SUCCESS);
  });
}

TEST_F(Overlap, WritesFromTheBuffersOwnHostMemory) {
  each([&](Bytes& host, std::size_t size, std::size_t from, std::size_t to) {
    const Mem memory = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
    EXPECT_EQ(clEnqueueWriteBuffer(queue, memory.get(), CL_TRUE, to, size, host.data() + from, 0, nullptr, nullptr),
              CL_SUCCESS);
  });
}

TEST_F(Overlap, CopiesBetweenTwoBuffersOfOneHostMemory) {
  each([&](Bytes& host, std::size_t size, std::size_t from, std::size_t to) {
    const Mem source = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
    const Mem target = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
    EXPECT_EQ(clEnqueueCopyBuffer(queue, source.get(), target.get(), from, to, size, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  });
}

constexpr std::size_t kRow = 8192;  // a row pitch; rows from 4 KiB on may go past the caches
constexpr std::size_t kSlice = 512 * kRow;

/// Rectangles of equal pitches that share bytes; the one of `rows` x `slices` is larger than the caches when it is
/// full.
TEST_F(Overlap, RectanglesOfOnePitchAreMoved) {
  struct Case {
    std::array<std::size_t, 3> from, to, region;
  };
  const Case cases[] = {
      {{0, 0, 0}, {16, 0, 0}, {100, 8, 2}},    {{16, 0, 0}, {0, 0, 0}, {100, 8, 2}},
      {{0, 0, 0}, {3, 2, 0}, {100, 8, 3}},     {{3, 2, 1}, {0, 0, 0}, {100, 8, 3}},
      {{0, 0, 0}, {5, 1, 1}, {6000, 500, 10}}, {{5, 1, 1}, {0, 0, 0}, {6000, 500, 10}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    Bytes host = some_bytes(12 * kSlice);
    Bytes expected = host;
    for (std::size_t z = 0; z < c.region[2]; ++z)
      for (std::size_t y = 0; y < c.region[1]; ++y)
        std::memcpy(&expected[c.to[0] + (c.to[1] + y) * kRow + (c.to[2] + z) * kSlice],
                    &host[c.from[0] + (c.from[1] + y) * kRow + (c.from[2] + z) * kSlice], c.region[0]);
    const Mem memory = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory.get(), CL_TRUE, c.from.data(), c.to.data(), c.region.data(), kRow,
                                      kSlice, kRow, kSlice, host.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_TRUE(same(host, expected));
  }
}

/// The content of the destination is not defined, but everything else stays as it was.
TEST_F(Overlap, RectanglesOfTwoPitchesTouchNothingElse) {
  constexpr std::size_t kOther = 96;
  const std::size_t zero[3] = {}, region[3] = {48, 40, 1};
  Bytes host = some_bytes(kRow);
  const Bytes before = host;
  const Mem memory = buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(clEnqueueWriteBufferRect(queue, memory.get(), CL_TRUE, zero, zero, region, kOther, 0, 64, 0, host.data(), 0,
                                     nullptr, nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < host.size(); ++i)
    if (i / kOther >= region[1] || i % kOther >= region[0]) ASSERT_EQ(host[i], before[i]) << i;
}

}  // namespace
}  // namespace lanewise::test
