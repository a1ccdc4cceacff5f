// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches, tasks and native kernels: their results, and every error (API 5.10).
#include <array>
#include <cstring>
#include <numeric>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Size3 = std::array<size_t, 3>;

class NdRangeApi : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    queue_ = queue();
    program_ = built(
        "kernel void ids(global uint* out) {"
        "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),"
        "         z = get_global_id(2) - get_global_offset(2);"
        "  size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;"
        "  atomic_inc(out + at);"
        "}"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint* out) { atomic_inc(out); }"
        "kernel void local_argument(global uint* out, local uint* scratch) {"
        "  scratch[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[0] = scratch[0];"
        "}",
        "-cl-uniform-work-group-size -cl-std=CL3.0");
    kernel_ = kernel(program_, "ids");
    memory_ = zeros(kItems);
    set_memory(kernel_, memory_);
  }
  MemPtr zeros(size_t items) {
    MemPtr made = buffer(items * sizeof(cl_uint));
    const cl_uint zero = 0;
    EXPECT_EQ(
        clEnqueueFillBuffer(queue_.get(), made.get(), &zero, sizeof zero, 0, items * sizeof zero, 0, nullptr, nullptr),
        CL_SUCCESS);
    return made;
  }
  static void set_memory(const KernelPtr& kernel, const MemPtr& memory) {
    const cl_mem handle = memory.get();
    ASSERT_EQ(clSetKernelArg(kernel.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  }
  cl_int launch(const KernelPtr& kernel, cl_uint dims, const size_t* offset, const size_t* global,
                const size_t* local) {
    return clEnqueueNDRangeKernel(queue_.get(), kernel.get(), dims, offset, global, local, 0, nullptr, nullptr);
  }

  static constexpr size_t kItems = 1 << 16;
  QueuePtr queue_;
  ProgramPtr program_;
  KernelPtr kernel_;
  MemPtr memory_;
};

TEST_F(NdRangeApi, EveryWorkItemRunsOnce) {
  struct Case {
    cl_uint dims;
    Size3 offset, global, local;  // local 0: the driver's choice
  };
  const Case cases[] = {
      {1, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}},
      {1, {0, 0, 0}, {1009, 1, 1}, {0, 0, 0}},
      {1, {5, 0, 0}, {kItems, 1, 1}, {64, 1, 1}},
      {1, {0, 0, 0}, {4096, 1, 1}, {4096, 1, 1}},
      {2, {3, 7, 0}, {100, 60, 1}, {10, 5, 1}},
      {2, {0, 0, 0}, {37, 41, 1}, {0, 0, 0}},
      {3, {1, 2, 3}, {16, 8, 12}, {4, 2, 3}},
      {3, {0, 0, 0}, {7, 11, 13}, {0, 0, 0}},
      {3, {0, 0, 0}, {8, 8, 8}, {8, 8, 8}},
      {2, {0, 0, 0}, {1, 4096, 1}, {1, 64, 1}},
      {1, {size_t{1} << 40, 0, 0}, {64, 1, 1}, {16, 1, 1}},
  };
  for (const Case& c : cases) {
    memory_ = zeros(kItems);
    set_memory(kernel_, memory_);
    ASSERT_EQ(launch(kernel_, c.dims, c.offset.data(), c.global.data(), c.local[0] != 0 ? c.local.data() : nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    size_t items = 1;
    for (cl_uint i = 0; i < c.dims; ++i) items *= c.global[i];
    const auto counts = read<cl_uint>(memory_, kItems);
    for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(counts[i], i < items ? 1u : 0u) << i << " of " << items;
  }
}

TEST_F(NdRangeApi, NothingToDoSucceeds) {
  const Size3 zero{0, 4, 4}, zero_y{4, 0, 4};
  const size_t local = 4;
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, zero.data(), &local, 0, nullptr, &event),
            CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(launch(kernel_, 3, nullptr, zero_y.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(launch(kernel_, 1, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(memory_, 1)[0], 0u);
}

TEST_F(NdRangeApi, ArgumentsAreThoseOfTheEnqueue) {
  const auto other = zeros(kItems);
  cl_event gate = clCreateUserEvent(context_.get(), nullptr);
  const size_t one = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &one, nullptr, 1, &gate, nullptr),
            CL_SUCCESS);
  set_memory(kernel_, other);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(memory_, 1)[0], 1u);
  EXPECT_EQ(read<cl_uint>(other, 1)[0], 0u);
  clReleaseEvent(gate);
}

TEST_F(NdRangeApi, ObjectsMayBeReleasedAfterTheEnqueue) {
  cl_event gate = clCreateUserEvent(context_.get(), nullptr);
  const size_t items = 1000;
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &items, nullptr, 1, &gate, &event),
            CL_SUCCESS);
  kernel_.reset();
  program_.reset();
  memory_.reset();
  queue_.reset();
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  clReleaseEvent(event);
  clReleaseEvent(gate);
}

