// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-build ROUNDS [PLATFORM [PROGRAM [COMPILER]]]: from source to kernel, or from the SPIR-V that the compiler
// (lanewise-cc) makes of it, which is not measured. `first` is the first build of the process (cold or
// from a cache on disk, as the caller decides by the cache directory that it sets); `warm` is the median of ROUNDS
// builds of sources that are in no cache. Programs: ten (the default: ten lines), math (ten lines with sin and pow),
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
};

Source source_of(const std::string& program, long salt) {
  if (program == "ten") return {ten_lines(salt), "smooth"};
  if (program == "math") return {ten_lines(salt, "sin(sum) + pow(sum, 1.5f)"), "smooth"};
  if (program == "lines300") return {program_of(1, 300, salt), "k"};
  if (program == "kernels50") return {program_of(50, 100, salt), "k"};
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
  return kernel;
}

/// @param compiler  empty: from source
double time_of_build(const Session& session, const Source& source, const std::string& compiler) {
  const std::string module = compiler.empty() ? "" : lanewise::test::spirv_of(compiler, source.text, "");
  cl_program program = nullptr;
  const double begin = seconds_now();
  cl_kernel kernel = compiler.empty() ? session.build(source.text, source.kernel, &program)
                                      : kernel_of_module(session, module, source.kernel, &program);
  const double taken = seconds_now() - begin;
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return taken;
}

}  // namespace

int main(int count, char** values) {
  const int rounds = count > 1 ? std::atoi(values[1]) : 0;
  const Session session(count > 2 ? values[2] : "");
  const std::string program = count > 3 ? values[3] : "ten";
  const std::string compiler = count > 4 ? values[4] : "";
  report("first", time_of_build(session, source_of(program, 0), compiler));
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i)
    times.push_back(time_of_build(session, source_of(program, 1000L * getpid() + i), compiler));
  if (rounds > 0) report("warm", quantile(times, 0.5));
  return 0;
}
