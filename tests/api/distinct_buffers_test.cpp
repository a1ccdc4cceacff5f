// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code for launches whose buffers do not overlap is used for no other launch. Each case launches one kernel often, so
/// that it becomes hot, with buffers that overlap in one way or do not.
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kRows = 4096;
constexpr std::size_t kLength = 64;
constexpr std::size_t kNumbers = kRows * kLength;

using Numbers = std::vector<cl_uint>;

class DistinctBuffers : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    program_ = built(R"(
      kernel void sums(global uint* out, global const uint* in, uint length) {
        const size_t row = get_global_id(0) * length;
        for (uint j = 0; j < length; ++j) out[row + length - 1] += in[row + j] * 3;
      })");
    kernel_ = kernel(program_, "sums");
    queue_ = queue();
    memory_ = buffer(2 * kNumbers * sizeof(cl_uint));
    numbers_.resize(2 * kNumbers);
    std::iota(numbers_.begin(), numbers_.end(), 1);
  }

  /// `out` and `in` begin so many numbers after the start of `numbers`.
  static void expect(Numbers& numbers, std::size_t out, std::size_t in) {
    for (std::size_t row = 0; row < kNumbers; row += kLength)
      for (std::size_t j = 0; j < kLength; ++j) numbers[out + row + kLength - 1] += numbers[in + row + j] * 3;
  }
  [[nodiscard]] MemPtr view(std::size_t first) const {
    const cl_buffer_region region{first * sizeof(cl_uint), kNumbers * sizeof(cl_uint)};
    cl_int code = 1;
    MemPtr made(clCreateSubBuffer(memory_.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  void launch(const MemPtr& out, const MemPtr& in) const {
    const cl_mem arguments[] = {out.get(), in.get()};
    const cl_uint length = kLength;
    ASSERT_EQ(clSetKernelArg(kernel_.get(), 0, sizeof(cl_mem), &arguments[0]), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel_.get(), 1, sizeof(cl_mem), &arguments[1]), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel_.get(), 2, sizeof length, &length), CL_SUCCESS);
    const std::size_t local = 64;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &kRows, &local, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  [[nodiscard]] Numbers result() const {
    Numbers numbers(2 * kNumbers);
    EXPECT_EQ(clEnqueueReadBuffer(queue_.get(), memory_.get(), CL_TRUE, 0, numbers.size() * sizeof(cl_uint),
                                  numbers.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return numbers;
  }
  void write() const {
    ASSERT_EQ(clEnqueueWriteBuffer(queue_.get(), memory_.get(), CL_TRUE, 0, numbers_.size() * sizeof(cl_uint),
                                   numbers_.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  /// Launches with views that begin at `out` and `in`, and compares.
  void check(std::size_t out, std::size_t in, int launches) const {
    write();
    Numbers expected = numbers_;
    const MemPtr first = view(out);
    const MemPtr second = view(in);
    for (int i = 0; i < launches; ++i) {
      launch(first, second);
      expect(expected, out, in);
    }
    EXPECT_EQ(result(), expected) << out << ", " << in;
  }

  static constexpr int kHot = 60;  ///< launches
  ProgramPtr program_;
  KernelPtr kernel_;
  QueuePtr queue_;
  MemPtr memory_;
  Numbers numbers_;
};

TEST_F(DistinctBuffers, AreToldFromOthers) {
  check(0, kNumbers, kHot);  // apart
  check(0, 0, 1);            // one
  check(0, kNumbers, 1);
  check(kNumbers, 0, 1);
}

TEST_F(DistinctBuffers, OneBufferTwice) {
  write();
  Numbers expected = numbers_;
  for (int i = 0; i < kHot; ++i) {
    launch(memory_, memory_);
    expect(expected, 0, 0);
  }
  EXPECT_EQ(result(), expected);
}

/// Memory of the application, of which two buffers have the same bytes.
TEST_F(DistinctBuffers, MemoryOfTheApplication) {
  Numbers memory = numbers_;
  const auto wrapped = [&](std::size_t first) {
    cl_int code = 1;
    MemPtr made(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, kNumbers * sizeof(cl_uint),
                               memory.data() + first, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  };
  Numbers expected = numbers_;
  const MemPtr low = wrapped(0);
  const MemPtr same = wrapped(0);
  const MemPtr high = wrapped(kNumbers);
  for (int i = 0; i < kHot; ++i) {
    launch(low, high);
    expect(expected, 0, kNumbers);
  }
  for (int i = 0; i < 3; ++i) {
    launch(low, same);
    expect(expected, 0, 0);
  }
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(memory, expected);
}

/// Pointers of shared virtual memory have no size, so nothing is known of them.
TEST_F(DistinctBuffers, SharedVirtualMemory) {
  auto* memory =
      static_cast<cl_uint*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, numbers_.size() * sizeof(cl_uint), 0));
  ASSERT_NE(memory, nullptr);
  std::memcpy(memory, numbers_.data(), numbers_.size() * sizeof(cl_uint));
  Numbers expected = numbers_;
  const cl_uint length = kLength;
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_.get(), 0, memory), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel_.get(), 2, sizeof length, &length), CL_SUCCESS);
  for (int i = 0; i < kHot; ++i) {
    const std::size_t in = i + 3 < kHot ? kNumbers : 0;
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel_.get(), 1, memory + in), CL_SUCCESS);
    const std::size_t local = 64;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &kRows, &local, 0, nullptr, nullptr),
              CL_SUCCESS);
    expect(expected, 0, in);
  }
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(Numbers(memory, memory + numbers_.size()), expected);
  clSVMFree(context_.get(), memory);
}

}  // namespace
}  // namespace lanewise::test
