// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the time of a build grows with the source: sources of two sizes, and the processor time of this thread's process
/// for one divided by that for the other, so that neither the machine nor its load matters. A step whose time grows
/// with the square of the size, or doubles with each level of calls, is far above the bounds.
#include <time.h>

#include <algorithm>
#include <functional>

#include "tests/compiler/requests.h"
#include "tests/drawn.h"

namespace lanewise::test {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least time of so many builds.
double build_seconds(const std::string& source, const std::vector<std::string>& options, int rounds) {
  double least = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double before = processor_seconds();
    abi::Build q = build_of(source, options);
    q.source.macros.insert(q.source.macros.end(), {"__opencl_c_images=1", "__opencl_c_subgroups=1"});
    q.source.extensions.emplace_back("cl_khr_subgroups");
    const abi::Reply reply = run_request(q);
    least = std::min(least, processor_seconds() - before);
    EXPECT_EQ(reply.status, 0) << reply.log;
  }
  return least;
}

using Source = std::function<std::string(unsigned)>;

struct Shape {
  const char* name;
  unsigned small, large;
  double most;  ///< the ratio of the times
  Source source;
};

std::string kernel(const std::string& body, const std::string& before = "") {
  return before +
         "kernel void k(global uint* a, global uint* b, int n) {\n  local uint s[64];\n"
         "  size_t i = get_global_id(0);\n  uint x = a[i], y = 0;\n" +
         body + "  b[i] = x + y + s[i & 63];\n}\n";
}

std::string repeat(unsigned count, const std::function<std::string(const std::string&)>& part) {
  std::string text;
  for (unsigned c = 0; c < count; ++c) text += part(std::to_string(c));
  return text;
}

std::string falling_cases(unsigned count) {
  return kernel("  switch (x) {\n" +
                repeat(count, [](const auto& c) { return "    case " + c + ": y += x ^ " + c + ";\n"; }) + "  }\n");
}

std::string ending_cases(unsigned count) {
  return kernel(
      "  switch (x) {\n" +
      repeat(count,
             [](const auto& c) { return "    case " + c + ": b[i + " + c + "] = x * 5 + " + c + "; break;\n"; }) +
      "  }\n");
}

std::string loops_in_a_row(unsigned count) {
  return kernel(
      repeat(count, [](const auto& c) { return "  for (int j = 0; j < n; ++j) y += a[j + " + c + "] ^ x;\n"; }));
}

std::string branches_in_a_loop(unsigned count) {
  return kernel("  for (int j = 0; j < n; ++j) {\n" +
                repeat(count,
                       [](const auto& c) {
                         return "    if ((x >> (" + c + " % 29)) & 1) y += x * " + c + "; else x = (x ^ " + c +
                                ") + b[x & 63];\n";
                       }) +
                "  }\n");
}

std::string barriers_in_a_row(unsigned count) {
  return kernel(repeat(count, [](const auto& c) {
    return "  s[i & 63] += x ^ " + c + "; barrier(CLK_LOCAL_MEM_FENCE); x += y; y ^= x >> 3;\n";
  }));
}

/// Each sub-group, which is a vector, waits for one after the other.
std::string waits_in_a_row(unsigned count) {
  return kernel(repeat(count,
                       [](const auto& c) {
                         return "  s[i & 63] = x;\n  while (sub_group_broadcast(((volatile local uint*)s)[" + c +
                                "], 0) == n) {}\n  y += x ^ s[" + c + "];\n";
                       }),
                "__attribute__((intel_reqd_sub_group_size(16))) ");
}

std::string accesses_in_a_row(unsigned count) {
  return kernel(
      repeat(count, [](const auto& c) { return "  y += a[i + " + c + "] * 3; b[i * 2 + " + c + "] = y;\n"; }));
}

std::string tower(unsigned depth, const std::string& leaf) {
  std::string text = leaf;
  for (unsigned d = 1; d <= depth; ++d) {
    const std::string below = "f" + std::to_string(d - 1);
    text += "uint f" + std::to_string(d) + "(uint x, local uint* s) { uint y = " + below + "(x + " + std::to_string(d) +
            ", s); return " + below + "(y ^ (x >> 3), s); }\n";
  }
  return kernel("  x = f" + std::to_string(depth) + "(x, s);\n", text);
}

std::string ids(unsigned depth) {
  return tower(depth, "uint f0(uint x, local uint* s) { return x * 3 + (uint)get_global_id(0); }\n");
}

