// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices, contexts and queues.
#include "tests/fuzz/api/check.h"
#include "tests/fuzz/api/queries.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

void CL_CALLBACK on_context_end(cl_context, void*) {}
void CL_CALLBACK on_error(const char*, const void*, std::size_t, void*) {}

void get_platforms(World& world, Draw& draw) {
  auto* list = static_cast<cl_platform_id*>(world.scratch());
  cl_uint count = 0;
  static_cast<void>(
      clGetPlatformIDs(draw.below(3), draw.one_in(3) ? nullptr : list, draw.one_in(3) ? nullptr : &count));
}

void get_devices(World& world, Draw& draw) {
  const cl_device_type types[] = {CL_DEVICE_TYPE_ALL,
                                  CL_DEVICE_TYPE_CPU,
                                  CL_DEVICE_TYPE_DEFAULT,
                                  CL_DEVICE_TYPE_GPU,
                                  CL_DEVICE_TYPE_CUSTOM,
                                  0,
                                  1U << 20};
  auto* list = static_cast<cl_device_id*>(world.scratch());
  cl_uint count = 0;
  static_cast<void>(clGetDeviceIDs(draw.one_in(8) ? nullptr : world.platform, draw.among(types), draw.below(3),
                                   draw.one_in(3) ? nullptr : list, draw.one_in(3) ? nullptr : &count));
}

void create_sub_devices(World& world, Draw& draw) {
  if (world.devices.live() > 8) return;
  const cl_device_partition_property kinds[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                CL_DEVICE_PARTITION_BY_COUNTS,
                                                CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                CL_DEVICE_PARTITION_BY_NAMES_INTEL,
                                                0,
                                                77};
  cl_device_partition_property list[6] = {draw.among(kinds)};
  for (int i = 1; i < 5; ++i) list[i] = draw.one_in(16) ? static_cast<cl_int>(draw.word()) : draw.below(3);
  cl_device_id made[4] = {};
  cl_uint count = 0;
  const cl_uint room = draw.below(5);
  if (clCreateSubDevices(world.device(draw), draw.one_in(16) ? nullptr : list, room, draw.one_in(4) ? nullptr : made,
                         &count) != CL_SUCCESS)
    return;
  for (cl_uint i = 0; i < count && i < room; ++i) world.devices.add(made[i]);
}

void create_context(World& world, Draw& draw) {
  if (world.contexts.live() > 4) return;
  cl_device_id list[3] = {};
  const cl_uint count = draw.below(4);
  for (auto& device : list) device = world.device(draw);
  cl_context_properties properties[5] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(world.platform)};
  if (draw.one_in(4)) properties[2] = draw.one_in(2) ? CL_CONTEXT_TERMINATE_KHR : CL_CONTEXT_INTEROP_USER_SYNC;
  if (draw.one_in(4)) properties[3] = 1;
  if (draw.one_in(8)) properties[0] = draw.word();
  if (draw.one_in(8)) properties[1] = 0;
  auto* callback = draw.one_in(2) ? on_error : nullptr;
  void* data = draw.one_in(4) ? world.scratch() : nullptr;
  cl_int code = 0;
  cl_int* out = draw.one_in(4) ? nullptr : &code;
  const auto* given = draw.one_in(2) ? nullptr : properties;
  world.contexts.add(draw.one_in(4)
                         ? clCreateContextFromType(given, CL_DEVICE_TYPE_ALL, callback, data, out)
                         : clCreateContext(given, count, draw.one_in(16) ? nullptr : list, callback, data, out));
}

void context_callback(World& world, Draw& draw) {
  static_cast<void>(
      clSetContextDestructorCallback(world.context(draw), draw.one_in(8) ? nullptr : on_context_end, nullptr));
}

/// Terminates a context, but not the main one, in which everything else happens.
void terminate(World& world, Draw& draw) {
  static_cast<void>(clTerminateContextKHR(world.contexts.pick(draw, world.root)));
}

void create_queue(World& world, Draw& draw) {
  if (world.queues.live() > 12) return;
  const cl_queue_properties keys[] = {CL_QUEUE_PROPERTIES,   CL_QUEUE_PROPERTIES,   CL_QUEUE_SIZE,
                                      CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR, 99};
  const cl_command_queue_properties bits[] = {CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
                                              CL_QUEUE_ON_DEVICE, CL_QUEUE_ON_DEVICE_DEFAULT, 1U << 20};
  cl_queue_properties list[7] = {};
  for (unsigned i = 0, count = draw.below(4); i < count; ++i) {
    list[2 * i] = draw.among(keys);
    list[2 * i + 1] = draw.some_of(bits);
  }
  cl_int code = 0;
  const auto context = world.context(draw);
  const auto device = world.device(draw);
  world.queues.add(draw.one_in(2)
                       ? clCreateCommandQueue(context, device, draw.some_of(bits), &code)
                       : clCreateCommandQueueWithProperties(context, device, draw.one_in(4) ? nullptr : list, &code));
}

