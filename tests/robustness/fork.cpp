// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios around fork(). The child has the calling thread only; a lock that another thread held in the driver stays
// locked in it. With what it has of its parent it gets errors or leaks, and never hangs: `alarm` ends one that does,
// which the parent sees. What a child can make anew is in fork_anew.cpp.
#include <CL/cl_ext.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "tests/robustness/forked.h"
#include "tests/robustness/scenarios.h"

namespace lanewise::robustness {

namespace {

/// Calls that a forked child may try with objects of its parent; none of them may hang. Ends in the way that
/// `plain_exit` says.
[[noreturn]] void in_forked_child(Session& session, cl_program program, cl_mem buffer, bool plain_exit) {
  alarm(kHang);
  Driver& cl = session.cl;
  cl_int code = 0;
  const char* text = "__kernel void child() {}";
  expect(cl.CreateProgramWithSource(session.context, 1, &text, nullptr, &code) == nullptr &&
             code == code_of_inherited(CL_INVALID_CONTEXT),
         "clCreateProgramWithSource", code);
  code = cl.BuildProgram(program, 1, &session.device, "", nullptr, nullptr);
  expect(code == code_of_inherited(CL_INVALID_PROGRAM), "clBuildProgram", code);
  expect(cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 64, nullptr, &code) == nullptr, "clCreateBuffer", code);
  char byte = 0;
  code = cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr);
  expect(code == code_of_inherited(CL_INVALID_COMMAND_QUEUE), "clEnqueueReadBuffer", code);
  expect(cl.Flush(session.queue) == code_of_inherited(CL_INVALID_COMMAND_QUEUE), "clFlush");
  expect(cl.Finish(session.queue) == code_of_inherited(CL_INVALID_COMMAND_QUEUE), "clFinish");
  expect(cl.CreateUserEvent(session.context, &code) == nullptr && code == code_of_inherited(CL_INVALID_CONTEXT),
         "clCreateUserEvent");
  char name[256] = {};
  code = cl.GetDeviceInfo(session.device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  expect(code == CL_SUCCESS && name[0] != 0, "a device can be asked in a forked child", code);
  expect(cl.ReleaseMemObject(buffer) == CL_SUCCESS, "a release in a forked child succeeds");
  expect(cl.ReleaseProgram(program) == CL_SUCCESS, "a release in a forked child succeeds");
  expect(cl.ReleaseCommandQueue(session.queue) == CL_SUCCESS, "a release in a forked child succeeds");
  expect(cl.ReleaseContext(session.context) == CL_SUCCESS, "a release in a forked child succeeds");
  if (plain_exit) std::exit(0);
  _exit(0);
}

/// One object of every type.
struct Objects {
  cl_device_id part = nullptr;
  cl_context context = nullptr;
  cl_command_queue in_order = nullptr;
  cl_command_queue out_of_order = nullptr;
  cl_mem buffer = nullptr;
  cl_mem part_of_buffer = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  cl_event user_event = nullptr;
  cl_event event = nullptr;
  void* svm = nullptr;
  void* mapped = nullptr;
  char bytes[64] = {};
};

/// `queues`: also objects that need one. The program is `program`, retained, because builds would take too long.
Objects make_objects(const Session& session, cl_program program, bool queues) {
  Driver& cl = session.cl;
  Objects o;
  const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
                                              0};
  cl.CreateSubDevices(session.device, one, 1, &o.part, nullptr);
  cl_device_id device = session.device;
  o.context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  o.buffer = cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
  const cl_buffer_region region{0, 128};
  o.part_of_buffer = cl.CreateSubBuffer(o.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  o.svm = cl.SVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0);
  o.user_event = cl.CreateUserEvent(session.context, nullptr);
  if (!queues) return o;
  cl.RetainProgram(program);
  o.program = program;
  o.kernel = cl.CreateKernel(program, "f", nullptr);
  o.in_order = cl.CreateCommandQueue(session.context, device, 0, nullptr);
  o.out_of_order = cl.CreateCommandQueue(session.context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
  o.mapped = cl.EnqueueMapBuffer(o.in_order, o.buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, nullptr);
  cl.EnqueueReadBuffer(o.out_of_order, o.buffer, CL_FALSE, 0, sizeof o.bytes, o.bytes, 1, &o.user_event, &o.event);
  return o;
}

/// Releases the objects that the parent has made; every call succeeds. Also calls that destructors may make.
void release_in_child(Session& session, Objects& o) {
  Driver& cl = session.cl;
  cl_uint count = 0;
  cl.GetMemObjectInfo(o.buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr);
  cl.EnqueueUnmapMemObject(o.in_order, o.buffer, o.mapped, 0, nullptr, nullptr);
  cl.Finish(o.out_of_order);
  cl.WaitForEvents(1, &o.event);
  cl.SetUserEventStatus(o.user_event, CL_COMPLETE);
  cl.SVMFree(session.context, o.svm);
  expect(cl.ReleaseEvent(o.event) == CL_SUCCESS, "clReleaseEvent");
  expect(cl.ReleaseEvent(o.user_event) == CL_SUCCESS, "clReleaseEvent");
  expect(cl.ReleaseKernel(o.kernel) == CL_SUCCESS, "clReleaseKernel");
  expect(cl.ReleaseProgram(o.program) == CL_SUCCESS, "clReleaseProgram");
  expect(cl.ReleaseMemObject(o.part_of_buffer) == CL_SUCCESS, "clReleaseMemObject");
  expect(cl.ReleaseMemObject(o.buffer) == CL_SUCCESS, "clReleaseMemObject");
  expect(cl.ReleaseCommandQueue(o.in_order) == CL_SUCCESS, "clReleaseCommandQueue");
  expect(cl.ReleaseCommandQueue(o.out_of_order) == CL_SUCCESS, "clReleaseCommandQueue");
  expect(cl.ReleaseContext(o.context) == CL_SUCCESS, "clReleaseContext");
  if (o.part != nullptr) expect(cl.ReleaseDevice(o.part) == CL_SUCCESS, "clReleaseDevice");
}

void release_in_parent(Session& session, const Objects& o) {
  Driver& cl = session.cl;
  cl.SetUserEventStatus(o.user_event, CL_COMPLETE);
  if (o.in_order != nullptr) {
    cl.EnqueueUnmapMemObject(o.in_order, o.buffer, o.mapped, 0, nullptr, nullptr);
    cl.Finish(o.in_order);
    cl.WaitForEvents(1, &o.event);
    cl.ReleaseEvent(o.event);
    cl.ReleaseCommandQueue(o.in_order);
    cl.ReleaseCommandQueue(o.out_of_order);
    cl.ReleaseKernel(o.kernel);
    cl.ReleaseProgram(o.program);
  }
  cl.ReleaseEvent(o.user_event);
  cl.SVMFree(session.context, o.svm);
  cl.ReleaseMemObject(o.part_of_buffer);
  cl.ReleaseMemObject(o.buffer);
  cl.ReleaseContext(o.context);
  if (o.part != nullptr) cl.ReleaseDevice(o.part);
}

/// Threads that make and release objects of every type until this object is destroyed.
class Busy {
 public:
  Busy(Session& session, cl_program program, bool queues) {
    for (std::thread& thread : threads_) {
      thread = std::thread([&session, program, queues, this] {
        while (!stop_) {
          const Objects objects = make_objects(session, program, queues);
          release_in_parent(session, objects);
        }
      });
    }
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread threads_[2];
};

/// Calls `once` up to `most` times, but only for a limited time.
template <class Once>
void many(int most, Once&& once) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (int i = 0; i < most && std::chrono::steady_clock::now() < end; ++i) once(i);
}

}  // namespace

