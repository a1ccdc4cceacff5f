// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children that are forked from a process which has used the driver, and begin anew.
#include <CL/cl_ext.h>
#include <dirent.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/robustness/forked.h"
#include "tests/robustness/processes.h"
#include "tests/robustness/scenarios.h"

namespace lanewise::robustness {

namespace {

/// As kHang, for a child that builds programs.
constexpr unsigned kHangBuilding = 100;

/// Forks, and runs `body` in the child; returns when that has ended well.
template <class Body>
void in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kHangBuilding);
    body();
    _exit(0);
  }
  expect_child_ends(child);
}

long threads_of_this_process() {
  long threads = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) threads += entry->d_name[0] != '.';
  closedir(tasks);
  return threads;
}

template <class Function>
Function find(Driver& cl, const char* name, Function /*like*/) {
  void* found = cl.address(name);
  expect(found != nullptr, name);
  return reinterpret_cast<Function>(found);
}
#define FIND(cl, name) find(cl, #name, static_cast<decltype(&name)>(nullptr))

/// Work for several threads, in the background.
void compute_much(Session& session) {
  cl_int code = 0;
  cl_program program = session.build(
      "kernel void f(global uint* a) { uint x = get_global_id(0); for (int i = 0; i < 5000; ++i) x = x * 5 + i; "
      "a[get_global_id(0)] = x; }",
      code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  cl_kernel kernel = session.cl.CreateKernel(program, "f", &code);
  constexpr std::size_t kItems = 1U << 14U;
  cl_mem buffer = session.cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, kItems * sizeof(cl_uint), nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  session.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer);
  for (int i = 0; i < 4; ++i)
    session.cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
  std::vector<cl_uint> got(kItems);
  code = session.cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, kItems * sizeof(cl_uint), got.data(), 0,
                                      nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
  for (std::size_t item = 0; item < kItems; item += 1000) {
    auto x = static_cast<cl_uint>(item);
    for (cl_uint i = 0; i < 5000; ++i) x = x * 5 + i;
    expect(got[item] == x, "result", static_cast<long>(item));
  }
  session.cl.ReleaseMemObject(buffer);
  session.cl.ReleaseKernel(kernel);
  session.cl.ReleaseProgram(program);
}

/// A callback that the driver's own thread runs.
void call_back(Session& session) {
  static std::atomic<int> called{0};
  called = 0;
  cl_int code = 0;
  cl_event event = session.cl.CreateUserEvent(session.context, &code);
  expect(code == CL_SUCCESS, "clCreateUserEvent", code);
  const auto notes = [](cl_event, cl_int status, void*) { called = status == CL_COMPLETE ? 1 : -1; };
  expect(session.cl.SetEventCallback(event, CL_COMPLETE, notes, nullptr) == CL_SUCCESS, "clSetEventCallback");
  session.cl.SetUserEventStatus(event, CL_COMPLETE);
  while (called == 0) usleep(100);
  expect(called == 1, "the callback", called);
  session.cl.ReleaseEvent(event);
}

/// All that a program does, with new objects. `salt` is of a kernel that may be in the cache.
void begin_anew(Driver& cl, int salt) {
  Session session(cl);
  session.compute(salt);
  compute_much(session);
  call_back(session);
  session.release();
}

}  // namespace

