// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and sub-buffers: creation, flags, lifetime, callbacks, queries (API 5.2.1, 5.5.1, 5.5.6).
#include <array>
#include <atomic>
#include <cstdlib>

#include "include/lanewise/cl_compat.h"
#include "tests/api/memory_fixture.h"

namespace lanewise::test {
namespace {

class Memory : public WithQueue {
 protected:
  cl_int create_code(cl_context owner, cl_mem_flags flags, std::size_t size, void* host) const {
    cl_int code = 1;
    cl_mem made = clCreateBuffer(owner, flags, size, host, &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    // The variant with properties is the same function with one more argument.
    cl_int code_with = 1;
    cl_mem made_with = clCreateBufferWithProperties(owner, nullptr, flags, size, host, &code_with);
    EXPECT_EQ(code_with, code);
    EXPECT_EQ(made_with != nullptr, code == CL_SUCCESS);
    if (made != nullptr) clReleaseMemObject(made);
    if (made_with != nullptr) clReleaseMemObject(made_with);
    return code;
  }
  cl_int sub_code(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void* region) const {
    cl_int code = 1;
    cl_mem made = clCreateSubBuffer(parent, flags, type, region, &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) clReleaseMemObject(made);
    return code;
  }
  cl_int sub_code(const Mem& parent, cl_mem_flags flags, std::size_t origin, std::size_t size) const {
    const cl_buffer_region region{origin, size};
    return sub_code(parent.get(), flags, CL_BUFFER_CREATE_TYPE_REGION, &region);
  }

  std::array<unsigned char, 4096> host{};
};

TEST_F(Memory, CreateRefusesInvalidContext) {
  for (cl_context bad : invalid_handles<cl_context>(queue))
    EXPECT_EQ(create_code(bad, CL_MEM_READ_WRITE, 16, nullptr), CL_INVALID_CONTEXT);
}

TEST_F(Memory, CreateRefusesFlagsThatExcludeEachOther) {
  const cl_mem_flags bad[] = {
      CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
      CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
      CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
      CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
      CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
      CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
      CL_MEM_KERNEL_READ_AND_WRITE,
      cl_mem_flags{1} << 40,
  };
  for (const cl_mem_flags flags : bad) {
    const bool pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    EXPECT_EQ(create_code(context, flags, host.size(), pointer ? host.data() : nullptr), CL_INVALID_VALUE)
        << std::hex << flags;
  }
}

TEST_F(Memory, CreateAcceptsEveryLegalCombinationOfFlags) {
  for (const cl_mem_flags kernel : {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY})
    for (const cl_mem_flags access : {0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS})
      for (const cl_mem_flags pointer : {0, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                         CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR}) {
        const bool needs = (pointer & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
        EXPECT_EQ(create_code(context, kernel | access | pointer, host.size(), needs ? host.data() : nullptr),
                  CL_SUCCESS)
            << std::hex << (kernel | access | pointer);
      }
}

TEST_F(Memory, CreateRefusesSizes) {
  EXPECT_EQ(create_code(context, CL_MEM_READ_WRITE, 0, nullptr), CL_INVALID_BUFFER_SIZE);
  const auto largest = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(create_code(context, CL_MEM_READ_WRITE, largest + 1, nullptr), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create_code(context, CL_MEM_READ_WRITE, SIZE_MAX, nullptr), CL_INVALID_BUFFER_SIZE);
}

TEST_F(Memory, CreateRefusesHostPointersThatDisagreeWithFlags) {
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    EXPECT_EQ(create_code(context, flags, 16, nullptr), CL_INVALID_HOST_PTR);
  for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR})
    EXPECT_EQ(create_code(context, flags, 16, host.data()), CL_INVALID_HOST_PTR);
}

TEST_F(Memory, CreateWithPropertiesReportsThem) {
  const cl_mem_properties none[] = {0};
  cl_int code = 1;
  const Mem with(clCreateBufferWithProperties(context, none, CL_MEM_READ_WRITE, 16, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  std::size_t size = 0;
  EXPECT_EQ(clGetMemObjectInfo(with.get(), CL_MEM_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof(cl_mem_properties));
  EXPECT_EQ(mem_value<cl_mem_properties>(with.get(), CL_MEM_PROPERTIES), 0u);

  // API 5.5.6: an object made without a list reports none.
  const Mem without = buffer(16);
  EXPECT_EQ(clGetMemObjectInfo(without.get(), CL_MEM_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);

  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(clCreateBufferWithProperties(context, unknown, CL_MEM_READ_WRITE, 16, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
}

TEST_F(Memory, CreateWorksWithoutAnErrorPointer) {
  const Mem made(clCreateBuffer(context, CL_MEM_READ_WRITE, 16, nullptr, nullptr));
  EXPECT_NE(made, nullptr);
  EXPECT_EQ(clCreateBuffer(nullptr, CL_MEM_READ_WRITE, 16, nullptr, nullptr), nullptr);
  EXPECT_EQ(clCreateBufferWithProperties(context, nullptr, 0, 0, nullptr, nullptr), nullptr);
  EXPECT_EQ(clCreateSubBuffer(nullptr, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, nullptr), nullptr);
}

TEST_F(Memory, CopyHostPtrTakesTheBytesAtOnce) {
  auto bytes = some_bytes(1000);
  const auto before = bytes;
  const Mem made = buffer_of(bytes);
  std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  EXPECT_EQ(contents(made), before);
}

TEST_F(Memory, UseHostPtrIsTheApplicationsMemory) {
  auto bytes = some_bytes(1000);
  const Mem made = buffer(bytes.size(), CL_MEM_USE_HOST_PTR, bytes.data());
  EXPECT_EQ(contents(made), bytes);
  cl_int code = 1;
  void* mapped = clEnqueueMapBuffer(queue, made.get(), CL_TRUE, CL_MAP_READ, 10, 20, 0, nullptr, nullptr, &code);
  EXPECT_EQ(mapped, bytes.data() + 10);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, made.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Memory, OwnMemoryIsAlignedForEveryType) {
  // Kernels may assume CL_DEVICE_MEM_BASE_ADDR_ALIGN, for sub-buffers too.
  for (const std::size_t size : {1, 3, 100, 4096, 100000}) {
    const Mem made = buffer(size);
    cl_int code = 1;
    void* mapped = clEnqueueMapBuffer(queue, made.get(), CL_TRUE, CL_MAP_READ, 0, size, 0, nullptr, nullptr, &code);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped) % origin_alignment(), 0u) << size;
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, made.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  }
  clFinish(queue);
}

TEST_F(Memory, TheLargestAllocationIsToBeHad) {
  const auto largest = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const Mem made = buffer(largest);
  ASSERT_NE(made, nullptr);
  const unsigned char byte = 77;
  EXPECT_EQ(clEnqueueWriteBuffer(queue, made.get(), CL_TRUE, largest - 1, 1, &byte, 0, nullptr, nullptr), CL_SUCCESS);
  unsigned char got = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, made.get(), CL_TRUE, largest - 1, 1, &got, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, byte);
}

TEST_F(Memory, SubBufferRefusesInvalidParents) {
  const cl_buffer_region region{0, 16};
  for (cl_mem bad : invalid_handles<cl_mem>(queue))
    EXPECT_EQ(sub_code(bad, 0, CL_BUFFER_CREATE_TYPE_REGION, &region), CL_INVALID_MEM_OBJECT);
  const Mem parent = buffer(4096);
  const Mem sub = sub_buffer(parent, 0, 64);
  EXPECT_EQ(sub_code(sub, 0, 0, 16), CL_INVALID_MEM_OBJECT);
}

TEST_F(Memory, SubBufferRefusesRegions) {
  const Mem parent = buffer(4096);
  EXPECT_EQ(sub_code(parent.get(), 0, 0x7777, &host), CL_INVALID_VALUE);
  EXPECT_EQ(sub_code(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(sub_code(parent, 0, 0, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(sub_code(parent, 0, 0, 4097), CL_INVALID_VALUE);
  EXPECT_EQ(sub_code(parent, 0, 4096, 1), CL_INVALID_VALUE);
  EXPECT_EQ(sub_code(parent, 0, 2048, SIZE_MAX - 1024), CL_INVALID_VALUE);  // origin + size overflows
  EXPECT_EQ(sub_code(parent, 0, 1, 16), CL_MISALIGNED_SUB_BUFFER_OFFSET);
  EXPECT_EQ(sub_code(parent, 0, origin_alignment() / 2, 16), CL_MISALIGNED_SUB_BUFFER_OFFSET);
  EXPECT_EQ(sub_code(parent, 0, 0, 4096), CL_SUCCESS);
  EXPECT_EQ(sub_code(parent, 0, 4096 - origin_alignment(), origin_alignment()), CL_SUCCESS);
}

TEST_F(Memory, SubBufferRefusesFlagsThatContradictTheParent) {
  struct Case {
    cl_mem_flags parent;
    cl_mem_flags child;
  };
  const Case bad[] = {
      {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},          {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
      {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},           {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY}, {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},  {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR},        {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR},
      {CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR},       {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
      {CL_MEM_READ_WRITE, cl_mem_flags{1} << 40},
  };
  for (const Case& test : bad) {
    const Mem parent = buffer(4096, test.parent);
    EXPECT_EQ(sub_code(parent, test.child, 0, 16), CL_INVALID_VALUE) << std::hex << test.parent << " " << test.child;
  }
}

TEST_F(Memory, SubBufferInheritsFlags) {
  const Mem parent = buffer(4096, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_USE_HOST_PTR, host.data());
  const Mem sub = sub_buffer(parent, 1024, 16);
  EXPECT_EQ(mem_value<cl_mem_flags>(sub.get(), CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_USE_HOST_PTR});
  const Mem open_parent = buffer(4096);
  const Mem narrow = sub_buffer(open_parent, 0, 16, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY);
  EXPECT_EQ(mem_value<cl_mem_flags>(narrow.get(), CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY});
}

TEST_F(Memory, SubBufferIsAViewOfItsParent) {
  const auto bytes = some_bytes(4096);
  const Mem parent = buffer_of(bytes);
  const std::size_t origin = 2 * origin_alignment();
  const Mem sub = sub_buffer(parent, origin, 100);
  EXPECT_EQ(contents(sub), Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(origin),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(origin) + 100));
  const unsigned char byte = static_cast<unsigned char>(~bytes[origin + 99]);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, sub.get(), CL_TRUE, 99, 1, &byte, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(contents(parent)[origin + 99], byte);
}

TEST_F(Memory, RetainAndReleaseCount) {
  Mem memory = buffer(16);
  EXPECT_EQ(mem_value<cl_uint>(memory.get(), CL_MEM_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainMemObject(memory.get()), CL_SUCCESS);
  EXPECT_EQ(mem_value<cl_uint>(memory.get(), CL_MEM_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseMemObject(memory.get()), CL_SUCCESS);
  EXPECT_EQ(mem_value<cl_uint>(memory.get(), CL_MEM_REFERENCE_COUNT), 1u);
  for (cl_mem bad : invalid_handles<cl_mem>(queue)) {
    EXPECT_EQ(clRetainMemObject(bad), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clReleaseMemObject(bad), CL_INVALID_MEM_OBJECT);
  }
}

struct CallbackLog {
  std::vector<int> order;
  cl_mem seen = nullptr;
  unsigned char first_byte = 0;
};
struct CallbackEntry {
  CallbackLog* log;
  int number;
  const unsigned char* storage;
};

void CL_CALLBACK on_destroyed(cl_mem memory, void* data) {
  auto* entry = static_cast<CallbackEntry*>(data);
  entry->log->order.push_back(entry->number);
  entry->log->seen = memory;
  if (entry->storage != nullptr) entry->log->first_byte = entry->storage[0];
}

TEST_F(Memory, DestructorCallbacksRunInReverseOrderOverLiveStorage) {
  auto bytes = some_bytes(64);
  CallbackLog log;
  CallbackEntry entries[] = {{&log, 1, nullptr}, {&log, 2, bytes.data()}, {&log, 3, nullptr}};
  Mem memory = buffer(bytes.size(), CL_MEM_USE_HOST_PTR, bytes.data());
  for (auto& entry : entries)
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory.get(), on_destroyed, &entry), CL_SUCCESS);
  EXPECT_TRUE(log.order.empty());
  cl_mem handle = memory.get();
  memory.reset();
  EXPECT_EQ(log.order, (std::vector<int>{3, 2, 1}));
  EXPECT_EQ(log.seen, handle);
  EXPECT_EQ(log.first_byte, bytes[0]);
}

/// The callback gets the handle only to identify the object, which the application has already released.
TEST_F(Memory, DestructorCallbackCannotReviveTheObject) {
  std::vector<cl_int> codes;
  Mem memory = buffer(64);
  ASSERT_EQ(clSetMemObjectDestructorCallback(
                memory.get(),
                [](cl_mem object, void* data) {
                  std::size_t size = 0;
                  auto& out = *static_cast<std::vector<cl_int>*>(data);
                  out.push_back(clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof size, &size, nullptr));
                  out.push_back(clRetainMemObject(object));
                  out.push_back(clReleaseMemObject(object));
                },
                &codes),
            CL_SUCCESS);
  memory.reset();
  EXPECT_EQ(codes, std::vector<cl_int>(3, CL_INVALID_MEM_OBJECT));
}

TEST_F(Memory, DestructorCallbackRefusesBadArguments) {
  const Mem memory = buffer(16);
  EXPECT_EQ(clSetMemObjectDestructorCallback(memory.get(), nullptr, nullptr), CL_INVALID_VALUE);
  for (cl_mem bad : invalid_handles<cl_mem>(queue))
    EXPECT_EQ(clSetMemObjectDestructorCallback(bad, on_destroyed, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(Memory, DestructorCallbackMayFreeTheHostMemory) {
  void* block = std::malloc(4096);
  Mem memory = buffer(4096, CL_MEM_USE_HOST_PTR, block);
  EXPECT_EQ(
      clSetMemObjectDestructorCallback(memory.get(), [](cl_mem, void* data) { std::free(data); }, block), CL_SUCCESS);
  memory.reset();
}

TEST_F(Memory, ParentLivesAsLongAsItsSubBuffers) {
  CallbackLog log;
  CallbackEntry parent_entry{&log, 1, nullptr};
  CallbackEntry sub_entry{&log, 2, nullptr};
  const auto bytes = some_bytes(4096);
  Mem parent = buffer_of(bytes);
  Mem sub = sub_buffer(parent, 0, 100);
  EXPECT_EQ(clSetMemObjectDestructorCallback(parent.get(), on_destroyed, &parent_entry), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(sub.get(), on_destroyed, &sub_entry), CL_SUCCESS);
  parent.reset();
  EXPECT_TRUE(log.order.empty());
  EXPECT_EQ(contents(sub), Bytes(bytes.begin(), bytes.begin() + 100));
  sub.reset();
  EXPECT_EQ(log.order, (std::vector<int>{2, 1}));
}

TEST_F(Memory, ReleasedBufferLivesUntilItsCommandsHaveEnded) {
  static std::atomic<bool> gone;
  gone = false;
  cl_event gate = clCreateUserEvent(context, nullptr);
  Mem memory = buffer_of(some_bytes(4096));
  EXPECT_EQ(clSetMemObjectDestructorCallback(memory.get(), [](cl_mem, void*) { gone = true; }, nullptr), CL_SUCCESS);
  Bytes read(4096);
  cl_event done = nullptr;
  EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_FALSE, 0, read.size(), read.data(), 1, &gate, &done),
            CL_SUCCESS);
  memory.reset();
  EXPECT_FALSE(gone);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(read, some_bytes(4096));
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 1000 && !gone; ++i) clFinish(queue);
  EXPECT_TRUE(gone);
}

TEST_F(Memory, InfoOfABuffer) {
  const Mem memory = buffer(1000, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(mem_value<cl_mem_object_type>(memory.get(), CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(mem_value<cl_mem_flags>(memory.get(), CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR});
  EXPECT_EQ(mem_value<std::size_t>(memory.get(), CL_MEM_SIZE), 1000u);
  EXPECT_EQ(mem_value<void*>(memory.get(), CL_MEM_HOST_PTR), host.data());
  EXPECT_EQ(mem_value<cl_uint>(memory.get(), CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(mem_value<cl_context>(memory.get(), CL_MEM_CONTEXT), context);
  EXPECT_EQ(mem_value<cl_mem>(memory.get(), CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(mem_value<std::size_t>(memory.get(), CL_MEM_OFFSET), 0u);
  EXPECT_EQ(mem_value<cl_bool>(memory.get(), CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
}

TEST_F(Memory, InfoOfASubBuffer) {
  const Mem parent = buffer(4096, CL_MEM_USE_HOST_PTR, host.data());
  const Mem sub = sub_buffer(parent, 1024, 100);
  EXPECT_EQ(mem_value<cl_mem_object_type>(sub.get(), CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(mem_value<std::size_t>(sub.get(), CL_MEM_SIZE), 100u);
  EXPECT_EQ(mem_value<std::size_t>(sub.get(), CL_MEM_OFFSET), 1024u);
  EXPECT_EQ(mem_value<cl_mem>(sub.get(), CL_MEM_ASSOCIATED_MEMOBJECT), parent.get());
  EXPECT_EQ(mem_value<void*>(sub.get(), CL_MEM_HOST_PTR), host.data() + 1024);
  EXPECT_EQ(mem_value<cl_uint>(sub.get(), CL_MEM_REFERENCE_COUNT), 1u);
}

TEST_F(Memory, HostPtrIsReportedOnlyWhereItIsUsed) {
  const Mem copied = buffer_of(some_bytes(64));
  EXPECT_EQ(mem_value<void*>(copied.get(), CL_MEM_HOST_PTR), nullptr);
}

TEST_F(Memory, InfoRefusesBadQueries) {
  const Mem memory = buffer(16);
  cl_uint value = 0;
  for (cl_mem bad : invalid_handles<cl_mem>(queue))
    EXPECT_EQ(clGetMemObjectInfo(bad, CL_MEM_MAP_COUNT, sizeof value, &value, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetMemObjectInfo(memory.get(), 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetMemObjectInfo(memory.get(), CL_MEM_MAP_COUNT, sizeof value - 1, &value, nullptr), CL_INVALID_VALUE);
}

}  // namespace
}  // namespace lanewise::test
