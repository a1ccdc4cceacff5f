// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-buffers, semaphores, pipes, and what others have by file descriptors.
#include <sys/mman.h>
#include <unistd.h>

#include "include/lanewise/command_buffer.h"
#include "include/lanewise/external_memory.h"
#include "include/lanewise/semaphore.h"
#include "tests/fuzz/api/queries.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

void create_buffer(World& world, Draw& draw) {
  if (world.recorded.live() > World::kMostObjects) return;
  cl_command_queue queues[3] = {};
  for (auto& queue : queues) queue = world.queue(draw);
  const cl_properties flags[] = {0, 1, 2, 3, 7, 64};
  const cl_properties names[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1};
  const cl_properties list[] = {draw.one_in(8) ? draw.among(names) : CL_COMMAND_BUFFER_FLAGS_KHR, draw.among(flags), 0};
  const cl_uint count = draw.one_in(4) ? draw.below(4) : 1;
  cl_int code = 0;
  world.recorded.add(
      api::clCreateCommandBufferKHR(count, draw.one_in(32) ? nullptr : queues, draw.one_in(4) ? nullptr : list, &code));
}

void retain_or_release(World& world, Draw& draw) {
  const auto buffer = world.recorded.pick(draw, world.main_context);
  if (draw.one_in(3)) {
    if (api::clRetainCommandBufferKHR(buffer) == CL_SUCCESS) world.recorded.retained(buffer);
  } else if (api::clReleaseCommandBufferKHR(buffer) == CL_SUCCESS) {
    world.recorded.released(buffer);
  }
}

/// Shared by the functions that record.
struct Recorder {
  Recorder(World& world, Draw& draw)
      : world_(world),
        buffer(world.recorded.pick(draw, world.main_context)),
        queue(draw.one_in(4) ? world.queue(draw) : nullptr),
        count(draw.below(3)) {
    for (auto& point : points) point = draw.below(6);
    waits = draw.one_in(32) == (count == 0) ? points : nullptr;
    wants_handle = draw.one_in(3);
  }
  ~Recorder() {
    if (made != nullptr) world_.commands.push_back(made);
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  cl_mutable_command_khr* handle() { return wants_handle ? &made : nullptr; }

  World& world_;
  cl_command_buffer_khr buffer;
  cl_command_queue queue;
  cl_uint count;
  cl_sync_point_khr points[3] = {};
  const cl_sync_point_khr* waits = nullptr;
  cl_sync_point_khr point = 0;
  bool wants_handle = false;
  cl_mutable_command_khr made = nullptr;
};

void record_launch(World& world, Draw& draw) {
  Recorder r(world, draw);
  const std::size_t global[3] = {draw.below(9), 1 + draw.below(3), 1};
  const std::size_t local[3] = {1 + draw.below(4), 1, 1};
  const cl_properties fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, draw.below(40), 0};
  static_cast<void>(
      api::clCommandNDRangeKernelKHR(r.buffer, r.queue, draw.one_in(2) ? nullptr : fields, world.kernel(draw),
                                     draw.one_in(16) ? draw.byte() : 1 + draw.below(2), nullptr, global,
                                     draw.one_in(2) ? nullptr : local, r.count, r.waits, &r.point, r.handle()));
}

void record_transfer(World& world, Draw& draw) {
  Recorder r(world, draw);
  const auto from = world.memory(draw);
  const auto to = world.memory(draw);
  const auto origin = image_origin(draw);
  const auto other = image_origin(draw);
  const auto region = triple(draw, true);
  const cl_uint colour[4] = {1, 2, 3, 4};
  switch (draw.below(8)) {
    case 0:
      static_cast<void>(
          api::clCommandBarrierWithWaitListKHR(r.buffer, r.queue, nullptr, r.count, r.waits, &r.point, r.handle()));
      break;
    case 1:
      static_cast<void>(api::clCommandCopyBufferRectKHR(r.buffer, r.queue, nullptr, from, to, origin.data(),
                                                        other.data(), region.data(), amount(draw, 16), 0,
                                                        amount(draw, 16), 0, r.count, r.waits, &r.point, r.handle()));
      break;
    case 2:
      static_cast<void>(api::clCommandFillBufferKHR(r.buffer, r.queue, nullptr, to, colour, draw.one_in(8) ? 3 : 4,
                                                    4 * amount(draw, 16), 4 * amount(draw, 16), r.count, r.waits,
                                                    &r.point, r.handle()));
      break;
    case 3:
      static_cast<void>(api::clCommandCopyImageKHR(r.buffer, r.queue, nullptr, from, to, origin.data(), other.data(),
                                                   region.data(), r.count, r.waits, &r.point, r.handle()));
      break;
    case 4:
      static_cast<void>(api::clCommandFillImageKHR(r.buffer, r.queue, nullptr, to, colour, origin.data(), region.data(),
                                                   r.count, r.waits, &r.point, r.handle()));
      break;
    case 5:
      static_cast<void>(api::clCommandCopyBufferToImageKHR(r.buffer, r.queue, nullptr, from, to, amount(draw, 64),
                                                           origin.data(), region.data(), r.count, r.waits, &r.point,
                                                           r.handle()));
      break;
    case 6:
      static_cast<void>(api::clCommandCopyImageToBufferKHR(r.buffer, r.queue, nullptr, from, to, origin.data(),
                                                           region.data(), amount(draw, 64), r.count, r.waits, &r.point,
                                                           r.handle()));
      break;
    default:
      static_cast<void>(api::clCommandCopyBufferKHR(r.buffer, r.queue, nullptr, from, to, amount(draw, 64),
                                                    amount(draw, 64), amount(draw, 64), r.count, r.waits, &r.point,
                                                    r.handle()));
  }
}

