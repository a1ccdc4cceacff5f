// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes, offsets and pitches that overflow, by table: buffers, maps, pointers, kernels. Images are in
/// tests/api/images/huge_sizes_test.cpp.
#include "tests/api/huge_sizes.h"

#include <CL/cl_ext.h>

#include "include/lanewise/cl_compat.h"
#include "tests/api/memory_fixture.h"

namespace lanewise::test {
namespace {

class HugeSizes : public WithQueue {
 protected:
  static constexpr std::size_t kSize = 4096;

  void SetUp() override {
    WithQueue::SetUp();
    first_ = buffer(kSize);
    second_ = buffer(kSize);
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    first_.reset();
    second_.reset();
    WithQueue::TearDown();
  }
  template <class F>
  F extension(const char* name) const {
    const auto function = reinterpret_cast<F>(clGetExtensionFunctionAddressForPlatform(platform, name));
    EXPECT_NE(function, nullptr) << name;
    return function;
  }
  cl_int released(cl_mem made, cl_int code) const {
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) EXPECT_EQ(clReleaseMemObject(made), CL_SUCCESS);
    return code;
  }

  Mem first_;
  Mem second_;
  Bytes host_ = Bytes(kSize);
};

TEST_F(HugeSizes, Creation) {
  check_huge({"clCreateBuffer",
              {64},
              [&](const Values& v) {
                cl_int code = 1;
                return released(clCreateBuffer(context, 0, v[0], nullptr, &code), code);
              },
              {CL_INVALID_BUFFER_SIZE}});
  check_huge({"clCreateBufferWithProperties",
              {64},
              [&](const Values& v) {
                cl_int code = 1;
                return released(clCreateBufferWithProperties(context, nullptr, 0, v[0], nullptr, &code), code);
              },
              {CL_INVALID_BUFFER_SIZE}});
  const auto import = extension<clImportMemoryARM_fn>("clImportMemoryARM");
  check_huge({"clImportMemoryARM",
              {64},
              [&](const Values& v) {
                cl_int code = 1;
                return released(import(context, 0, nullptr, host_.data(), v[0], &code), code);
              },
              {CL_INVALID_BUFFER_SIZE}});
  check_huge({"clCreateSubBuffer",
              {0, 64},
              [&](const Values& v) {
                const cl_buffer_region region{v[0], v[1]};
                cl_int code = 1;
                return released(clCreateSubBuffer(first_.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), code);
              },
              {CL_INVALID_VALUE}});
  check_huge({"clSVMAlloc",
              {64},
              [&](const Values& v) {
                void* made = clSVMAlloc(context, CL_MEM_READ_WRITE, v[0], 0);
                clSVMFree(context, made);
                return made != nullptr ? CL_SUCCESS : CL_INVALID_BUFFER_SIZE;
              },
              {CL_INVALID_BUFFER_SIZE}});
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 1u << 31), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, ~0u), nullptr);
}

