// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/ulp/device.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace lanewise::ulp {
namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", what, code);
  std::exit(2);
}

std::string kernel_name(const Form& form) {
  return "f" + std::to_string(form.width) + "_" + std::to_string(form.lanes);
}

/// The expression of a row: operators of the language have names in the table.
std::string application(const Row& row, const std::string& a, const std::string& b) {
  const std::string name = row.name;
  if (name == "add") return a + " + " + b;
  if (name == "subtract") return a + " - " + b;
  if (name == "multiply") return a + " * " + b;
  if (name == "divide") return a + " / " + b;
  if (name == "reciprocal") return std::string("(") + type_name(row.type) + ")1 / " + a;
  return name + "(" + a + (row.shape == Shape::unary ? "" : ", " + b) + ")";
}

/// Pointers are to elements; vectors are read and written by vload and vstore, so that those of three components have
/// no gap.
std::string kernel_source(const Row& row, const Form& form) {
  const std::string scalar = type_name(row.type);
  const std::string second = row.shape == Shape::with_int ? "int" : scalar;
  const std::string w = form.width == 1 ? "" : std::to_string(form.width);
  const auto load = [&](const char* from) {
    return w.empty() ? std::string(from) + "[i]" : "vload" + w + "(i, " + from + ")";
  };
  const std::string call = application(row, load("a"), load("b"));
  const std::string local = std::to_string(form.lanes);
  return "__kernel __attribute__((reqd_work_group_size(" + local + ", 1, 1)))\nvoid " + kernel_name(form) +
         "(__global const " + scalar + "* a, __global const " + second + "* b, __global " + scalar +
         "* out, ulong step) {\n  const size_t i = get_group_id(0) * step + get_local_id(0);\n  " +
         (w.empty() ? "out[i] = " + call : "vstore" + w + "(" + call + ", i, out)") + ";\n}\n";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Device::Device(const std::string& wanted) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count > 0) check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    char name[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::string(name).find(wanted) != std::string::npos &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) == CL_SUCCESS)
      break;
  }
  if (device_ == nullptr) {
    std::fprintf(stderr, "no platform whose name contains \"%s\"\n", wanted.c_str());
    std::exit(2);
  }
  cl_int code = CL_SUCCESS;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  queue_ = clCreateCommandQueue(context_, device_, 0, &code);
  check(code, "clCreateCommandQueue");
}

Device::~Device() {
  release();
  for (cl_mem b : buffers_)
    if (b != nullptr) clReleaseMemObject(b);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

void Device::release() {
  for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
  kernels_.clear();
  if (program_ != nullptr) clReleaseProgram(program_);
  program_ = nullptr;
}

void Device::build(const Row& row, const std::vector<Form>& forms, const std::string& options) {
  release();
  forms_ = forms;
  std::string source = row.type == Type::half ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
  for (const Form& form : forms) source += kernel_source(row, form);
  const char* text = source.c_str();
  cl_int code = CL_SUCCESS;
  program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  if (clBuildProgram(program_, 1, &device_, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s: cannot be built\n%s\n", row.name, log.data());
    std::exit(2);
  }
  for (const Form& form : forms) {
    kernels_.push_back(clCreateKernel(program_, kernel_name(form).c_str(), &code));
    check(code, "clCreateKernel");
  }
}

cl_mem Device::buffer(std::size_t index, std::size_t bytes) {
  if (sizes_[index] >= bytes) return buffers_[index];
  if (buffers_[index] != nullptr) clReleaseMemObject(buffers_[index]);
  cl_int code = CL_SUCCESS;
  buffers_[index] = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  sizes_[index] = bytes;
  return buffers_[index];
}

void Device::launch(std::size_t form, const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes, void* out,
                    std::size_t count) {
  cl_mem memory[] = {buffer(0, a_bytes), buffer(1, std::max<std::size_t>(b_bytes, 16)), buffer(2, a_bytes)};
  check(clEnqueueWriteBuffer(queue_, memory[0], CL_FALSE, 0, a_bytes, a, 0, nullptr, nullptr), "clEnqueueWriteBuffer");
  if (b_bytes > 0)
    check(clEnqueueWriteBuffer(queue_, memory[1], CL_FALSE, 0, b_bytes, b, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  for (cl_uint i = 0; i < 3; ++i)
    check(clSetKernelArg(kernels_[form], i, sizeof(cl_mem), &memory[i]), "clSetKernelArg");
  const std::size_t local = forms_[form].lanes, global = count / forms_[form].width / local * local;
  const cl_ulong step = local;
  check(clSetKernelArg(kernels_[form], 3, sizeof step, &step), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue_, kernels_[form], 1, nullptr, &global, &local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue_, memory[2], CL_TRUE, 0, a_bytes, out, 0, nullptr, nullptr), "clEnqueueReadBuffer");
}

double Device::speed(std::size_t form, std::size_t element_bytes, std::size_t second_bytes) {
  constexpr std::size_t kGroups = 8192;
  (void)buffer(0, forms_[form].lanes * element_bytes);
  (void)buffer(1, forms_[form].lanes * second_bytes);
  const std::size_t local = forms_[form].lanes, global = local * kGroups;
  const cl_ulong step = 0;  // every group on the same block
  check(clSetKernelArg(kernels_[form], 3, sizeof step, &step), "clSetKernelArg");
  double best = 1e9;
  for (const double end = now() + 0.03; now() < end;) {
    const double begin = now();
    check(clEnqueueNDRangeKernel(queue_, kernels_[form], 1, nullptr, &global, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    best = std::min(best, now() - begin);
  }
  return static_cast<double>(global) / best;
}

}  // namespace lanewise::ulp