void finalize(World& world, Draw& draw) {
  static_cast<void>(api::clFinalizeCommandBufferKHR(world.recorded.pick(draw, world.main_context)));
}

void enqueue(World& world, Draw& draw) {
  const auto buffer = world.recorded.pick(draw, world.main_context);
  cl_command_queue queues[3] = {};
  for (auto& queue : queues) queue = world.queue(draw);
  Wait wait(world, draw);
  const bool own = draw.below(4) != 0;
  static_cast<void>(api::clEnqueueCommandBufferKHR(own ? 0 : draw.below(4), own ? nullptr : queues, buffer,
                                                   wait.count(), wait.list(), wait.event()));
}

cl_mutable_command_khr command(World& world, Draw& draw) {
  if (world.commands.empty() || draw.one_in(16)) return nullptr;
  return world.commands[draw.byte() % world.commands.size()];
}

void update(World& world, Draw& draw) {
  const cl_int number = 3;
  cl_mem memory = world.memory(draw);
  const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof memory, &memory}, {1, sizeof number, &number}};
  const std::size_t sizes[3] = {draw.below(9), 1, 1};
  api::cl_mutable_dispatch_config_khr config{};
  config.command = command(world, draw);
  config.num_args = draw.below(3);
  config.arg_list = config.num_args != 0 || draw.one_in(16) ? args : nullptr;
  if (draw.one_in(3)) config.global_work_size = sizes;
  if (draw.one_in(4)) config.local_work_size = sizes;
  if (draw.one_in(8)) config.work_dim = draw.below(4);
  const api::cl_command_buffer_update_type_khr types[] = {draw.one_in(32) ? 5U : api::kDispatchConfig,
                                                          api::kDispatchConfig};
  const void* configs[] = {&config, draw.one_in(8) ? nullptr : &config};
  static_cast<void>(api::clUpdateMutableCommandsKHR(world.recorded.pick(draw, world.main_context), draw.below(3),
                                                    draw.one_in(16) ? nullptr : types,
                                                    draw.one_in(16) ? nullptr : configs));
}

void remap(World& world, Draw& draw) {
  if (world.recorded.live() > World::kMostObjects) return;
  cl_command_queue queues[3] = {};
  for (auto& queue : queues) queue = world.queue(draw);
  const cl_mutable_command_khr handles[] = {command(world, draw)};
  cl_mutable_command_khr made[] = {nullptr};
  const cl_uint count = draw.one_in(3) ? 1 : 0;
  cl_int code = 0;
  world.recorded.add(api::clRemapCommandBufferKHR(world.recorded.pick(draw, world.main_context), draw.below(2),
                                                  1 + draw.below(2), queues, count, count != 0 ? handles : nullptr,
                                                  count != 0 ? made : nullptr, &code));
  if (made[0] != nullptr) world.commands.push_back(made[0]);
}

void query(World& world, Draw& draw) {
  Query q(world, draw);
  switch (draw.below(4)) {
    case 0:
      return q.ask(api::clGetMutableCommandInfoKHR, command(world, draw));
    case 1:
      return q.ask(clGetSemaphoreInfoKHR, world.semaphores.pick(draw, world.main_context));
    case 2:
      return q.ask(clGetPipeInfo, world.memory(draw));
    default:
      return q.ask(api::clGetCommandBufferInfoKHR, world.recorded.pick(draw, world.main_context));
  }
}

void create_semaphore(World& world, Draw& draw) {
  if (world.semaphores.live() > World::kMostObjects) return;
  const auto device = reinterpret_cast<cl_semaphore_properties_khr>(world.device(draw));
  const cl_semaphore_properties_khr list[] = {
      CL_SEMAPHORE_TYPE_KHR,
      draw.one_in(32) ? 7U : cl_semaphore_properties_khr{CL_SEMAPHORE_TYPE_BINARY_KHR},
      draw.one_in(2) ? 0 : cl_semaphore_properties_khr{CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR},
      device,
      0,
      0};
  cl_int code = 0;
  world.semaphores.add(clCreateSemaphoreWithPropertiesKHR(draw.one_in(32) ? nullptr : world.main_context,
                                                          draw.one_in(32) ? nullptr : list, &code));
}

