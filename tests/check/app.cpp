// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs one kernel with arguments of the command line, and prints what its buffers begin with:
///
///   app FILE KERNEL GLOBAL LOCAL ARGUMENT...
///
/// GLOBAL and LOCAL are sizes like 8 or 8x4. An ARGUMENT is
///
///   buffer:BYTES  only_read:BYTES  only_write:BYTES  null  local:BYTES  int:VALUE  float:VALUE
///   counted:BYTES         a buffer with the numbers 0, 1, 2, ...
///   part:OFFSET:BYTES     a sub-buffer of a buffer with 4096 bytes
///   fresh:BYTES           a buffer that the host does not write; filled:BYTES and mapped:BYTES: by such a command
///   host:BYTES            a buffer in memory of the application
///   svm:BYTES             an allocation; inside:BYTES: its address is written to a buffer, which is the argument
///   freed:BYTES           as inside, but released before the kernel runs
///   outer                 memory of the application that OpenCL does not know
///   same:NUMBER           the buffer of an earlier argument that made the buffer of this number
///   image:WIDTH:HEIGHT    an image of float4
///
/// APP_OPTIONS has more build options. The exit code is that of the wait for the kernel, without its sign; with
/// APP_FINISH it is that of clFinish, as of an application that looks at no event.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(2);
}

void expect(cl_int code, const char* what) {
  if (code != CL_SUCCESS) stop(std::string(what) + ": " + std::to_string(code));
}

std::vector<std::size_t> sizes(const std::string& text) {
  std::vector<std::size_t> all;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, 'x');) all.push_back(std::strtoull(part.c_str(), nullptr, 10));
  return all;
}

struct Application {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  std::vector<cl_mem> buffers;
  std::vector<void*> pointers;