std::string barriers(unsigned depth) {
  return tower(depth,
               "uint f0(uint x, local uint* s) {\n"
               "  uint l = get_local_id(0) & 63; barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  s[l] = x; barrier(CLK_LOCAL_MEM_FENCE); return x + s[l ^ 1];\n}\n");
}

std::string strided_loads(unsigned count) {
  return kernel(
      repeat(count,
             [&](const auto& c) { return "  uint v" + c + " = a[i * " + std::to_string(count) + " + " + c + "];\n"; }) +
      "  barrier(CLK_LOCAL_MEM_FENCE);\n" +
      repeat(count, [](const auto& c) { return "  x += v" + c + " * " + c + ";\n"; }));
}

/// A kernel with `count` parameters, as `parameter` has them, and a use of each.
std::string parameters(unsigned count, const std::function<std::string(const std::string&)>& parameter,
                       const std::function<std::string(const std::string&)>& use) {
  return "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
         "kernel void k(" +
         repeat(count, [&](const auto& c) { return parameter(c) + ", "; }) +
         "global float4* out) {\n  int x = get_global_id(0);\n  float4 sum = 0;\n" + repeat(count, use) +
         "  out[x] = sum;\n}\n";
}

std::string images_read(unsigned count) {
  return parameters(
      count, [](const auto& c) { return "read_only image2d_t i" + c; },
      [](const auto& c) { return "  sum += read_imagef(i" + c + ", (int2)(x, " + c + "));\n"; });
}

std::string images_sampled(unsigned count) {
  return parameters(
      count, [](const auto& c) { return "read_only image2d_t i" + c; },
      [](const auto& c) { return "  sum += read_imagef(i" + c + ", s, (float2)(x, sum.x));\n"; });
}

std::string images_written(unsigned count) {
  return parameters(
      count, [](const auto& c) { return "write_only image2d_t i" + c; },
      [](const auto& c) { return "  write_imagef(i" + c + ", (int2)(x, " + c + "), sum + x);\n"; });
}

std::string pointers(unsigned count) {
  return parameters(
      count, [](const auto& c) { return "global float* p" + c; },
      [](const auto& c) { return "  p" + c + "[x] += sum.x; sum.x += p" + c + "[x + 1];\n"; });
}

std::string scalars(unsigned count) {
  return parameters(
      count, [](const auto& c) { return "float v" + c; },
      [](const auto& c) { return "  sum.x = sum.x * out[x].y + v" + c + ";\n"; });
}

class BuildGrowth : public ::testing::TestWithParam<Shape> {};

TEST_P(BuildGrowth, IsLinear) {
  const Shape& shape = GetParam();
  for (const char* option : drawn<const char*>({"-cl-std=CL3.0", "-cl-opt-disable"}, 1, shape.name)) {
    const std::string source = shape.source(shape.large);
    const double small = build_seconds(shape.source(shape.small), {option}, 2);
    double large = build_seconds(source, {option}, 1);
    // Other programs on the machine may slow one build down.
    if (large / small >= shape.most) large = std::min(large, build_seconds(source, {option}, 1));
    EXPECT_LT(large / small, shape.most) << option << ": " << small << " s and " << large << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BuildGrowth,
    ::testing::Values(
        Shape{"FallingCases", 300, 1'200, 8, falling_cases}, Shape{"EndingCases", 1'000, 4'000, 12, ending_cases},
        Shape{"CallsWithIds", 10, 20, 4, ids}, Shape{"CallsWithBarriers", 8, 16, 6, barriers},
        Shape{"LoopsInARow", 300, 900, 9, loops_in_a_row}, Shape{"BranchesInALoop", 250, 1'000, 8, branches_in_a_loop},
        Shape{"BarriersInARow", 60, 240, 10, barriers_in_a_row}, Shape{"WaitsInARow", 4, 12, 5, waits_in_a_row},
        Shape{"AccessesInARow", 250, 2'000, 16, accesses_in_a_row}, Shape{"StridedLoads", 100, 400, 8, strided_loads},
        Shape{"ImagesRead", 32, 128, 8, images_read}, Shape{"ImagesSampled", 32, 128, 8, images_sampled},
        Shape{"ImagesWritten", 16, 64, 8, images_written}, Shape{"Pointers", 32, 128, 10, pointers},
        Shape{"Scalars", 64, 250, 8, scalars}),
    [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace lanewise::test
