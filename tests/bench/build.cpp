// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-build ROUNDS [PLATFORM]: from source to kernel for a kernel of ten lines. `first` is the first build of the
// process (cold or from a cache on disk: whoever starts it decides, by the cache directory that it sets); `warm` is the
// median of ROUNDS builds of sources that no cache knows.
#include <unistd.h>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

std::string ten_lines(long salt) {
  return "__kernel void smooth(__global const float* in, __global float* out, int n) {\n"
         "  int i = get_global_id(0);\n"
         "  float sum = 0.0f;\n"
         "  for (int k = -2; k <= 2; ++k) {\n"
         "    int at = clamp(i + k, 0, n - 1);\n"
         "    sum += in[at] * (float)(3 - abs(k));\n"
         "  }\n"
         "  if (i < n)\n"
         "    out[i] = sqrt(sum) + " +
         std::to_string(salt) +
         ".0f;\n"
         "}\n";
}

double time_of_build(const Session& session, long salt) {
  cl_program program = nullptr;
  const double begin = seconds_now();
  cl_kernel kernel = session.build(ten_lines(salt), "smooth", &program);
  const double taken = seconds_now() - begin;
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return taken;
}

}  // namespace

int main(int count, char** values) {
  const int rounds = count > 1 ? std::atoi(values[1]) : 0;
  const Session session(count > 2 ? values[2] : "");
  report("first", time_of_build(session, 0));
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) times.push_back(time_of_build(session, 1000L * getpid() + i));
  if (rounds > 0) report("warm", quantile(times, 0.5));
  return 0;
}