TEST_F(HugeSizes, LinearTransfers) {
  const std::vector<cl_int> refusals{CL_INVALID_VALUE};
  check_huge({"clEnqueueReadBuffer",
              {16, 64},
              [&](const Values& v) {
                return clEnqueueReadBuffer(queue, first_.get(), CL_FALSE, v[0], v[1], host_.data(), 0, nullptr,
                                           nullptr);
              },
              refusals});
  check_huge({"clEnqueueWriteBuffer",
              {16, 64},
              [&](const Values& v) {
                return clEnqueueWriteBuffer(queue, first_.get(), CL_FALSE, v[0], v[1], host_.data(), 0, nullptr,
                                            nullptr);
              },
              refusals});
  check_huge({"clEnqueueCopyBuffer",
              {16, 32, 64},
              [&](const Values& v) {
                return clEnqueueCopyBuffer(queue, first_.get(), second_.get(), v[0], v[1], v[2], 0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueFillBuffer",
              {4, 16, 64},
              [&](const Values& v) {
                return clEnqueueFillBuffer(queue, first_.get(), host_.data(), v[0], v[1], v[2], 0, nullptr, nullptr);
              },
              refusals});
  check_huge({"clEnqueueMapBuffer",
              {16, 64},
              [&](const Values& v) {
                cl_int code = 1;
                void* mapped = clEnqueueMapBuffer(queue, first_.get(), CL_FALSE, CL_MAP_READ, v[0], v[1], 0, nullptr,
                                                  nullptr, &code);
                EXPECT_EQ(mapped != nullptr, code == CL_SUCCESS);
                if (mapped != nullptr) {
                  EXPECT_EQ(clEnqueueUnmapMemObject(queue, first_.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
                }
                return code;
              },
              refusals});
}

TEST_F(HugeSizes, RectangularTransfers) {
  // Origins (x, y, z) of the buffer and of the other side, region, then row and slice pitch of both.
  const Values legal{1, 1, 1, 2, 1, 1, 4, 4, 4, 16, 128, 8, 64};
  const auto call = [&](const char* name, auto run) {
    check_huge({name,
                legal,
                [run](const Values& v) { return run(v.data(), v.data() + 3, v.data() + 6, v); },
                {CL_INVALID_VALUE}});
  };
  using Sizes = const std::size_t*;
  call("clEnqueueReadBufferRect", [&](Sizes origin, Sizes host_origin, Sizes region, const Values& v) {
    return clEnqueueReadBufferRect(queue, first_.get(), CL_FALSE, origin, host_origin, region, v[9], v[10], v[11],
                                   v[12], host_.data(), 0, nullptr, nullptr);
  });
  call("clEnqueueWriteBufferRect", [&](Sizes origin, Sizes host_origin, Sizes region, const Values& v) {
    return clEnqueueWriteBufferRect(queue, first_.get(), CL_FALSE, origin, host_origin, region, v[9], v[10], v[11],
                                    v[12], host_.data(), 0, nullptr, nullptr);
  });
  call("clEnqueueCopyBufferRect", [&](Sizes from, Sizes to, Sizes region, const Values& v) {
    return clEnqueueCopyBufferRect(queue, first_.get(), second_.get(), from, to, region, v[9], v[10], v[11], v[12], 0,
                                   nullptr, nullptr);
  });
}

/// Ranges that wrap around, or that leave the allocation in which they begin.
class HugePointerRanges : public HugeSizes {
 protected:
  void SetUp() override {
    HugeSizes::SetUp();
    for (auto& pointer : shared_) {
      pointer = static_cast<std::byte*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0));
      ASSERT_NE(pointer, nullptr);
    }
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (void* pointer : shared_) clSVMFree(context, pointer);
    HugeSizes::TearDown();
  }
  std::byte* shared_[2] = {};
};

TEST_F(HugePointerRanges, Commands) {
  const std::vector<cl_int> refusals{CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP};
  const auto copy_usm = extension<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const auto fill_usm = extension<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
  const auto copies = [&](const char* name, auto run) {
    for (std::byte* to : {shared_[0], reinterpret_cast<std::byte*>(host_.data())}) {
      check_huge({name, {64}, [=, this](const Values& v) { return run(to, shared_[1], v[0]); }, refusals});
      check_huge({name, {64}, [=, this](const Values& v) { return run(shared_[1], to, v[0]); }, refusals});
    }
    EXPECT_EQ(run(shared_[0], shared_[1], kSize), CL_SUCCESS);
    EXPECT_EQ(run(shared_[0] + 1, shared_[1], kSize), CL_INVALID_VALUE);
    EXPECT_EQ(run(shared_[0], shared_[1] + 1, kSize), CL_INVALID_VALUE);
  };
  copies("clEnqueueSVMMemcpy", [&](void* to, const void* from, std::size_t size) {
    return clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, size, 0, nullptr, nullptr);
  });
  copies("clEnqueueMemcpyINTEL", [&](void* to, const void* from, std::size_t size) {
    return copy_usm(queue, CL_FALSE, to, from, size, 0, nullptr, nullptr);
  });
  const auto fills = [&](const char* name, auto run) {
    check_huge({name, {4, 64}, [=, this](const Values& v) { return run(shared_[0], v[0], v[1]); }, refusals});
    check_huge({name, {4, 64}, [=, this](const Values& v) { return run(host_.data(), v[0], v[1]); }, refusals});
    EXPECT_EQ(run(shared_[0], 4, kSize), CL_SUCCESS);
    EXPECT_EQ(run(shared_[0] + 4, 4, kSize), CL_INVALID_VALUE);
  };
  const cl_int pattern = 0;
  fills("clEnqueueSVMMemFill", [&](void* to, std::size_t pattern_size, std::size_t size) {
    return clEnqueueSVMMemFill(queue, to, &pattern, pattern_size, size, 0, nullptr, nullptr);
  });
  fills("clEnqueueMemFillINTEL", [&](void* to, std::size_t pattern_size, std::size_t size) {
    return fill_usm(queue, to, &pattern, pattern_size, size, 0, nullptr, nullptr);
  });
  check_huge({"clEnqueueSVMMap",
              {64},
              [&](const Values& v) {
                const cl_int code =
                    clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, shared_[0], v[0], 0, nullptr, nullptr);
                if (code == CL_SUCCESS) {
                  EXPECT_EQ(clEnqueueSVMUnmap(queue, shared_[0], 0, nullptr, nullptr), CL_SUCCESS);
                }
                return code;
              },
              refusals});
  check_huge({"clEnqueueSVMMigrateMem",
              {64, 64},
              [&](const Values& v) {
                const void* pointers[] = {shared_[0], shared_[1]};
                return clEnqueueSVMMigrateMem(queue, 2, pointers, v.data(), 0, 0, nullptr, nullptr);
              },
              refusals});
}

