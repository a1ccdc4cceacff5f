// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_ext_immutable_memory_objects: how such objects may be created, and that nothing may write to them.
#include "include/lanewise/cl_compat.h"
#include "tests/api/memory_fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class Immutable : public WithQueue {
 protected:
  static constexpr std::size_t kSize = 1024;

  void SetUp() override {
    WithQueue::SetUp();
    data = some_bytes(kSize);
    fixed = buffer_of(data, CL_MEM_IMMUTABLE_EXT);
    other = buffer_of(some_bytes(kSize, 2));
  }
  void TearDown() override {
    if (fixed) EXPECT_EQ(contents(fixed), data);
    fixed.reset();
    other.reset();
    WithQueue::TearDown();
  }
  void refuse(cl_mem_flags flags, void* host, cl_int expected = CL_INVALID_VALUE) {
    cl_int code = 1;
    EXPECT_EQ(clCreateBuffer(context, flags, kSize, host, &code), nullptr);
    EXPECT_EQ(code, expected) << std::hex << flags;
  }

  Bytes data;
  Mem fixed;
  Mem other;
};

TEST_F(Immutable, FlagsThatGoWithIt) {
  EXPECT_EQ(mem_value<cl_mem_flags>(fixed.get(), CL_MEM_FLAGS), CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
  const auto in_place = buffer(kSize, CL_MEM_IMMUTABLE_EXT | CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, data.data());
  EXPECT_EQ(contents(in_place), data);
  for (const cl_mem_flags writer : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    refuse(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR | writer, data.data());
  refuse(CL_MEM_IMMUTABLE_EXT, nullptr);
  refuse(CL_MEM_IMMUTABLE_EXT | CL_MEM_ALLOC_HOST_PTR, nullptr);
  refuse(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, nullptr, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_IMMUTABLE_EXT, kSize, 0), nullptr);
}

TEST_F(Immutable, NoCommandWritesIt) {
  const Bytes some(kSize, 7);
  const std::size_t zero[3] = {0, 0, 0};
  const std::size_t region[3] = {16, 2, 1};
  EXPECT_EQ(clEnqueueWriteBuffer(queue, fixed.get(), CL_TRUE, 0, 16, some.data(), 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueWriteBufferRect(queue, fixed.get(), CL_TRUE, zero, zero, region, 0, 0, 0, 0, some.data(), 0,
                                     nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, other.get(), fixed.get(), 0, 0, 16, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(
      clEnqueueCopyBufferRect(queue, other.get(), fixed.get(), zero, zero, region, 0, 0, 0, 0, 0, nullptr, nullptr),
      CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueFillBuffer(queue, fixed.get(), some.data(), 4, 0, 16, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  for (const cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, CL_MAP_READ | CL_MAP_WRITE}) {
    cl_int code = 1;
    EXPECT_EQ(clEnqueueMapBuffer(queue, fixed.get(), CL_TRUE, flags, 0, 16, 0, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
  }
}

TEST_F(Immutable, EverythingThatReadsItWorks) {
  cl_int code = 1;
  void* mapped = clEnqueueMapBuffer(queue, fixed.get(), CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(std::memcmp(mapped, data.data(), kSize), 0);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, fixed.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, fixed.get(), other.get(), 0, 0, kSize, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(contents(other), data);
}

TEST_F(Immutable, SubBuffersInheritIt) {
  const auto part = sub_buffer(fixed, 0, 512);
  EXPECT_EQ(mem_value<cl_mem_flags>(part.get(), CL_MEM_FLAGS), CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR);
  const auto reader = sub_buffer(fixed, 0, 512, CL_MEM_READ_ONLY);
  EXPECT_NE(mem_value<cl_mem_flags>(reader.get(), CL_MEM_FLAGS) & CL_MEM_IMMUTABLE_EXT, 0u);
  const int value = 3;
  EXPECT_EQ(clEnqueueFillBuffer(queue, part.get(), &value, sizeof value, 0, 16, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  const cl_buffer_region region{0, 512};
  for (const cl_mem_flags writer : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
    cl_int code = 1;
    EXPECT_EQ(clCreateSubBuffer(fixed.get(), writer, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
  }
}

class ImmutableArguments : public ProgramFixture {};

TEST_F(ImmutableArguments, OnlyWhereTheKernelCannotWriteThroughThem) {
  const auto program = built(
      "kernel void f(constant int* a, global const int* b, const global int* restrict c, global int* d, global int* "
      "const e) { d[0] = a[0] + b[0] + c[0] + e[0]; }");
  const auto f = kernel(program, "f");
  int data[4] = {1, 2, 3, 4};
  cl_int code = 1;
  const MemPtr fixed(
      clCreateBuffer(context_.get(), CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, sizeof data, data, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const cl_buffer_region region{0, 4};
  cl_mem whole = fixed.get();
  const MemPtr part_of(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto plain = buffer(16);
  cl_mem part = part_of.get(), writable = plain.get();
  for (cl_mem* handle : {&whole, &part}) {
    for (const cl_uint index : {0, 1, 2}) EXPECT_EQ(clSetKernelArg(f.get(), index, sizeof(cl_mem), handle), CL_SUCCESS);
    for (const cl_uint index : {3, 4}) {
      EXPECT_EQ(clSetKernelArg(f.get(), index, sizeof(cl_mem), &writable), CL_SUCCESS);
      EXPECT_EQ(clSetKernelArg(f.get(), index, sizeof(cl_mem), handle), CL_INVALID_ARG_VALUE);
    }
  }
}

}  // namespace
}  // namespace lanewise::test
