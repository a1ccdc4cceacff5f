// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_ext_buffer_device_address: fixed addresses of buffers, as queries, as arguments, and inside memory.
#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
kernel void address(global int* p, global ulong* out) { *out = (ulong)p; }
kernel void behind(global ulong* where, global int* out) { *out = **(global int* global*)where; }
kernel void before(global int* p, constant int* c, local int* l, int v, global int* out) { *out = *(p - 2); }
)";

class DeviceAddress : public ProgramFixture {
 protected:
  using Set = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext);

  void SetUp() override {
    ProgramFixture::SetUp();
    set = reinterpret_cast<Set>(clGetExtensionFunctionAddressForPlatform(platform_, "clSetKernelArgDevicePointerEXT"));
    ASSERT_NE(set, nullptr);
    program = built(kSource);
  }
  MemPtr create(std::vector<cl_mem_properties> list, cl_int expected = CL_SUCCESS, cl_mem_flags flags = 0,
                void* host = nullptr) {
    cl_int code = 1;
    MemPtr made(clCreateBufferWithProperties(context_.get(), list.data(), flags, 256, host, &code));
    EXPECT_EQ(code, expected);
    return made;
  }
  MemPtr fixed() { return create({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}); }
  static cl_mem_device_address_ext address(const MemPtr& memory) {
    cl_mem_device_address_ext value = 0;
    size_t size = 0;
    EXPECT_EQ(clGetMemObjectInfo(memory.get(), CL_MEM_DEVICE_ADDRESS_EXT, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);  // one device
    return value;
  }
  void fill(const MemPtr& memory, size_t offset, int value) {
    const auto on = queue();
    EXPECT_EQ(clEnqueueWriteBuffer(on.get(), memory.get(), CL_TRUE, offset, sizeof value, &value, 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  Set set = nullptr;
  ProgramPtr program;
};

TEST_F(DeviceAddress, IsWhatAKernelSees) {
  const auto memory = fixed();
  const auto out = buffer(8);
  const auto k = kernel(program, "address");
  cl_mem handles[] = {memory.get(), out.get()};
  for (cl_uint i = 0; i < 2; ++i) EXPECT_EQ(clSetKernelArg(k.get(), i, sizeof(cl_mem), &handles[i]), CL_SUCCESS);
  run(k, 1);
  EXPECT_EQ(read<cl_ulong>(out, 1)[0], address(memory));
  const cl_buffer_region region{128, 128};
  cl_int code = 1;
  const MemPtr part(clCreateSubBuffer(memory.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(address(part), address(memory) + 128);
}

TEST_F(DeviceAddress, WorksAsAnArgumentAndThroughMemory) {
  const auto memory = fixed();
  const auto out = buffer(4);
  cl_mem out_handle = out.get();
  fill(memory, 0, 4711);
  const auto k = kernel(program, "before");
  const auto constants = buffer(4);
  cl_mem constant_handle = constants.get();
  const int value = 0;
  EXPECT_EQ(set(k.get(), 0, address(memory) + 8), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof(cl_mem), &constant_handle), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 2, 16, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 3, sizeof value, &value), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 4, sizeof(cl_mem), &out_handle), CL_SUCCESS);
  run(k, 1);
  EXPECT_EQ(read<int>(out, 1)[0], 4711);

  const auto where = buffer(8);
  cl_mem where_handle = where.get();
  const cl_mem_device_address_ext at = address(memory);
  const auto on = queue();
  EXPECT_EQ(clEnqueueWriteBuffer(on.get(), where.get(), CL_TRUE, 0, sizeof at, &at, 0, nullptr, nullptr), CL_SUCCESS);
  fill(memory, 0, 42);
  const auto indirect = kernel(program, "behind");
  EXPECT_EQ(clSetKernelArg(indirect.get(), 0, sizeof(cl_mem), &where_handle), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(indirect.get(), 1, sizeof(cl_mem), &out_handle), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(indirect.get(), CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof at, &at), CL_SUCCESS);
  run(indirect, 1);
  EXPECT_EQ(read<int>(out, 1)[0], 42);
}

TEST_F(DeviceAddress, IsTheHostPointerOfAnSvmAllocation) {
  void* svm = clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 256, 0);
  ASSERT_NE(svm, nullptr);
  {
    const auto memory = create({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}, CL_SUCCESS, CL_MEM_USE_HOST_PTR, svm);
    EXPECT_EQ(address(memory), reinterpret_cast<std::uintptr_t>(svm));
  }
  clSVMFree(context_.get(), svm);
}

TEST_F(DeviceAddress, OneForEachDeviceOfTheContext) {
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device_, by, 0, nullptr, &count) != CL_SUCCESS || count < 2) GTEST_SKIP() << "one unit";
  std::vector<cl_device_id> parts(count);
  ASSERT_EQ(clCreateSubDevices(device_, by, count, parts.data(), nullptr), CL_SUCCESS);
  cl_int code = 1;
  {
    const ContextPtr both(clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    const cl_mem_properties list[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    const MemPtr memory(clCreateBufferWithProperties(both.get(), list, 0, 64, nullptr, &code));
    cl_mem_device_address_ext values[2] = {0, 1};
    EXPECT_EQ(clGetMemObjectInfo(memory.get(), CL_MEM_DEVICE_ADDRESS_EXT, sizeof values, values, nullptr), CL_SUCCESS);
    EXPECT_EQ(values[0], values[1]);
  }
  for (const auto part : parts) EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

TEST_F(DeviceAddress, Errors) {
  create({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0}, CL_INVALID_PROPERTY);
  create({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0},
         CL_INVALID_PROPERTY);
  create({4711, CL_TRUE, 0}, CL_INVALID_PROPERTY);
  cl_mem_device_address_ext value = 0;
  for (const auto& plain : {create({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0}), create({0})})
    EXPECT_EQ(clGetMemObjectInfo(plain.get(), CL_MEM_DEVICE_ADDRESS_EXT, sizeof value, &value, nullptr),
              CL_INVALID_OPERATION);
  const auto k = kernel(program, "before");
  EXPECT_EQ(set(nullptr, 0, 0), CL_INVALID_KERNEL);
  for (const cl_uint index : {1u, 2u, 3u, 5u}) EXPECT_EQ(set(k.get(), index, 0), CL_INVALID_ARG_INDEX) << index;
  EXPECT_EQ(set(k.get(), 0, 0), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(k.get(), CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 4, &value), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(k.get(), CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 8, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(k.get(), CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 0, nullptr), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
