// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading, writing, copying and filling buffers, linear and rectangular (API 5.2.2, 5.2.3, appendix D).
#include <algorithm>
#include <array>

#include "tests/api/memory_fixture.h"

namespace lanewise::test {
namespace {

using Three = std::array<std::size_t, 3>;

constexpr std::size_t kSize = 4096;

class Transfer : public WithQueue {
 protected:
  void SetUp() override {
    WithQueue::SetUp();
    bytes = some_bytes(kSize);
    memory = buffer_of(bytes);
    other = buffer_of(some_bytes(kSize, 2));
  }
  void TearDown() override {
    memory.reset();
    other.reset();
    WithQueue::TearDown();
  }

  cl_int read(cl_command_queue on, cl_mem from, std::size_t offset, std::size_t size, void* to) const {
    return clEnqueueReadBuffer(on, from, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  }
  cl_int write(cl_command_queue on, cl_mem to, std::size_t offset, std::size_t size, const void* from) const {
    return clEnqueueWriteBuffer(on, to, CL_TRUE, offset, size, from, 0, nullptr, nullptr);
  }
  cl_int copy(cl_command_queue on, cl_mem from, cl_mem to, std::size_t a, std::size_t b, std::size_t size) const {
    return clEnqueueCopyBuffer(on, from, to, a, b, size, 0, nullptr, nullptr);
  }
  cl_int fill(cl_command_queue on, cl_mem to, const void* pattern, std::size_t unit, std::size_t offset,
              std::size_t size) const {
    return clEnqueueFillBuffer(on, to, pattern, unit, offset, size, 0, nullptr, nullptr);
  }

  Bytes bytes;
  Mem memory;
  Mem other;
  Bytes host = Bytes(kSize);
};

// --- Linear reads and writes ---------------------------------------------------------------------------------------

TEST_F(Transfer, ReadAndWriteRefuseInvalidObjects) {
  for (auto bad : invalid_handles<cl_command_queue>(context)) {
    EXPECT_EQ(read(bad, memory.get(), 0, 16, host.data()), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(write(bad, memory.get(), 0, 16, host.data()), CL_INVALID_COMMAND_QUEUE);
  }
  for (auto bad : invalid_handles<cl_mem>(queue)) {
    EXPECT_EQ(read(queue, bad, 0, 16, host.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(write(queue, bad, 0, 16, host.data()), CL_INVALID_MEM_OBJECT);
  }
  const Stranger stranger(device);
  EXPECT_EQ(read(queue, stranger.memory, 0, 16, host.data()), CL_INVALID_CONTEXT);
  EXPECT_EQ(write(queue, stranger.memory, 0, 16, host.data()), CL_INVALID_CONTEXT);
}

TEST_F(Transfer, ReadAndWriteRefuseRegionsAndPointers) {
  struct Case {
    std::size_t offset;
    std::size_t size;
  };
  for (const Case& bad :
       {Case{0, kSize + 1}, Case{kSize, 1}, Case{kSize + 1, 0}, Case{1, SIZE_MAX}, Case{SIZE_MAX, 2}}) {
    EXPECT_EQ(read(queue, memory.get(), bad.offset, bad.size, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(write(queue, memory.get(), bad.offset, bad.size, host.data()), CL_INVALID_VALUE);
  }
  EXPECT_EQ(read(queue, memory.get(), 0, 16, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(write(queue, memory.get(), 0, 16, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(contents(memory), bytes);
}

TEST_F(Transfer, HostAccessFlagsAreEnforced) {
  const std::size_t zero[3] = {};
  const std::size_t region[3] = {4, 2, 1};
  const auto rect = [&](auto* function, cl_mem target) {
    return function(queue, target, CL_TRUE, zero, zero, region, 0, 0, 0, 0, host.data(), 0, nullptr, nullptr);
  };
  for (const cl_mem_flags flags : {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    const Mem guarded = buffer(kSize, flags);
    const cl_int may_read = flags == CL_MEM_HOST_READ_ONLY ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_int may_write = flags == CL_MEM_HOST_WRITE_ONLY ? CL_SUCCESS : CL_INVALID_OPERATION;
    EXPECT_EQ(read(queue, guarded.get(), 0, 16, host.data()), may_read);
    EXPECT_EQ(write(queue, guarded.get(), 0, 16, host.data()), may_write);
    EXPECT_EQ(rect(clEnqueueReadBufferRect, guarded.get()), may_read);
    EXPECT_EQ(rect(clEnqueueWriteBufferRect, guarded.get()), may_write);
    // API 5.2.2, 5.2.3: copies and fills are done by the device; host access flags do not affect them.
    EXPECT_EQ(copy(queue, guarded.get(), memory.get(), 0, 0, 16), CL_SUCCESS);
    EXPECT_EQ(copy(queue, memory.get(), guarded.get(), 0, 0, 16), CL_SUCCESS);
    EXPECT_EQ(fill(queue, guarded.get(), "abcd", 4, 0, 16), CL_SUCCESS);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Transfer, WaitListRules) {
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueReadBuffer(queue, memory.get(), CL_FALSE, 0, 16, host.data(), count, list, event);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueWriteBuffer(queue, memory.get(), CL_FALSE, 0, 16, host.data(), count, list, event);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueCopyBuffer(queue, memory.get(), other.get(), 0, 0, 16, count, list, event);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueFillBuffer(queue, memory.get(), "x", 1, 0, 16, count, list, event);
  });
}

TEST_F(Transfer, WaitListRulesOfRectangles) {
  const std::size_t zero[3] = {};
  const std::size_t region[3] = {4, 2, 2};
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueReadBufferRect(queue, memory.get(), CL_FALSE, zero, zero, region, 0, 0, 0, 0, host.data(), count,
                                   list, event);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueWriteBufferRect(queue, memory.get(), CL_FALSE, zero, zero, region, 0, 0, 0, 0, host.data(), count,
                                    list, event);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueCopyBufferRect(queue, memory.get(), other.get(), zero, zero, region, 0, 0, 0, 0, count, list,
                                   event);
  });
}

TEST_F(Transfer, BlockingCommandsTellThatAWaitFailed) {
  const std::size_t zero[3] = {};
  const std::size_t region[3] = {4, 2, 2};
  const Bytes before = host;
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, 16, host.data(), count, list, event);
  });
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueReadBufferRect(queue, memory.get(), CL_TRUE, zero, zero, region, 0, 0, 0, 0, host.data(), count,
                                   list, event);
  });
  EXPECT_EQ(host, before) << "a command whose wait failed must not run";
}

TEST_F(Transfer, BlockingWritesTellThatAWaitFailed) {
  const std::size_t zero[3] = {};
  const std::size_t region[3] = {4, 2, 2};
  cl_command_queue again = new_queue(context);
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueWriteBuffer(again, memory.get(), CL_TRUE, 0, 16, host.data(), count, list, event);
  });
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueWriteBufferRect(again, memory.get(), CL_TRUE, zero, zero, region, 0, 0, 0, 0, host.data(), count,
                                    list, event);
  });
  EXPECT_EQ(contents(memory), bytes);
  EXPECT_EQ(clReleaseCommandQueue(again), CL_SUCCESS);
}

TEST_F(Transfer, EventsNameTheirCommand) {
  const std::size_t zero[3] = {};
  const std::size_t region[3] = {4, 2, 2};
  const auto type_of = [&](auto&& call) {
    cl_event event = nullptr;
    EXPECT_EQ(call(&event), CL_SUCCESS);
    const auto type = command_type(event);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    return type;
  };
  cl_mem m = memory.get();
  void* h = host.data();
  using E = cl_event*;
  EXPECT_EQ(type_of([&](E e) { return clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, h, 0, nullptr, e); }),
            cl_command_type{CL_COMMAND_READ_BUFFER});
  EXPECT_EQ(type_of([&](E e) { return clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, h, 0, nullptr, e); }),
            cl_command_type{CL_COMMAND_WRITE_BUFFER});
  EXPECT_EQ(type_of([&](E e) {
              return clEnqueueReadBufferRect(queue, m, CL_TRUE, zero, zero, region, 0, 0, 0, 0, h, 0, nullptr, e);
            }),
            cl_command_type{CL_COMMAND_READ_BUFFER_RECT});
  EXPECT_EQ(type_of([&](E e) {
              return clEnqueueWriteBufferRect(queue, m, CL_TRUE, zero, zero, region, 0, 0, 0, 0, h, 0, nullptr, e);
            }),
            cl_command_type{CL_COMMAND_WRITE_BUFFER_RECT});
  EXPECT_EQ(type_of([&](E e) { return clEnqueueCopyBuffer(queue, m, other.get(), 0, 0, 4, 0, nullptr, e); }),
            cl_command_type{CL_COMMAND_COPY_BUFFER});
  EXPECT_EQ(type_of([&](E e) {
              return clEnqueueCopyBufferRect(queue, m, other.get(), zero, zero, region, 0, 0, 0, 0, 0, nullptr, e);
            }),
            cl_command_type{CL_COMMAND_COPY_BUFFER_RECT});
  EXPECT_EQ(type_of([&](E e) { return clEnqueueFillBuffer(queue, m, "x", 1, 0, 4, 0, nullptr, e); }),
            cl_command_type{CL_COMMAND_FILL_BUFFER});
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Transfer, ReadsAndWritesAtRandomOffsets) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t offset = random() % kSize;
    const std::size_t size = 1 + random() % (kSize - offset);
    const auto patch = some_bytes(size, random());
    ASSERT_EQ(
        clEnqueueWriteBuffer(queue, memory.get(), round % 2 == 0, offset, size, patch.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    std::copy(patch.begin(), patch.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    ASSERT_EQ(contents(memory), bytes);
  }
}

// --- Copies --------------------------------------------------------------------------------------------------------

TEST_F(Transfer, CopyRefusesInvalidObjects) {
  for (auto bad : invalid_handles<cl_command_queue>(context))
    EXPECT_EQ(copy(bad, memory.get(), other.get(), 0, 0, 16), CL_INVALID_COMMAND_QUEUE);
  for (auto bad : invalid_handles<cl_mem>(queue)) {
    EXPECT_EQ(copy(queue, bad, other.get(), 0, 0, 16), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(queue, memory.get(), bad, 0, 0, 16), CL_INVALID_MEM_OBJECT);
  }
  const Stranger stranger(device);
  EXPECT_EQ(copy(queue, stranger.memory, other.get(), 0, 0, 16), CL_INVALID_CONTEXT);
  EXPECT_EQ(copy(queue, memory.get(), stranger.memory, 0, 0, 16), CL_INVALID_CONTEXT);
}

TEST_F(Transfer, CopyRefusesRegions) {
  EXPECT_EQ(copy(queue, memory.get(), other.get(), 1, 0, kSize), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, memory.get(), other.get(), 0, 1, kSize), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, memory.get(), other.get(), 0, 0, kSize + 1), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, memory.get(), other.get(), SIZE_MAX, 0, 2), CL_INVALID_VALUE);
}