int fork_after_use(Session& session, const Arguments& arguments) {
  session.compute(1);
  cl_int code = 0;
  cl_program program = session.build("__kernel void parent() {}", code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  cl_mem buffer = session.cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  const bool busy = !arguments.empty() && arguments[0] == "busy";
  std::atomic<bool> stop{false};
  std::thread other;  // holds the driver's locks at random moments while the process forks
  if (busy) {
    other = std::thread([&] {
      for (int i = 0; !stop; ++i) session.compute(i % 3);
    });
  }
  for (int i = 0; i < (busy ? 20 : 2); ++i) {
    const pid_t child = fork();
    if (child == 0) in_forked_child(session, program, buffer, !busy && i == 0);
    expect_child_ends(child);
  }
  stop = true;
  if (other.joinable()) other.join();
  session.compute(2);
  return 0;
}

int fork_beside_busy_threads(Session& session, const Arguments&) {
  cl_int code = 0;
  cl_program program = session.build("__kernel void f(__global int* a) { a[get_global_id(0)] = 1; }", code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  {
    const Busy busy(session, program, true);
    many(500, [&](int i) {
      Objects objects = make_objects(session, program, true);
      const pid_t child = fork();
      if (child == 0) {
        alarm(kHang);
        release_in_child(session, objects);
        if (i % 2 == 0) std::exit(0);
        _exit(0);
      }
      expect_child_ends(child);
      release_in_parent(session, objects);
    });
  }
  session.compute(2);
  return 0;
}

/// Before the first queue and the first build the driver has no threads that a child would lack. If no other thread is
/// inside of the driver when the process forks, the child continues with the parent's context.
int fork_before_queues(const Arguments& arguments) {
  Driver driver;
  Session session(driver, Session::Queue::none);
  const bool busy = !arguments.empty() && arguments[0] == "busy";
  std::atomic<bool> stop{false};
  std::thread idle([&] {
    while (!stop) usleep(1000);
  });
  const auto use = [&](int) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(3 * kHang);  // it may build a kernel
      const cl_int made = session.make_queue();
      // With busy threads the parent's context may be of no use.
      expect(made == CL_SUCCESS || (busy && made == code_of_inherited(CL_INVALID_CONTEXT)), "clCreateCommandQueue",
             made);
      if (made == CL_SUCCESS && !busy) session.compute(3);
      if (made == CL_SUCCESS) expect(driver.ReleaseCommandQueue(session.queue) == CL_SUCCESS, "clReleaseCommandQueue");
      expect(driver.ReleaseContext(session.context) == CL_SUCCESS, "clReleaseContext");
      _exit(0);
    }
    expect_child_ends(child);
  };
  if (busy) {
    const Busy threads(session, nullptr, false);
    many(500, use);
  } else {
    many(2, use);
  }
  stop = true;
  idle.join();
  expect(session.make_queue() == CL_SUCCESS, "clCreateCommandQueue");
  session.compute(1);
  return 0;
}

