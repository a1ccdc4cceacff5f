// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-first FILE: builds the program in FILE, whose kernels take (global const float*, global float*, int, local
// float*), and reports in seconds, from the start of main, when the build has returned (`build`), when its first kernel
// has run (`run`) and when all have (`all`): kernel objects are created together, and the commands follow each other
// without a wait.
#include <fstream>
#include <sstream>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

constexpr std::size_t kItems = 1024;
constexpr std::size_t kLocal = 64;

cl_mem buffer_of(const Session& session) {
  const std::vector<float> values(4 * kItems, 0.5F);
  cl_int code = CL_SUCCESS;
  cl_mem made = clCreateBuffer(session.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                               const_cast<float*>(values.data()), &code);
  check(code, "clCreateBuffer");
  return made;
}

struct Launcher {
  explicit Launcher(const Session& session)
      : queue(session.queue(0)), in(buffer_of(session)), out(buffer_of(session)) {}

  void enqueue(cl_kernel kernel) const {
    const cl_int count = 4;
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof count, &count), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, kLocal * sizeof(float), nullptr), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kLocal, 0, nullptr, nullptr), "launch");
  }
  void finish() const { check(clFinish(queue), "clFinish"); }

  cl_command_queue queue;
  cl_mem in;
  cl_mem out;
};

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

cl_program build(const Session& session, const std::string& text) {
  const char* string = text.c_str();
  cl_int code = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(session.context, 1, &string, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &session.device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

std::vector<cl_kernel> kernels_of(cl_program program) {
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> kernels(count);
  check(clCreateKernelsInProgram(program, count, kernels.data(), nullptr), "clCreateKernelsInProgram");
  return kernels;
}

}  // namespace

int main(int count, char** values) {
  if (count < 2) return 2;
  const double begin = seconds_now();
  const Session session("");
  const Launcher launcher(session);
  cl_program program = build(session, text_of(values[1]));
  report("build", seconds_now() - begin);
  const std::vector<cl_kernel> kernels = kernels_of(program);
  launcher.enqueue(kernels.front());
  launcher.finish();
  report("run", seconds_now() - begin);
  for (const cl_kernel kernel : kernels) launcher.enqueue(kernel);
  launcher.finish();
  report("all", seconds_now() - begin);
  return 0;
}
