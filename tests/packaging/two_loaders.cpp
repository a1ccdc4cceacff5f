// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// two_loaders MAKER USER WHEN: opens two loaders (or the driver itself) in one process, makes one object of every type
// through the first and uses them through the second, then the other way round. WHEN is when the second one lists its
// platforms: "before" the first, "after" it, or "never". Exit code 0: every call gave what it should.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void expect(bool condition, const char* what, long value = 0) {
  if (condition) return;
  std::fprintf(stderr, "not as expected: %s (%ld)\n", what, value);
  std::exit(1);
}

#define FUNCTIONS(X)                  \
  X(GetPlatformIDs)                   \
  X(GetPlatformInfo)                  \
  X(GetDeviceIDs)                     \
  X(GetDeviceInfo)                    \
  X(CreateSubDevices)                 \
  X(RetainDevice)                     \
  X(ReleaseDevice)                    \
  X(CreateContext)                    \
  X(RetainContext)                    \
  X(ReleaseContext)                   \
  X(GetContextInfo)                   \
  X(CreateCommandQueueWithProperties) \
  X(RetainCommandQueue)               \
  X(ReleaseCommandQueue)              \
  X(GetCommandQueueInfo)              \
  X(CreateBuffer)                     \
  X(CreateSubBuffer)                  \
  X(RetainMemObject)                  \
  X(ReleaseMemObject)                 \
  X(GetMemObjectInfo)                 \
  X(CreateSamplerWithProperties)      \
  X(RetainSampler)                    \
  X(ReleaseSampler)                   \
  X(GetSamplerInfo)                   \
  X(CreateProgramWithSource)          \
  X(BuildProgram)                     \
  X(RetainProgram)                    \
  X(ReleaseProgram)                   \
  X(GetProgramInfo)                   \
  X(GetProgramBuildInfo)              \
  X(CreateKernel)                     \
  X(RetainKernel)                     \
  X(ReleaseKernel)                    \
  X(SetKernelArg)                     \
  X(GetKernelInfo)                    \
  X(CreateUserEvent)                  \
  X(SetUserEventStatus)               \
  X(RetainEvent)                      \
  X(ReleaseEvent)                     \
  X(GetEventInfo)                     \
  X(WaitForEvents)                    \
  X(EnqueueNDRangeKernel)             \
  X(EnqueueReadBuffer)                \
  X(EnqueueWriteBuffer)               \
  X(Flush)                            \
  X(Finish)                           \
  X(SVMAlloc)                         \
  X(SVMFree)

