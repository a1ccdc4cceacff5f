// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, their arguments and launches.
#include "tests/fuzz/api/queries.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

constexpr unsigned char kZeros[8192] = {};

void create_kernel(World& world, Draw& draw) {
  if (world.kernels.live() > World::kMostObjects) return;
  const char* const names[] = {"first", "second", "shaped", "linked", "helper", "", "none"};
  cl_int code = 0;
  world.kernels.add(clCreateKernel(world.program(draw), draw.one_in(32) ? nullptr : draw.among(names), &code));
}

void create_kernels(World& world, Draw& draw) {
  if (world.kernels.live() > World::kMostObjects) return;
  cl_kernel made[4] = {};
  cl_uint count = 0;
  const cl_uint room = draw.below(5);
  if (clCreateKernelsInProgram(world.program(draw), room, draw.one_in(4) ? nullptr : made, &count) != CL_SUCCESS)
    return;
  for (cl_kernel kernel : made) world.kernels.add(kernel);
}

void clone(World& world, Draw& draw) {
  if (world.kernels.live() > World::kMostObjects) return;
  cl_int code = 0;
  world.kernels.add(clCloneKernel(world.kernel(draw), &code));
}

/// Values of every kind, mostly memory objects and numbers. A kernel may read through pointers, so these are null.
void set_argument(World& world, Draw& draw) {
  const auto kernel = world.kernel(draw);
  const cl_uint index = draw.one_in(16) ? draw.word() : draw.below(3);
  const std::size_t sizes[] = {sizeof(cl_int), sizeof(cl_mem), 16, 0, 3, SIZE_MAX, 4096, 1U << 30};
  const std::size_t size = draw.one_in(2) ? sizeof(cl_mem) : draw.among(sizes);
  switch (draw.below(6)) {
    case 0:
      static_cast<void>(clSetKernelArg(kernel, index, size, nullptr));
      break;
    case 1:
      // Not the scratch memory: a driver cannot detect a handle that consists of arbitrary bytes.
      static_cast<void>(clSetKernelArg(kernel, index, size, kZeros));
      break;
    case 2: {
      cl_sampler sampler = world.sampler(draw);
      static_cast<void>(clSetKernelArg(kernel, index, size, &sampler));
      break;
    }
    case 3:
      static_cast<void>(clSetKernelArgSVMPointer(kernel, index, nullptr));
      static_cast<void>(clSetKernelArgMemPointerINTEL(kernel, index, nullptr));
      static_cast<void>(clSetKernelArgDevicePointerEXT(kernel, index, 0));
      break;
    default: {
      cl_mem memory = world.memory(draw);
      static_cast<void>(clSetKernelArg(kernel, index, sizeof memory, &memory));
    }
  }
}

void exec_info(World& world, Draw& draw) {
  const cl_kernel_exec_info names[] = {CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                       CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                       CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 1};
  const void* pointers[2] = {world.areas.empty() ? nullptr : world.areas[0].begin, nullptr};
  const std::size_t sizes[] = {sizeof(cl_bool), sizeof(void*), sizeof pointers, 0, 3};
  static_cast<void>(clSetKernelExecInfo(world.kernel(draw), draw.among(names), draw.among(sizes),
                                        draw.one_in(8) ? nullptr : pointers));
}

/// A number of work-items whose launch ends soon.
std::size_t items(Draw& draw) {
  return draw.one_in(16) ? 0 : 1 + draw.below(12);
}

void launch(World& world, Draw& draw) {
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto kernel = world.kernel(draw);
  const std::size_t global[3] = {items(draw), items(draw), items(draw)};
  const std::size_t offset[3] = {amount(draw, 1), 0, draw.one_in(8) ? amount(draw, 1) : 0};
  const std::size_t local[3] = {draw.one_in(2) ? 4 : amount(draw, 4), draw.one_in(2) ? 2 : amount(draw, 2), 1};
  const auto* offsets = draw.one_in(2) ? nullptr : offset;
  const auto* locals = draw.one_in(2) ? nullptr : local;
  const cl_uint dimensions = draw.one_in(16) ? draw.byte() : 1 + draw.below(3);
  const auto* globals = draw.one_in(16) ? nullptr : global;
  if (draw.one_in(8)) {
    static_cast<void>(clEnqueueTask(queue, kernel, wait.count(), wait.list(), wait.event()));
  } else if (draw.one_in(8)) {
    std::size_t suggested[3] = {};
    static_cast<void>(clGetKernelSuggestedLocalWorkSize(queue, kernel, dimensions, offsets, globals,
                                                        draw.one_in(8) ? nullptr : suggested));
  } else {
    static_cast<void>(clEnqueueNDRangeKernel(queue, kernel, dimensions, offsets, globals, locals, wait.count(),
                                             wait.list(), wait.event()));
  }
}

void query(World& world, Draw& draw) {
  Query q(world, draw);
  const auto kernel = world.kernel(draw);
  switch (draw.below(4)) {
    case 0:
      return q.ask(clGetKernelInfo, kernel);
    case 1:
      return q.ask(clGetKernelArgInfo, kernel, static_cast<cl_uint>(draw.below(4)));
    case 2:
      return q.ask(clGetKernelWorkGroupInfo, kernel, draw.one_in(2) ? nullptr : world.device(draw));
    default: {
      const cl_uint names[] = {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                               CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                               CL_KERNEL_COMPILE_NUM_SUB_GROUPS,         1};
      std::size_t input[3] = {amount(draw, 4), amount(draw, 4), amount(draw, 4)};
      std::size_t value[3] = {};
      static_cast<void>(clGetKernelSubGroupInfo(kernel, draw.one_in(2) ? nullptr : world.device(draw),
                                                draw.among(names), draw.below(4) * sizeof input[0],
                                                draw.one_in(8) ? nullptr : input, draw.below(4) * sizeof value[0],
                                                draw.one_in(8) ? nullptr : value, nullptr));
    }
  }
}

}  // namespace

std::vector<Call> kernel_calls() {
  return {create_kernel, create_kernel, create_kernels, clone,  set_argument, set_argument,
          set_argument,  exec_info,     launch,         launch, query};
}

}  // namespace lanewise::fuzz