TEST_F(NdRangeApi, Errors) {
  const Size3 global{64, 64, 64};
  const auto with_local = [&](Size3 local, cl_uint dims = 1) {
    return launch(kernel_, dims, nullptr, global.data(), local.data());
  };
  const auto fresh = kernel(program_, "ids");
  EXPECT_EQ(launch(fresh, 1, nullptr, global.data(), nullptr), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(launch(kernel_, 0, nullptr, global.data(), nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launch(kernel_, 4, nullptr, global.data(), nullptr), CL_INVALID_WORK_DIMENSION);
  const size_t far = ~size_t{0} - 10;
  EXPECT_EQ(launch(kernel_, 1, &far, global.data(), nullptr), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(with_local({0, 1, 1}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(with_local({7, 1, 1}), CL_INVALID_WORK_GROUP_SIZE) << "does not divide";
  EXPECT_EQ(with_local({64, 64, 64}, 3), CL_INVALID_WORK_GROUP_SIZE) << "too many work-items";
  EXPECT_EQ(with_local({size_t{1} << 20, 1, 1}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(with_local({size_t{1} << 32, size_t{1} << 32, 1}, 2), CL_INVALID_WORK_ITEM_SIZE);

  const Size3 endless{~size_t{0}, ~size_t{0}, ~size_t{0}};
  EXPECT_EQ(launch(kernel_, 3, nullptr, endless.data(), nullptr), CL_OUT_OF_RESOURCES);

  const auto enqueue = [&](cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* list) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, global.data(), nullptr, count, list, nullptr);
  };
  EXPECT_EQ(enqueue(nullptr, kernel_.get(), 0, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(enqueue(queue_.get(), nullptr, 0, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(enqueue(queue_.get(), kernel_.get(), 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  const cl_event none = nullptr;
  EXPECT_EQ(enqueue(queue_.get(), kernel_.get(), 1, &none), CL_INVALID_EVENT_WAIT_LIST);

  const auto elsewhere = new_context();
  const QueuePtr foreign(clCreateCommandQueue(elsewhere.get(), device_, 0, nullptr));
  EXPECT_EQ(enqueue(foreign.get(), kernel_.get(), 0, nullptr), CL_INVALID_CONTEXT);
  const cl_event foreign_event = clCreateUserEvent(elsewhere.get(), nullptr);
  EXPECT_EQ(enqueue(queue_.get(), kernel_.get(), 1, &foreign_event), CL_INVALID_CONTEXT);
  clReleaseEvent(foreign_event);
}

TEST_F(NdRangeApi, RequiredSize) {
  const auto required = kernel(program_, "required");
  set_memory(required, memory_);
  const Size3 global{8, 8, 1}, odd{6, 8, 1}, right{4, 2, 1}, wrong{2, 4, 1};
  EXPECT_EQ(launch(required, 2, nullptr, global.data(), right.data()), CL_SUCCESS);
  EXPECT_EQ(launch(required, 2, nullptr, global.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(launch(required, 2, nullptr, global.data(), wrong.data()), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launch(required, 2, nullptr, odd.data(), nullptr), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueTask(queue_.get(), required.get(), 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(memory_, 1)[0], 128u);
}

TEST_F(NdRangeApi, MoreLocalMemoryThanThereIs) {
  const auto k = kernel(program_, "local_argument");
  set_memory(k, memory_);
  cl_ulong have = 0;
  clGetDeviceInfo(device_, CL_DEVICE_LOCAL_MEM_SIZE, sizeof have, &have, nullptr);
  const size_t one = 16;
  ASSERT_EQ(clSetKernelArg(k.get(), 1, have, nullptr), CL_SUCCESS);
  EXPECT_EQ(launch(k, 1, nullptr, &one, nullptr), CL_SUCCESS);
  if (clSetKernelArg(k.get(), 1, have + 128, nullptr) == CL_SUCCESS) {
    EXPECT_EQ(launch(k, 1, nullptr, &one, nullptr), CL_OUT_OF_RESOURCES);
  }
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
}

TEST_F(NdRangeApi, Task) {
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueTask(queue_.get(), kernel_.get(), 0, nullptr, &event), CL_SUCCESS);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_TASK});
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(memory_, 2), (std::vector<cl_uint>{1, 0}));
  clReleaseEvent(event);
  EXPECT_EQ(clEnqueueTask(nullptr, kernel_.get(), 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueTask(queue_.get(), nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clEnqueueTask(queue_.get(), kernel(program_, "ids").get(), 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
}

struct NativeArgs {
  cl_uint* first;
  int number;
  cl_uint* second;
  cl_uint* none;
};

TEST_F(NdRangeApi, NativeKernel) {
  const auto other = zeros(16);
  std::array<cl_mem, 3> objects{memory_.get(), other.get(), nullptr};
  NativeArgs args{nullptr, 42, nullptr, reinterpret_cast<cl_uint*>(1)};
  const std::array<const void*, 3> places{&args.first, &args.second, &args.none};
  const auto body = [](void* raw) {
    auto& a = *static_cast<NativeArgs*>(raw);
    a.first[0] = static_cast<cl_uint>(a.number);
    a.second[0] = a.none == nullptr ? 7 : 8;
  };
  cl_event gate = clCreateUserEvent(context_.get(), nullptr);
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNativeKernel(queue_.get(), body, &args, sizeof args, 3, objects.data(),
                                  const_cast<const void**>(places.data()), 1, &gate, &event),
            CL_SUCCESS);
  std::memset(&args, 0xff, sizeof args);  // the block has been copied
  clSetUserEventStatus(gate, CL_COMPLETE);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(memory_, 1)[0], 42u);
  EXPECT_EQ(read<cl_uint>(other, 1)[0], 7u);
  clReleaseEvent(gate);
  clReleaseEvent(event);

  static bool called;
  called = false;
  EXPECT_EQ(
      clEnqueueNativeKernel(
          queue_.get(), [](void* p) { called = p == nullptr; }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_TRUE(called);
}

TEST_F(NdRangeApi, NativeKernelErrors) {
  NativeArgs args{};
  cl_mem object = memory_.get();
  const void* place = &args.first;
  const void* outside = &args + 1;
  const auto body = [](void*) {};
  const auto enqueue = [&](void(CL_CALLBACK * function)(void*), void* block, size_t bytes, cl_uint count,
                           const cl_mem* list, const void** places) {
    return clEnqueueNativeKernel(queue_.get(), function, block, bytes, count, list, places, 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue(nullptr, &args, sizeof args, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, nullptr, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, nullptr, 0, 1, &object, &place), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, sizeof args, 1, nullptr, &place), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, sizeof args, 1, &object, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, sizeof args, 0, &object, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, sizeof args, 0, nullptr, &place), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(body, &args, sizeof args, 1, &object, &outside), CL_INVALID_VALUE);
  const auto wrong = reinterpret_cast<cl_mem>(context_.get());
  EXPECT_EQ(enqueue(body, &args, sizeof args, 1, &wrong, &place), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueNativeKernel(nullptr, body, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
}

TEST_F(NdRangeApi, PrintfIsOrderedAndFlushedWhenTheCommandEnds) {
  const auto program = built(
      "kernel void say() {"
      "  printf(\"%d:%d %v2d %s %5.2f\\n\", (int)get_group_id(0), (int)get_local_id(0), (int2)(1, 2), \"x\", 1.5f);"
      "}");
  const auto say = kernel(program, "say");
  const size_t global = 256, local = 4;
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(say, 1, nullptr, &global, &local), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  std::string expected;
  for (size_t i = 0; i < global; ++i) {
    expected += std::to_string(i / local) + ":" + std::to_string(i % local) + " 1,2 x  1.50\n";
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

}  // namespace
}  // namespace lanewise::test
