// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/api/world.h"

#include <sys/mman.h>

#include <cstdlib>

#include "include/lanewise/command_buffer.h"
#include "tests/fuzz/api/check.h"

namespace lanewise::fuzz {

namespace {

/// Shared by all inputs: pages that are not touched cost nothing.
std::byte* host_memory() {
  static void* const memory = mmap(nullptr, World::kHostBytes + 4096, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  expect(memory != MAP_FAILED, "mmap");
  return static_cast<std::byte*>(memory);
}

template <class H, class Release>
void release_all(Pool<H>& pool, Release release) {
  for (auto& slot : pool.slots())
    for (; slot.references > 0; --slot.references) release(slot.handle);
}

}  // namespace

World::World() : host_(host_memory()) {
  expect(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "clGetPlatformIDs");
  expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &root, nullptr) == CL_SUCCESS, "clGetDeviceIDs");
  devices.add(root);
  main_context = clCreateContext(nullptr, 1, &root, nullptr, nullptr, nullptr);
  expect(main_context != nullptr, "clCreateContext");
  for (const cl_command_queue_properties bits : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE})
    queues.add(clCreateCommandQueue(main_context, root, bits, nullptr));
  signals_ = clCreateCommandQueue(main_context, root, 0, nullptr);
  memories.add(clCreateBuffer(main_context, CL_MEM_READ_WRITE, kLargestBuffer, nullptr, nullptr));
  // A kernel that can be launched at once; the build comes from the cache after the first input.
  const char* source = "kernel void first(global int* p, int n) { if (p && get_global_id(0) == 0) p[0] = n; }";
  cl_program program = clCreateProgramWithSource(main_context, 1, &source, nullptr, nullptr);
  expect(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  programs.add(program);
  cl_kernel kernel = clCreateKernel(program, "first", nullptr);
  const cl_mem buffer = memories.slots()[0].handle;
  const cl_int number = 1;
  expect(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  expect(clSetKernelArg(kernel, 1, sizeof number, &number) == CL_SUCCESS, "clSetKernelArg");
  kernels.add(kernel);
}

World::~World() {
  quiesce();
  for (const Mapping& mapping : mappings)
    for (const auto& slot : queues.slots())
      if (slot.references > 0)
        static_cast<void>(clEnqueueUnmapMemObject(slot.handle, mapping.memory, mapping.address, 0, nullptr, nullptr));
  quiesce();
  for (const Area& area : areas) {
    if (area.freed) continue;
    if (area.usm) {
      static_cast<void>(clMemFreeINTEL(main_context, area.begin));
    } else {
      clSVMFree(main_context, area.begin);
    }
  }
  release_all(recorded, lanewise::api::clReleaseCommandBufferKHR);
  release_all(semaphores, clReleaseSemaphoreKHR);
  static_cast<void>(clReleaseCommandQueue(signals_));
  release_all(events, clReleaseEvent);
  release_all(kernels, clReleaseKernel);
  release_all(programs, clReleaseProgram);
  release_all(samplers, clReleaseSampler);
  release_all(memories, clReleaseMemObject);
  release_all(queues, clReleaseCommandQueue);
  release_all(contexts, clReleaseContext);
  static_cast<void>(clReleaseContext(main_context));
  release_all(devices, clReleaseDevice);
}

void World::settle() {
  for (const auto& slot : events.slots())
    if (slot.references > 0) static_cast<void>(clSetUserEventStatus(slot.handle, CL_COMPLETE));
  // Even if a signal has been enqueued already: it may be behind its wait in a queue.
  for (const cl_semaphore_khr semaphore : waiting)
    static_cast<void>(clEnqueueSignalSemaphoresKHR(signals_, 1, &semaphore, nullptr, 0, nullptr, nullptr));
  if (!waiting.empty()) static_cast<void>(clFinish(signals_));
  waiting.clear();
}

void World::quiesce() {
  settle();
  // Those too that have been released: a call that names one goes through as long as a command keeps it.
  for (const auto& slot : queues.slots()) static_cast<void>(clFinish(slot.handle));
  for (const cl_event marker : watched_) {
    static_cast<void>(clWaitForEvents(1, &marker));
    static_cast<void>(clReleaseEvent(marker));
  }
  watched_.clear();
}

void World::watch(cl_command_queue queue) {
  cl_event marker = nullptr;
  if (clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker) == CL_SUCCESS) watched_.push_back(marker);
}

cl_device_id World::device(Draw& draw) {
  return draw.below(8) < 5 ? root : devices.pick(draw, main_context);
}

cl_context World::context(Draw& draw) {
  return draw.below(8) < 6 ? main_context : contexts.pick(draw, root);
}

Wait::Wait(World& world, Draw& draw) : world_(world) {
  count_ = draw.below(8) < 5 ? 0 : draw.below(4);
  list_ = count_ != 0 ? !draw.one_in(32) : draw.one_in(32);
  for (cl_uint i = 0; i < count_; ++i) events_[i] = world.event(draw);
  wanted_ = draw.below(3) != 0;
}

Wait::~Wait() {
  if (made_ != nullptr) world_.events.add(made_);
}

cl_bool blocking(World& world, Draw& draw) {
  if (draw.below(4) != 0) return CL_FALSE;
  world.settle();
  return CL_TRUE;
}

std::size_t amount(Draw& draw, std::size_t near) {
  switch (draw.below(12)) {
    case 0:
      return 0;
    case 1:
      return near;
    case 2:
      return near + draw.below(3) - 1;
    case 3:
      return SIZE_MAX - draw.below(3);
    case 4:
      return (std::size_t{1} << 63) >> draw.below(2);
    default:
      return draw.below(4) == 0 ? (draw.byte() << 4) : draw.byte();
  }
}

std::array<std::size_t, 3> triple(Draw& draw, bool region) {
  std::array<std::size_t, 3> values{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (draw.one_in(32)) {
      values[i] = amount(draw, 8);
    } else if (region) {
      values[i] = i == 2 && draw.below(4) != 0 ? 1 : 1 + draw.below(4);
    } else {
      values[i] = draw.below(4) != 0 ? 0 : draw.below(4);
    }
  }
  return values;
}

std::array<std::size_t, 4> image_origin(Draw& draw) {
  const auto [x, y, z] = triple(draw, false);
  return {x, y, z, draw.one_in(4) ? draw.below(6) : 0};
}

}  // namespace lanewise::fuzz
