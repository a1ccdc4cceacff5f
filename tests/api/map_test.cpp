// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping, unmapping and migrating (API 5.2.4, 5.5.3, 5.5.4).
#include <algorithm>
#include <array>
#include <vector>

#include "tests/api/memory_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kSize = 4096;

class Map : public WithQueue {
 protected:
  void SetUp() override {
    WithQueue::SetUp();
    bytes = some_bytes(kSize);
    memory = buffer_of(bytes);
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    memory.reset();
    WithQueue::TearDown();
  }

  unsigned char* map(cl_mem target, cl_map_flags flags, std::size_t offset, std::size_t size,
                     cl_int expected = CL_SUCCESS) const {
    cl_int code = 1;
    void* address = clEnqueueMapBuffer(queue, target, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &code);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(address != nullptr, expected == CL_SUCCESS);
    return static_cast<unsigned char*>(address);
  }
  cl_int unmap(cl_mem target, void* address) const {
    return clEnqueueUnmapMemObject(queue, target, address, 0, nullptr, nullptr);
  }
  cl_uint count(const Mem& target) const {
    clFinish(queue);
    return mem_value<cl_uint>(target.get(), CL_MEM_MAP_COUNT);
  }

  Bytes bytes;
  Mem memory;
};

TEST_F(Map, ShowsAndTakesBytes) {
  unsigned char* p = map(memory.get(), CL_MAP_READ | CL_MAP_WRITE, 100, 200);
  ASSERT_NE(p, nullptr);
  EXPECT_TRUE(std::equal(p, p + 200, bytes.begin() + 100));
  p[0] = static_cast<unsigned char>(~bytes[100]);
  bytes[100] = p[0];
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
  EXPECT_EQ(contents(memory), bytes);
}

/// What a map does, its call does: the time between its start and its end is that of the call, and not of nothing.
/// Applications divide by it. Medians, because the system may stop the thread anywhere.
TEST_F(Map, TakesTheTimeOfItsCall) {
  constexpr std::size_t kRounds = 401;
  cl_command_queue profiled = new_queue(context, CL_QUEUE_PROFILING_ENABLE);
  const auto host_time = [&] {
    cl_ulong now = 0;
    EXPECT_EQ(clGetHostTimer(device, &now), CL_SUCCESS);
    return now;
  };
  std::array<std::vector<cl_ulong>, 2> durations;
  std::array<std::vector<cl_ulong>, 2> calls;
  const auto look_at = [&](std::size_t which, cl_event event, cl_ulong before, cl_ulong after) {
    std::array<cl_ulong, 4> times{};
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    for (cl_uint i = 0; i < 4; ++i)
      EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof times[i], &times[i], nullptr),
                CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_LE(before, times[0]);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    EXPECT_LT(times[2], times[3]);
    durations[which].push_back(times[3] - times[2]);
    calls[which].push_back(after - before);
  };
  for (std::size_t i = 0; i < kRounds; ++i) {
    cl_event event = nullptr;
    cl_ulong before = host_time();
    void* mapped =
        clEnqueueMapBuffer(profiled, memory.get(), CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr, &event, nullptr);
    look_at(0, event, before, host_time());
    before = host_time();
    ASSERT_EQ(clEnqueueUnmapMemObject(profiled, memory.get(), mapped, 0, nullptr, &event), CL_SUCCESS);
    look_at(1, event, before, host_time());
    ASSERT_EQ(clFinish(profiled), CL_SUCCESS);
  }
  const auto median = [](std::vector<cl_ulong>& values) {
    std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
    return values[kRounds / 2];
  };
  for (std::size_t which : {0U, 1U}) EXPECT_GT(3 * median(durations[which]), median(calls[which])) << which;
  EXPECT_EQ(clReleaseCommandQueue(profiled), CL_SUCCESS);
}