struct Loader {
  explicit Loader(const char* path) {
    // With RTLD_LOCAL and a path each file is a library of its own, whatever its soname is.
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
    expect(library != nullptr, path);
#define LOAD(name)                                                          \
  name = reinterpret_cast<decltype(&cl##name)>(dlsym(library, "cl" #name)); \
  expect(name != nullptr, "cl" #name);
    FUNCTIONS(LOAD)
#undef LOAD
  }
#define MEMBER(name) decltype(&cl##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER

  /// Finds our platform among those that the loader lists.
  cl_platform_id platform() const {
    cl_uint count = 0;
    expect(GetPlatformIDs(0, nullptr, &count) == CL_SUCCESS && count != 0, "clGetPlatformIDs");
    std::vector<cl_platform_id> all(count);
    expect(GetPlatformIDs(count, all.data(), nullptr) == CL_SUCCESS, "clGetPlatformIDs");
    for (cl_platform_id one : all) {
      char name[64] = {};
      expect(GetPlatformInfo(one, CL_PLATFORM_NAME, sizeof name, name, nullptr) == CL_SUCCESS, "CL_PLATFORM_NAME");
      if (std::strcmp(name, "Lanewise") == 0) return one;
    }
    expect(false, "Lanewise is listed");
    return nullptr;
  }
};

constexpr std::size_t kItems = 1000;

/// One object of each type.
struct Objects {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_device_id part = nullptr;  ///< a sub-device; null on a device of one compute unit
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  cl_mem part_of_buffer = nullptr;
  cl_sampler sampler = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  cl_event user_event = nullptr;
};

#define MADE(name, call) \
  made.name = (call);    \
  expect(code == CL_SUCCESS && made.name != nullptr, #name, code)

Objects make(const Loader& cl, cl_platform_id platform) {
  Objects made;
  made.platform = platform;
  cl_int code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &made.device, nullptr);
  expect(code == CL_SUCCESS, "clGetDeviceIDs", code);
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[1024];
  cl_uint count = 0;
  if (cl.CreateSubDevices(made.device, halves, 1024, parts, &count) == CL_SUCCESS) {
    made.part = parts[0];
    for (cl_uint i = 1; i < count; ++i) expect(cl.ReleaseDevice(parts[i]) == CL_SUCCESS, "clReleaseDevice");
  }
  MADE(context, cl.CreateContext(nullptr, 1, &made.device, nullptr, nullptr, &code));
  MADE(queue, cl.CreateCommandQueueWithProperties(made.context, made.device, nullptr, &code));
  MADE(buffer, cl.CreateBuffer(made.context, CL_MEM_READ_WRITE, kItems * sizeof(cl_int), nullptr, &code));
  const cl_buffer_region region{0, 128};
  MADE(part_of_buffer, cl.CreateSubBuffer(made.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  // Without images there are no samplers, which is also a valid result.
  made.sampler = cl.CreateSamplerWithProperties(made.context, nullptr, &code);
  expect(made.sampler != nullptr || code == CL_INVALID_OPERATION, "sampler", code);
  const char* source = "__kernel void f(__global int* a, int b) { a[get_global_id(0)] = (int)get_global_id(0) + b; }";
  MADE(program, cl.CreateProgramWithSource(made.context, 1, &source, nullptr, &code));
  code = cl.BuildProgram(made.program, 1, &made.device, "", nullptr, nullptr);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  MADE(kernel, cl.CreateKernel(made.program, "f", &code));
  MADE(user_event, cl.CreateUserEvent(made.context, &code));
  return made;
}

/// Queries and retains, through one loader, objects that another one has made.
void look_at(const Loader& cl, const Objects& o) {
  char text[16384];
  const auto ask = [&](const char* what, auto function, auto object, auto name) {
    std::size_t size = 0;
    const cl_int code = function(object, name, sizeof text, text, &size);
    expect(code == CL_SUCCESS && size != 0, what, code);
  };
  ask("clGetPlatformInfo", cl.GetPlatformInfo, o.platform, CL_PLATFORM_VERSION);
  ask("clGetDeviceInfo", cl.GetDeviceInfo, o.device, CL_DEVICE_NAME);
  ask("clGetContextInfo", cl.GetContextInfo, o.context, CL_CONTEXT_DEVICES);
  ask("clGetCommandQueueInfo", cl.GetCommandQueueInfo, o.queue, CL_QUEUE_CONTEXT);
  ask("clGetMemObjectInfo", cl.GetMemObjectInfo, o.buffer, CL_MEM_SIZE);
  ask("clGetMemObjectInfo", cl.GetMemObjectInfo, o.part_of_buffer, CL_MEM_OFFSET);
  ask("clGetProgramInfo", cl.GetProgramInfo, o.program, CL_PROGRAM_SOURCE);
  ask("clGetKernelInfo", cl.GetKernelInfo, o.kernel, CL_KERNEL_FUNCTION_NAME);
  ask("clGetEventInfo", cl.GetEventInfo, o.user_event, CL_EVENT_CONTEXT);
  const auto hold = [&](const char* what, auto retain, auto release, auto object) {
    cl_int code = retain(object);
    expect(code == CL_SUCCESS, what, code);
    code = release(object);
    expect(code == CL_SUCCESS, what, code);
  };
  hold("clRetainContext", cl.RetainContext, cl.ReleaseContext, o.context);
  hold("clRetainCommandQueue", cl.RetainCommandQueue, cl.ReleaseCommandQueue, o.queue);
  hold("clRetainMemObject", cl.RetainMemObject, cl.ReleaseMemObject, o.buffer);
  hold("clRetainProgram", cl.RetainProgram, cl.ReleaseProgram, o.program);
  hold("clRetainKernel", cl.RetainKernel, cl.ReleaseKernel, o.kernel);
  hold("clRetainEvent", cl.RetainEvent, cl.ReleaseEvent, o.user_event);
  if (o.part != nullptr) hold("clRetainDevice", cl.RetainDevice, cl.ReleaseDevice, o.part);
  if (o.sampler != nullptr) hold("clRetainSampler", cl.RetainSampler, cl.ReleaseSampler, o.sampler);
}

/// Runs a kernel that waits for a user event through `cl`; `other` sets that event and waits for the command's.
void launch(const Loader& cl, const Loader& other, const Objects& o) {
  const cl_int summand = 7;
  expect(cl.SetKernelArg(o.kernel, 0, sizeof o.buffer, &o.buffer) == CL_SUCCESS, "clSetKernelArg");
  expect(cl.SetKernelArg(o.kernel, 1, sizeof summand, &summand) == CL_SUCCESS, "clSetKernelArg");
  cl_event done = nullptr;
  cl_int code = cl.EnqueueNDRangeKernel(o.queue, o.kernel, 1, nullptr, &kItems, nullptr, 1, &o.user_event, &done);
  expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  expect(cl.Flush(o.queue) == CL_SUCCESS, "clFlush");
  expect(other.SetUserEventStatus(o.user_event, CL_COMPLETE) == CL_SUCCESS, "clSetUserEventStatus");
  expect(other.WaitForEvents(1, &done) == CL_SUCCESS, "clWaitForEvents");
  expect(other.ReleaseEvent(done) == CL_SUCCESS, "clReleaseEvent");
  std::vector<cl_int> got(kItems, -1);
  code =
      other.EnqueueReadBuffer(o.queue, o.buffer, CL_TRUE, 0, kItems * sizeof(cl_int), got.data(), 0, nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
  for (std::size_t i = 0; i < kItems; ++i) expect(got[i] == static_cast<cl_int>(i) + summand, "result", got[i]);
  void* memory = cl.SVMAlloc(o.context, CL_MEM_READ_WRITE, 4096, 0);
  expect(memory != nullptr, "clSVMAlloc");
  other.SVMFree(o.context, memory);
  expect(cl.Finish(o.queue) == CL_SUCCESS, "clFinish");
}

void release(const Loader& cl, const Objects& o) {
  expect(cl.ReleaseEvent(o.user_event) == CL_SUCCESS, "clReleaseEvent");
  expect(cl.ReleaseKernel(o.kernel) == CL_SUCCESS, "clReleaseKernel");
  expect(cl.ReleaseProgram(o.program) == CL_SUCCESS, "clReleaseProgram");
  if (o.sampler != nullptr) expect(cl.ReleaseSampler(o.sampler) == CL_SUCCESS, "clReleaseSampler");
  expect(cl.ReleaseMemObject(o.part_of_buffer) == CL_SUCCESS, "clReleaseMemObject");
  expect(cl.ReleaseMemObject(o.buffer) == CL_SUCCESS, "clReleaseMemObject");
  expect(cl.ReleaseCommandQueue(o.queue) == CL_SUCCESS, "clReleaseCommandQueue");
  expect(cl.ReleaseContext(o.context) == CL_SUCCESS, "clReleaseContext");
  if (o.part != nullptr) expect(cl.ReleaseDevice(o.part) == CL_SUCCESS, "clReleaseDevice");
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) return 2;
  const Loader maker(values[1]);
  const Loader user(values[2]);
  const std::string when = values[3];
  if (when == "before") user.platform();
  cl_platform_id platform = maker.platform();
  if (when == "after") expect(user.platform() == platform, "both loaders list one platform");
  const Objects there = make(maker, platform);
  look_at(user, there);
  launch(user, maker, there);
  // Objects that one loader makes in the other's context, the other way round.
  const Objects back = make(user, platform);
  look_at(maker, back);
  launch(maker, user, back);
  release(user, there);
  release(maker, back);
  return 0;
}
