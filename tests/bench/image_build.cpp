// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-image_build [ROUNDS [PLATFORM [NUMBER]]]: from source to kernel, for kernels on images and for the same on buffers
// (image_programs.h), of sources that are in no cache. Both are built in turn; each has the shortest of its times, of
// ROUNDS rounds. NUMBER: of one program. Prints `images_NUMBER` and `buffers_NUMBER`.
#include <unistd.h>

#include <iterator>

#include "tests/bench/bench.h"
#include "tests/bench/image_programs.h"

namespace {

using namespace lanewise::bench;

double time_of_build(const Session& session, const std::string& source) {
  cl_program program = nullptr;
  const double begin = seconds_now();
  cl_kernel kernel = session.build(source, "k", &program, "-cl-std=CL3.0");
  const double taken = seconds_now() - begin;
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return taken;
}

void measure(const Session& session, unsigned number, int rounds) {
  double best[2] = {1e9, 1e9};
  for (int i = 0; i < rounds; ++i)
    for (const bool images : {false, true}) {
      const long salt = 1000L * getpid() + i;
      best[images ? 1 : 0] =
          std::min(best[images ? 1 : 0], time_of_build(session, image_program(kImagePrograms[number], images, salt)));
    }
  report(("buffers_" + std::to_string(number)).c_str(), best[0]);
  report(("images_" + std::to_string(number)).c_str(), best[1]);
}

}  // namespace

int main(int count, char** values) {
  const int rounds = count > 1 ? static_cast<int>(std::strtol(values[1], nullptr, 10)) : 10;
  const Session session(count > 2 ? values[2] : "");
  const auto first = count > 3 ? static_cast<unsigned>(std::strtoul(values[3], nullptr, 10)) : 0U;
  const auto end = count > 3 ? first + 1 : static_cast<unsigned>(std::size(kImagePrograms));
  for (unsigned number = first; number < end; ++number) {
    std::printf("name_%u %s\n", number, kImagePrograms[number].name);
    measure(session, number, rounds);
  }
  return 0;
}
