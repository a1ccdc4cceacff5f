// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels and their arguments through the API: every entry point of API 5.9 and every error that it names.
#include <CL/cl_ext.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr const char* kArgs = R"(
typedef struct { int a; double b; char c; } Record;
kernel void args(int value, global int* out, constant int* in, local int* scratch, float3 vector, Record record) {
  scratch[get_local_id(0)] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[0] + (in ? in[0] : 0) + (int)vector.z + record.a + (int)record.b + record.c;
}
)";
struct Record {
  cl_int a;
  cl_double b;
  cl_char c;
};
enum Arg : cl_uint { kValue, kOut, kIn, kScratch, kVector, kRecord, kCount };

class Kernel : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    program_ = built(kArgs);
    kernel_ = kernel(program_, "args");
    out_ = buffer(64 * sizeof(int));
    queue_ = queue();
  }
  cl_int set(cl_uint index, size_t size, const void* value) {
    return clSetKernelArg(kernel_.get(), index, size, value);
  }
  template <class T>
  cl_int set(cl_uint index, const T& value) {
    return set(index, sizeof value, &value);
  }
  /// OpenCL 3.1 lets local memory have no size.
  [[nodiscard]] bool has_31() const {
    cl_version version = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, nullptr), CL_SUCCESS);
    return version >= CL_MAKE_VERSION(3, 1, 0);
  }
  void set_all() {
    const Record record{1, 2.0, 3};
    const cl_float3 vector{{0, 0, 4, 0}};
    EXPECT_EQ(set(kValue, 100), CL_SUCCESS);
    EXPECT_EQ(set(kOut, out_.get()), CL_SUCCESS);
    EXPECT_EQ(set(kIn, sizeof(cl_mem), nullptr), CL_SUCCESS);
    EXPECT_EQ(set(kScratch, 64 * sizeof(int), nullptr), CL_SUCCESS);
    EXPECT_EQ(set(kVector, vector), CL_SUCCESS);
    EXPECT_EQ(set(kRecord, record), CL_SUCCESS);
  }
  cl_int enqueue(cl_kernel kernel) {
    const size_t items = 64;
    return clEnqueueNDRangeKernel(queue_.get(), kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  }
  int result(cl_kernel kernel) {
    EXPECT_EQ(enqueue(kernel), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    return read<int>(out_, 64)[63];
  }

  ProgramPtr program_;
  KernelPtr kernel_;
  MemPtr out_;
  QueuePtr queue_;
};

TEST_F(Kernel, CreateErrors) {
  cl_int code = 1;
  EXPECT_EQ(clCreateKernel(nullptr, "args", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM);
  EXPECT_EQ(clCreateKernel(program_.get(), nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernel(program_.get(), "nothing", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program_.get(), "", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(source(kArgs).get(), "args", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clCreateKernel(compiled(kArgs).get(), "args", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Kernel, CreateKernelsInProgram) {
  const auto program = built("kernel void a() {} void helper() {} kernel void b(int x) {} kernel void c() {}");
  cl_uint count = 0;
  ASSERT_EQ(clCreateKernelsInProgram(program.get(), 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 3u);
  std::array<cl_kernel, 3> kernels{};
  EXPECT_EQ(clCreateKernelsInProgram(program.get(), 2, kernels.data(), &count), CL_INVALID_VALUE);
  ASSERT_EQ(clCreateKernelsInProgram(program.get(), 3, kernels.data(), nullptr), CL_SUCCESS);
  const char* names[] = {"a", "b", "c"};
  for (size_t i = 0; i < 3; ++i) {
    char name[8] = "";
    EXPECT_EQ(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr), CL_SUCCESS);
    EXPECT_STREQ(name, names[i]);
    EXPECT_EQ(clReleaseKernel(kernels[i]), CL_SUCCESS);
  }
  // The kernels that the calls above made internally have been released: the program may be built again.
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clCreateKernelsInProgram(nullptr, 0, nullptr, &count), CL_INVALID_PROGRAM);
  EXPECT_EQ(clCreateKernelsInProgram(source(kArgs).get(), 0, nullptr, &count), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Kernel, ReferenceCounts) {
  const auto count = [&] {
    cl_uint value = 0;
    clGetKernelInfo(kernel_.get(), CL_KERNEL_REFERENCE_COUNT, sizeof value, &value, nullptr);
    return value;
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(clRetainKernel(kernel_.get()), CL_SUCCESS);
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(clReleaseKernel(kernel_.get()), CL_SUCCESS);
  EXPECT_EQ(clRetainKernel(nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clReleaseKernel(nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clRetainKernel(reinterpret_cast<cl_kernel>(program_.get())), CL_INVALID_KERNEL);
}

TEST_F(Kernel, RunsWithAllArguments) {
  set_all();
  EXPECT_EQ(result(kernel_.get()), 100 + 4 + 1 + 2 + 3);
  const auto in = buffer(sizeof(int));
  const int thousand = 1000;
  ASSERT_EQ(clEnqueueWriteBuffer(queue_.get(), in.get(), CL_TRUE, 0, sizeof thousand, &thousand, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(set(kIn, in.get()), CL_SUCCESS);
  EXPECT_EQ(result(kernel_.get()), 1110);
  const cl_mem null_buffer = nullptr;
  EXPECT_EQ(set(kIn, null_buffer), CL_SUCCESS);
  EXPECT_EQ(result(kernel_.get()), 110);
}

TEST_F(Kernel, ArgumentsAreTakenAtEnqueue) {
  set_all();
  const size_t items = 64;
  std::vector<MemPtr> outputs;
  for (int i = 0; i < 20; ++i) {
    outputs.push_back(buffer(items * sizeof(int)));
    EXPECT_EQ(set(kValue, i * 100), CL_SUCCESS);
    EXPECT_EQ(set(kOut, outputs.back().get()), CL_SUCCESS);
    ASSERT_EQ(enqueue(kernel_.get()), CL_SUCCESS);
  }
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(read<int>(outputs[static_cast<size_t>(i)], items)[5], i * 100 + 10);
}

TEST_F(Kernel, UnsetArguments) {
  EXPECT_EQ(enqueue(kernel_.get()), CL_INVALID_KERNEL_ARGS);
  set_all();
  const auto fresh = kernel(program_, "args");
  for (cl_uint i = 0; i + 1 < kCount; ++i) {
    EXPECT_EQ(enqueue(fresh.get()), CL_INVALID_KERNEL_ARGS);
  }
}

TEST_F(Kernel, SetArgErrors) {
  const int value = 1;
  const cl_mem out = out_.get();
  EXPECT_EQ(clSetKernelArg(nullptr, 0, sizeof value, &value), CL_INVALID_KERNEL);
  EXPECT_EQ(set(kCount, value), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set(~0u, value), CL_INVALID_ARG_INDEX);
  // Values.
  EXPECT_EQ(set(kValue, sizeof value, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(kValue, 2, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(kValue, 0, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(kVector, 12, &value), CL_INVALID_ARG_SIZE);  // float3 has the size of float4
  EXPECT_EQ(set(kRecord, sizeof(Record) + 1, &value), CL_INVALID_ARG_SIZE);
  // Memory objects.
  EXPECT_EQ(set(kOut, 4, &out), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(kOut, 4, nullptr), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(kOut, context_.get()), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(kIn, program_.get()), CL_INVALID_MEM_OBJECT);
  const auto other = new_context();
  cl_int code = 1;
  const MemPtr foreign(clCreateBuffer(other.get(), CL_MEM_READ_WRITE, 16, nullptr, &code));
  EXPECT_EQ(set(kOut, foreign.get()), CL_INVALID_MEM_OBJECT);
  // Local memory.
  EXPECT_EQ(set(kScratch, 0, nullptr), has_31() ? CL_SUCCESS : CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(kScratch, 16, &value), CL_INVALID_ARG_VALUE);
}

TEST_F(Kernel, FailedSetKeepsTheOldValue) {
  set_all();
  const int value = 5;
  EXPECT_NE(set(kValue, 1, &value), CL_SUCCESS);
  EXPECT_NE(set(kOut, context_.get()), CL_SUCCESS);
  EXPECT_NE(set(kScratch, 16, &value), CL_SUCCESS);
  EXPECT_EQ(result(kernel_.get()), 110);
}

TEST_F(Kernel, TooMuchLocalMemoryFailsAtLaunch) {
  set_all();
  cl_ulong limit = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_LOCAL_MEM_SIZE, sizeof limit, &limit, nullptr), CL_SUCCESS);
  ASSERT_EQ(set(kScratch, limit + 1, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel_.get()), CL_OUT_OF_RESOURCES);
}

TEST_F(Kernel, LocalArgumentsDoNotOverlap) {
  const auto program = built(R"(
kernel void k(local char* a, local double* b, global int* out, local char* c) {
  local int fixed[3];
  for (int i = 0; i < 3; ++i) a[i] = 1, b[i] = 2, c[i] = 3, fixed[i] = 4;
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += a[i] + (int)b[i] + c[i] + fixed[i];
  out[0] = sum;
})");
  const auto k = kernel(program, "k");
  const cl_mem out = out_.get();
  EXPECT_EQ(clSetKernelArg(k.get(), 3, 3, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 0, 3, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, 24, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 2, sizeof out, &out), CL_SUCCESS);
  run(k, 1, 1);
  EXPECT_EQ(read<int>(out_, 1)[0], 3 * (1 + 2 + 3 + 4));
  EXPECT_EQ(clSetKernelArg(k.get(), 0, 1000, nullptr), CL_SUCCESS);
  run(k, 1, 1);
  EXPECT_EQ(read<int>(out_, 1)[0], 30);
}

TEST_F(Kernel, ManyAndLargeArguments) {
  std::string text = "kernel void k(global int* out";
  for (int i = 0; i < 20; ++i) text += ", global int* p" + std::to_string(i) + ", double16 v" + std::to_string(i);
  text += ") { double s = 0;";
  for (int i = 0; i < 20; ++i) text += "s += *p" + std::to_string(i) + " + v" + std::to_string(i) + ".sf;";
  text += "out[0] = (int)s; }";
  const auto k = kernel(built(text), "k");
  const cl_mem out = out_.get();
  ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof out, &out), CL_SUCCESS);
  std::vector<MemPtr> inputs;
  for (cl_uint i = 0; i < 20; ++i) {
    int value = static_cast<int>(i);
    cl_int code = 1;
    inputs.emplace_back(clCreateBuffer(context_.get(), CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code));
    const cl_mem in = inputs.back().get();
    cl_double16 vector{};
    vector.s[15] = 100.0;
    ASSERT_EQ(clSetKernelArg(k.get(), 1 + 2 * i, sizeof in, &in), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(k.get(), 2 + 2 * i, sizeof vector, &vector), CL_SUCCESS);
  }
  run(k, 1);
  EXPECT_EQ(read<int>(out_, 1)[0], 190 + 2000);
}

TEST_F(Kernel, CommandsKeepTheirBuffers) {
  set_all();
  auto released = buffer(64 * sizeof(int));
  EXPECT_EQ(set(kOut, released.get()), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel_.get()), CL_SUCCESS);
  released.reset();  // the command still holds it
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
}

TEST_F(Kernel, CommandsGiveEveryBufferBack) {
  constexpr cl_uint kBuffers = 20;  // more than a launch keeps without an allocation
  std::string text = "kernel void k(global int* p0";
  for (cl_uint i = 1; i < kBuffers; ++i) text += ", global int* p" + std::to_string(i);
  const auto k = kernel(built(text + ") { p0[0] = 1; }"), "k");
  std::atomic<int> dead{0};
  std::vector<MemPtr> buffers;
  for (cl_uint i = 0; i < kBuffers; ++i) {
    buffers.push_back(buffer(64));
    const cl_mem handle = buffers.back().get();
    ASSERT_EQ(clSetKernelArg(k.get(), i, sizeof handle, &handle), CL_SUCCESS);
    const auto count = [](cl_mem, void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
    ASSERT_EQ(clSetMemObjectDestructorCallback(handle, count, &dead), CL_SUCCESS);
  }
  for (int i = 0; i < 3; ++i) run(k, 1);
  EXPECT_EQ(dead, 0);
  buffers.clear();
  // A worker may release a command a moment after it has ended.
  for (int i = 0; i < 5000 && dead != static_cast<int>(kBuffers); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(dead, static_cast<int>(kBuffers));
}

TEST_F(Kernel, CloneIsIndependent) {
  set_all();
  cl_int code = 1;
  const KernelPtr copy(clCloneKernel(kernel_.get(), &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(result(copy.get()), 110);
  EXPECT_EQ(set(kValue, 200), CL_SUCCESS);
  EXPECT_EQ(result(copy.get()), 110);
  EXPECT_EQ(result(kernel_.get()), 210);
  cl_uint count = 0;
  EXPECT_EQ(clGetKernelInfo(copy.get(), CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  const auto fresh = kernel(program_, "args");
  const KernelPtr unset(clCloneKernel(fresh.get(), nullptr));
  EXPECT_EQ(enqueue(unset.get()), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(clCloneKernel(nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL);
}

TEST_F(Kernel, PointerArguments) {
  int here = 0;
  EXPECT_EQ(clSetKernelArgSVMPointer(nullptr, kOut, &here), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel_.get(), 1000, &here), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel_.get(), kValue, &here), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel_.get(), kOut, nullptr), CL_SUCCESS);
}

TEST_F(Kernel, ExecutionInfo) {
  const cl_bool flag = CL_TRUE;
  const void* pointers[2] = {};
  const auto set = [&](cl_kernel_exec_info what, std::size_t size, const void* value) {
    return clSetKernelExecInfo(kernel_.get(), what, size, value);
  };
  for (const cl_kernel_exec_info what :
       {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    EXPECT_EQ(set(what, sizeof flag, &flag), CL_SUCCESS);
    EXPECT_EQ(set(what, sizeof flag + 1, &flag), CL_INVALID_VALUE);
    EXPECT_EQ(set(what, sizeof flag, nullptr), CL_INVALID_VALUE);
  }
  for (const cl_kernel_exec_info what : {CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL}) {
    EXPECT_EQ(set(what, sizeof pointers, pointers), CL_SUCCESS);
    EXPECT_EQ(set(what, sizeof pointers - 1, pointers), CL_INVALID_VALUE);
    EXPECT_EQ(set(what, 0, pointers), CL_INVALID_VALUE);
    EXPECT_EQ(set(what, sizeof pointers, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(set(what, 0, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(set(0x1234, sizeof flag, &flag), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr), CL_INVALID_KERNEL);
}

TEST_F(Kernel, Info) {
  cl_uint count = 0;
  cl_context context = nullptr;
  cl_program program = nullptr;
  EXPECT_EQ(clGetKernelInfo(kernel_.get(), CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, cl_uint{kCount});
  EXPECT_EQ(clGetKernelInfo(kernel_.get(), CL_KERNEL_CONTEXT, sizeof context, &context, nullptr), CL_SUCCESS);
  EXPECT_EQ(context, context_.get());
  EXPECT_EQ(clGetKernelInfo(kernel_.get(), CL_KERNEL_PROGRAM, sizeof program, &program, nullptr), CL_SUCCESS);
  EXPECT_EQ(program, program_.get());
  EXPECT_EQ(clGetKernelInfo(kernel_.get(), 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelInfo(kernel_.get(), CL_KERNEL_NUM_ARGS, 1, &count, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr), CL_INVALID_KERNEL);
}

TEST_F(Kernel, Attributes) {
  const auto program =
      built("kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int* o) { o[0] = 1; }");
  const auto attributes = [&](const ProgramPtr& of) {
    const auto k = kernel(of, "k");
    char text[128] = "";
    EXPECT_EQ(clGetKernelInfo(k.get(), CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr), CL_SUCCESS);
    return std::string(text);
  };
  EXPECT_EQ(attributes(program), "reqd_work_group_size(4,2,1)");
  const auto k = kernel(program, "k");
  std::array<size_t, 3> size{};
  EXPECT_EQ(clGetKernelWorkGroupInfo(k.get(), nullptr, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, &size, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(size, (std::array<size_t, 3>{4, 2, 1}));
  const auto loaded = from_binary(binary(program));
  ASSERT_EQ(clBuildProgram(loaded.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(attributes(loaded), "");  // not created from source
}

TEST_F(Kernel, WorkGroupInfo) {
  const auto get = [&](cl_kernel_work_group_info what, auto value, cl_int expected = CL_SUCCESS) {
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_.get(), device_, what, sizeof value, &value, nullptr), expected);
    return value;
  };
  size_t device_limit = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device_limit, &device_limit, nullptr),
            CL_SUCCESS);
  EXPECT_LE(get(CL_KERNEL_WORK_GROUP_SIZE, size_t{0}), device_limit);
  EXPECT_GT(get(CL_KERNEL_WORK_GROUP_SIZE, size_t{0}), 0u);
  EXPECT_GT(get(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t{0}), 0u);
  EXPECT_EQ(get(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, std::array<size_t, 3>{1, 1, 1}), (std::array<size_t, 3>{}));
  EXPECT_EQ(get(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{9}), 0u);
  ASSERT_EQ(set(kScratch, 256, nullptr), CL_SUCCESS);
  EXPECT_EQ(get(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{9}), 256u);
  get(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{0});
  get(CL_KERNEL_GLOBAL_WORK_SIZE, std::array<size_t, 3>{}, CL_INVALID_VALUE);
  get(0, size_t{0}, CL_INVALID_VALUE);
  get(CL_KERNEL_WORK_GROUP_SIZE, char{0}, CL_INVALID_VALUE);
  size_t size = 0;
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_.get(), nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof(size_t));
  EXPECT_EQ(clGetKernelWorkGroupInfo(nullptr, device_, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size),
            CL_INVALID_KERNEL);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_.get(), reinterpret_cast<cl_device_id>(context_.get()),
                                     CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size),
            CL_INVALID_DEVICE);
}

TEST_F(Kernel, ArgInfo) {
  size_t size = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel_.get(), 0, CL_KERNEL_ARG_NAME, 0, nullptr, &size),
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  const auto program = built(
      "kernel void k(global const float4* restrict in, unsigned int n, local volatile uchar* s,"
      "constant int* c) {}",
      "-cl-kernel-arg-info");
  const auto k = kernel(program, "k");
  const auto text = [&](cl_uint index, cl_kernel_arg_info what) {
    char value[64] = "";
    EXPECT_EQ(clGetKernelArgInfo(k.get(), index, what, sizeof value, value, nullptr), CL_SUCCESS);
    return std::string(value);
  };
  const auto number = [&](cl_uint index, cl_kernel_arg_info what, auto value) {
    EXPECT_EQ(clGetKernelArgInfo(k.get(), index, what, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    return value;
  };
  const auto address = [&](cl_uint i) { return number(i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_uint{0}); };
  const auto type_qualifier = [&](cl_uint i) { return number(i, CL_KERNEL_ARG_TYPE_QUALIFIER, cl_bitfield{0}); };
  EXPECT_EQ(text(0, CL_KERNEL_ARG_NAME), "in");
  EXPECT_EQ(text(0, CL_KERNEL_ARG_TYPE_NAME), "float4*");
  EXPECT_EQ(text(1, CL_KERNEL_ARG_TYPE_NAME), "uint");
  EXPECT_EQ(text(2, CL_KERNEL_ARG_TYPE_NAME), "uchar*");
  EXPECT_EQ(address(0), cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(address(1), cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE});
  EXPECT_EQ(address(2), cl_uint{CL_KERNEL_ARG_ADDRESS_LOCAL});
  EXPECT_EQ(address(3), cl_uint{CL_KERNEL_ARG_ADDRESS_CONSTANT});
  EXPECT_EQ(number(0, CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_uint{0}), cl_uint{CL_KERNEL_ARG_ACCESS_NONE});
  EXPECT_EQ(type_qualifier(0), cl_bitfield{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
  EXPECT_EQ(type_qualifier(1), cl_bitfield{CL_KERNEL_ARG_TYPE_NONE});
  EXPECT_EQ(type_qualifier(2), cl_bitfield{CL_KERNEL_ARG_TYPE_VOLATILE});
  EXPECT_EQ(type_qualifier(3), cl_bitfield{CL_KERNEL_ARG_TYPE_CONST});
  EXPECT_EQ(clGetKernelArgInfo(k.get(), 4, CL_KERNEL_ARG_NAME, 0, nullptr, &size), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(k.get(), 0, 0, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelArgInfo(k.get(), 0, CL_KERNEL_ARG_NAME, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, &size), CL_INVALID_KERNEL);
}

TEST_F(Kernel, ArgInfoSurvivesCompileAndLink) {
  const auto part = compiled("kernel void k(int here) {}", "-cl-kernel-arg-info");
  const auto k = kernel(linked({part.get()}), "k");
  char name[16] = "";
  EXPECT_EQ(clGetKernelArgInfo(k.get(), 0, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr), CL_SUCCESS);
  EXPECT_STREQ(name, "here");
}

TEST_F(Kernel, ReleasedBufferIsNoticedAtLaunch) {
  if (kSanitized) GTEST_SKIP() << "reads the head of an object that has been released, which a sanitizer reports";
  set_all();
  auto released = buffer(64 * sizeof(int));
  EXPECT_EQ(set(kOut, released.get()), CL_SUCCESS);
  released.reset();
  EXPECT_EQ(enqueue(kernel_.get()), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(set(kOut, out_.get()), CL_SUCCESS);
  EXPECT_EQ(result(kernel_.get()), 110);
}

TEST_F(Kernel, TwoThreadsBuildAndSetArguments) {
  std::atomic<int> failures{0};
  const auto work = [&](int thread) {
    for (int round = 0; round < 25; ++round) {
      const int value = thread * 1000 + round;
      const auto program = built("kernel void k(global int* o, int x) { o[0] = x + " + std::to_string(value) + "; }");
      const auto k = kernel(program, "k");
      const auto out = buffer(sizeof(int));
      const cl_mem handle = out.get();
      if (clSetKernelArg(k.get(), 0, sizeof handle, &handle) != CL_SUCCESS) ++failures;
      for (int x = 0; x < 100; ++x)
        if (clSetKernelArg(k.get(), 1, sizeof x, &x) != CL_SUCCESS) ++failures;
      run(k, 1);
      if (read<int>(out, 1)[0] != value + 99) ++failures;
    }
  };
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(Kernel, ThreadsShareOneProgram) {
  std::atomic<int> failures{0};
  const auto work = [&] {
    for (int round = 0; round < 200; ++round) {
      cl_int code = 1;
      const KernelPtr k(clCreateKernel(program_.get(), "args", &code));
      if (code != CL_SUCCESS) ++failures;
      // A kernel is attached as long as any thread has one, so this never replaces the executable.
      if (clBuildProgram(program_.get(), 0, nullptr, nullptr, nullptr, nullptr) != CL_INVALID_OPERATION) ++failures;
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace lanewise::test