  cl_mem buffer(cl_mem_flags flags, std::size_t bytes, void* host = nullptr, cl_int step = 0) {
    std::vector<cl_int> values(bytes / sizeof(cl_int) + 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<cl_int>(i) * step;
    cl_int code = 0;
    if (host == nullptr) flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem made = clCreateBuffer(context, flags, bytes, host != nullptr ? host : values.data(), &code);
    expect(code, "clCreateBuffer");
    buffers.push_back(made);
    return made;
  }

  cl_mem fresh(const std::string& kind, std::size_t bytes) {
    cl_int code = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    expect(code, "clCreateBuffer");
    buffers.push_back(made);
    const cl_int zero = 0;
    if (kind == "filled")
      expect(clEnqueueFillBuffer(queue, made, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr), "fill");
    if (kind != "mapped") return made;
    void* at = clEnqueueMapBuffer(queue, made, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code);
    expect(code, "clEnqueueMapBuffer");
    std::memset(at, 0, bytes);
    expect(clEnqueueUnmapMemObject(queue, made, at, 0, nullptr, nullptr), "unmap");
    return made;
  }

  /// A buffer with an address in it.
  cl_mem pointing_to(void* address) {
    pointers.push_back(address);
    clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, pointers.size() * sizeof(void*), pointers.data());
    cl_int code = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof address, &address, &code);
    expect(code, "clCreateBuffer");
    buffers.push_back(made);
    return made;
  }

  void* svm(std::size_t bytes) {
    void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    if (memory == nullptr) stop("clSVMAlloc");
    std::memset(memory, 0, bytes);
    return memory;
  }

  cl_mem memory_of(const std::string& kind, std::size_t first, std::size_t second) {
    if (kind == "fresh" || kind == "filled" || kind == "mapped") return fresh(kind, first);
    if (kind == "buffer") return buffer(CL_MEM_READ_WRITE, first);
    if (kind == "counted") return buffer(CL_MEM_READ_WRITE, first, nullptr, 1);
    if (kind == "only_write") return buffer(CL_MEM_WRITE_ONLY, first);
    if (kind == "only_read") return buffer(CL_MEM_READ_ONLY, first);
    if (kind == "host") return buffer(CL_MEM_USE_HOST_PTR, first, std::calloc(1, first + 4096));
    if (kind == "inside") return pointing_to(svm(first));
    if (kind == "outer") return pointing_to(std::calloc(1, 4096));
    if (kind == "freed") {
      void* memory = svm(first);
      cl_mem made = pointing_to(memory);
      clSVMFree(context, memory);
      return made;
    }
    if (kind == "same") return buffers.at(first);
    if (kind == "image") {
      const cl_image_format format{CL_RGBA, CL_FLOAT};
      cl_image_desc shape{};
      shape.image_type = CL_MEM_OBJECT_IMAGE2D;
      shape.image_width = first;
      shape.image_height = second;
      cl_int code = 0;
      cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code);
      expect(code, "clCreateImage");
      return made;
    }
    if (kind != "part") stop("no such argument: " + kind);
    const cl_buffer_region region{first, second};
    cl_int code = 0;
    cl_mem made = clCreateSubBuffer(buffer(CL_MEM_READ_WRITE, 4096), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code);
    expect(code, "clCreateSubBuffer");
    return made;
  }

  void set(cl_uint index, const std::string& text) {
    std::istringstream in(text);
    std::string kind;
    std::string first;
    std::string second;
    std::getline(in, kind, ':');
    std::getline(in, first, ':');
    std::getline(in, second, ':');
    const std::size_t bytes = std::strtoull(first.c_str(), nullptr, 10);
    if (kind == "local") return expect(clSetKernelArg(kernel, index, bytes, nullptr), "local");
    if (kind == "svm") return expect(clSetKernelArgSVMPointer(kernel, index, svm(bytes)), "svm");
    if (kind == "null") return expect(clSetKernelArg(kernel, index, sizeof(cl_mem), nullptr), "null");
    if (kind == "int") {
      const cl_int value = std::atoi(first.c_str());
      return expect(clSetKernelArg(kernel, index, sizeof value, &value), "int");
    }
    if (kind == "float") {
      const cl_float value = std::strtof(first.c_str(), nullptr);
      return expect(clSetKernelArg(kernel, index, sizeof value, &value), "float");
    }
    cl_mem memory = memory_of(kind, bytes, std::strtoull(second.c_str(), nullptr, 10));
    expect(clSetKernelArg(kernel, index, sizeof memory, &memory), "buffer");
  }

  void make_kernel(const char* file, const char* name) {
    cl_platform_id platform = nullptr;
    expect(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    expect(code, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    expect(code, "clCreateCommandQueueWithProperties");
    std::ifstream in(file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const char* source = text.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    expect(code, "clCreateProgramWithSource");
    const char* more = std::getenv("APP_OPTIONS");
    const std::string options = std::string("-cl-std=CL3.0 ") + (more == nullptr ? "" : more);
    code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    std::vector<char> log(16384);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    if (code != CL_SUCCESS) stop(log.data());
    std::printf("log: %s\n", log.data());
    kernel = clCreateKernel(program, name, &code);
    expect(code, "clCreateKernel");
  }

  void print_buffers() {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::vector<cl_int> values(4, 0);
      std::size_t bytes = 0;
      clGetMemObjectInfo(buffers[i], CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
      const std::size_t some = std::min(bytes, values.size() * sizeof(cl_int));
      clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, some, values.data(), 0, nullptr, nullptr);
      std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) stop("app FILE KERNEL GLOBAL LOCAL ARGUMENT...");
  Application app;
  app.make_kernel(argv[1], argv[2]);
  for (int i = 5; i < argc; ++i) app.set(static_cast<cl_uint>(i - 5), argv[i]);
  const auto global = sizes(argv[3]);
  const auto local = sizes(argv[4]);
  cl_event event = nullptr;
  expect(clEnqueueNDRangeKernel(app.queue, app.kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                                local.data(), 0, nullptr, &event),
         "clEnqueueNDRangeKernel");
  if (std::getenv("APP_FINISH") != nullptr) return -clFinish(app.queue);
  clWaitForEvents(1, &event);
  cl_int status = 0;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  app.print_buffers();
  return -status;
}
