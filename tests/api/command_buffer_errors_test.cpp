// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The error codes of cl_khr_command_buffer, in the order of the specification's lists.
#include <functional>

#include "tests/api/command_buffer_fixture.h"

namespace lanewise::test {
namespace {

class CommandBufferErrors : public CommandBufferFixture {};

TEST_F(CommandBufferErrors, Create) {
  cl_int code = 1;
  cl_command_queue queue = queue_.get();
  cl_command_queue none = nullptr;
  EXPECT_EQ(create_(1, &none, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(create_(0, &queue, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(create_(1, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const auto other = new_context();
  const QueuePtr foreign(clCreateCommandQueue(other.get(), device_, 0, &code));
  const cl_command_queue both[] = {queue, foreign.get()};
  EXPECT_EQ(create_(2, both, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  const auto refused = [&](std::initializer_list<cl_command_buffer_properties_khr> list) {
    EXPECT_EQ(create_(1, &queue, list.begin(), &code), nullptr);
    return code;
  };
  EXPECT_EQ(refused({CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 20, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refused({CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refused({CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 8, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(refused({12345, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_(0, nullptr, nullptr, nullptr), nullptr);
}

TEST_F(CommandBufferErrors, LifetimeAndState) {
  EXPECT_EQ(retain_(nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(release_(nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(finalize_(nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(finalize_(reinterpret_cast<cl_command_buffer_khr>(context_.get())), CL_INVALID_COMMAND_BUFFER_KHR);
  auto buffer = command_buffer({queue_.get()});
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  EXPECT_EQ(finalize_(buffer.get()), CL_INVALID_OPERATION);
  const cl_command_buffer_khr stale = buffer.get();
  buffer.reset();
  EXPECT_EQ(finalize_(stale), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(release_(stale), CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_F(CommandBufferErrors, Enqueue) {
  const auto buffer = command_buffer({queue_.get()});
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_command_queue queues[] = {queue_.get(), queue_.get()};
  const auto enqueue_on = [&](cl_uint count, cl_command_queue* list) {
    return enqueue_(count, list, buffer.get(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue_(0, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(enqueue_on(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue_on(0, queues), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue_on(2, queues), CL_INVALID_VALUE);
  cl_command_queue none = nullptr;
  EXPECT_EQ(enqueue_on(1, &none), CL_INVALID_COMMAND_QUEUE);
  cl_int code = 1;
  const auto other = new_context();
  const QueuePtr foreign(clCreateCommandQueue(other.get(), device_, 0, &code));
  cl_command_queue foreign_handle = foreign.get();
  EXPECT_EQ(enqueue_on(1, &foreign_handle), CL_INVALID_CONTEXT);
  cl_event event = nullptr;
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  event = clCreateUserEvent(other.get(), &code);
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &event, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

/// Errors of every recording function, with arguments that are otherwise valid.
TEST_F(CommandBufferErrors, CommonToAllCommands) {
  const auto a = numbers(std::vector<cl_int>(16, 0));
  const auto b = numbers(std::vector<cl_int>(16, 0));
  const auto add = kernel_on("add", a, 1);
  const auto other = new_context();
  cl_int code = 1;
  const QueuePtr foreign(clCreateCommandQueue(other.get(), device_, 0, &code));
  auto* shared = static_cast<cl_int*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 64, 0));
  const cl_int pattern = 1;
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {8, 1, 1};
  const size_t one = 1;

  struct Common {
    cl_command_buffer_khr buffer;
    cl_command_queue queue;
    const cl_properties* properties;
    cl_uint count;
    const cl_sync_point_khr* waits;
    cl_mutable_command_khr* handle;
  };
  using Call = std::function<cl_int(const Common&)>;
  const std::vector<Call> calls = {
      [&](const Common& c) { return barrier_(c.buffer, c.queue, c.properties, c.count, c.waits, nullptr, c.handle); },
      [&](const Common& c) {
        return copy_buffer_(c.buffer, c.queue, c.properties, a.get(), b.get(), 0, 0, 8, c.count, c.waits, nullptr,
                            c.handle);
      },
      [&](const Common& c) {
        return copy_rect_(c.buffer, c.queue, c.properties, a.get(), b.get(), origin, origin, region, 0, 0, 0, 0,
                          c.count, c.waits, nullptr, c.handle);
      },
      [&](const Common& c) {
        return fill_buffer_(c.buffer, c.queue, c.properties, a.get(), &pattern, 4, 0, 16, c.count, c.waits, nullptr,
                            c.handle);
      },
      [&](const Common& c) {
        return svm_copy_(c.buffer, c.queue, c.properties, shared, shared + 8, 4, c.count, c.waits, nullptr, c.handle);
      },
      [&](const Common& c) {
        return svm_fill_(c.buffer, c.queue, c.properties, shared, &pattern, 4, 8, c.count, c.waits, nullptr, c.handle);
      },
      [&](const Common& c) {
        return ndrange_(c.buffer, c.queue, c.properties, add.get(), 1, nullptr, &one, nullptr, c.count, c.waits,
                        nullptr, c.properties != nullptr ? nullptr : c.handle);
      },
  };
  const auto finalised = command_buffer({queue_.get()});
  ASSERT_EQ(finalize_(finalised.get()), CL_SUCCESS);
  const cl_properties unknown[] = {12345, 1, 0};
  const cl_sync_point_khr bad = 1234;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    const auto buffer = command_buffer({queue_.get()});
    const Common good{buffer.get(), nullptr, nullptr, 0, nullptr, nullptr};
    const auto with = [&](auto&& change) {
      Common changed = good;
      change(changed);
      return calls[i](changed);
    };
    EXPECT_EQ(with([](Common& c) { c.buffer = nullptr; }), CL_INVALID_COMMAND_BUFFER_KHR);
    EXPECT_EQ(with([&](Common& c) { c.buffer = finalised.get(); }), CL_INVALID_OPERATION);
    EXPECT_EQ(with([&](Common& c) { c.queue = unordered_.get(); }), CL_INVALID_COMMAND_QUEUE) << "not listed";
    EXPECT_EQ(with([&](Common& c) { c.queue = foreign.get(); }), CL_INVALID_CONTEXT);
    EXPECT_EQ(with([&](Common& c) { c.properties = unknown; }), CL_INVALID_VALUE);
    EXPECT_EQ(with([](Common& c) { c.count = 1; }), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    EXPECT_EQ(with([&](Common& c) { c.waits = &bad; }), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    EXPECT_EQ(with([&](Common& c) { c.count = 1, c.waits = &bad; }), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    EXPECT_EQ(with([](Common&) {}), CL_SUCCESS);
    EXPECT_EQ(with([&](Common& c) { c.queue = queue_.get(); }), CL_SUCCESS);
    cl_mutable_command_khr handle = nullptr;
    const cl_int expected = i + 1 == calls.size() ? CL_SUCCESS : CL_INVALID_VALUE;
    EXPECT_EQ(with([&](Common& c) { c.handle = &handle; }), expected);
  }
  clSVMFree(context_.get(), shared);
}

TEST_F(CommandBufferErrors, OfTheCommandItself) {
  const auto a = numbers(std::vector<cl_int>(16, 0));
  const auto add = kernel_on("add", a, 1);
  const auto unset = kernel(program_, "add");
  const auto buffer = command_buffer({queue_.get()});
  cl_command_buffer_khr b = buffer.get();
  const size_t one = 1;
  EXPECT_EQ(copy_buffer_(b, nullptr, nullptr, nullptr, a.get(), 0, 0, 4, 0, nullptr, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(copy_buffer_(b, nullptr, nullptr, a.get(), a.get(), 0, 60, 8, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(copy_buffer_(b, nullptr, nullptr, a.get(), a.get(), 0, 4, 8, 0, nullptr, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(fill_buffer_(b, nullptr, nullptr, a.get(), &one, 3, 0, 12, 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(svm_copy_(b, nullptr, nullptr, nullptr, &one, 4, 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(svm_fill_(b, nullptr, nullptr, nullptr, &one, 4, 4, 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  const auto launch = [&](cl_kernel kernel, cl_uint dims, const size_t* global, const size_t* local) {
    return ndrange_(b, nullptr, nullptr, kernel, dims, nullptr, global, local, 0, nullptr, nullptr, nullptr);
  };
  const size_t zero = 0;
  EXPECT_EQ(launch(nullptr, 1, &one, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(launch(unset.get(), 1, &one, nullptr), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(launch(add.get(), 0, &one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launch(add.get(), 1, &one, &zero), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launch(add.get(), 1, &zero, nullptr), CL_SUCCESS) << "nothing to do";
  ASSERT_EQ(finalize_(b), CL_SUCCESS);
  run(buffer, queue_);
}

/// cl_khr_command_buffer_multi_device, on one device and on its parts.
class CommandBufferQueues : public CommandBufferFixture {};

TEST_F(CommandBufferQueues, SeveralQueuesOfOneDevice) {
  const auto memory = numbers(std::vector<cl_int>(64, 1));
  const auto second = queue();
  const auto buffer = command_buffer({queue_.get(), second.get()});
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 2u);
  const size_t items = 64;
  EXPECT_EQ(ndrange_(buffer.get(), nullptr, nullptr, kernel_on("add", memory, 1).get(), 1, nullptr, &items, nullptr, 0,
                     nullptr, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE)
      << "which of them?";
  const auto first = record(buffer, kernel_on("add", memory, 1), 64, {}, nullptr, queue_.get());
  record(buffer, kernel_on("scale", memory, 3), 64, {first}, nullptr, second.get());
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_int expected = 1;
  for (int i = 0; i < 4; ++i) {
    run(buffer, queue_);
    expected = (expected + 1) * 3;
    EXPECT_EQ(read<cl_int>(memory, 64), std::vector<cl_int>(64, expected));
  }
}

/// API table 50: an event of a run on several queues names none of them.
TEST_F(CommandBufferQueues, EventsNameAQueueIfThereIsOne) {
  const auto memory = numbers(std::vector<cl_int>(64, 1));
  const auto second = queue();
  cl_command_queue both[] = {unordered_.get(), second.get()};
  const auto queue_of_run = [&](const CommandBufferPtr& buffer, cl_uint count, cl_command_queue* queues) {
    cl_event done = nullptr;
    EXPECT_EQ(enqueue_(count, queues, buffer.get(), 0, nullptr, &done), CL_SUCCESS);
    cl_command_queue named = second.get();
    size_t size = 0;
    EXPECT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_QUEUE, sizeof named, static_cast<void*>(&named), &size),
              CL_SUCCESS);
    EXPECT_EQ(size, sizeof named);
    EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
    return named;
  };
  const auto on_two = command_buffer({queue_.get(), second.get()});
  record(on_two, kernel_on("add", memory, 1), 64, {}, nullptr, queue_.get());
  ASSERT_EQ(finalize_(on_two.get()), CL_SUCCESS);
  EXPECT_EQ(queue_of_run(on_two, 0, nullptr), nullptr) << "its own queues, though one of them has nothing to do";
  EXPECT_EQ(queue_of_run(on_two, 2, both), nullptr) << "others";
  const auto on_one = command_buffer({queue_.get()});
  record(on_one, kernel_on("add", memory, 1), 64);
  ASSERT_EQ(finalize_(on_one.get()), CL_SUCCESS);
  EXPECT_EQ(queue_of_run(on_one, 0, nullptr), queue_.get());
}

TEST_F(CommandBufferQueues, PartsOfTheDevice) {
  cl_uint units = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), CL_SUCCESS);
  if (units < 2) GTEST_SKIP() << "one compute unit has no parts";
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  ASSERT_EQ(clCreateSubDevices(device_, equally, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_device_id> parts(count);
  ASSERT_EQ(clCreateSubDevices(device_, equally, count, parts.data(), nullptr), CL_SUCCESS);
  cl_int code = 1;
  context_.reset(clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  {
    const auto program = built("kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }");
    const QueuePtr q0(clCreateCommandQueue(context_.get(), parts[0], 0, &code));
    const QueuePtr q1(clCreateCommandQueue(context_.get(), parts[1], 0, &code));
    const auto memory = numbers({5});
    const auto add = kernel(program, "add");
    cl_mem handle = memory.get();
    const cl_int one = 1;
    ASSERT_EQ(clSetKernelArg(add.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(add.get(), 1, sizeof one, &one), CL_SUCCESS);
    const auto buffer = command_buffer({q0.get(), q1.get()}, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
    const auto first = record(buffer, add, 1, {}, nullptr, q0.get());
    record(buffer, add, 1, {first}, nullptr, q1.get());
    ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
    for (int i = 0; i < 4; ++i) run(buffer, q0);
    std::vector<cl_int> got(1);
    EXPECT_EQ(clEnqueueReadBuffer(q0.get(), memory.get(), CL_TRUE, 0, 4, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(got[0], 13);
    cl_command_queue swapped[] = {q1.get(), q0.get()};
    EXPECT_EQ(enqueue_(2, swapped, buffer.get(), 0, nullptr, nullptr), CL_INVALID_DEVICE);
    // Remapped to a queue of the right device it succeeds.
    const CommandBufferPtr other(remap_(buffer.get(), CL_FALSE, 2, swapped, 0, nullptr, nullptr, &code),
                                 ReleaseCommandBuffer{release_});
    ASSERT_EQ(code, CL_SUCCESS);
    run(other, q1);
    const CommandBufferPtr automatic(remap_(buffer.get(), CL_TRUE, 1, swapped, 0, nullptr, nullptr, &code),
                                     ReleaseCommandBuffer{release_});
    ASSERT_EQ(code, CL_SUCCESS);
    run(automatic, q1);
    EXPECT_EQ(clEnqueueReadBuffer(q1.get(), memory.get(), CL_TRUE, 0, 4, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(got[0], 17);
  }
  for (cl_device_id part : parts) EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

TEST_F(CommandBufferQueues, RemapGivesHandlesOfItsOwn) {
  const auto memory = numbers({0});
  const auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handle = nullptr;
  record(buffer, kernel_on("add", memory, 1), 1, {}, &handle);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_command_queue queue = unordered_.get();
  cl_mutable_command_khr copied = nullptr;
  cl_int code = 1;
  const CommandBufferPtr copy(remap_(buffer.get(), CL_FALSE, 1, &queue, 1, &handle, &copied, &code),
                              ReleaseCommandBuffer{release_});
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_NE(copied, nullptr);
  EXPECT_NE(copied, handle);
  EXPECT_EQ(value<cl_command_queue>(copy, CL_COMMAND_BUFFER_QUEUES_KHR), queue);
  EXPECT_EQ(value<cl_uint>(copy, CL_COMMAND_BUFFER_STATE_KHR), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  const cl_int ten = 10;
  const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof ten, &ten}};
  const auto config = argument_update(copied, args);
  const cl_uint type = api::kDispatchConfig;
  const void* pointer = &config;
  ASSERT_EQ(update_(copy.get(), 1, &type, &pointer), CL_SUCCESS);
  EXPECT_EQ(update_(buffer.get(), 1, &type, &pointer), CL_INVALID_MUTABLE_COMMAND_KHR);
  run(copy, unordered_);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{11}));
}

TEST_F(CommandBufferQueues, RemapErrors) {
  const auto memory = numbers({0});
  const auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handle = nullptr;
  record(buffer, kernel_on("add", memory, 1), 1, {}, &handle);
  const auto other = command_buffer({queue_.get()});
  cl_command_queue queues[] = {queue_.get(), queue_.get()};
  cl_command_queue none = nullptr;
  cl_mutable_command_khr out = nullptr;
  const auto code_of = [&](cl_command_buffer_khr b, cl_uint count, const cl_command_queue* list, cl_uint handles,
                           const cl_mutable_command_khr* in, cl_mutable_command_khr* ret) {
    cl_int code = 1;
    EXPECT_EQ(remap_(b, CL_FALSE, count, list, handles, in, ret, &code), nullptr);
    return code;
  };
  EXPECT_EQ(code_of(nullptr, 1, queues, 0, nullptr, nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(code_of(buffer.get(), 0, queues, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 2, queues, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 1, queues, 1, nullptr, &out), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 1, queues, 1, &handle, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 1, queues, 0, &handle, &out), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(other.get(), 1, queues, 1, &handle, &out), CL_INVALID_VALUE);
  EXPECT_EQ(code_of(buffer.get(), 1, &none, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  const auto context = new_context();
  cl_int code = 1;
  const QueuePtr foreign(clCreateCommandQueue(context.get(), device_, 0, &code));
  cl_command_queue foreign_handle = foreign.get();
  EXPECT_EQ(code_of(buffer.get(), 1, &foreign_handle, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(out, nullptr);
}

}  // namespace
}  // namespace lanewise::test
