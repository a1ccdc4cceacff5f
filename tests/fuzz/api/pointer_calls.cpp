// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory and unified shared memory. Any pointer is legal on this device, so commands get only those with
// memory behind them, and memory is freed when no command is left that may use it.
#include <algorithm>

#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

constexpr std::size_t kMostBytes = 2048;  ///< of an allocation

struct Range {
  void* begin;
  std::size_t size;
};

/// A range inside an existing allocation or the host's memory.
Range range(World& world, Draw& draw) {
  std::vector<Area> live;
  std::copy_if(world.areas.begin(), world.areas.end(), std::back_inserter(live),
               [](const Area& a) { return !a.freed; });
  if (live.empty() || draw.one_in(4)) return {world.host(draw), draw.byte()};
  const Area& area = live[draw.byte() % live.size()];
  const std::size_t offset = draw.one_in(2) ? 0 : draw.word() % area.size;
  return {area.begin + offset, draw.one_in(16) ? 0 : draw.word() % (area.size - offset + 1)};
}

std::size_t size_of(Draw& draw) {
  const std::size_t sizes[] = {64, kMostBytes, 1, 100, 0, SIZE_MAX, std::size_t{1} << 62};
  return draw.among(sizes);
}

void keep(World& world, void* begin, std::size_t size, bool usm) {
  if (begin != nullptr) world.areas.push_back({static_cast<std::byte*>(begin), size, usm, false});
}

bool full(const World& world) {
  return std::count_if(world.areas.begin(), world.areas.end(), [](const Area& a) { return !a.freed; }) > 32;
}

