// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory (cl_intel_unified_shared_memory). The functions come by name, as applications get them.
#include <CL/cl_ext.h>

#include <atomic>
#include <thread>

#include "tests/api/memory_fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

template <class Function>
Function* found(const char* name) {
  auto* function = reinterpret_cast<Function*>(clGetExtensionFunctionAddressForPlatform(first_platform(), name));
  EXPECT_NE(function, nullptr) << name;
  return function;
}

struct Functions {
  decltype(clHostMemAllocINTEL)* host = found<decltype(clHostMemAllocINTEL)>("clHostMemAllocINTEL");
  decltype(clDeviceMemAllocINTEL)* device = found<decltype(clDeviceMemAllocINTEL)>("clDeviceMemAllocINTEL");
  decltype(clSharedMemAllocINTEL)* shared = found<decltype(clSharedMemAllocINTEL)>("clSharedMemAllocINTEL");
  decltype(clMemFreeINTEL)* free = found<decltype(clMemFreeINTEL)>("clMemFreeINTEL");
  decltype(clMemBlockingFreeINTEL)* free_blocking = found<decltype(clMemBlockingFreeINTEL)>("clMemBlockingFreeINTEL");
  decltype(clGetMemAllocInfoINTEL)* info = found<decltype(clGetMemAllocInfoINTEL)>("clGetMemAllocInfoINTEL");
  decltype(clSetKernelArgMemPointerINTEL)* argument =
      found<decltype(clSetKernelArgMemPointerINTEL)>("clSetKernelArgMemPointerINTEL");
  decltype(clEnqueueMemFillINTEL)* fill = found<decltype(clEnqueueMemFillINTEL)>("clEnqueueMemFillINTEL");
  decltype(clEnqueueMemcpyINTEL)* copy = found<decltype(clEnqueueMemcpyINTEL)>("clEnqueueMemcpyINTEL");
  decltype(clEnqueueMigrateMemINTEL)* migrate = found<decltype(clEnqueueMigrateMemINTEL)>("clEnqueueMigrateMemINTEL");
  decltype(clEnqueueMemAdviseINTEL)* advise = found<decltype(clEnqueueMemAdviseINTEL)>("clEnqueueMemAdviseINTEL");
};

class Usm : public WithQueue {
 protected:
  template <class T>
  T info(const void* pointer, cl_mem_info_intel what) const {
    T value{};
    std::size_t size = 0;
    EXPECT_EQ(cl.info(context, pointer, what, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  Functions cl;
};

TEST_F(Usm, Capabilities) {
  for (const cl_device_info what :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    EXPECT_EQ(device_value<cl_device_unified_shared_memory_capabilities_intel>(device, what), 15u);
}

TEST_F(Usm, QueriesTellTheKind) {
  cl_int code = 1;
  const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
  const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  struct Case {
    void* pointer;
    cl_unified_shared_memory_type_intel type;
    cl_device_id device;
    cl_mem_alloc_flags_intel flags;
  };
  const Case cases[] = {
      {cl.host(context, combined, 1000, 0, &code), CL_MEM_TYPE_HOST_INTEL, nullptr, CL_MEM_ALLOC_WRITE_COMBINED_INTEL},
      {cl.device(context, device, nullptr, 1000, 64, &code), CL_MEM_TYPE_DEVICE_INTEL, device, 0},
      {cl.shared(context, device, placed, 1000, 128, &code), CL_MEM_TYPE_SHARED_INTEL, device,
       CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL},
      {cl.shared(context, nullptr, nullptr, 1000, 1, &code), CL_MEM_TYPE_SHARED_INTEL, nullptr, 0},
  };
  for (const Case& c : cases) {
    ASSERT_NE(c.pointer, nullptr);
    for (const void* inside : {static_cast<char*>(c.pointer), static_cast<char*>(c.pointer) + 999}) {
      EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(inside, CL_MEM_ALLOC_TYPE_INTEL), c.type);
      EXPECT_EQ(info<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL), c.pointer);
      EXPECT_EQ(info<std::size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL), 1000u);
      EXPECT_EQ(info<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL), c.device);
      EXPECT_EQ(info<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL), c.flags);
    }
    EXPECT_NE(info<void*>(static_cast<char*>(c.pointer) + 1024, CL_MEM_ALLOC_BASE_PTR_INTEL), c.pointer);
    EXPECT_EQ(cl.free(context, c.pointer), CL_SUCCESS);
    EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(c.pointer, CL_MEM_ALLOC_TYPE_INTEL), CL_MEM_TYPE_UNKNOWN_INTEL);
  }
  int local = 0;
  for (const void* foreign : {static_cast<const void*>(&local), static_cast<const void*>(nullptr)}) {
    EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(foreign, CL_MEM_ALLOC_TYPE_INTEL), CL_MEM_TYPE_UNKNOWN_INTEL);
    EXPECT_EQ(info<void*>(foreign, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(info<std::size_t>(foreign, CL_MEM_ALLOC_SIZE_INTEL), 0u);
  }
  EXPECT_EQ(cl.info(context, &local, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  char small = 0;
  EXPECT_EQ(cl.info(context, &local, CL_MEM_ALLOC_SIZE_INTEL, sizeof small, &small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.info(nullptr, &local, CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
}

/// Up to the size of a huge page, whatever the size of the allocation.
TEST_F(Usm, AllocationsAreAligned) {
  for (cl_uint alignment = 1; alignment <= 2U << 20U; alignment *= 2) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{5000}, std::size_t{3} << 20U}) {
      cl_int code = 1;
      void* const host = cl.host(context, nullptr, size, alignment, &code);
      ASSERT_EQ(code, CL_SUCCESS) << alignment;
      void* const on_device = cl.device(context, device, nullptr, size, alignment, &code);
      ASSERT_EQ(code, CL_SUCCESS) << alignment;
      void* const shared = cl.shared(context, device, nullptr, size, alignment, &code);
      ASSERT_EQ(code, CL_SUCCESS) << alignment;
      for (void* const made : {host, on_device, shared}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made) % alignment, 0U) << size << " bytes";
        static_cast<unsigned char*>(made)[size - 1] = 7;
        EXPECT_EQ(cl.free(context, made), CL_SUCCESS);
      }
    }
  }
}