/// A callback that forks, and a child that returns from it into the driver. It can do nothing before.
int fork_in_callback(Session& session, const Arguments&) {
  session.compute(1);
  static pid_t child = 0;
  const auto forks = [](cl_mem, void* data) {
    child = fork();
    if (child != 0) return;
    alarm(kHang);
    auto& inherited = *static_cast<Session*>(data);
    cl_int code = 0;
    inherited.cl.CreateContext(nullptr, 1, &inherited.device, nullptr, nullptr, &code);
    expect(code == CL_OUT_OF_RESOURCES, "a context in a callback that has forked", code);
  };
  const Busy busy(session, nullptr, false);
  many(300, [&](int i) {
    cl_mem buffer = session.cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
    expect(session.cl.SetMemObjectDestructorCallback(buffer, forks, &session) == CL_SUCCESS, "destructor callback");
    expect(session.cl.ReleaseMemObject(buffer) == CL_SUCCESS, "clReleaseMemObject");
    if (child == 0) {
      if (!kThreadSanitizer && i % 10 == 0) Session(session.cl).compute(1);
      _exit(0);
    }
    expect_child_ends(child);
  });
  return 0;
}

/// A process that forks before it has used the driver (a server with workers): both sides work.
int fork_before_use(const Arguments&) {
  Driver driver;
  const pid_t child = fork();
  Session session(driver);
  session.compute(1);
  if (child == 0) return 0;
  expect_child_ends(child);
  return 0;
}

}  // namespace lanewise::robustness