/// A second semaphore of the same payload, by a handle; or a handle that is none.
void share_semaphore(World& world, Draw& draw) {
  if (world.semaphores.live() > World::kMostObjects) return;
  cl_int code = 0;
  const cl_semaphore_properties_khr exported[] = {CL_SEMAPHORE_TYPE_KHR,
                                                  CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                  CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                  CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                  draw.one_in(32) ? CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR : 0U,
                                                  0,
                                                  0};
  const auto semaphore = clCreateSemaphoreWithPropertiesKHR(world.main_context, exported, &code);
  world.semaphores.add(semaphore);
  int handle = -1;
  static_cast<void>(clGetSemaphoreHandleForTypeKHR(
      draw.one_in(8) ? world.semaphores.pick(draw, world.main_context) : semaphore, world.device(draw),
      draw.one_in(32) ? 1 : CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, draw.one_in(32) ? 1 : sizeof handle, &handle, nullptr));
  if (handle < 0) return;
  const int given = draw.one_in(8) ? memfd_create("none", MFD_CLOEXEC) : dup(handle);
  const cl_semaphore_properties_khr imported[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                  CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                  static_cast<cl_semaphore_properties_khr>(given), 0};
  const auto second = clCreateSemaphoreWithPropertiesKHR(world.main_context, imported, &code);
  world.semaphores.add(second);
  if (second == nullptr) close(given);
  close(handle);
}

void share_memory(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const int fd = memfd_create("shared", MFD_CLOEXEC);
  static_cast<void>(ftruncate(fd, static_cast<off_t>(draw.one_in(4) ? 1 : 65536)));
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                    static_cast<cl_mem_properties>(fd),
                                    draw.one_in(4) ? cl_mem_properties{CL_MEM_DEVICE_HANDLE_LIST_KHR} : 0,
                                    reinterpret_cast<cl_mem_properties>(world.device(draw)),
                                    0,
                                    0};
  const cl_mem_flags flags[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR};
  cl_int code = 0;
  const auto memory =
      clCreateBufferWithProperties(world.context(draw), list, draw.among(flags), amount(draw, 65536), nullptr, &code);
  world.memories.add(memory);
  if (memory == nullptr) close(fd);
}

void hand_over(World& world, Draw& draw) {
  cl_mem list[2] = {};
  for (auto& memory : list) memory = world.memory(draw);
  const cl_uint count = draw.below(3);
  const auto function = draw.one_in(2) ? clEnqueueAcquireExternalMemObjectsKHR : clEnqueueReleaseExternalMemObjectsKHR;
  Wait wait(world, draw);
  static_cast<void>(
      function(world.queue(draw), count, count != 0 ? list : nullptr, wait.count(), wait.list(), wait.event()));
}

void release_semaphore(World& world, Draw& draw) {
  const auto semaphore = world.semaphores.pick(draw, world.main_context);
  if (draw.one_in(3)) {
    if (clRetainSemaphoreKHR(semaphore) == CL_SUCCESS) world.semaphores.retained(semaphore);
    return;
  }
  world.settle();  // after this nothing could signal it
  if (clReleaseSemaphoreKHR(semaphore) == CL_SUCCESS) world.semaphores.released(semaphore);
}

void signal_or_wait(World& world, Draw& draw) {
  cl_semaphore_khr list[2] = {};
  for (auto& semaphore : list) semaphore = world.semaphores.pick(draw, world.main_context);
  const cl_uint count = draw.one_in(8) ? draw.below(3) : 1;
  const auto queue = world.queue(draw);
  Wait wait(world, draw);
  if (draw.one_in(2)) {
    static_cast<void>(clEnqueueSignalSemaphoresKHR(queue, count, draw.one_in(32) ? nullptr : list, nullptr,
                                                   wait.count(), wait.list(), wait.event()));
  } else if (clEnqueueWaitSemaphoresKHR(queue, count, list, nullptr, wait.count(), wait.list(), wait.event()) ==
             CL_SUCCESS) {
    world.waiting.insert(world.waiting.end(), list, list + count);
  }
}

void create_pipe(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const cl_mem_flags flags[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, CL_MEM_USE_HOST_PTR};
  cl_int code = 0;
  world.memories.add(clCreatePipe(world.context(draw), draw.among(flags), static_cast<cl_uint>(amount(draw, 65536)),
                                  draw.one_in(8) ? draw.word() & 0xffff : draw.below(9), nullptr, &code));
}

}  // namespace

std::vector<Call> recorded_calls() {
  return {create_buffer,     record_launch, record_launch,    record_transfer, record_transfer, finalize,
          finalize,          enqueue,       enqueue,          update,          remap,           query,
          retain_or_release, create_pipe,   create_semaphore, signal_or_wait,  signal_or_wait,  release_semaphore,
          share_semaphore,   share_memory,  hand_over};
}

}  // namespace lanewise::fuzz