TEST_F(Usm, AllocationErrors) {
  cl_int code = 1;
  const auto most = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto refused = [&](const cl_mem_properties_intel* properties, std::size_t size, cl_uint alignment,
                           cl_int expected) {
    EXPECT_EQ(cl.host(context, properties, size, alignment, &code), nullptr);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(cl.device(context, device, properties, size, alignment, &code), nullptr);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(cl.shared(context, device, properties, size, alignment, &code), nullptr);
    EXPECT_EQ(code, expected);
    EXPECT_EQ(cl.shared(context, nullptr, properties, size, alignment, &code), nullptr);
    EXPECT_EQ(code, expected);
  };
  refused(nullptr, 0, 0, CL_INVALID_BUFFER_SIZE);
  refused(nullptr, most + 1, 0, CL_INVALID_BUFFER_SIZE);
  refused(nullptr, 64, 3, CL_INVALID_VALUE);
  refused(nullptr, 64, 4U << 20U, CL_INVALID_VALUE);
  const cl_mem_properties_intel unknown[] = {0x1234, 0, 0};
  const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
  const cl_mem_properties_intel value[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0};
  const cl_mem_properties_intel both[] = {
      CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
      0};
  for (const auto* list : {unknown, twice, value, both}) refused(list, 64, 0, CL_INVALID_PROPERTY);
  const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  EXPECT_EQ(cl.host(context, placed, 64, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
  EXPECT_EQ(cl.device(context, device, placed, 64, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
  EXPECT_EQ(cl.host(nullptr, nullptr, 64, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(cl.device(context, nullptr, nullptr, 64, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  EXPECT_EQ(cl.shared(context, reinterpret_cast<cl_device_id>(context), nullptr, 64, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
}

TEST_F(Usm, FreeTakesOnlyWhatItGave) {
  auto* memory = static_cast<char*>(cl.shared(context, device, nullptr, 100, 0, nullptr));
  void* svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  int local = 0;
  for (auto* release : {cl.free, cl.free_blocking}) {
    EXPECT_EQ(release(context, nullptr), CL_SUCCESS);
    EXPECT_EQ(release(context, &local), CL_INVALID_VALUE);
    EXPECT_EQ(release(context, memory + 1), CL_INVALID_VALUE);
    EXPECT_EQ(release(context, svm), CL_INVALID_VALUE);
    EXPECT_EQ(release(nullptr, memory), CL_INVALID_CONTEXT);
  }
  clSVMFree(context, memory);  // nor the other way round
  EXPECT_EQ(info<std::size_t>(memory, CL_MEM_ALLOC_SIZE_INTEL), 100u);
  EXPECT_EQ(cl.free(context, memory), CL_SUCCESS);
  EXPECT_EQ(cl.free(context, memory), CL_INVALID_VALUE);
  clSVMFree(context, svm);
}

TEST_F(Usm, BlockingFreeWaits) {
  auto* memory = static_cast<unsigned char*>(cl.device(context, device, nullptr, 4096, 0, nullptr));
  cl_event gate = clCreateUserEvent(context, nullptr);
  const unsigned char pattern = 7;
  ASSERT_EQ(cl.fill(queue, memory, &pattern, 1, 4096, 1, &gate, nullptr), CL_SUCCESS);
  std::atomic<bool> freed{false};
  std::thread other([&] {
    EXPECT_EQ(cl.free_blocking(context, memory), CL_SUCCESS);
    freed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(freed.load());
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  other.join();
  EXPECT_TRUE(freed.load());
  clReleaseEvent(gate);
}

TEST_F(Usm, Commands) {
  auto* memory = static_cast<unsigned char*>(cl.shared(context, nullptr, nullptr, 4096, 0, nullptr));
  const unsigned char pattern[4] = {1, 2, 3, 4};
  cl_event event = nullptr;
  const auto ended = [&](cl_command_type type) {
    EXPECT_EQ(command_type(event), type);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
  };
  ASSERT_EQ(cl.fill(queue, memory, pattern, 4, 4096, 0, nullptr, &event), CL_SUCCESS);
  ended(CL_COMMAND_MEMFILL_INTEL);
  EXPECT_EQ(memory[4095], 4u);
  Bytes back(4096);
  ASSERT_EQ(cl.copy(queue, CL_TRUE, back.data(), memory, 4096, 0, nullptr, &event), CL_SUCCESS);
  ended(CL_COMMAND_MEMCPY_INTEL);
  EXPECT_EQ(std::memcmp(back.data(), memory, 4096), 0);
  ASSERT_EQ(cl.migrate(queue, memory, 4096, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, &event), CL_SUCCESS);
  ended(CL_COMMAND_MIGRATEMEM_INTEL);
  ASSERT_EQ(cl.advise(queue, memory, 4096, 0, 0, nullptr, &event), CL_SUCCESS);
  ended(CL_COMMAND_MEMADVISE_INTEL);

  EXPECT_EQ(cl.fill(nullptr, memory, pattern, 4, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(cl.fill(queue, nullptr, pattern, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.fill(queue, memory, nullptr, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.fill(queue, memory, pattern, 3, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.fill(queue, memory + 1, pattern, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.copy(nullptr, CL_TRUE, back.data(), memory, 1, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(cl.copy(queue, CL_TRUE, nullptr, memory, 1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.copy(queue, CL_TRUE, memory + 1, memory, 2, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(cl.migrate(nullptr, memory, 1, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(cl.migrate(queue, memory, 1, 1 << 9, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl.advise(nullptr, memory, 1, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(cl.advise(queue, memory, 1, 77, 0, nullptr, nullptr), CL_INVALID_VALUE);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return cl.fill(queue, memory, pattern, 4, 16, count, list, out);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return cl.copy(queue, CL_FALSE, back.data(), memory, 16, count, list, out);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return cl.migrate(queue, memory, 16, CL_MIGRATE_MEM_OBJECT_HOST, count, list, out);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return cl.advise(queue, memory, 16, 0, count, list, out);
  });
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return cl.copy(queue, CL_TRUE, back.data(), memory, 16, count, list, out);
  });
  EXPECT_EQ(cl.free(context, memory), CL_SUCCESS);
}

class UsmKernel : public ProgramFixture {};

TEST_F(UsmKernel, DirectAndIndirectArguments) {
  const Functions cl;
  const auto program = built(
      "kernel void f(global int* global* table, int n) {"
      "  int i = get_global_id(0); table[i % n][i / n] = i; }",
      "-cl-std=CL3.0");
  const auto made = kernel(program, "f");
  constexpr int kRows = 3;
  int* rows[kRows];
  for (auto& row : rows)
    row = static_cast<int*>(cl.shared(context_.get(), device_, nullptr, 100 * sizeof(int), 0, nullptr));
  auto** table = static_cast<int**>(cl.host(context_.get(), nullptr, sizeof rows, 0, nullptr));
  std::copy(rows, rows + kRows, table);
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(clSetKernelExecInfo(made.get(), CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes),
            CL_SUCCESS);
  EXPECT_EQ(cl.argument(nullptr, 0, table), CL_INVALID_KERNEL);
  EXPECT_EQ(cl.argument(made.get(), 9, table), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(cl.argument(made.get(), 1, table), CL_INVALID_ARG_VALUE);
  ASSERT_EQ(cl.argument(made.get(), 0, table), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made.get(), 1, sizeof kRows, &kRows), CL_SUCCESS);
  run(made, 300);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(rows[i % kRows][i / kRows], i);
  for (int* row : rows) EXPECT_EQ(cl.free_blocking(context_.get(), row), CL_SUCCESS);
  EXPECT_EQ(cl.free(context_.get(), table), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
