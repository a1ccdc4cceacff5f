// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared by the tests of buffers and transfers: a queue, buffers with known bytes, and invalid handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/api/fixture.h"

namespace lanewise::test {

using Bytes = std::vector<unsigned char>;

struct MemRelease {
  void operator()(cl_mem memory) const { EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS); }
};
using Mem = std::unique_ptr<std::remove_pointer_t<cl_mem>, MemRelease>;

/// `size` bytes that differ from their neighbours and, with another seed, from those of another buffer.
inline Bytes some_bytes(std::size_t size, std::uint64_t seed = 1) {
  Bytes bytes(size);
  auto state = static_cast<std::uint32_t>(seed * 2654435761u + 1);
  for (auto& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<unsigned char>(state >> 24);
  }
  return bytes;
}

template <class T>
T mem_value(cl_mem memory, cl_mem_info what) {
  T value{};
  std::size_t size = 0;
  EXPECT_EQ(clGetMemObjectInfo(memory, what, sizeof value, &value, &size), CL_SUCCESS) << std::hex << what;
  EXPECT_EQ(size, sizeof value) << std::hex << what;
  return value;
}

class WithQueue : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    if (HasFatalFailure()) return;
    queue = new_queue(context);
    ASSERT_NE(queue, nullptr);
  }
  void TearDown() override {
    if (queue != nullptr) {
      EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    }
    WithContext::TearDown();
  }

  cl_command_queue new_queue(cl_context owner, cl_command_queue_properties properties = 0) const {
    cl_int code = 1;
    cl_command_queue made = clCreateCommandQueue(owner, device, properties, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  Mem buffer(std::size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) const {
    cl_int code = 1;
    Mem made(clCreateBuffer(context, flags, size, host, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  Mem buffer_of(const Bytes& bytes, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return buffer(bytes.size(), flags | CL_MEM_COPY_HOST_PTR, const_cast<unsigned char*>(bytes.data()));
  }
  Mem sub_buffer(const Mem& parent, std::size_t origin, std::size_t size, cl_mem_flags flags = 0) const {
    const cl_buffer_region region{origin, size};
    cl_int code = 1;
    Mem made(clCreateSubBuffer(parent.get(), flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  Bytes contents(const Mem& memory) const {
    return contents(memory.get(), mem_value<std::size_t>(memory.get(), CL_MEM_SIZE));
  }
  Bytes contents(cl_mem memory, std::size_t size) const {
    Bytes bytes(size);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return bytes;
  }
  /// A sub-buffer's origin must be a multiple of this many bytes.
  std::size_t origin_alignment() const { return device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8; }

  cl_command_queue queue = nullptr;
};

/// A second context and a buffer in it, unrelated to the fixture's.
struct Stranger {
  explicit Stranger(cl_device_id device) {
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
    event = clCreateUserEvent(context, nullptr);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() {
    clReleaseEvent(event);
    clReleaseMemObject(memory);
    clReleaseContext(context);
  }
  cl_context context;
  cl_mem memory;
  cl_event event;
};

/// Invalid handles: null, memory that never was an object, and an object of another type.
template <class Handle>
std::vector<Handle> invalid_handles(void* of_another_type) {
  alignas(16) static unsigned char zeros[256] = {};
  return {nullptr, reinterpret_cast<Handle>(zeros), static_cast<Handle>(of_another_type)};
}

/// The rules of every wait list (API 5.10), checked on one command: `call(count, list, event)` enqueues it with valid
/// other arguments. A refused command must not hand out an event.
template <class Call>
void expect_wait_list_rules(cl_context context, cl_device_id device, Call&& call) {
  cl_event event = nullptr;
  cl_event user = clCreateUserEvent(context, nullptr);
  ASSERT_NE(user, nullptr);
  const Stranger stranger(device);
  EXPECT_EQ(call(1, nullptr, &event), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(call(0, &user, &event), CL_INVALID_EVENT_WAIT_LIST);
  for (cl_event bad : invalid_handles<cl_event>(context)) {
    const cl_event list[] = {user, bad};
    EXPECT_EQ(call(2, list, &event), CL_INVALID_EVENT_WAIT_LIST);
  }
  EXPECT_EQ(call(1, &stranger.event, &event), CL_INVALID_CONTEXT);
  EXPECT_EQ(event, nullptr);
  // A valid list: the command waits, runs, and its event completes.
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(call(1, &user, &event), CL_SUCCESS);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
}

/// The error of a blocking command when an event that it waits for has failed (API 5.10).
template <class Call>
void expect_failed_wait(cl_context context, Call&& call) {
  cl_event user = clCreateUserEvent(context, nullptr);
  ASSERT_EQ(clSetUserEventStatus(user, -5), CL_SUCCESS);
  cl_event event = nullptr;
  EXPECT_EQ(call(1, &user, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  if (event != nullptr) clReleaseEvent(event);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
}

inline cl_command_type command_type(cl_event event) {
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  return type;
}

}  // namespace lanewise::test
