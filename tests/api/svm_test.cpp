// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared virtual memory (API 5.6).
#include <atomic>
#include <thread>

#include "tests/api/memory_fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class Svm : public WithQueue {
 protected:
  void TearDown() override {
    for (void* pointer : allocations) clSVMFree(context, pointer);
    WithQueue::TearDown();
  }
  unsigned char* allocate(std::size_t size, cl_svm_mem_flags flags = CL_MEM_READ_WRITE, cl_uint alignment = 0) {
    void* made = clSVMAlloc(context, flags, size, alignment);
    if (made != nullptr) allocations.push_back(made);
    return static_cast<unsigned char*>(made);
  }
  cl_event user() const { return clCreateUserEvent(context, nullptr); }
  static cl_int wait_and_release(cl_event event) {
    const cl_int code = clWaitForEvents(1, &event);
    clReleaseEvent(event);
    return code;
  }

  std::vector<void*> allocations;
};

TEST_F(Svm, Capabilities) {
  const auto has = device_value<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);
  EXPECT_TRUE(has & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  EXPECT_TRUE(has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
  EXPECT_TRUE(has & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  const bool atomics = (has & CL_DEVICE_SVM_ATOMICS) != 0;
  EXPECT_EQ(allocate(64, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS) != nullptr, atomics);
}

TEST_F(Svm, AllocationsAreAlignedAndApart) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{5000}, std::size_t{3} << 20}) {
    for (cl_uint alignment = 0; alignment <= 128; alignment = alignment == 0 ? 1 : alignment * 2) {
      unsigned char* memory = allocate(size, CL_MEM_READ_WRITE, alignment);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 128, 0u);
      std::memset(memory, static_cast<int>(allocations.size()), size);
    }
  }
  EXPECT_EQ(*static_cast<unsigned char*>(allocations.front()), 1u);
}

TEST_F(Svm, AllocationErrors) {
  const auto most = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(allocate(0), nullptr);
  EXPECT_EQ(allocate(most + 1), nullptr);
  EXPECT_EQ(allocate(64, CL_MEM_READ_WRITE, 3), nullptr);
  EXPECT_EQ(allocate(64, CL_MEM_READ_WRITE, 256), nullptr);
  EXPECT_EQ(allocate(64, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), nullptr);
  EXPECT_EQ(allocate(64, CL_MEM_SVM_ATOMICS), nullptr);
  EXPECT_EQ(allocate(64, CL_MEM_USE_HOST_PTR), nullptr);
  EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0), nullptr);
  int local = 0;
  clSVMFree(context, nullptr);
  clSVMFree(context, &local);  // not ours: nothing happens
  clSVMFree(nullptr, &local);
}

TEST_F(Svm, BuffersKnowTheirPointer) {
  unsigned char* memory = allocate(4096);
  const auto use = [&](void* pointer, std::size_t size) {
    cl_int code = 1;
    Mem made(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, pointer, &code));
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made) {
      EXPECT_EQ(mem_value<cl_bool>(made.get(), CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
    }
    return code;
  };
  EXPECT_EQ(use(memory, 4096), CL_SUCCESS);
  EXPECT_EQ(use(memory + 1024, 3072), CL_SUCCESS);
  EXPECT_EQ(use(memory, 4097), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(use(memory + 1024, 3073), CL_INVALID_BUFFER_SIZE);
  const Mem parent = buffer(4096, CL_MEM_USE_HOST_PTR, memory);
  const Mem part = sub_buffer(parent, 1024, 1024);
  EXPECT_EQ(mem_value<cl_bool>(part.get(), CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
}

TEST_F(Svm, Memcpy) {
  unsigned char* memory = allocate(1 << 20);
  const Bytes from = some_bytes(1 << 20);
  ASSERT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, from.data(), from.size(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::memcmp(memory, from.data(), from.size()), 0);
  Bytes back(from.size());
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueSVMMemcpy(queue, CL_FALSE, back.data(), memory, back.size(), 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_MEMCPY});
  EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
  EXPECT_EQ(back, from);
  const auto copy = [&](void* to, const void* source, std::size_t size) {
    return clEnqueueSVMMemcpy(queue, CL_TRUE, to, source, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copy(nullptr, memory, 1), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory, nullptr, 1), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory, memory + 99, 100), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory + 99, memory, 100), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory + 100, memory, 100), CL_SUCCESS);
  EXPECT_EQ(copy(memory, memory, 0), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMMemcpy(nullptr, CL_TRUE, memory, from.data(), 1, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMemcpy(queue, CL_FALSE, memory, from.data(), 16, count, list, out);
  });
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMemcpy(queue, CL_TRUE, memory, from.data(), 16, count, list, out);
  });
}

