// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_initialize_memory: local and private memory begin as zeros, whatever ran before on the same threads, and
/// however the program was made. Also run with scalar code and with code for one local size.
#include <CL/cl_ext.h>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

// `sum` reads variables that it has not written in each case; `dirty` leaves the threads' memory full of ones.
constexpr const char* kSource = R"(
struct pair { char c; long l; };
int helper(int n) { int t[5]; return t[n % 5]; }
kernel void private_scalars(global int* out, int which) {
  int a; float b; long4 c; struct pair d;
  if (which == 7) { a = 1; b = 2; c = 3; d.l = 4; }
  out[get_global_id(0)] = a + (int)b + (int)c.z + (int)d.l + d.c;
}
kernel void private_arrays(global int* out, int which) {
  int a[33]; int2 b[3];
  const int i = get_global_id(0);
  if (i % 3 == 1) a[i % 33] = 1;
  int sum = helper(i);
  for (int n = 0; n < 33; ++n) if (n != i % 33 || i % 3 != 1) sum += a[(n + which) % 33 == i % 33 ? n : n];
  out[i] = sum + b[i % 3].y;
}
kernel void private_loops(global int* out, int which) {
  int sum = 0;
  const int i = get_global_id(0);
  for (int n = 0; n < i % 7 + which; ++n) { int fresh; if (n % 2) sum += fresh; fresh = n; }
  out[i] = sum;
}
kernel void private_across_barrier(global int* out, int which) {
  int a[9]; local int shared_value[64];
  const int l = get_local_id(0);
  shared_value[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int n = shared_value[(l + 1) % get_local_size(0)] % 9;
  int before = a[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before + a[(n + which) % 9];
}
kernel void local_static(global int* out, int which) {
  local int a[64]; local float4 b;
  const int l = get_local_id(0);
  out[get_global_id(0)] = a[l] + a[(l + which) % 64] + (int)b.w;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = 5;
  b = 6;
}
kernel void local_argument(global int* out, int which, local int* a) {
  const int l = get_local_id(0);
  out[get_global_id(0)] = a[l] + a[l + which];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = a[l + which] = 7;
}
kernel void dirty(global int* out, int which, local int* a) {
  int p[64];
  for (int n = 0; n < 64; ++n) p[n] = n + which + 0x01010101;
  const int l = get_local_id(0);
  for (int n = l; n < 64; n += get_local_size(0)) a[n] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = p[out[0] & 63] + a[(l + 1) % 64];
}
)";

class InitializeMemory : public ProgramFixture {
 protected:
  static constexpr size_t kItems = 4099;  // leaves a tail at every width

  ContextPtr context_with(std::vector<cl_context_properties> list, cl_int expected = CL_SUCCESS) const {
    cl_int code = 1;
    ContextPtr made(clCreateContext(list.data(), 1, &device_, nullptr, nullptr, &code));
    EXPECT_EQ(code, expected);
    return made;
  }
  /// Sums of what the kernel found, after `dirty` has run on the same threads.
  long found(const ProgramPtr& program, const char* name, size_t local, bool has_local_argument) {
    long total = 0;
    for (int round = 0; round < 3; ++round) {
      const auto out = buffer(kItems * sizeof(int));
      cl_mem handle = out.get();
      const int which = 1;
      for (const char* each : {"dirty", name}) {
        const auto k = kernel(program, each);
        EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof which, &which), CL_SUCCESS);
        if (has_local_argument || each != name)
          EXPECT_EQ(clSetKernelArg(k.get(), 2, 65 * sizeof(int), nullptr), CL_SUCCESS);
        run(k, kItems, local);
      }
      for (const int value : read<int>(out, kItems)) total += std::abs(value);
    }
    return total;
  }
  void expect_private(const ProgramPtr& program) {
    for (const char* name : {"private_scalars", "private_arrays", "private_loops", "private_across_barrier"})
      for (const size_t local : {size_t{1}, size_t{16}, size_t{64}})
        EXPECT_EQ(found(program, name, local, false), 0) << name << ", groups of " << local;
  }
  void expect_local(const ProgramPtr& program) {
    for (const size_t local : {size_t{1}, size_t{16}, size_t{64}}) {
      EXPECT_EQ(found(program, "local_static", local, false), 0) << local;
      EXPECT_EQ(found(program, "local_argument", local, true), 0) << local;
    }
  }
};

constexpr cl_context_properties kLocal = CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
constexpr cl_context_properties kPrivate = CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
constexpr const char* kOptions = "-cl-std=CL3.0";

TEST_F(InitializeMemory, Private) {
  context_ = context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kPrivate, 0});
  expect_private(built(kSource, kOptions));
}

TEST_F(InitializeMemory, Local) {
  // Without the property the kernel finds what `dirty` has left.
  EXPECT_NE(found(built(kSource, kOptions), "local_static", 16, false), 0);
  context_ = context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kLocal, 0});
  expect_local(built(kSource, kOptions));
}

TEST_F(InitializeMemory, BothInAContextThatCanBeTerminated) {
  context_ = context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kLocal | kPrivate, CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0});
  const auto program = built(kSource, kOptions);
  expect_private(program);
  expect_local(program);
}

TEST_F(InitializeMemory, LinkedPrograms) {
  context_ = context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kPrivate, 0});
  const auto part = compiled(kSource, kOptions);
  expect_private(linked({part.get()}));
}

TEST_F(InitializeMemory, BinariesOfOtherContexts) {
  const auto bytes = binary(built(kSource, kOptions));
  context_ = context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kPrivate, 0});
  const auto program = from_binary(bytes);
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  expect_private(program);
}

TEST_F(InitializeMemory, Properties) {
  const std::vector<cl_context_properties> list{CL_CONTEXT_MEMORY_INITIALIZE_KHR, kLocal | kPrivate, 0};
  const auto context = context_with(list);
  std::vector<cl_context_properties> shown(3);
  EXPECT_EQ(clGetContextInfo(context.get(), CL_CONTEXT_PROPERTIES, 3 * sizeof shown[0], shown.data(), nullptr),
            CL_SUCCESS);
  EXPECT_EQ(shown, list);
  context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, 0, 0});
  context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0}, CL_INVALID_PROPERTY);
  context_with({CL_CONTEXT_MEMORY_INITIALIZE_KHR, kLocal, CL_CONTEXT_MEMORY_INITIALIZE_KHR, kLocal, 0},
               CL_INVALID_PROPERTY);
}

}  // namespace
}  // namespace lanewise::test