TEST_F(Transfer, CopyOverlapInOneBuffer) {
  EXPECT_EQ(copy(queue, memory.get(), memory.get(), 0, 0, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(queue, memory.get(), memory.get(), 0, 15, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(queue, memory.get(), memory.get(), 15, 0, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(queue, memory.get(), memory.get(), 0, 16, 16), CL_SUCCESS);
  EXPECT_EQ(copy(queue, memory.get(), memory.get(), 32, 16, 16), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Transfer, CopyOverlapAcrossSubBuffers) {
  const std::size_t step = origin_alignment();
  const Mem a = sub_buffer(memory, 0, 3 * step);
  const Mem b = sub_buffer(memory, step, 3 * step);
  EXPECT_EQ(copy(queue, a.get(), b.get(), step, 0, 16), CL_MEM_COPY_OVERLAP);  // the same bytes
  EXPECT_EQ(copy(queue, a.get(), memory.get(), 0, 8, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(queue, a.get(), b.get(), 0, 0, step), CL_SUCCESS);  // neighbours
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  const auto now = contents(memory);
  const auto middle = static_cast<std::ptrdiff_t>(step);
  EXPECT_TRUE(std::equal(now.begin(), now.begin() + middle, now.begin() + middle));
}

TEST_F(Transfer, CopiesAtRandomOffsets) {
  auto expected = some_bytes(kSize, 2);
  std::mt19937 random(8);
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 1 + random() % kSize;
    const std::size_t a = random() % (kSize - size + 1);
    const std::size_t b = random() % (kSize - size + 1);
    ASSERT_EQ(copy(queue, memory.get(), other.get(), a, b, size), CL_SUCCESS);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(a), size,
                expected.begin() + static_cast<std::ptrdiff_t>(b));
  }
  EXPECT_EQ(contents(other), expected);
}

TEST_F(Transfer, LargeCopyIsComplete) {
  // Many pieces of work, so that every core takes part, and no multiple of a piece, so that the last one is smaller.
  const std::size_t size = (std::size_t{100} << 20) + 12345;
  const auto data = some_bytes(size, 3);
  const Mem from = buffer(size);
  const Mem to = buffer(size);
  ASSERT_EQ(write(queue, from.get(), 0, size, data.data()), CL_SUCCESS);
  ASSERT_EQ(copy(queue, from.get(), to.get(), 0, 0, size), CL_SUCCESS);
  const auto got = contents(to);
  EXPECT_TRUE(got == data);
}

TEST_F(Transfer, ZeroSizedTransfersDoNothing) {
  // API 5.2.2 names no error for a size of 0 (versions before 2.1 did): the command completes.
  EXPECT_EQ(read(queue, memory.get(), kSize, 0, host.data()), CL_SUCCESS);
  EXPECT_EQ(write(queue, memory.get(), 0, 0, host.data()), CL_SUCCESS);
  EXPECT_EQ(copy(queue, memory.get(), other.get(), 0, 0, 0), CL_SUCCESS);
  EXPECT_EQ(fill(queue, memory.get(), "x", 1, 0, 0), CL_SUCCESS);
  EXPECT_EQ(contents(memory), bytes);
  EXPECT_EQ(contents(other), some_bytes(kSize, 2));
}

// --- Fills ---------------------------------------------------------------------------------------------------------

TEST_F(Transfer, FillRefusesInvalidObjects) {
  for (auto bad : invalid_handles<cl_command_queue>(context))
    EXPECT_EQ(fill(bad, memory.get(), "x", 1, 0, 16), CL_INVALID_COMMAND_QUEUE);
  for (auto bad : invalid_handles<cl_mem>(queue)) EXPECT_EQ(fill(queue, bad, "x", 1, 0, 16), CL_INVALID_MEM_OBJECT);
  const Stranger stranger(device);
  EXPECT_EQ(fill(queue, stranger.memory, "x", 1, 0, 16), CL_INVALID_CONTEXT);
}

TEST_F(Transfer, FillRefusesPatternsAndRegions) {
  EXPECT_EQ(fill(queue, memory.get(), nullptr, 1, 0, 16), CL_INVALID_VALUE);
  for (const std::size_t unit : {0, 3, 5, 12, 24, 48, 96, 129, 256})
    EXPECT_EQ(fill(queue, memory.get(), host.data(), unit, 0, unit), CL_INVALID_VALUE) << unit;
  EXPECT_EQ(fill(queue, memory.get(), host.data(), 4, 2, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, memory.get(), host.data(), 4, 0, 18), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, memory.get(), host.data(), 4, 0, kSize + 4), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, memory.get(), host.data(), 4, kSize, 4), CL_INVALID_VALUE);
  EXPECT_EQ(contents(memory), bytes);
}

TEST_F(Transfer, FillsWithEveryPatternSize) {
  std::mt19937 random(9);
  for (std::size_t unit = 1; unit <= 128; unit *= 2) {
    for (int round = 0; round < 20; ++round) {
      const std::size_t units = kSize / unit;
      const std::size_t first = random() % units;
      const std::size_t count = 1 + random() % (units - first);
      auto pattern = some_bytes(unit, random());
      const auto kept = pattern;
      ASSERT_EQ(fill(queue, memory.get(), pattern.data(), unit, first * unit, count * unit), CL_SUCCESS);
      // API 5.2.3: the pattern's memory may be used again at once.
      std::fill(pattern.begin(), pattern.end(), static_cast<unsigned char>(0xEE));
      for (std::size_t i = 0; i < count * unit; ++i) bytes[first * unit + i] = kept[i % unit];
      ASSERT_EQ(contents(memory), bytes) << unit;
    }
  }
}

TEST_F(Transfer, LargeFillsAreComplete) {
  const std::size_t size = (std::size_t{20} << 20) + 128;
  const Mem large = buffer(size);
  for (const std::size_t unit : {1, 2, 4, 8, 16, 32, 64, 128}) {
    const auto pattern = some_bytes(unit, unit);
    ASSERT_EQ(fill(queue, large.get(), pattern.data(), unit, 0, size), CL_SUCCESS);
    const auto got = contents(large);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) wrong += got[i] != pattern[i % unit];
    EXPECT_EQ(wrong, 0u) << unit;
  }
}

