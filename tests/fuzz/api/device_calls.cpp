// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues on the device, kernels that enqueue kernels, kernels with pipes, and images in memory that others share.
#include <sys/mman.h>
#include <unistd.h>

#include "include/lanewise/external_memory.h"
#include "tests/fuzz/api/check.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

/// What kernels do follows from the bits of n. They end whatever their arguments are, and packets of one byte fit any pipe.
const char* const kSource = R"(
kernel void parent(global int* p, int n) {
  queue_t q = get_default_queue();
  for (int i = 0; i < (n & 7); ++i)
    enqueue_kernel(q, (kernel_enqueue_flags_t)(i & 3), ndrange_1D(1 + i), ^{
      if (p) atomic_inc(p);
      if (n & 8) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        clk_event_t e, mine = create_user_event();
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), 1, &mine, &e, ^(local void* l) {
              *(local char*)l = 1; }, 64u) == 0)
          release_event(e);
        if (n & 16) set_user_event_status(mine, CL_COMPLETE);
      });
    });
  clk_event_t gate = create_user_event(), e, m;
  if (!is_valid_event(gate)) return;
  if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), 1, &gate, &e, ^{ if (p) atomic_inc(p); }) == 0) {
    if (enqueue_marker(q, 1, &e, &m) == 0) release_event(m);
    release_event(e);
  }
  if (n & 32) set_user_event_status(gate, n & 64 ? -5 : CL_COMPLETE);
  if (n & 128) release_event(gate);
}
kernel void put(write_only pipe uchar out, int n) {
  uchar v = n + get_global_id(0);
  if (n & 1) write_pipe(out, &v);
  if (n & 2) {
    reserve_id_t r = reserve_write_pipe(out, (n >> 2) & 3);
    if (is_valid_reserve_id(r)) { write_pipe(out, r, 0, &v); commit_write_pipe(out, r); }
  }
  if (n & 16) {
    reserve_id_t r = work_group_reserve_write_pipe(out, (n >> 5) & 7);
    if (is_valid_reserve_id(r)) { write_pipe(out, r, get_local_id(0), &v); work_group_commit_write_pipe(out, r); }
  }
}
kernel void get(read_only pipe uchar in, int n) {
  uchar v;
  if (n & 1) for (int k = 0; k < (n >> 2 & 7) && read_pipe(in, &v) == 0; ++k) {}
  if (n & 2) {
    reserve_id_t r = reserve_read_pipe(in, get_global_id(0) & 3);
    if (is_valid_reserve_id(r)) { read_pipe(in, r, 0, &v); commit_read_pipe(in, r); }
  }
  if (n & 16) {
    reserve_id_t r = work_group_reserve_read_pipe(in, (n >> 5) & 7);
    if (is_valid_reserve_id(r)) { read_pipe(in, r, get_local_id(0), &v); work_group_commit_read_pipe(in, r); }
  }
}
)";

void create_device_queue(World& world, Draw& draw) {
  if (world.queues.live() > 12) return;
  cl_command_queue_properties bits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE;
  if (!draw.one_in(4)) bits |= CL_QUEUE_ON_DEVICE_DEFAULT;
  if (draw.one_in(3)) bits |= CL_QUEUE_PROFILING_ENABLE;
  const cl_queue_properties sizes[] = {0, 1, 1024, 16384, 65536, 1U << 20};
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits,
                                      draw.one_in(2) ? cl_queue_properties{CL_QUEUE_SIZE} : 0, draw.among(sizes), 0};
  cl_int code = 0;
  world.queues.add(clCreateCommandQueueWithProperties(world.main_context, world.device(draw), list, &code));
}

/// The kernels of kSource; the build comes from the cache after the first one.
void create_kernels(World& world, Draw&) {
  if (world.programs.live() > World::kMostObjects || world.kernels.live() > World::kMostObjects) return;
  const char* source = kSource;
  const cl_program program = clCreateProgramWithSource(world.main_context, 1, &source, nullptr, nullptr);
  world.programs.add(program);
  expect(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  for (const char* name : {"parent", "put", "get"}) world.kernels.add(clCreateKernel(program, name, nullptr));
}

/// A launch with arguments that fit, of whatever has two.
void launch(World& world, Draw& draw) {
  const cl_kernel kernel = world.kernel(draw);
  const cl_mem memory = world.memory(draw);
  const cl_int number = draw.byte();
  static_cast<void>(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  static_cast<void>(clSetKernelArg(kernel, 1, sizeof number, &number));
  const std::size_t items = 1 + draw.below(40);
  const std::size_t local = 1 + draw.below(8);
  const cl_command_queue queue = world.queue(draw);
  Wait wait(world, draw);
  static_cast<void>(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, draw.one_in(2) ? nullptr : &local,
                                           wait.count(), wait.list(), wait.event()));
}

void create_pipe(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  world.memories.add(clCreatePipe(world.main_context, 0, 1, 1 + draw.below(64), nullptr, nullptr));
}

void share_image(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const int fd = memfd_create("shared", MFD_CLOEXEC);
  static_cast<void>(ftruncate(fd, static_cast<off_t>(draw.one_in(8) ? 64 : 4096)));
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, static_cast<cl_mem_properties>(fd), 0};
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 1 + draw.below(16);
  desc.image_height = 1 + draw.below(16);
  if (draw.one_in(2)) desc.image_row_pitch = amount(draw, 64);
  cl_int code = 0;
  const cl_mem image =
      clCreateImageWithProperties(world.context(draw), list, CL_MEM_READ_WRITE, &format, &desc, nullptr, &code);
  world.memories.add(image);
  if (image == nullptr) close(fd);
}

}  // namespace

std::vector<Call> device_calls() {
  return {create_device_queue, create_kernels, create_kernels, launch, launch, launch, create_pipe, share_image};
}

}  // namespace lanewise::fuzz
