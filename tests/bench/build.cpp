// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-build ROUNDS [PLATFORM [PROGRAM [COMPILER]]]: from source to kernel, or from the SPIR-V that the compiler
// (lanewise-cc) makes of it, which is not measured. `first` is the first build of the process (cold or
// from a cache on disk, as the caller decides by the cache directory that it sets); `run` is the time from its begin until
// its first kernel has run, and `all` until each of its kernels has, one launch after the other: some drivers compile a
// kernel when it is built, some when it is launched. `warm` is the median of ROUNDS builds of sources that are in no cache. Programs: ten (the default: ten lines), math (ten lines with sin and pow),
// lines300 (one kernel), kernels50 (5,000 lines in 50 kernels), large (5,000 lines in one kernel).
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/programs.h"
#include "tests/spirv_of.h"

namespace {

using namespace lanewise::bench;

struct Source {
  std::string text;
  const char* kernel;
  unsigned kernels = 1;
};

Source source_of(const std::string& program, long salt) {
  if (program == "ten") return {ten_lines(salt), "smooth"};
  if (program == "math") return {ten_lines(salt, "sin(sum) + pow(sum, 1.5f)"), "smooth"};
  if (program == "lines300") return {program_of(1, 300, salt), "k"};
  if (program == "kernels50") return {program_of(50, 100, salt), "k", 50};
  if (program == "large") return {program_of(1, 5000, salt), "k"};
  std::fprintf(stderr, "no program \"%s\"\n", program.c_str());
  std::exit(2);
}

cl_kernel kernel_of_module(const Session& session, const std::string& module, const char* name, cl_program* program) {
  cl_int code = CL_SUCCESS;
  *program = clCreateProgramWithIL(session.context, module.data(), module.size(), &code);
  check(code, "clCreateProgramWithIL");
  check(clBuildProgram(*program, 1, &session.device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(*program, name, &code);
  check(code, "clCreateKernel");
  session.have_code(kernel);
  return kernel;
}

struct Built {
  cl_program program;
  cl_kernel kernel;
};

/// @param module  empty: from source
Built build(const Session& session, const Source& source, const std::string& module) {
  Built made{};
  made.kernel = module.empty() ? session.build(source.text, source.kernel, &made.program)
                               : kernel_of_module(session, module, source.kernel, &made.program);
  return made;
}

/// @param compiler  empty: from source
std::string module_of(const Source& source, const std::string& compiler) {
  return compiler.empty() ? "" : lanewise::test::spirv_of(compiler, source.text, "");
}

/// What launches of the programs' kernels need, made before anything is measured.
class Launcher {
 public:
  explicit Launcher(const Session& session)
      : queue_(session.queue(0)), in_(buffer_of(session)), out_(buffer_of(session)) {}
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  ~Launcher() {
    clReleaseMemObject(out_);
    clReleaseMemObject(in_);
    clReleaseCommandQueue(queue_);
  }

  /// One launch, until it has ended.
  void run(cl_kernel kernel) const {
    const cl_int count = 4, mask = kElements - 1;  // iterations of the kernels' loops; only large programs have a mask
    check(clSetKernelArg(kernel, 0, sizeof in_, &in_), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out_, &out_), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof count, &count), "clSetKernelArg");
    cl_uint arguments = 0;
    check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr), "clGetKernelInfo");
    if (arguments == 4) check(clSetKernelArg(kernel, 3, sizeof mask, &mask), "clSetKernelArg");
    const std::size_t items = 1024;
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), "launch");
    check(clFinish(queue_), "clFinish");
  }

 private:
  static constexpr cl_int kElements = 4096;

  static cl_mem buffer_of(const Session& session) {
    const std::vector<float> zeros(kElements);
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(session.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kElements * sizeof(float),
                                 const_cast<float*>(zeros.data()), &code);
    check(code, "clCreateBuffer");
    return made;
  }

  cl_command_queue queue_;
  cl_mem in_, out_;
};

void run_others(const Launcher& launcher, cl_program program, unsigned kernels) {
  for (unsigned k = 1; k < kernels; ++k) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, ("k" + std::to_string(k)).c_str(), &code);
    check(code, "clCreateKernel");
    launcher.run(kernel);
    clReleaseKernel(kernel);
  }
}

void report_first(const Session& session, const Source& source, const std::string& compiler) {
  const std::string module = module_of(source, compiler);
  const Launcher launcher(session);
  const double begin = seconds_now();
  const Built made = build(session, source, module);
  report("first", seconds_now() - begin);
  launcher.run(made.kernel);
  report("run", seconds_now() - begin);
  run_others(launcher, made.program, source.kernels);
  report("all", seconds_now() - begin);
  clReleaseKernel(made.kernel);
  clReleaseProgram(made.program);
}

double time_of_build(const Session& session, const Source& source, const std::string& compiler) {
  const std::string module = module_of(source, compiler);
  const double begin = seconds_now();
  const Built made = build(session, source, module);
  const double taken = seconds_now() - begin;
  clReleaseKernel(made.kernel);
  clReleaseProgram(made.program);
  return taken;
}

}  // namespace

int main(int count, char** values) {
  const int rounds = count > 1 ? static_cast<int>(std::strtol(values[1], nullptr, 10)) : 0;
  const Session session(count > 2 ? values[2] : "");
  const std::string program = count > 3 ? values[3] : "ten";
  const std::string compiler = count > 4 ? values[4] : "";
  report_first(session, source_of(program, 0), compiler);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(rounds));
  for (int i = 0; i < rounds; ++i)
    times.push_back(time_of_build(session, source_of(program, 1000L * getpid() + i), compiler));
  if (rounds > 0) report("warm", quantile(times, 0.5));
  return 0;
}