// --- Rectangles ----------------------------------------------------------------------------------------------------

/// One side of a rectangular command, with the pitches as they are passed (0: packed).
struct RectSide {
  Three origin{};
  std::size_t row = 0;
  std::size_t slice = 0;
};

std::size_t rect_offset(const RectSide& side, const Three& region, std::size_t y, std::size_t z) {
  const std::size_t row = side.row != 0 ? side.row : region[0];
  const std::size_t slice = side.slice != 0 ? side.slice : region[1] * row;
  return (side.origin[2] + z) * slice + (side.origin[1] + y) * row + side.origin[0];
}

std::size_t rect_end(const RectSide& side, const Three& region) {
  return rect_offset(side, region, region[1] - 1, region[2] - 1) + region[0];
}

/// The result of every rectangular command, byte by byte.
void reference_copy(const Bytes& from, const RectSide& source, Bytes& to, const RectSide& target, const Three& region) {
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      for (std::size_t x = 0; x < region[0]; ++x)
        to[rect_offset(target, region, y, z) + x] = from[rect_offset(source, region, y, z) + x];
}

class Rect : public Transfer {
 protected:
  cl_int read_rect(cl_mem from, const RectSide& buffer, const RectSide& side, const Three& region, void* to) const {
    return clEnqueueReadBufferRect(queue, from, CL_TRUE, buffer.origin.data(), side.origin.data(), region.data(),
                                   buffer.row, buffer.slice, side.row, side.slice, to, 0, nullptr, nullptr);
  }
  cl_int write_rect(cl_mem to, const RectSide& buffer, const RectSide& side, const Three& region,
                    const void* from) const {
    return clEnqueueWriteBufferRect(queue, to, CL_TRUE, buffer.origin.data(), side.origin.data(), region.data(),
                                    buffer.row, buffer.slice, side.row, side.slice, from, 0, nullptr, nullptr);
  }
  cl_int copy_rect(cl_mem from, const RectSide& source, cl_mem to, const RectSide& target, const Three& region) const {
    return clEnqueueCopyBufferRect(queue, from, to, source.origin.data(), target.origin.data(), region.data(),
                                   source.row, source.slice, target.row, target.slice, 0, nullptr, nullptr);
  }
  /// The three commands with one region; the host's side and the copy's target are like the buffer's.
  void expect_all(const RectSide& side, const Three& region, cl_int code) {
    EXPECT_EQ(read_rect(memory.get(), side, {}, region, host.data()), code);
    EXPECT_EQ(write_rect(memory.get(), side, {}, region, host.data()), code);
    EXPECT_EQ(copy_rect(memory.get(), side, other.get(), {}, region), code);
    EXPECT_EQ(copy_rect(memory.get(), {}, other.get(), side, region), code);
  }

