// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two processes that share a buffer and semaphores through file descriptors. Each opens the driver for itself, after
// the fork; descriptors are sent through a socket.
#include <CL/cl_ext.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/robustness/scenarios.h"

namespace lanewise::robustness {

namespace {

constexpr std::size_t kItems = 1000;
constexpr std::size_t kBytes = kItems * sizeof(cl_uint);
constexpr unsigned kRounds = 100;

/// A message of one byte with room for one descriptor.
struct Packet {
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  Packet() {
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
};

/// One end of the socket between the processes.
class Channel {
 public:
  explicit Channel(int socket) : socket_(socket) {}

  void send(int descriptor) const {
    Packet packet;
    cmsghdr* rights = CMSG_FIRSTHDR(&packet.message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    expect(sendmsg(socket_, &packet.message, 0) == 1, "sendmsg");
  }
  [[nodiscard]] int receive() const {
    Packet packet;
    expect(recvmsg(socket_, &packet.message, 0) == 1, "recvmsg");
    int descriptor = -1;
    const cmsghdr* rights = CMSG_FIRSTHDR(&packet.message);
    expect(rights != nullptr, "a descriptor");
    std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
    return descriptor;
  }
  void say() const { expect(write(socket_, "x", 1) == 1, "write to the other process"); }
  void hear() const {
    char byte = 0;
    expect(read(socket_, &byte, 1) == 1, "read from the other process");
  }

 private:
  int socket_;
};

/// The objects of one of the processes.
class Partner {
 public:
  explicit Partner(Driver& driver) : session_(driver) {
#define LANEWISE_FIND(member, name) member = find<decltype(member)>(driver, #name)
    LANEWISE_FIND(create_, clCreateSemaphoreWithPropertiesKHR);
    LANEWISE_FIND(release_, clReleaseSemaphoreKHR);
    LANEWISE_FIND(signal_, clEnqueueSignalSemaphoresKHR);
    LANEWISE_FIND(wait_, clEnqueueWaitSemaphoresKHR);
    LANEWISE_FIND(handle_, clGetSemaphoreHandleForTypeKHR);
    LANEWISE_FIND(create_buffer_, clCreateBufferWithProperties);
#undef LANEWISE_FIND
  }

  cl_semaphore_khr exported(int& handle) {
    const std::array<cl_semaphore_properties_khr, 6> list{CL_SEMAPHORE_TYPE_KHR,
                                                          CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                          CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                          CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                          CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
                                                          0};
    cl_semaphore_khr made = create(list.data());
    const cl_int code =
        handle_(made, session_.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof handle, &handle, nullptr);
    expect(code == CL_SUCCESS, "clGetSemaphoreHandleForTypeKHR", code);
    return made;
  }
  cl_semaphore_khr imported(int handle) {
    const std::array<cl_semaphore_properties_khr, 5> list{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                          CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                          static_cast<cl_semaphore_properties_khr>(handle), 0};
    return create(list.data());
  }
  void release(cl_semaphore_khr semaphore) { expect(release_(semaphore) == CL_SUCCESS, "clReleaseSemaphoreKHR"); }
  void signal(cl_semaphore_khr semaphore) {
    const cl_int code = signal_(session_.queue, 1, &semaphore, nullptr, 0, nullptr, nullptr);
    expect(code == CL_SUCCESS, "clEnqueueSignalSemaphoresKHR", code);
    session_.cl.Flush(session_.queue);
  }
  /// Signals from another queue, which waits for nothing.
  void signal_aside(cl_semaphore_khr semaphore) {
    cl_int code = 0;
    cl_command_queue queue = session_.cl.CreateCommandQueue(session_.context, session_.device, 0, &code);
    expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
    code = signal_(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr);
    expect(code == CL_SUCCESS, "clEnqueueSignalSemaphoresKHR", code);
    session_.cl.ReleaseCommandQueue(queue);
  }
  cl_event wait(cl_semaphore_khr semaphore) {
    cl_event event = nullptr;
    const cl_int code = wait_(session_.queue, 1, &semaphore, nullptr, 0, nullptr, &event);
    expect(code == CL_SUCCESS, "clEnqueueWaitSemaphoresKHR", code);
    session_.cl.Flush(session_.queue);
    return event;
  }
  /// The result of a wait.
  cl_int end_of(cl_event event) { return session_.cl.WaitForEvents(1, &event); }
  void finish() { expect(session_.cl.Finish(session_.queue) == CL_SUCCESS, "clFinish"); }

