// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a program through an OpenCL library, opened by name: the whole driver, or another one to compare with.
#include <CL/cl.h>
#include <dlfcn.h>

#include <map>

#include "tests/fuzz/kernels/runner.h"

namespace lanewise::fuzz {
namespace {

#define LANEWISE_FUZZ_FUNCTIONS(F) \
  F(clGetPlatformIDs)              \
  F(clGetDeviceIDs)                \
  F(clCreateContext)               \
  F(clCreateCommandQueue)          \
  F(clCreateProgramWithSource)     \
  F(clBuildProgram)                \
  F(clGetProgramBuildInfo)         \
  F(clCreateKernel)                \
  F(clCreateBuffer)                \
  F(clCreateImage)                 \
  F(clCreateSamplerWithProperties) \
  F(clSetKernelArg)                \
  F(clEnqueueNDRangeKernel)        \
  F(clEnqueueReadBuffer)           \
  F(clEnqueueReadImage)            \
  F(clFinish)                      \
  F(clReleaseMemObject)            \
  F(clReleaseSampler)              \
  F(clReleaseKernel)               \
  F(clReleaseProgram)

struct Library {
#define F(name) decltype(&::name) name = nullptr;
  LANEWISE_FUZZ_FUNCTIONS(F)
#undef F
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Returns an empty string or the error. The library stays open.
  std::string open(const std::string& file) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return dlerror();
#define F(function) \
  if (function = reinterpret_cast<decltype(function)>(dlsym(handle, #function)); function == nullptr) return #function;
    LANEWISE_FUZZ_FUNCTIONS(F)
#undef F
    cl_platform_id platform = nullptr;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (error == CL_SUCCESS) context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (error == CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &error);
    return error == CL_SUCCESS ? "" : "no CPU device";
  }
};

/// The objects of one launch.
class Run {
 public:
  explicit Run(Library& library) : cl_(library) {}
  ~Run() {
    for (cl_mem m : memory_) cl_.clReleaseMemObject(m);
    for (cl_sampler m : samplers_) cl_.clReleaseSampler(m);
    if (kernel_ != nullptr) cl_.clReleaseKernel(kernel_);
    if (program_ != nullptr) cl_.clReleaseProgram(program_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  std::string build(const std::string& source) {
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    program_ = cl_.clCreateProgramWithSource(cl_.context, 1, &text, nullptr, &error);
    if (error != CL_SUCCESS) return "clCreateProgramWithSource";
    error = cl_.clBuildProgram(program_, 1, &cl_.device, "-cl-std=CL3.0", nullptr, nullptr);
    if (error != CL_SUCCESS) {
      std::string log(4000, '\0');
      cl_.clGetProgramBuildInfo(program_, cl_.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      return "clBuildProgram " + std::to_string(error) + ": " + log.substr(0, log.find('\0'));
    }
    kernel_ = cl_.clCreateKernel(program_, "k", &error);
    return error == CL_SUCCESS ? "" : "clCreateKernel";
  }

  std::string set(const Buffers& buffers) {
    for (cl_uint i = 0; i < buffers.parameters().size(); ++i) {
      const Parameter& p = buffers.parameters()[i];
      const test::Arg& a = buffers.arguments()[i];
      cl_int error = CL_SUCCESS;
      if (buffers.data(i) != nullptr) {
        cl_mem made = p.kind == Parameter::Kind::image
                          ? make_image(p, buffers.data(i), error)
                          : cl_.clCreateBuffer(cl_.context, kFlags, p.bytes, buffers.data(i), &error);
        if (error != CL_SUCCESS) return "creation of " + p.name + " gave " + std::to_string(error);
        memory_.push_back(made);
        error = cl_.clSetKernelArg(kernel_, i, sizeof made, &made);
      } else if (p.kind == Parameter::Kind::sampler) {
        cl_sampler made = make_sampler(p.value, error);
        if (error != CL_SUCCESS) return "clCreateSamplerWithProperties " + std::to_string(error);
        samplers_.push_back(made);
        error = cl_.clSetKernelArg(kernel_, i, sizeof made, &made);
      } else {
        error = cl_.clSetKernelArg(kernel_, i, a.bytes, a.kind == test::Arg::Kind::local ? nullptr : a.value.data());
      }
      if (error != CL_SUCCESS) return "clSetKernelArg " + std::to_string(error);
    }
    return {};
  }

  std::string launch(const test::Range& range, const Buffers& buffers) {
    cl_int error = cl_.clEnqueueNDRangeKernel(cl_.queue, kernel_, range.dims, range.offset.data(), range.global.data(),
                                              range.local.data(), 0, nullptr, nullptr);
    if (error != CL_SUCCESS) return "clEnqueueNDRangeKernel " + std::to_string(error);
    std::size_t next = 0;
    for (std::size_t i = 0; i < buffers.parameters().size(); ++i) {
      const Parameter& p = buffers.parameters()[i];
      if (buffers.data(i) == nullptr) continue;
      cl_mem memory = memory_[next++];
      const std::size_t origin[3] = {0, 0, 0};
      error =
          p.kind == Parameter::Kind::image
              ? cl_.clEnqueueReadImage(cl_.queue, memory, CL_TRUE, origin, p.picture.extent.data(), 0, 0,
                                       buffers.data(i), 0, nullptr, nullptr)
              : cl_.clEnqueueReadBuffer(cl_.queue, memory, CL_TRUE, 0, p.bytes, buffers.data(i), 0, nullptr, nullptr);
      if (error != CL_SUCCESS) return "reading " + p.name + " gave " + std::to_string(error);
    }
    return cl_.clFinish(cl_.queue) == CL_SUCCESS ? "" : "clFinish";
  }

 private:
  Library& cl_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  static constexpr cl_mem_flags kFlags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;

  cl_mem make_image(const Parameter& p, char* data, cl_int& error) const {
    const auto& extent = p.picture.extent;
    cl_image_desc desc = {};
    desc.image_type = p.picture.type;
    desc.image_width = extent[0];
    desc.image_height = extent[1];
    desc.image_depth = extent[2];
    desc.image_array_size = p.picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? extent[1] : extent[2];
    if (desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
      return cl_.clCreateImage(cl_.context, kFlags, &p.picture.format, &desc, data, &error);
    desc.buffer = cl_.clCreateBuffer(cl_.context, kFlags, p.bytes, data, &error);
    if (error != CL_SUCCESS) return nullptr;
    cl_mem image = cl_.clCreateImage(cl_.context, CL_MEM_READ_WRITE, &p.picture.format, &desc, nullptr, &error);
    cl_.clReleaseMemObject(desc.buffer);  // the image keeps it
    return image;
  }

  cl_sampler make_sampler(std::uint32_t word, cl_int& error) const {
    const std::map<std::uint32_t, cl_addressing_mode> modes = {{LANEWISE_SAMPLER_NONE, CL_ADDRESS_NONE},
                                                               {LANEWISE_SAMPLER_EDGE, CL_ADDRESS_CLAMP_TO_EDGE},
                                                               {LANEWISE_SAMPLER_CLAMP, CL_ADDRESS_CLAMP},
                                                               {LANEWISE_SAMPLER_REPEAT, CL_ADDRESS_REPEAT},
                                                               {LANEWISE_SAMPLER_MIRROR, CL_ADDRESS_MIRRORED_REPEAT}};
    const bool linear = (word & LANEWISE_SAMPLER_LINEAR) != 0;
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS,
        word & LANEWISE_SAMPLER_NORMALISED,
        CL_SAMPLER_ADDRESSING_MODE,
        modes.at(word & LANEWISE_SAMPLER_ADDRESSING),
        CL_SAMPLER_FILTER_MODE,
        static_cast<cl_sampler_properties>(linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
        0};
    return cl_.clCreateSamplerWithProperties(cl_.context, properties, &error);
  }

  std::vector<cl_mem> memory_;
  std::vector<cl_sampler> samplers_;
};

}  // namespace

std::string run_with_driver(const std::string& library, const Program& program, Buffers& buffers) {
  static auto* const opened = new Library;
  static const std::string failure = opened->open(library);
  if (!failure.empty()) return failure;
  Run run(*opened);
  std::string wrong = run.build(program.source());
  if (wrong.empty()) wrong = run.set(buffers);
  if (wrong.empty()) wrong = run.launch(program.range, buffers);
  return wrong;
}

}  // namespace lanewise::fuzz