  std::mt19937 random{11};
  std::size_t up_to(std::size_t limit) { return random() % (limit + 1); }
  RectSide random_side(const Three& region) {
    RectSide side;
    side.origin = {up_to(5), up_to(3), up_to(2)};
    if (up_to(2) != 0) side.row = region[0] + up_to(9);
    const std::size_t row = side.row != 0 ? side.row : region[0];
    if (up_to(2) != 0) side.slice = (region[1] + up_to(4)) * row;
    return side;
  }
};

TEST_F(Rect, RefusesInvalidObjects) {
  const Three region{4, 2, 2};
  const Three origin{};
  const std::size_t* zero = origin.data();
  for (auto bad : invalid_handles<cl_command_queue>(context)) {
    EXPECT_EQ(clEnqueueReadBufferRect(bad, memory.get(), CL_TRUE, zero, zero, region.data(), 0, 0, 0, 0, host.data(), 0,
                                      nullptr, nullptr),
              CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clEnqueueWriteBufferRect(bad, memory.get(), CL_TRUE, zero, zero, region.data(), 0, 0, 0, 0, host.data(),
                                       0, nullptr, nullptr),
              CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clEnqueueCopyBufferRect(bad, memory.get(), other.get(), zero, zero, region.data(), 0, 0, 0, 0, 0, nullptr,
                                      nullptr),
              CL_INVALID_COMMAND_QUEUE);
  }
  for (auto bad : invalid_handles<cl_mem>(queue)) {
    EXPECT_EQ(read_rect(bad, {}, {}, region, host.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(write_rect(bad, {}, {}, region, host.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy_rect(bad, {}, other.get(), {}, region), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy_rect(memory.get(), {}, bad, {}, region), CL_INVALID_MEM_OBJECT);
  }
  const Stranger stranger(device);
  EXPECT_EQ(read_rect(stranger.memory, {}, {}, region, host.data()), CL_INVALID_CONTEXT);
  EXPECT_EQ(write_rect(stranger.memory, {}, {}, region, host.data()), CL_INVALID_CONTEXT);
  EXPECT_EQ(copy_rect(stranger.memory, {}, other.get(), {}, region), CL_INVALID_CONTEXT);
  EXPECT_EQ(copy_rect(memory.get(), {}, stranger.memory, {}, region), CL_INVALID_CONTEXT);
}

TEST_F(Rect, RefusesNullArguments) {
  const Three o{};
  const Three r{4, 2, 2};
  const auto read_code = [&](const std::size_t* buffer, const std::size_t* side, const std::size_t* region, void* to) {
    const cl_int written = clEnqueueWriteBufferRect(queue, memory.get(), CL_TRUE, buffer, side, region, 0, 0, 0, 0, to,
                                                    0, nullptr, nullptr);
    const cl_int read = clEnqueueReadBufferRect(queue, memory.get(), CL_TRUE, buffer, side, region, 0, 0, 0, 0, to, 0,
                                                nullptr, nullptr);
    EXPECT_EQ(read, written);
    return read;
  };
  EXPECT_EQ(read_code(nullptr, o.data(), r.data(), host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(read_code(o.data(), nullptr, r.data(), host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(read_code(o.data(), o.data(), nullptr, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(read_code(o.data(), o.data(), r.data(), nullptr), CL_INVALID_VALUE);
  const auto copy_code = [&](const std::size_t* source, const std::size_t* target, const std::size_t* region) {
    return clEnqueueCopyBufferRect(queue, memory.get(), other.get(), source, target, region, 0, 0, 0, 0, 0, nullptr,
                                   nullptr);
  };
  EXPECT_EQ(copy_code(nullptr, o.data(), r.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy_code(o.data(), nullptr, r.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy_code(o.data(), o.data(), nullptr), CL_INVALID_VALUE);
}

TEST_F(Rect, RefusesRegionsAndPitches) {
  expect_all({}, {0, 2, 2}, CL_INVALID_VALUE);
  expect_all({}, {4, 0, 2}, CL_INVALID_VALUE);
  expect_all({}, {4, 2, 0}, CL_INVALID_VALUE);
  expect_all({.row = 3}, {4, 2, 2}, CL_INVALID_VALUE);
  expect_all({.row = 8, .slice = 8}, {4, 2, 2}, CL_INVALID_VALUE);   // slice below rows x row pitch
  expect_all({.row = 8, .slice = 20}, {4, 2, 2}, CL_INVALID_VALUE);  // not a multiple of the row pitch
  expect_all({.row = 8, .slice = 24}, {4, 2, 2}, CL_SUCCESS);
  expect_all({.origin = {kSize - 3, 0, 0}}, {4, 1, 1}, CL_INVALID_VALUE);
  expect_all({.origin = {kSize - 4, 0, 0}}, {4, 1, 1}, CL_SUCCESS);
  expect_all({.row = 2048}, {4, 2, 1}, CL_SUCCESS);
  expect_all({.row = 4096}, {4, 2, 1}, CL_INVALID_VALUE);  // the second row is outside
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Rect, RefusesWhatOverflows) {
  constexpr std::size_t kHuge = SIZE_MAX / 2 + 1;
  expect_all({.origin = {SIZE_MAX, 0, 0}}, {4, 1, 1}, CL_INVALID_VALUE);
  expect_all({.origin = {0, kHuge, 0}, .row = 4}, {4, 1, 1}, CL_INVALID_VALUE);
  expect_all({.origin = {0, 0, kHuge}}, {4, 2, 1}, CL_INVALID_VALUE);
  expect_all({.row = kHuge}, {4, 3, 1}, CL_INVALID_VALUE);
  expect_all({}, {16, kHuge, 2}, CL_INVALID_VALUE);
}

TEST_F(Rect, HostPitchesAreChecked) {
  EXPECT_EQ(read_rect(memory.get(), {}, {.row = 3}, {4, 2, 2}, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(read_rect(memory.get(), {}, {.row = 8, .slice = 8}, {4, 2, 2}, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(write_rect(memory.get(), {}, {.row = 3}, {4, 2, 2}, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(write_rect(memory.get(), {}, {.row = 8, .slice = 20}, {4, 2, 2}, host.data()), CL_INVALID_VALUE);
}

TEST_F(Rect, RandomShapesMatchTheReference) {
  int tried = 0;
  for (int round = 0; round < 600; ++round) {
    const Three region{1 + up_to(30), 1 + up_to(8), 1 + up_to(5)};
    const RectSide a = random_side(region);
    const RectSide b = random_side(region);
    if (rect_end(a, region) > kSize || rect_end(b, region) > kSize) continue;
    ++tried;
    Bytes expected = some_bytes(kSize, random());
    Bytes got = expected;
    reference_copy(bytes, a, expected, b, region);
    ASSERT_EQ(read_rect(memory.get(), a, b, region, got.data()), CL_SUCCESS);
    ASSERT_EQ(got, expected);

    const Bytes source = some_bytes(kSize, random());
    Bytes target = contents(other);
    reference_copy(source, b, target, a, region);
    ASSERT_EQ(write_rect(other.get(), a, b, region, source.data()), CL_SUCCESS);
    ASSERT_EQ(contents(other), target);

    reference_copy(bytes, a, target, b, region);
    ASSERT_EQ(copy_rect(memory.get(), a, other.get(), b, region), CL_SUCCESS);
    ASSERT_EQ(contents(other), target);
  }
  EXPECT_GT(tried, 300);
}

TEST_F(Rect, LargeRectangleIsComplete) {
  // A 3D region of 24 MB with padding on both sides: rows are shared between cores.
  const Three region{5000, 500, 10};
  const RectSide from{{3, 1, 0}, 5007, 5007 * 503};
  const RectSide to{{0, 0, 1}, 5000, 5000 * 510};
  const auto data = some_bytes(rect_end(from, region), 3);
  Bytes expected(rect_end(to, region));
  const Mem source = buffer_of(data);
  const Mem target = buffer_of(expected);
  reference_copy(data, from, expected, to, region);
  ASSERT_EQ(copy_rect(source.get(), from, target.get(), to, region), CL_SUCCESS);
  const auto got = contents(target);
  EXPECT_TRUE(got == expected);
}

TEST_F(Rect, OneBufferNeedsOnePitch) {
  EXPECT_EQ(copy_rect(memory.get(), {.row = 16, .slice = 64}, memory.get(), {{0, 20, 0}, 32, 128}, {4, 2, 2}),
            CL_INVALID_VALUE);
}

TEST_F(Rect, InterleavedRectanglesDoNotOverlap) {
  const RectSide left{{0, 0, 0}, 32, 256};
  const Three region{16, 8, 4};
  // Side by side in the same rows.
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{16, 0, 0}, 32, 256}, region), CL_SUCCESS);
  // Above each other in the same slices.
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{0, 4, 0}, 32, 256}, {16, 4, 4}), CL_SUCCESS);
  // One after the other.
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{0, 0, 4}, 32, 256}, region), CL_SUCCESS);
  // They share a column, a row, a slice.
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{15, 0, 0}, 32, 256}, region), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{0, 3, 0}, 32, 256}, {16, 4, 4}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), {{0, 0, 3}, 32, 256}, region), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), left, region), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Rect, InterleavedCopyInOneBufferMatchesTheReference) {
  const Three region{16, 8, 4};
  const RectSide left{{0, 0, 0}, 32, 256};
  const RectSide right{{16, 0, 0}, 32, 256};
  const Bytes before = bytes;
  reference_copy(before, left, bytes, right, region);
  EXPECT_EQ(copy_rect(memory.get(), left, memory.get(), right, region), CL_SUCCESS);
  EXPECT_EQ(contents(memory), bytes);
}

TEST_F(Rect, OverlapIsSeenThroughSubBuffers) {
  const std::size_t step = origin_alignment();
  const Mem a = sub_buffer(memory, 0, 8 * step);
  const Mem b = sub_buffer(memory, step, 8 * step);
  const RectSide side{{0, 0, 0}, 2 * step, 0};
  EXPECT_EQ(copy_rect(a.get(), side, b.get(), side, {step + 1, 2, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy_rect(a.get(), side, b.get(), side, {step, 2, 1}), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

/// Larger than the last-level caches of test machines: streaming stores, at odd addresses.
TEST_F(Transfer, LargeAmounts) {
  constexpr std::size_t kSize = (std::size_t{80} << 20) + 12345;
  Bytes source = some_bytes(1 << 16);
  source.resize(kSize + 64);
  for (std::size_t at = 1 << 16; at < source.size(); at += 1 << 16)
    std::memcpy(source.data() + at, source.data(), std::min<std::size_t>(1 << 16, source.size() - at));
  const Mem memory = buffer(kSize + 64);
  ASSERT_EQ(clEnqueueWriteBuffer(queue, memory.get(), CL_TRUE, 3, kSize, source.data() + 1, 0, nullptr, nullptr),
            CL_SUCCESS);
  Bytes back(kSize);
  ASSERT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 3, kSize, back.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::memcmp(back.data(), source.data() + 1, kSize), 0);
  const Mem other = buffer(kSize + 64);
  ASSERT_EQ(clEnqueueCopyBuffer(queue, memory.get(), other.get(), 3, 5, kSize, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(queue, other.get(), CL_TRUE, 5, kSize, back.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::memcmp(back.data(), source.data() + 1, kSize), 0);
  const unsigned char pattern[4] = {1, 2, 3, 4};
  ASSERT_EQ(clEnqueueFillBuffer(queue, other.get(), pattern, 4, 8, kSize / 4 * 4, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(queue, other.get(), CL_TRUE, 8, kSize / 4 * 4, back.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < kSize / 4 * 4; ++i) ASSERT_EQ(back[i], pattern[i % 4]) << i;
}

}  // namespace
}  // namespace lanewise::test
