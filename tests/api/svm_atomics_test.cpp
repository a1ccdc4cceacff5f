// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomics of the host and of kernels at one address, at the same time (CL_DEVICE_SVM_ATOMICS, API 3.3.9.1).
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/api/memory_fixture.h"
#include "tests/api/program_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

class SvmAtomics : public WithQueue {
 protected:
  void SetUp() override {
    WithQueue::SetUp();
    memory = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 4096, 64);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 0, 4096);
  }
  void TearDown() override {
    if (kernel != nullptr) clReleaseKernel(kernel);
    if (program != nullptr) clReleaseProgram(program);
    if (memory != nullptr) clSVMFree(context, memory);
    WithQueue::TearDown();
  }

  void start(const char* source, std::size_t items, std::size_t group) {
    cl_int error = CL_SUCCESS;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    ASSERT_EQ(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    kernel = clCreateKernel(program, "k", &error);
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  }

  template <class T>
  std::atomic<T>* at(std::size_t byte) {
    return reinterpret_cast<std::atomic<T>*>(static_cast<unsigned char*>(memory) + byte);
  }

  void* memory = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
};

TEST_F(SvmAtomics, NothingIsLostBetweenHostAndKernel) {
  static_assert(std::atomic<cl_int>::is_always_lock_free && std::atomic<cl_ulong>::is_always_lock_free);
  constexpr std::size_t kItems = 1U << 18U;
  ASSERT_NO_FATAL_FAILURE(start(R"(
    kernel void k(global atomic_int* a) {
      const size_t i = get_global_id(0);
      atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_all_svm_devices);
      atomic_fetch_add_explicit((global atomic_ulong*)(a + 16), i, memory_order_relaxed, memory_scope_all_svm_devices);
      atomic_fetch_add_explicit((global atomic_float*)(a + 32), 1.0f, memory_order_relaxed, memory_scope_all_svm_devices);
      atomic_fetch_xor_explicit(a + 48 + i % 16, (int)i, memory_order_relaxed, memory_scope_all_svm_devices);
    })",
                                kItems, 256));
  constexpr int kHost = 20000;
  for (int n = 0; n < kHost; ++n) {
    at<cl_int>(0)->fetch_add(1, std::memory_order_relaxed);
    at<cl_ulong>(64)->fetch_add(3, std::memory_order_relaxed);
    float seen = at<float>(128)->load(std::memory_order_relaxed);
    while (!at<float>(128)->compare_exchange_weak(seen, seen + 1)) {
    }
    at<cl_int>(192)->fetch_xor(5, std::memory_order_relaxed);  // an even number of times
  }
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(at<cl_int>(0)->load(), static_cast<cl_int>(kItems) + kHost);
  EXPECT_EQ(at<cl_ulong>(64)->load(), cl_ulong{kItems} * (kItems - 1) / 2 + 3 * kHost);
  EXPECT_EQ(at<float>(128)->load(), static_cast<float>(kItems + kHost));
  for (std::size_t c = 0; c < 16; ++c) {
    cl_int expected = 0;
    for (std::size_t i = c; i < kItems; i += 16) expected ^= static_cast<cl_int>(i);
    EXPECT_EQ(at<cl_int>(192 + 4 * c)->load(), expected);
  }
}

/// Host and kernel take turns while the kernel runs: each sees what the other has released, in reasonable time.
TEST_F(SvmAtomics, HostAndKernelTakeTurns) {
  constexpr int kTurns = 200;
  ASSERT_NO_FATAL_FAILURE(start(R"(
    kernel void k(global int* data) {
      global atomic_int* turn = (global atomic_int*)(data + 16);
      for (int n = 1; n <= 2 * 200; n += 2) {
        int seen = 0;
        while ((seen = atomic_load_explicit(turn, memory_order_acquire, memory_scope_all_svm_devices)) < n);
        if (seen > 1000000) return;
        *data = *data * 3 + 1;
        atomic_store_explicit(turn, n + 1, memory_order_release, memory_scope_all_svm_devices);
      }
    })",
                                1, 1));
  auto* data = static_cast<cl_int*>(memory);
  const auto deadline = time_limit(std::chrono::seconds(60));
  cl_uint expected = 0;
  bool late = false;
  for (int n = 1; n <= 2 * kTurns && !late; n += 2) {
    *data = static_cast<cl_int>(static_cast<cl_uint>(*data) * 2 + 1);
    expected = (expected * 2 + 1) * 3 + 1;
    at<cl_int>(64)->store(n, std::memory_order_release);
    while (at<cl_int>(64)->load(std::memory_order_acquire) == n && !late) {
      late = std::chrono::steady_clock::now() > deadline;
      std::this_thread::yield();
    }
  }
  if (late) at<cl_int>(64)->store(2000000);  // the kernel ends
  EXPECT_FALSE(late) << "the kernel did not answer";
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(static_cast<cl_uint>(*data), expected);
}

}  // namespace
}  // namespace lanewise::test