/// A map that waits for another command starts when that has ended.
TEST_F(Map, StartsBehindWhatItWaitsFor) {
  cl_command_queue profiled = new_queue(context, CL_QUEUE_PROFILING_ENABLE);
  cl_event gate = clCreateUserEvent(context, nullptr);
  cl_event fill = nullptr;
  cl_event map = nullptr;
  const int zero = 0;
  ASSERT_EQ(clEnqueueFillBuffer(profiled, memory.get(), &zero, sizeof zero, 0, kSize, 1, &gate, &fill), CL_SUCCESS);
  void* mapped = clEnqueueMapBuffer(profiled, memory.get(), CL_FALSE, CL_MAP_READ, 0, kSize, 0, nullptr, &map, nullptr);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(profiled), CL_SUCCESS);
  cl_ulong end = 0;
  cl_ulong start = 0;
  EXPECT_EQ(clGetEventProfilingInfo(fill, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetEventProfilingInfo(map, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), CL_SUCCESS);
  EXPECT_GE(start, end);
  EXPECT_EQ(clEnqueueUnmapMemObject(profiled, memory.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(profiled), CL_SUCCESS);
  for (cl_event event : {gate, fill, map}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(profiled), CL_SUCCESS);
}

TEST_F(Map, InvalidateRegionTakesBytes) {
  unsigned char* p = map(memory.get(), CL_MAP_WRITE_INVALIDATE_REGION, 0, kSize);
  ASSERT_NE(p, nullptr);
  const auto fresh = some_bytes(kSize, 5);
  std::copy(fresh.begin(), fresh.end(), p);
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
  EXPECT_EQ(contents(memory), fresh);
}

TEST_F(Map, RefusesInvalidObjects) {
  cl_int code = 1;
  for (auto bad : invalid_handles<cl_command_queue>(context)) {
    EXPECT_EQ(clEnqueueMapBuffer(bad, memory.get(), CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clEnqueueUnmapMemObject(bad, memory.get(), nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  }
  for (auto bad : invalid_handles<cl_mem>(queue)) {
    map(bad, CL_MAP_READ, 0, 16, CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(unmap(bad, &code), CL_INVALID_MEM_OBJECT);
  }
  const Stranger stranger(device);
  map(stranger.memory, CL_MAP_READ, 0, 16, CL_INVALID_CONTEXT);
  EXPECT_EQ(unmap(stranger.memory, &code), CL_INVALID_CONTEXT);
}

TEST_F(Map, RefusesRegionsAndFlags) {
  map(memory.get(), CL_MAP_READ, 0, 0, CL_INVALID_VALUE);
  map(memory.get(), CL_MAP_READ, 0, kSize + 1, CL_INVALID_VALUE);
  map(memory.get(), CL_MAP_READ, kSize, 1, CL_INVALID_VALUE);
  map(memory.get(), CL_MAP_READ, 1, SIZE_MAX, CL_INVALID_VALUE);
  map(memory.get(), cl_map_flags{1} << 10, 0, 16, CL_INVALID_VALUE);
  map(memory.get(), CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, 0, 16, CL_INVALID_VALUE);
  map(memory.get(), CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_WRITE, 0, 16, CL_INVALID_VALUE);
  EXPECT_EQ(count(memory), 0u);
}

TEST_F(Map, HostAccessFlagsAreEnforced) {
  for (const cl_mem_flags flags : {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    const Mem guarded = buffer(kSize, flags);
    const auto expect = [&](cl_map_flags how, bool allowed) {
      unsigned char* p = map(guarded.get(), how, 0, 16, allowed ? CL_SUCCESS : CL_INVALID_OPERATION);
      if (p != nullptr) {
        EXPECT_EQ(unmap(guarded.get(), p), CL_SUCCESS);
      }
    };
    const bool may_read = flags == CL_MEM_HOST_READ_ONLY;
    const bool may_write = flags == CL_MEM_HOST_WRITE_ONLY;
    expect(CL_MAP_READ, may_read);
    expect(CL_MAP_WRITE, may_write);
    expect(CL_MAP_WRITE_INVALIDATE_REGION, may_write);
    expect(CL_MAP_READ | CL_MAP_WRITE, false);
    clFinish(queue);
  }
}

TEST_F(Map, CountsMaps) {
  EXPECT_EQ(count(memory), 0u);
  unsigned char* a = map(memory.get(), CL_MAP_READ, 0, 100);
  unsigned char* b = map(memory.get(), CL_MAP_READ, 50, 100);
  unsigned char* c = map(memory.get(), CL_MAP_READ, 0, 100);
  EXPECT_EQ(a, c);
  EXPECT_EQ(b, a + 50);
  EXPECT_EQ(count(memory), 3u);
  EXPECT_EQ(unmap(memory.get(), a), CL_SUCCESS);
  EXPECT_EQ(count(memory), 2u);
  EXPECT_EQ(unmap(memory.get(), c), CL_SUCCESS);
  EXPECT_EQ(unmap(memory.get(), b), CL_SUCCESS);
  EXPECT_EQ(count(memory), 0u);
  EXPECT_EQ(unmap(memory.get(), a), CL_INVALID_VALUE);
}

TEST_F(Map, UnmapRefusesPointersThatNoMapReturned) {
  unsigned char* p = map(memory.get(), CL_MAP_READ, 100, 100);
  EXPECT_EQ(unmap(memory.get(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(memory.get(), p + 1), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(memory.get(), p - 100), CL_INVALID_VALUE);
  const Mem other = buffer(kSize);
  EXPECT_EQ(unmap(other.get(), p), CL_INVALID_VALUE);
  EXPECT_EQ(count(memory), 1u);
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
}

TEST_F(Map, WriteMapsMayNotOverlap) {
  unsigned char* p = map(memory.get(), CL_MAP_WRITE, 100, 100);
  map(memory.get(), CL_MAP_WRITE, 199, 1, CL_INVALID_OPERATION);
  map(memory.get(), CL_MAP_WRITE_INVALIDATE_REGION, 0, 101, CL_INVALID_OPERATION);
  map(memory.get(), CL_MAP_READ | CL_MAP_WRITE, 120, 10, CL_INVALID_OPERATION);
  unsigned char* beside = map(memory.get(), CL_MAP_WRITE, 200, 100);
  unsigned char* before = map(memory.get(), CL_MAP_WRITE, 0, 100);
  EXPECT_EQ(count(memory), 3u);
  for (unsigned char* mapped : {p, beside, before}) EXPECT_EQ(unmap(memory.get(), mapped), CL_SUCCESS);
  // The region is free again as soon as the unmap is enqueued.
  p = map(memory.get(), CL_MAP_WRITE, 0, kSize);
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
}

TEST_F(Map, ReadMapsMayOverlapAnything) {
  unsigned char* w = map(memory.get(), CL_MAP_WRITE, 0, 100);
  unsigned char* r = map(memory.get(), CL_MAP_READ, 50, 100);
  EXPECT_EQ(unmap(memory.get(), w), CL_SUCCESS);
  w = map(memory.get(), CL_MAP_WRITE, 60, 10);
  EXPECT_EQ(unmap(memory.get(), w), CL_SUCCESS);
  EXPECT_EQ(unmap(memory.get(), r), CL_SUCCESS);
}

TEST_F(Map, WriteMapsAreSeenAcrossSubBuffers) {
  const std::size_t step = origin_alignment();
  const Mem a = sub_buffer(memory, 0, 2 * step);
  const Mem b = sub_buffer(memory, step, 2 * step);
  unsigned char* p = map(a.get(), CL_MAP_WRITE, step, step);
  map(b.get(), CL_MAP_WRITE, 0, 1, CL_INVALID_OPERATION);
  map(memory.get(), CL_MAP_WRITE, 2 * step - 1, 1, CL_INVALID_OPERATION);
  unsigned char* beside = map(b.get(), CL_MAP_WRITE, step, step);
  EXPECT_EQ(beside, p + step);
  // Counts belong to the object that was mapped, and a map can only be undone through this object.
  EXPECT_EQ(count(a), 1u);
  EXPECT_EQ(count(b), 1u);
  EXPECT_EQ(count(memory), 0u);
  EXPECT_EQ(unmap(memory.get(), p), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(a.get(), p), CL_SUCCESS);
  EXPECT_EQ(unmap(b.get(), beside), CL_SUCCESS);
}

TEST_F(Map, WaitListRules) {
  expect_wait_list_rules(context, device, [&](cl_uint n, const cl_event* list, cl_event* event) {
    cl_int code = 1;
    clEnqueueMapBuffer(queue, memory.get(), CL_FALSE, CL_MAP_WRITE, 0, 16, n, list, event, &code);
    return code;
  });
  // Maps that failed are not counted.
  EXPECT_EQ(count(memory), 1u);
  unsigned char* p = map(memory.get(), CL_MAP_READ, 0, 16);
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
  expect_wait_list_rules(context, device, [&](cl_uint n, const cl_event* list, cl_event* event) {
    return clEnqueueUnmapMemObject(queue, memory.get(), p, n, list, event);
  });
  EXPECT_EQ(count(memory), 0u);
}

TEST_F(Map, BlockingMapTellsThatAWaitFailed) {
  cl_command_queue again = new_queue(context);
  expect_failed_wait(context, [&](cl_uint n, const cl_event* list, cl_event* event) {
    cl_int code = 1;
    EXPECT_EQ(clEnqueueMapBuffer(again, memory.get(), CL_TRUE, CL_MAP_WRITE, 0, 16, n, list, event, &code), nullptr);
    return code;
  });
  EXPECT_EQ(clReleaseCommandQueue(again), CL_SUCCESS);
  EXPECT_EQ(count(memory), 0u);
}

TEST_F(Map, NonBlockingMapWaitsForItsEvents) {
  cl_event gate = clCreateUserEvent(context, nullptr);
  cl_event done = nullptr;
  cl_int code = 1;
  void* p = clEnqueueMapBuffer(queue, memory.get(), CL_FALSE, CL_MAP_READ, 0, 16, 1, &gate, &done, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_int status = CL_COMPLETE;
  EXPECT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_GT(status, CL_COMPLETE);
  EXPECT_EQ(command_type(done), cl_command_type{CL_COMMAND_MAP_BUFFER});
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory.get(), p, 0, nullptr, &done), CL_SUCCESS);
  EXPECT_EQ(command_type(done), cl_command_type{CL_COMMAND_UNMAP_MEM_OBJECT});
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(Map, WorksWithoutAnErrorPointer) {
  void* p = clEnqueueMapBuffer(queue, memory.get(), CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, nullptr);
  EXPECT_NE(p, nullptr);
  EXPECT_EQ(unmap(memory.get(), p), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMapBuffer(queue, nullptr, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, nullptr), nullptr);
}

class Migrate : public Map {
 protected:
  cl_int migrate(cl_uint n, const cl_mem* objects, cl_mem_migration_flags flags = 0) const {
    return clEnqueueMigrateMemObjects(queue, n, objects, flags, 0, nullptr, nullptr);
  }
};

TEST_F(Migrate, KeepsTheBytes) {
  const Mem other = buffer_of(some_bytes(64, 2));
  const cl_mem both[] = {memory.get(), other.get()};
  EXPECT_EQ(migrate(2, both), CL_SUCCESS);
  EXPECT_EQ(migrate(2, both, CL_MIGRATE_MEM_OBJECT_HOST), CL_SUCCESS);
  EXPECT_EQ(contents(memory), bytes);
  EXPECT_EQ(contents(other), some_bytes(64, 2));
  EXPECT_EQ(migrate(1, both, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED), CL_SUCCESS);
}

TEST_F(Migrate, RefusesBadArguments) {
  cl_mem good = memory.get();
  for (auto bad : invalid_handles<cl_command_queue>(context))
    EXPECT_EQ(clEnqueueMigrateMemObjects(bad, 1, &good, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  for (auto bad : invalid_handles<cl_mem>(queue)) {
    const cl_mem list[] = {good, bad};
    EXPECT_EQ(migrate(2, list), CL_INVALID_MEM_OBJECT);
  }
  EXPECT_EQ(migrate(0, &good), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, &good, cl_mem_migration_flags{1} << 10), CL_INVALID_VALUE);
  const Stranger stranger(device);
  EXPECT_EQ(migrate(1, &stranger.memory), CL_INVALID_CONTEXT);
}

TEST_F(Migrate, WaitListRules) {
  cl_mem good = memory.get();
  expect_wait_list_rules(context, device, [&](cl_uint n, const cl_event* list, cl_event* event) {
    const cl_int code = clEnqueueMigrateMemObjects(queue, 1, &good, 0, n, list, event);
    if (code == CL_SUCCESS) {
      EXPECT_EQ(command_type(*event), cl_command_type{CL_COMMAND_MIGRATE_MEM_OBJECTS});
    }
    return code;
  });
}

}  // namespace
}  // namespace lanewise::test