TEST_F(HugePointerRanges, Allocations) {
  const auto free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
  const auto call = [&](const char* name, auto make) {
    check_huge({name,
                {64},
                [&, make](const Values& v) {
                  cl_int code = 1;
                  void* made = make(v[0], 0u, &code);
                  EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
                  EXPECT_EQ(free(context, made), CL_SUCCESS);
                  return code;
                },
                {CL_INVALID_BUFFER_SIZE}});
    for (const cl_uint alignment : {1u << 31, ~0u, 3u}) {
      cl_int code = 1;
      EXPECT_EQ(make(64, alignment, &code), nullptr);
      EXPECT_EQ(code, CL_INVALID_VALUE);
    }
  };
  const auto host = extension<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const auto on_device = extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto shared = extension<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  call("clHostMemAllocINTEL", [=, this](std::size_t size, cl_uint alignment, cl_int* code) {
    return host(context, nullptr, size, alignment, code);
  });
  call("clDeviceMemAllocINTEL", [=, this](std::size_t size, cl_uint alignment, cl_int* code) {
    return on_device(context, device, nullptr, size, alignment, code);
  });
  call("clSharedMemAllocINTEL", [=, this](std::size_t size, cl_uint alignment, cl_int* code) {
    return shared(context, device, nullptr, size, alignment, code);
  });
}

TEST_F(HugeSizes, KernelsAndNativeKernels) {
  const char* source = "kernel void k(local int* a, local int* b, global int* c) { c[0] = a[0] + b[0]; }";
  cl_int code = 1;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(program, "k", &code);
  ASSERT_EQ(code, CL_SUCCESS);
  const cl_mem memory = first_.get();
  ASSERT_EQ(clSetKernelArg(kernel, 2, sizeof memory, &memory), CL_SUCCESS);
  const auto arguments = [&](const Values& v) {
    for (cl_uint i = 0; i < 2; ++i)
      if (const cl_int set = clSetKernelArg(kernel, i, v[i], nullptr); set != CL_SUCCESS) return set;
    return clSetKernelArg(kernel, 2, v[2], &memory);
  };
  check_huge(
      {"clSetKernelArg", {64, 64, sizeof memory}, arguments, {CL_INVALID_ARG_SIZE, CL_MAX_SIZE_RESTRICTION_EXCEEDED}});
  // Offset, global and local size of two dimensions.
  check_huge({"clEnqueueNDRangeKernel",
              {1, 1, 2, 2, 1, 1},
              [&](const Values& v) {
                // A large global size alone is legal and would run for years.
                const bool runs = v[2] > 16 || v[3] > 16;
                const Values global{runs ? SIZE_MAX : v[2], runs ? SIZE_MAX : v[3]};
                return clEnqueueNDRangeKernel(queue, kernel, 2, v.data(), global.data(), v.data() + 4, 0, nullptr,
                                              nullptr);
              },
              {CL_INVALID_GLOBAL_OFFSET, CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE,
               CL_INVALID_GLOBAL_WORK_SIZE, CL_OUT_OF_RESOURCES},
              {0, 1}});
  check_huge({"clEnqueueNativeKernel",
              {sizeof(void*)},
              [&](const Values& v) {
                void* arguments_of[1] = {};
                return clEnqueueNativeKernel(
                    queue, [](void*) {}, v[0] == sizeof(void*) ? arguments_of : nullptr, v[0], 0, nullptr, nullptr, 0,
                    nullptr, nullptr);
              },
              {CL_INVALID_VALUE}});
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