TEST_F(Svm, MemFill) {
  unsigned char* memory = allocate(4096);
  for (std::size_t size = 1; size <= 128; size *= 2) {
    Bytes pattern = some_bytes(size, size);
    const Bytes kept = pattern;
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueSVMMemFill(queue, memory, pattern.data(), size, 4096, 0, nullptr, &event), CL_SUCCESS);
    std::fill(pattern.begin(), pattern.end(), 0);  // copied at the call
    EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_MEMFILL});
    EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
    for (std::size_t i = 0; i < 4096; ++i) ASSERT_EQ(memory[i], kept[i % size]) << size << " " << i;
  }
  const Bytes pattern(256);
  const auto fill = [&](void* to, const void* what, std::size_t pattern_size, std::size_t size) {
    return clEnqueueSVMMemFill(queue, to, what, pattern_size, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill(nullptr, pattern.data(), 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, nullptr, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory + 2, pattern.data(), 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern.data(), 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern.data(), 3, 15), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern.data(), 256, 256), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern.data(), 4, 18), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(nullptr, memory, pattern.data(), 4, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMemFill(queue, memory, pattern.data(), 4, 16, count, list, out);
  });
}

TEST_F(Svm, MapAndUnmap) {
  unsigned char* memory = allocate(4096);
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, 4096, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_MAP});
  EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
  ASSERT_EQ(clEnqueueSVMUnmap(queue, memory, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_UNMAP});
  EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
  const auto map = [&](cl_map_flags flags, void* pointer, std::size_t size) {
    return clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(map(CL_MAP_READ, nullptr, 16), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ, memory, 0), CL_INVALID_VALUE);
  EXPECT_EQ(map(1 << 10, memory, 16), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, memory, 16), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(nullptr, CL_TRUE, CL_MAP_READ, memory, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueSVMUnmap(nullptr, memory, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, memory, 16, count, list, out);
  });
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMUnmap(queue, memory, count, list, out);
  });
  expect_failed_wait(context, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 16, count, list, out);
  });
}