void set_queue_property(World& world, Draw& draw) {
  cl_command_queue_properties old = 0;
  static_cast<void>(clSetCommandQueueProperty(world.queue(draw), CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old));
  static_cast<void>(clSetDefaultDeviceCommandQueue(world.context(draw), world.device(draw), world.queue(draw)));
}

void timers(World& world, Draw& draw) {
  cl_ulong values[2] = {};
  const auto device = world.device(draw);
  static_cast<void>(clGetDeviceAndHostTimer(device, draw.one_in(8) ? nullptr : values, values + 1));
  static_cast<void>(clGetHostTimer(device, draw.one_in(8) ? nullptr : values));
}

void flush(World& world, Draw& draw) {
  static_cast<void>(clFlush(world.queue(draw)));
}

void finish(World& world, Draw& draw) {
  world.settle();
  static_cast<void>(clFinish(world.queue(draw)));
}

void unload(World& world, Draw& draw) {
  static_cast<void>(clUnloadCompiler());
  static_cast<void>(clUnloadPlatformCompiler(draw.one_in(4) ? nullptr : world.platform));
  const char* const names[] = {"clFinish", "clHostMemAllocINTEL", "", "clNothing"};
  static_cast<void>(clGetExtensionFunctionAddressForPlatform(draw.one_in(8) ? nullptr : world.platform,
                                                             draw.one_in(8) ? nullptr : draw.among(names)));
}

/// Calls any function of the form (object, name, size, value, size_ret) with objects of its kind, and with others.
void query(World& world, Draw& draw) {
  Query q(world, draw);
  switch (draw.below(10)) {
    case 0:
      return q.ask(clGetPlatformInfo, draw.one_in(8) ? nullptr : world.platform);
    case 1:
      return q.ask(clGetDeviceInfo, world.device(draw));
    case 2:
      return q.ask(clGetContextInfo, world.context(draw));
    case 3:
      return q.ask(clGetCommandQueueInfo, world.queue(draw));
    case 4:
      return q.ask(clGetMemObjectInfo, world.memory(draw));
    case 5:
      return q.ask(clGetImageInfo, world.memory(draw));
    case 6:
      return q.ask(clGetSamplerInfo, world.sampler(draw));
    case 7:
      return q.ask(clGetEventInfo, world.event(draw));
    case 8:
      return q.ask(clGetEventProfilingInfo, world.event(draw));
    default:
      return q.ask(clGetPipeInfo, world.memory(draw));
  }
}

/// Retains or releases an object. Handles that dangle or are no objects of ours must have no effect.
template <class H>
void count(Pool<H>& pool, H handle, Draw& draw, cl_int (*retain)(H), cl_int (*release)(H)) {
  if (draw.one_in(3)) {
    if (retain(handle) == CL_SUCCESS) pool.retained(handle);
  } else if (release(handle) == CL_SUCCESS) {
    pool.released(handle);
  }
}

void change_count(World& world, Draw& draw) {
  switch (draw.below(8)) {
    case 0:
      return count(world.devices, draw.one_in(8) ? world.root : world.devices.pick(draw, world.root), draw,
                   clRetainDevice, clReleaseDevice);
    case 1:
      return count(world.contexts, world.contexts.pick(draw, world.root), draw, clRetainContext, clReleaseContext);
    case 2: {
      const auto queue = world.queue(draw);
      world.watch(queue);
      return count(world.queues, queue, draw, clRetainCommandQueue, clReleaseCommandQueue);
    }
    case 3:
      return count(world.memories, world.memory(draw), draw, clRetainMemObject, clReleaseMemObject);
    case 4:
      return count(world.samplers, world.sampler(draw), draw, clRetainSampler, clReleaseSampler);
    case 5:
      return count(world.programs, world.program(draw), draw, clRetainProgram, clReleaseProgram);
    case 6:
      return count(world.kernels, world.kernel(draw), draw, clRetainKernel, clReleaseKernel);
    default:
      return count(world.events, world.event(draw), draw, clRetainEvent, clReleaseEvent);
  }
}

}  // namespace

std::vector<Call> core_calls() {
  return {get_platforms,
          get_devices,
          create_sub_devices,
          create_context,
          context_callback,
          terminate,
          create_queue,
          query,
          query,
          set_queue_property,
          timers,
          flush,
          finish,
          unload,
          change_count,
          change_count,
          change_count};
}

}  // namespace lanewise::fuzz