/// Many children, one after the other, each with its own threads and helper, which end with it.
int fork_anew(Session& session, const Arguments&) {
  const bool has_helper = std::getenv("LANEWISE_COMPILER") == nullptr;
  begin_anew(session.cl, 1);
  const std::size_t before = helpers().size();
  expect(before == (has_helper ? 1 : 0), "helpers", static_cast<long>(before));
  for (int i = 0; i < 20; ++i) {
    in_child([&] {
      expect(threads_of_this_process() == 1, "threads of a new child", threads_of_this_process());
      begin_anew(session.cl, 1);  // from the cache
      if (i < 3) begin_anew(session.cl, 100 + i);
      if (i < 3 && has_helper) expect(helpers().size() == before + 1, "helpers", static_cast<long>(helpers().size()));
      if (i == 4) std::exit(0);
    });
  }
  for (int i = 0; i < 500 && helpers().size() != before; ++i) usleep(10'000);
  expect(helpers().size() == before, "helpers after the children", static_cast<long>(helpers().size()));
  begin_anew(session.cl, 200);
  return 0;
}

namespace {

/// One object of every type.
struct Inheritance {
  cl_command_queue queue = nullptr;  ///< with a command that does not begin
  cl_command_queue on_device = nullptr;
  cl_mem buffer = nullptr;
  cl_sampler sampler = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  cl_event event = nullptr;
  cl_event user_event = nullptr;
  cl_command_buffer_khr commands = nullptr;
  cl_semaphore_khr semaphore = nullptr;
  cl_device_id part = nullptr;
  void* svm = nullptr;
};

constexpr const char* kSource = "kernel void f(global int* a) { a[get_global_id(0)] = 1; }";

Inheritance make_inheritance(Session& session) {
  Driver& cl = session.cl;
  Inheritance made;
  cl_int code = 0;
  const std::array<cl_queue_properties, 3> on_device{CL_QUEUE_PROPERTIES,
                                                     CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  made.on_device =
      FIND(cl, clCreateCommandQueueWithProperties)(session.context, session.device, on_device.data(), &code);
  expect(code == CL_SUCCESS, "clCreateCommandQueueWithProperties", code);
  made.buffer = cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  made.sampler = FIND(cl, clCreateSampler)(session.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
  expect(code == CL_SUCCESS, "clCreateSampler", code);
  made.program = session.build(kSource, code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  made.kernel = cl.CreateKernel(made.program, "f", &code);
  expect(code == CL_SUCCESS, "clCreateKernel", code);
  made.user_event = cl.CreateUserEvent(session.context, &code);
  expect(code == CL_SUCCESS, "clCreateUserEvent", code);
  static char byte = 0;
  made.queue = cl.CreateCommandQueue(session.context, session.device, 0, &code);
  expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
  code = cl.EnqueueReadBuffer(made.queue, made.buffer, CL_FALSE, 0, 1, &byte, 1, &made.user_event, &made.event);
  expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
  made.commands = FIND(cl, clCreateCommandBufferKHR)(1, &session.queue, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateCommandBufferKHR", code);
  const std::array<cl_semaphore_properties_khr, 3> binary{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  made.semaphore = FIND(cl, clCreateSemaphoreWithPropertiesKHR)(session.context, binary.data(), &code);
  expect(code == CL_SUCCESS, "clCreateSemaphoreWithPropertiesKHR", code);
  const std::array<cl_device_partition_property, 4> one{CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                        CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl.CreateSubDevices(session.device, one.data(), 1, &made.part, nullptr);  // refused with one processor
  made.svm = cl.SVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0);
  std::memset(made.svm, 7, 64);
  return made;
}

void expect_code(cl_int code, cl_int expected, const char* what) {
  expect(code == expected, what, code);
}

/// Everything that is asked of an inherited object gives the error of its type.
void expect_refused(Session& session, const Inheritance& old) {
  Driver& cl = session.cl;
  cl_int code = 0;
  cl_uint count = 0;
  const char* text = kSource;
  expect(cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 64, nullptr, &code) == nullptr, "clCreateBuffer");
  expect_code(code, CL_INVALID_CONTEXT, "clCreateBuffer");
  expect(cl.CreateProgramWithSource(session.context, 1, &text, nullptr, &code) == nullptr, "clCreateProgramWithSource");
  expect_code(code, CL_INVALID_CONTEXT, "clCreateProgramWithSource");
  expect(cl.SVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0) == nullptr, "clSVMAlloc");
  cl.SVMFree(session.context, old.svm);
  expect_code(cl.Flush(session.queue), CL_INVALID_COMMAND_QUEUE, "clFlush");
  expect_code(cl.Finish(session.queue), CL_INVALID_COMMAND_QUEUE, "clFinish");
  expect_code(cl.Finish(old.queue), CL_INVALID_COMMAND_QUEUE, "clFinish");
  expect_code(cl.Finish(old.on_device), CL_INVALID_COMMAND_QUEUE, "clFinish");
  expect_code(cl.GetMemObjectInfo(old.buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), CL_INVALID_MEM_OBJECT,
              "clGetMemObjectInfo");
  expect_code(FIND(cl, clGetSamplerInfo)(old.sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_INVALID_SAMPLER, "clGetSamplerInfo");
  expect_code(cl.BuildProgram(old.program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_PROGRAM, "clBuildProgram");
  expect(cl.CreateKernel(old.program, "f", &code) == nullptr, "clCreateKernel");
  expect_code(code, CL_INVALID_PROGRAM, "clCreateKernel");
  expect_code(cl.SetKernelArg(old.kernel, 0, sizeof old.buffer, &old.buffer), CL_INVALID_KERNEL, "clSetKernelArg");
  expect_code(cl.WaitForEvents(1, &old.event), CL_INVALID_EVENT, "clWaitForEvents");
  expect_code(cl.SetUserEventStatus(old.user_event, CL_COMPLETE), CL_INVALID_EVENT, "clSetUserEventStatus");
  expect_code(FIND(cl, clFinalizeCommandBufferKHR)(old.commands), CL_INVALID_COMMAND_BUFFER_KHR, "finalize");
  expect_code(
      FIND(cl, clGetSemaphoreInfoKHR)(old.semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof count, &count, nullptr),
      CL_INVALID_SEMAPHORE_KHR, "clGetSemaphoreInfoKHR");
}

/// The same beside new ones.
void expect_refused_beside_new(Session& fresh, const Inheritance& old) {
  Driver& cl = fresh.cl;
  cl_int code = 0;
  char byte = 0;
  code = cl.EnqueueReadBuffer(fresh.queue, old.buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr);
  expect_code(code, CL_INVALID_MEM_OBJECT, "clEnqueueReadBuffer of an inherited buffer");
  cl_mem buffer = cl.CreateBuffer(fresh.context, CL_MEM_READ_WRITE, 64, nullptr, &code);
  expect_code(code, CL_SUCCESS, "clCreateBuffer");
  code = cl.EnqueueReadBuffer(fresh.queue, buffer, CL_TRUE, 0, 1, &byte, 1, &old.event, nullptr);
  expect_code(code, CL_INVALID_EVENT_WAIT_LIST, "clEnqueueReadBuffer after an inherited event");
  cl_program program = fresh.build(kSource, code);
  expect_code(code, CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = cl.CreateKernel(program, "f", &code);
  expect_code(code, CL_SUCCESS, "clCreateKernel");
  code = cl.SetKernelArg(kernel, 0, sizeof old.buffer, &old.buffer);
  expect_code(code, CL_INVALID_MEM_OBJECT, "clSetKernelArg with an inherited buffer");
  const std::size_t one = 1;
  code = cl.EnqueueNDRangeKernel(fresh.queue, old.kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  expect_code(code, CL_INVALID_KERNEL, "clEnqueueNDRangeKernel of an inherited kernel");
  cl.ReleaseKernel(kernel);
  cl.ReleaseProgram(program);
  cl.ReleaseMemObject(buffer);
}

/// Releasing what was inherited succeeds, twice as well, and retaining it.
void release_inherited(Session& session, const Inheritance& old) {
  Driver& cl = session.cl;
  for (int i = 0; i < 2; ++i) {
    expect_code(FIND(cl, clRetainMemObject)(old.buffer), CL_SUCCESS, "clRetainMemObject");
    expect_code(cl.RetainProgram(old.program), CL_SUCCESS, "clRetainProgram");
    expect_code(FIND(cl, clRetainCommandQueue)(old.on_device), CL_SUCCESS, "clRetainCommandQueue");
    expect_code(cl.ReleaseEvent(old.event), CL_SUCCESS, "clReleaseEvent");
    expect_code(cl.ReleaseEvent(old.user_event), CL_SUCCESS, "clReleaseEvent");
    expect_code(FIND(cl, clReleaseCommandBufferKHR)(old.commands), CL_SUCCESS, "clReleaseCommandBufferKHR");
    expect_code(FIND(cl, clReleaseSemaphoreKHR)(old.semaphore), CL_SUCCESS, "clReleaseSemaphoreKHR");
    expect_code(cl.ReleaseKernel(old.kernel), CL_SUCCESS, "clReleaseKernel");
    expect_code(cl.ReleaseProgram(old.program), CL_SUCCESS, "clReleaseProgram");
    expect_code(FIND(cl, clReleaseSampler)(old.sampler), CL_SUCCESS, "clReleaseSampler");
    expect_code(cl.ReleaseMemObject(old.buffer), CL_SUCCESS, "clReleaseMemObject");
    expect_code(cl.ReleaseCommandQueue(old.on_device), CL_SUCCESS, "clReleaseCommandQueue");
    expect_code(cl.ReleaseCommandQueue(session.queue), CL_SUCCESS, "clReleaseCommandQueue");
    expect_code(cl.ReleaseContext(session.context), CL_SUCCESS, "clReleaseContext");
  }
  // A word that is no handle stays one.
  std::array<void*, 16> zeros{};
  expect_code(cl.ReleaseMemObject(reinterpret_cast<cl_mem>(zeros.data())), CL_INVALID_MEM_OBJECT, "no handle");
}

/// The parent's platform and devices are the child's.
void use_devices(Session& session, const Inheritance& old) {
  Driver& cl = session.cl;
  Session fresh(cl);
  expect(fresh.device == session.device, "the device stays the same");
  for (cl_device_id device : {session.device, old.part}) {
    if (device == nullptr) continue;
    cl_int code = 0;
    fresh.device = device;
    fresh.context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    expect_code(code, CL_SUCCESS, "clCreateContext of an inherited device");
    fresh.queue = cl.CreateCommandQueue(fresh.context, device, 0, &code);
    expect_code(code, CL_SUCCESS, "clCreateCommandQueue");
    compute_much(fresh);
  }
  if (old.part != nullptr) expect_code(cl.ReleaseDevice(old.part), CL_SUCCESS, "clReleaseDevice");
  expect(static_cast<const char*>(old.svm)[63] == 7, "memory stays what it was");
}

}  // namespace

int fork_inherited(Session& session, const Arguments&) {
  session.compute(1);
  const Inheritance old = make_inheritance(session);
  in_child([&] {
    expect_refused(session, old);
    Session fresh(session.cl);
    fresh.compute(1);
    expect_refused_beside_new(fresh, old);
    release_inherited(session, old);
    use_devices(session, old);
    expect_refused(session, old);
    fresh.compute(1);
  });
  // The first call that the child makes is one with an inherited handle.
  in_child([&] { use_devices(session, old); });
  in_child([&] { release_inherited(session, old); });
  in_child([&] {
    // New threads make the first calls.
    std::array<std::thread, 4> threads;
    for (std::thread& thread : threads) thread = std::thread([&] { begin_anew(session.cl, 1); });
    for (std::thread& thread : threads) thread.join();
  });
  session.cl.SetUserEventStatus(old.user_event, CL_COMPLETE);
  expect_code(session.cl.WaitForEvents(1, &old.event), CL_SUCCESS, "clWaitForEvents in the parent");
  session.compute(2);
  return 0;
}

/// Children of children, before and after they have begun anew, with what all of their ancestors had.
int fork_generations(Session& session, const Arguments&) {
  const Inheritance first = make_inheritance(session);
  session.compute(1);
  in_child([&] {
    in_child([&] { begin_anew(session.cl, 1); });
    Session second(session.cl);
    second.compute(1);
    const Inheritance younger = make_inheritance(second);
    for (int i = 0; i < 2; ++i) {
      in_child([&] {
        expect_refused(session, first);
        expect_refused(second, younger);
        Session third(session.cl);
        expect_refused_beside_new(third, first);
        expect_refused_beside_new(third, younger);
        begin_anew(session.cl, 10 + i);
        in_child([&] {
          begin_anew(session.cl, 20 + i);
          release_inherited(session, first);
          release_inherited(second, younger);
          use_devices(session, younger);
        });
        third.compute(1);
      });
    }
    second.compute(2);
    expect_refused(session, first);
  });
  session.compute(2);
  return 0;
}

namespace {

/// Threads that build, enqueue, run kernels, make and release objects and wait for callbacks.
class Workers {
 public:
  explicit Workers(Session& session) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      threads_[i] = std::thread([&session, i, this] {
        Session own(session.cl);
        for (int k = 0; !stop_; ++k) {
          if (i == 0) own.compute(k % 20);
          if (i == 1) compute_much(own);
          if (i == 2) call_back_and_release(session.cl);
        }
        own.release();
      });
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  static void call_back_and_release(Driver& cl) {
    Session own(cl);
    call_back(own);
    own.release();
  }
  std::atomic<bool> stop_{false};
  std::array<std::thread, 3> threads_;
};

}  // namespace

int fork_beside_work(Session& session, const Arguments&) {
  begin_anew(session.cl, 1);
  {
    const Workers workers(session);
    for (int i = 0; i < 60; ++i) {
      in_child([&] {
        Session fresh(session.cl);
        fresh.compute(i % 20);
        if (i % 10 == 0) begin_anew(session.cl, 1000 + i);
      });
    }
  }
  begin_anew(session.cl, 2);
  return 0;
}

/// On a thread of the driver a child gets errors, and does not hang.
int fork_on_driver_threads(Session& session, const Arguments&) {
  Driver& cl = session.cl;
  session.compute(1);
  static Session* inherited = &session;
  static std::atomic<pid_t> child{0};
  const auto forks = [] {
    const pid_t made = fork();
    if (made != 0) {
      child = made;
      return;
    }
    alarm(kHang);
    cl_int code = 0;
    inherited->cl.CreateContext(nullptr, 1, &inherited->device, nullptr, nullptr, &code);
    expect(code == CL_OUT_OF_RESOURCES, "a context on a thread of the driver", code);
    expect(inherited->cl.Finish(inherited->queue) == CL_OUT_OF_RESOURCES, "clFinish on a thread of the driver");
    expect(inherited->cl.ReleaseContext(inherited->context) == CL_SUCCESS, "clReleaseContext");
    _exit(0);
  };
  static const auto fork_there = forks;
  const auto wait_for_child = [] {
    while (child == 0) usleep(100);
    expect_child_ends(child.exchange(0));
  };
  cl_int code = 0;
  for (int i = 0; i < 5; ++i) {
    cl_event event = cl.CreateUserEvent(session.context, &code);
    cl.SetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { fork_there(); }, nullptr);
    cl.SetUserEventStatus(event, CL_COMPLETE);
    wait_for_child();
    cl.ReleaseEvent(event);
    code = FIND(cl, clEnqueueNativeKernel)(
        session.queue, [](void*) { fork_there(); }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
    expect_code(code, CL_SUCCESS, "clEnqueueNativeKernel");
    if (i % 2 == 0) cl.Finish(session.queue);
    cl.Flush(session.queue);
    wait_for_child();
  }
  session.compute(2);
  return 0;
}

namespace {

/// A kernel that loops forever is stopped, by a signal.
void terminate(Driver& cl) {
  Session session(cl, Session::Queue::none);
  cl_int code = 0;
  const std::array<cl_context_properties, 3> list{CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  session.context = cl.CreateContext(list.data(), 1, &session.device, nullptr, nullptr, &code);
  expect_code(code, CL_SUCCESS, "clCreateContext");
  expect_code(session.make_queue(), CL_SUCCESS, "clCreateCommandQueue");
  cl_program program =
      session.build("kernel void f(global int* a) { a[0] = 1; while (((volatile global int*)a)[1] == 0); }", code);
  expect_code(code, CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = cl.CreateKernel(program, "f", &code);
  auto* memory =
      static_cast<int*>(cl.SVMAlloc(session.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8, 0));
  memory[0] = memory[1] = 0;
  expect_code(FIND(cl, clSetKernelArgSVMPointer)(kernel, 0, memory), CL_SUCCESS, "clSetKernelArgSVMPointer");
  const std::size_t one = 1;
  cl_event event = nullptr;
  code = cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event);
  expect_code(code, CL_SUCCESS, "clEnqueueNDRangeKernel");
  cl.Flush(session.queue);
  while (__atomic_load_n(&memory[0], __ATOMIC_ACQUIRE) == 0) usleep(100);
  expect_code(FIND(cl, clTerminateContextKHR)(session.context), CL_SUCCESS, "clTerminateContextKHR");
  cl_int status = 0;
  FIND(cl, clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  expect_code(status, CL_CONTEXT_TERMINATED_KHR, "the status of the kernel");
}

/// Imports the memory of a file, which then becomes shorter, and reads it.
void lose_imported_memory(Driver& cl) {
  Session session(cl);
  const int file = memfd_create("imported", MFD_CLOEXEC);
  expect(file >= 0 && ftruncate(file, 4096) == 0, "memfd_create");
  const std::array<cl_mem_properties, 3> list{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                              static_cast<cl_mem_properties>(dup(file)), 0};
  cl_int code = 0;
  cl_mem buffer =
      FIND(cl, clCreateBufferWithProperties)(session.context, list.data(), CL_MEM_READ_WRITE, 4096, nullptr, &code);
  expect_code(code, CL_SUCCESS, "clCreateBufferWithProperties");
  expect(ftruncate(file, 0) == 0, "ftruncate");
  char byte = 0;
  cl_event event = nullptr;
  code = cl.EnqueueReadBuffer(session.queue, buffer, CL_FALSE, 0, 1, &byte, 0, nullptr, &event);
  expect_code(code, CL_SUCCESS, "clEnqueueReadBuffer");
  cl.WaitForEvents(1, &event);
  cl_int status = 0;
  FIND(cl, clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  expect_code(status, CL_MEM_OBJECT_ALLOCATION_FAILURE, "a read of what is missing");
  close(file);
}

/// A fault that the driver has nothing to do with ends the process.
void fault() {
  const int file = memfd_create("short", MFD_CLOEXEC);
  const auto* memory = static_cast<volatile char*>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0));
  expect(memory[0] != 0, "a byte behind the end of a file");
}

}  // namespace

/// The driver's signal handlers are the process's, so a child has its parent's, and uses them.
int fork_signals(Session& session, const Arguments&) {
  std::signal(SIGBUS, SIG_DFL);  // sanitizers have a handler
  terminate(session.cl);
  lose_imported_memory(session.cl);
  in_child([&] {
    for (int i = 0; i < 3; ++i) {
      terminate(session.cl);
      lose_imported_memory(session.cl);
    }
    in_child([&] {
      terminate(session.cl);
      lose_imported_memory(session.cl);
      const pid_t child = fork();
      if (child == 0) {
        alarm(kHang);
        lose_imported_memory(session.cl);
        fault();
        _exit(0);
      }
      int status = 0;
      expect(waitpid(child, &status, 0) == child, "waitpid", errno);
      expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS, "a fault of the application's", status);
    });
  });
  terminate(session.cl);
  return 0;
}

/// A child that only ends, and one that becomes another program.
int fork_for_little(Session& session, const Arguments&) {
  session.compute(1);
  in_child([] {});
  in_child([] { std::exit(0); });
  in_child([] {
    execl("/bin/true", "true", nullptr);
    _exit(1);
  });
  in_child([&] {
    begin_anew(session.cl, 1);
    execl("/bin/true", "true", nullptr);
    _exit(1);
  });
  session.compute(2);
  return 0;
}

}  // namespace lanewise::robustness