  /// A kernel that changes every item of the shared memory.
  void use(int memory, const char* statement) {
    const std::array<cl_mem_properties, 3> list{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                                static_cast<cl_mem_properties>(memory), 0};
    cl_int code = 0;
    cl_mem buffer = create_buffer_(session_.context, list.data(), CL_MEM_READ_WRITE, kBytes, nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateBufferWithProperties", code);
    cl_program program =
        session_.build(std::string("kernel void f(global uint* a) { a[get_global_id(0)] ") + statement + "; }", code);
    expect(code == CL_SUCCESS, "clBuildProgram", code);
    kernel_ = session_.cl.CreateKernel(program, "f", &code);
    expect(code == CL_SUCCESS, "clCreateKernel", code);
    expect(session_.cl.SetKernelArg(kernel_, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  }
  void run() {
    const cl_int code =
        session_.cl.EnqueueNDRangeKernel(session_.queue, kernel_, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
    expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  }

 private:
  template <class Function>
  Function find(Driver& driver, const char* name) {
    void* found = driver.address(name);
    expect(found != nullptr, name);
    return reinterpret_cast<Function>(found);
  }
  cl_semaphore_khr create(const cl_semaphore_properties_khr* list) {
    cl_int code = 0;
    cl_semaphore_khr made = create_(session_.context, list, &code);
    expect(code == CL_SUCCESS, "clCreateSemaphoreWithPropertiesKHR", code);
    return made;
  }

  Session session_;
  clCreateSemaphoreWithPropertiesKHR_fn create_;
  clReleaseSemaphoreKHR_fn release_;
  clEnqueueSignalSemaphoresKHR_fn signal_;
  clEnqueueWaitSemaphoresKHR_fn wait_;
  clGetSemaphoreHandleForTypeKHR_fn handle_;
  decltype(&clCreateBufferWithProperties) create_buffer_;
  cl_kernel kernel_ = nullptr;
};

/// The two processes take turns: add one here, double there.
void ping_pong_here(Partner& partner, const Channel& channel, int memory) {
  int there_handle = -1;
  int back_handle = -1;
  cl_semaphore_khr there = partner.exported(there_handle);
  cl_semaphore_khr back = partner.exported(back_handle);
  channel.send(there_handle);
  channel.send(back_handle);
  for (const int each : {there_handle, back_handle}) close(each);
  auto* items = static_cast<cl_uint*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0));
  partner.use(memory, "+= 1");
  cl_uint expected = 0;
  for (unsigned i = 0; i < kRounds; ++i) {
    partner.run();
    partner.signal(there);
    expect(partner.end_of(partner.wait(back)) == CL_SUCCESS, "the wait for the other process");
    expected = (expected + 1) * 2;
    expect(items[0] == expected && items[kItems - 1] == expected, "what both have made", items[0]);
  }
  partner.release(there);
  partner.release(back);
}

void ping_pong_there(Partner& partner, const Channel& channel, int memory) {
  cl_semaphore_khr there = partner.imported(channel.receive());
  cl_semaphore_khr back = partner.imported(channel.receive());
  partner.use(memory, "*= 2");
  for (unsigned i = 0; i < kRounds; ++i) {
    partner.wait(there);
    partner.run();
    partner.signal(back);
  }
  partner.finish();
  partner.release(there);
  partner.release(back);
}

[[noreturn]] void sleep_until_killed() {
  for (;;) pause();
}

/// The other process signals once, and is killed while it has the semaphore: the signal counts, later waits fail.
void survive(Partner& partner, cl_semaphore_khr semaphore, const Channel& channel, pid_t other) {
  channel.hear();
  expect(partner.end_of(partner.wait(semaphore)) == CL_SUCCESS, "the signal that came before");
  cl_event waiting = partner.wait(semaphore);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  kill(other, SIGKILL);
  const cl_int failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  expect(partner.end_of(waiting) == failed, "a wait when the other process is killed");
  expect(partner.end_of(partner.wait(semaphore)) == failed, "a wait after that");
  partner.signal(semaphore);
  partner.finish();
  expect(partner.end_of(partner.wait(semaphore)) == CL_SUCCESS, "a wait with a signal of its own");
}

void be_killed(Partner& partner, cl_semaphore_khr semaphore, const Channel& channel) {
  partner.signal(semaphore);
  partner.finish();
  channel.say();
  sleep_until_killed();
}

/// The other process releases the semaphore and ends: nothing is lost, and the wait continues.
void outlive(Partner& partner, cl_semaphore_khr semaphore, const Channel& channel, pid_t other) {
  cl_event waiting = partner.wait(semaphore);
  channel.say();
  int status = 1;
  expect(waitpid(other, &status, 0) == other && status == 0, "the other process", status);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  partner.signal_aside(semaphore);
  expect(partner.end_of(waiting) == CL_SUCCESS, "a wait for a signal of its own");
}

/// The part of this process, where `other` is the other one.
int here(const std::string& way, const Channel& channel, int memory, pid_t other) {
  Driver driver;
  Partner partner(driver);
  int handle = -1;
  if (way == "ping_pong") {
    ping_pong_here(partner, channel, memory);
  } else if (way == "importer_killed") {
    cl_semaphore_khr semaphore = partner.exported(handle);
    channel.send(handle);  // and keeps the descriptor open
    survive(partner, semaphore, channel, other);
  } else if (way == "exporter_killed") {
    survive(partner, partner.imported(channel.receive()), channel, other);
  } else {
    cl_semaphore_khr semaphore = partner.exported(handle);
    channel.send(handle);
    outlive(partner, semaphore, channel, other);
  }
  return 0;
}

void there(const std::string& way, const Channel& channel, int memory) {
  Driver driver;
  Partner partner(driver);
  int handle = -1;
  if (way == "ping_pong") {
    ping_pong_there(partner, channel, memory);
  } else if (way == "importer_killed") {
    be_killed(partner, partner.imported(channel.receive()), channel);
  } else if (way == "exporter_killed") {
    cl_semaphore_khr semaphore = partner.exported(handle);
    channel.send(handle);
    be_killed(partner, semaphore, channel);
  } else {
    cl_semaphore_khr semaphore = partner.imported(channel.receive());
    channel.hear();
    partner.release(semaphore);
  }
}

}  // namespace

int share_semaphores(const Arguments& arguments) {
  const std::string& way = arguments.at(0);
  std::array<int, 2> ends{};
  expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
  const int memory = memfd_create("shared", MFD_CLOEXEC);
  expect(memory >= 0 && ftruncate(memory, kBytes) == 0, "memfd_create");
  const pid_t other = fork();
  if (other == 0) {
    there(way, Channel(ends[1]), memory);
    _exit(0);
  }
  const int code = here(way, Channel(ends[0]), dup(memory), other);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  return code;
}

}  // namespace lanewise::robustness
