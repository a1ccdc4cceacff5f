// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of blocks that kernels enqueue: one each, the same in all code of a program.
#include <CL/cl.h>

#include <algorithm>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
  static void start(global int* o) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; });
  }
  kernel void a(global int* o) { start(o); }
  kernel void b(global int* o) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* p, local void* q) {}, 4u, 8u);
  }
  kernel void c(global int* o) { int (^f)(int) = ^(int x) { return x + 1; }; o[0] = f(o[0]); })";

abi::Build request_of(const std::string& source) {
  abi::Build made = build_of(source, {"-cl-std=CL3.0"});
  made.source.macros.insert(made.source.macros.end(),
                            {"__opencl_c_device_enqueue=1", "__opencl_c_generic_address_space=1",
                             "__opencl_c_program_scope_global_variables=1"});
  return made;
}

std::vector<std::uint32_t> numbers_of(const abi::Reply& reply) {
  std::vector<std::uint32_t> numbers;
  for (const abi::KernelInfo& kernel : reply.kernels)
    if (kernel.block != 0) numbers.push_back(kernel.block);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

const abi::KernelInfo* named(const abi::Reply& reply, const std::string& name) {
  for (const abi::KernelInfo& kernel : reply.kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

TEST(Blocks, HaveNumbersAndArguments) {
  const abi::Reply reply = run_request(request_of(kSource));
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_EQ(numbers_of(reply), (std::vector<std::uint32_t>{1, 2}));
  ASSERT_EQ(reply.kernels.size(), 5U);
  for (const abi::KernelInfo& kernel : reply.kernels) {
    if (kernel.block == 0) continue;
    ASSERT_FALSE(kernel.args.empty());
    EXPECT_EQ(kernel.args.front().kind, abi::ArgKind::global_pointer);
    for (std::size_t i = 1; i < kernel.args.size(); ++i) EXPECT_EQ(kernel.args[i].kind, abi::ArgKind::local_pointer);
    EXPECT_FALSE(kernel.enqueues);
  }
  EXPECT_TRUE(named(reply, "a")->enqueues);
  EXPECT_TRUE(named(reply, "b")->enqueues);
  EXPECT_FALSE(named(reply, "c")->enqueues);
}

TEST(Blocks, KeepTheirNumbersInSpecialisedCode) {
  const abi::Reply first = run_request(request_of(kSource));
  ASSERT_EQ(first.status, CL_SUCCESS) << first.log;
  for (const abi::KernelInfo& kernel : first.kernels) {
    abi::Specialise again;
    again.program = first.ir;
    again.launches.kernel = kernel.name;
    again.launches.local_size = {4, 1, 1};
    const abi::Reply reply = run_request(again);
    ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
    ASSERT_EQ(reply.kernels.size(), 1U);
    EXPECT_EQ(reply.kernels.front().block, kernel.block);
  }
}

TEST(Blocks, ArePrivateToTheirProgram) {
  const abi::Reply one = run_request(abi::Compile{.source = request_of(kSource).source});
  std::string other = kSource;
  for (const char name : {'a', 'b', 'c'})
    other.replace(other.find(std::string("kernel void ") + name), 13, std::string("kernel void ") + name + "2");
  const abi::Reply two = run_request(abi::Compile{.source = request_of(other).source});
  ASSERT_EQ(one.status, CL_SUCCESS) << one.log;
  ASSERT_EQ(two.status, CL_SUCCESS) << two.log;
  const abi::Reply whole = link_replies({one, two});
  ASSERT_EQ(whole.status, CL_SUCCESS) << whole.log;
  EXPECT_EQ(numbers_of(whole), (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace lanewise::test