void allocate_svm(World& world, Draw& draw) {
  if (full(world)) return;
  const cl_svm_mem_flags flags[] = {CL_MEM_READ_WRITE, CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_ATOMICS,
                                    CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
  const cl_uint alignments[] = {0, 8, 64, 128, 3, 4096, 1U << 31};
  const std::size_t size = size_of(draw);
  // Only in the main context, which frees what is left when it ends.
  const auto context = draw.one_in(16) ? nullptr : world.main_context;
  keep(world, clSVMAlloc(context, draw.some_of(flags), size, draw.among(alignments)), size, false);
}

void allocate_usm(World& world, Draw& draw) {
  if (full(world)) return;
  const cl_mem_properties_intel keys[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_FLAGS_INTEL, 77};
  const cl_mem_properties_intel list[5] = {draw.one_in(4) ? draw.among(keys) : 0, draw.below(8),
                                           draw.one_in(8) ? draw.among(keys) : 0, 0, 0};
  const std::size_t size = size_of(draw);
  const cl_uint alignment = draw.one_in(4) ? draw.byte() : 0;
  const auto* properties = draw.one_in(2) ? nullptr : list;
  const auto context = draw.one_in(16) ? nullptr : world.main_context;
  const auto device = world.device(draw);
  cl_int code = 0;
  switch (draw.below(3)) {
    case 0:
      return keep(world, clHostMemAllocINTEL(context, properties, size, alignment, &code), size, true);
    case 1:
      return keep(world, clDeviceMemAllocINTEL(context, device, properties, size, alignment, &code), size, true);
    default:
      return keep(world, clSharedMemAllocINTEL(context, device, properties, size, alignment, &code), size, true);
  }
}

/// Frees an existing allocation, or one that is already freed where the pointer alone shows that.
void free_area(World& world, Draw& draw) {
  if (world.areas.empty()) return;
  Area& area = world.areas[draw.byte() % world.areas.size()];
  if (area.freed) return;
  world.quiesce();
  area.freed = true;
  if (!area.usm) {
    if (draw.one_in(2)) return clSVMFree(world.main_context, area.begin);
    void* list[1] = {area.begin};
    const auto queue = world.queues.slots()[0];
    if (queue.references == 0 || clEnqueueSVMFree(queue.handle, 1, list, nullptr, nullptr, 0, nullptr, nullptr) != 0)
      clSVMFree(world.main_context, area.begin);
    world.quiesce();
    return;
  }
  if (draw.one_in(2)) {
    static_cast<void>(clMemBlockingFreeINTEL(world.main_context, area.begin));
  } else {
    static_cast<void>(clMemFreeINTEL(world.main_context, area.begin));
  }
}

void CL_CALLBACK on_free(cl_command_queue, cl_uint, void**, void*) {}

void enqueue_free(World& world, Draw& draw) {
  Wait wait(world, draw);
  void* list[2] = {world.host(draw), nullptr};  // the callback owns them; nothing is freed
  static_cast<void>(clEnqueueSVMFree(world.queue(draw), draw.below(3), draw.one_in(8) ? nullptr : list, on_free,
                                     nullptr, wait.count(), wait.list(), wait.event()));
}

void copy(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  Wait wait(world, draw);
  const Range to = range(world, draw);
  const Range from = range(world, draw);
  const std::size_t size = std::min(to.size, from.size);
  const auto queue = world.queue(draw);
  static_cast<void>(
      draw.one_in(2)
          ? clEnqueueSVMMemcpy(queue, blocks, to.begin, from.begin, size, wait.count(), wait.list(), wait.event())
          : clEnqueueMemcpyINTEL(queue, blocks, to.begin, from.begin, size, wait.count(), wait.list(), wait.event()));
}

void fill(World& world, Draw& draw) {
  Wait wait(world, draw);
  const Range to = range(world, draw);
  const std::size_t sizes[] = {1, 4, 16, 128, 3, 0, 256};
  const std::size_t pattern = draw.among(sizes);
  const auto queue = world.queue(draw);
  static_cast<void>(draw.one_in(2) ? clEnqueueSVMMemFill(queue, to.begin, world.scratch(), pattern, to.size,
                                                         wait.count(), wait.list(), wait.event())
                                   : clEnqueueMemFillINTEL(queue, to.begin, world.scratch(), pattern, to.size,
                                                           wait.count(), wait.list(), wait.event()));
}

void map(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  const cl_map_flags flags[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, 64};
  Wait wait(world, draw);
  const Range at = range(world, draw);
  const auto queue = world.queue(draw);
  if (draw.one_in(2)) {
    static_cast<void>(clEnqueueSVMMap(queue, blocks, draw.some_of(flags), at.begin, at.size, wait.count(), wait.list(),
                                      wait.event()));
  } else {
    static_cast<void>(clEnqueueSVMUnmap(queue, at.begin, wait.count(), wait.list(), wait.event()));
  }
}

void advise(World& world, Draw& draw) {
  Wait wait(world, draw);
  const Range at = range(world, draw);
  const std::size_t size = draw.one_in(8) ? amount(draw, at.size) : at.size;
  const auto queue = world.queue(draw);
  switch (draw.below(3)) {
    case 0:
      static_cast<void>(
          clEnqueueMigrateMemINTEL(queue, at.begin, size, draw.below(5), wait.count(), wait.list(), wait.event()));
      break;
    case 1:
      static_cast<void>(
          clEnqueueMemAdviseINTEL(queue, at.begin, size, draw.below(5), wait.count(), wait.list(), wait.event()));
      break;
    default: {
      const void* list[2] = {at.begin, range(world, draw).begin};
      const std::size_t lengths[2] = {draw.one_in(2) ? 0 : size, 0};
      static_cast<void>(clEnqueueSVMMigrateMem(queue, draw.below(3), draw.one_in(16) ? nullptr : list,
                                               draw.one_in(4) ? nullptr : lengths, draw.below(5), wait.count(),
                                               wait.list(), wait.event()));
    }
  }
}

void query(World& world, Draw& draw) {
  // The call does not read behind the pointer, so freed ones may be passed as well.
  const void* pointer =
      world.areas.empty() || draw.one_in(8) ? world.host(draw) : world.areas[draw.byte() % world.areas.size()].begin;
  cl_ulong value[2] = {};
  static_cast<void>(clGetMemAllocInfoINTEL(world.context(draw), pointer, 0x4190 + draw.below(20), draw.below(17),
                                           draw.one_in(8) ? nullptr : value, nullptr));
}

}  // namespace

std::vector<Call> pointer_calls() {
  return {allocate_svm, allocate_usm, free_area, enqueue_free, copy, copy, fill, map, advise, query};
}

}  // namespace lanewise::fuzz