TEST_F(Svm, Migrate) {
  unsigned char* memory = allocate(4096);
  const void* pointers[] = {memory, memory + 100};
  const auto migrate = [&](cl_uint count, const void** list, const std::size_t* sizes, cl_mem_migration_flags flags) {
    return clEnqueueSVMMigrateMem(queue, count, list, sizes, flags, 0, nullptr, nullptr);
  };
  const std::size_t fits[] = {4096, 3996};
  const std::size_t too_large[] = {4096, 3997};
  const std::size_t whole[] = {0, 0};
  EXPECT_EQ(migrate(2, pointers, nullptr, 0), CL_SUCCESS);
  EXPECT_EQ(migrate(2, pointers, fits, CL_MIGRATE_MEM_OBJECT_HOST), CL_SUCCESS);
  EXPECT_EQ(migrate(2, pointers, whole, 0), CL_SUCCESS);
  EXPECT_EQ(migrate(2, pointers, too_large, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(0, pointers, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(2, nullptr, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(2, pointers, nullptr, 1 << 8), CL_INVALID_VALUE);
  const void* outside[] = {pointers};
  EXPECT_EQ(migrate(1, outside, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(nullptr, 2, pointers, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 1, pointers, nullptr, 0, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_MIGRATE_MEM});
  EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMMigrateMem(queue, 1, pointers, nullptr, 0, count, list, out);
  });
}

struct Freed {
  cl_context context;
  std::atomic<cl_command_queue> queue{nullptr};
  std::vector<void*> pointers;
};
void CL_CALLBACK free_them(cl_command_queue queue, cl_uint count, void* pointers[], void* data) {
  auto& freed = *static_cast<Freed*>(data);
  freed.pointers.assign(pointers, pointers + count);
  for (void* pointer : freed.pointers) clSVMFree(freed.context, pointer);
  freed.queue = queue;
}

TEST_F(Svm, EnqueuedFreeRunsInItsTurn) {
  void* ours[] = {clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0)};
  void* kept[] = {ours[0], ours[1]};
  Freed freed{.context = context, .queue = nullptr, .pointers = {}};
  cl_event gate = user();
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueSVMFree(queue, 2, ours, free_them, &freed, 1, &gate, &event), CL_SUCCESS);
  ours[0] = ours[1] = nullptr;  // the list was copied
  EXPECT_EQ(command_type(event), cl_command_type{CL_COMMAND_SVM_FREE});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(freed.queue.load(), nullptr);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(wait_and_release(event), CL_SUCCESS);
  EXPECT_EQ(freed.queue.load(), queue);
  EXPECT_EQ(freed.pointers, std::vector<void*>(kept, kept + 2));
  clReleaseEvent(gate);

  void* own[] = {clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0)};
  EXPECT_EQ(clEnqueueSVMFree(queue, 1, own, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  const void* gone[] = {own[0]};
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 1, gone, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);

  EXPECT_EQ(clEnqueueSVMFree(queue, 0, own, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(nullptr, 1, own, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* out) {
    return clEnqueueSVMFree(queue, 0, nullptr, nullptr, nullptr, count, list, out);
  });
}

TEST_F(Svm, ContextGivesBackWhatIsLeft) {
  for (int i = 0; i < 50; ++i) {
    cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    void* memory = clSVMAlloc(other, CL_MEM_READ_WRITE, 8 << 20, 0);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 1, 8 << 20);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
  }
}

/// A list whose nodes lie in SVM, in ordinary memory and on the stack, walked by a kernel through its pointers.
class SvmKernel : public ProgramFixture {};

struct Node {
  Node* next;
  int value;
};

TEST_F(SvmKernel, FollowsPointers) {
  const auto program = built(R"(
    struct Node { global struct Node* next; int value; };
    kernel void walk(global struct Node* at, global int* sum) {
      for (; at; at = at->next) { *sum += at->value; at->value = -at->value; }
    })");
  const auto walk = kernel(program, "walk");
  auto* first = static_cast<Node*>(clSVMAlloc(context_.get(), CL_MEM_SVM_FINE_GRAIN_BUFFER, 2 * sizeof(Node), 0));
  ASSERT_NE(first, nullptr);
  const auto heap = std::make_unique<Node>();
  Node stack{nullptr, 1000};
  int sum = 0;
  first[0] = {first + 1, 1};
  first[1] = {heap.get(), 10};
  *heap = {&stack, 100};
  ASSERT_EQ(clSetKernelArgSVMPointer(walk.get(), 0, first), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(walk.get(), 1, &sum), CL_SUCCESS);
  run(walk, 1);
  EXPECT_EQ(sum, 1111);
  EXPECT_EQ(stack.value, -1000);
  // From the middle, and with a buffer for the other argument.
  const auto out = buffer(sizeof(int));
  cl_mem handle = out.get();
  ASSERT_EQ(clSetKernelArg(walk.get(), 1, sizeof handle, &handle), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(walk.get(), 0, first + 1), CL_SUCCESS);
  run(walk, 1);
  EXPECT_EQ(read<int>(out, 1)[0], -1110);
  clSVMFree(context_.get(), first);
}

}  // namespace
}  // namespace lanewise::test
