// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// 10,000 programs built, used and released in a row: memory, mappings and descriptors stay flat.
#include <dirent.h>

#include <cstdio>
#include <fstream>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

struct Footprint {
  long resident_kib = 0;
  long mappings = 0;
  long descriptors = 0;
};

Footprint footprint() {
  Footprint now;
  std::string line;
  std::ifstream status("/proc/self/status");
  while (std::getline(status, line)) std::sscanf(line.c_str(), "VmRSS: %ld", &now.resident_kib);
  std::ifstream maps("/proc/self/maps");
  while (std::getline(maps, line)) ++now.mappings;
  if (DIR* directory = opendir("/proc/self/fd")) {
    while (readdir(directory) != nullptr) ++now.descriptors;
    closedir(directory);
  }
  return now;
}

class ProgramChurn : public ProgramFixture {
 protected:
  /// `distinct` different programs in turn, so that most builds come from the cache. Every `every`-th is run.
  void churn(int rounds, int distinct, int every) {
    for (int i = 0; i < rounds; ++i) {
      const auto program = built("kernel void k(global int* o) { o[0] = " + std::to_string(i % distinct) + "; }");
      const auto k = kernel(program, "k");
      const auto out = buffer(sizeof(int));
      const cl_mem handle = out.get();
      ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
      if (i % every != 0) continue;
      run(k, 1);
      ASSERT_EQ(read<int>(out, 1)[0], i % distinct);
    }
  }
  static void expect_flat(const Footprint& before, const Footprint& after) {
    if (!kSanitized) EXPECT_LT(after.resident_kib, before.resident_kib + 8 * 1024);
    EXPECT_LT(after.mappings, before.mappings + 16);
    EXPECT_LT(after.descriptors, before.descriptors + 8);
  }
};

TEST_F(ProgramChurn, TenThousandPrograms) {
  churn(500, 50, 1);  // the code of all of them has been made
  const auto before = footprint();
  churn(10000, 50, 101);
  expect_flat(before, footprint());
}

TEST_F(ProgramChurn, FailedBuilds) {
  const auto fail = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto program = source("kernel void k( { " + std::to_string(i % 20));
      ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    }
  };
  fail(50);
  const auto before = footprint();
  fail(200);
  expect_flat(before, footprint());
}

}  // namespace
}  // namespace lanewise::test
