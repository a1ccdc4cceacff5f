// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that only add to a buffer, whose hot launches add to copies of it first. With LANEWISE_TIER=2 every launch is
/// hot. The results are those of any other kernel, also where the buffer can be reached in another way.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = std::size_t{64} * 1024;
constexpr std::size_t kLocal = 64;
constexpr std::size_t kBins = 100;

bool every_launch_is_hot() {
  const char* tier = std::getenv("LANEWISE_TIER");
  return tier != nullptr && std::string(tier) == "2" && std::getenv("LANEWISE_VERIFY") == nullptr;
}

/// Files of kernel code that this process has mapped.
std::size_t code_objects() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.find("r-xp") != std::string::npos &&
        (line.find("/code-objects/") != std::string::npos || line.find("/kernel-") != std::string::npos))
      ++count;
  return count;
}

/// What a kernel does to element i % kBins, and the same in C++.
template <class T>
struct Operation {
  const char* name;
  T (*apply)(T, T);
};
template <class T>
constexpr Operation<T> kOperations[] = {
    {"add", [](T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }},
    {"sub", [](T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }},
    {"min", [](T a, T b) { return std::min(a, b); }},
    {"max", [](T a, T b) { return std::max(a, b); }},
    {"and", [](T a, T b) { return a & b; }},
    {"or", [](T a, T b) { return a | b; }},
    {"xor", [](T a, T b) { return a ^ b; }},
};

template <class T>
void values_for(std::vector<T>& in, std::vector<T>& cells) {
  std::uint64_t state = 1;
  const auto next = [&] {
    return static_cast<T>((state = state * 6364136223846793005U + 1442695040888963407U) >> 13U);
  };
  std::ranges::generate(in, next);
  std::ranges::generate(cells, next);
}

class PrivateCopies : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    queue_ = queue();
  }
  template <class T>
  [[nodiscard]] MemPtr filled(const std::vector<T>& values) const {
    auto made = buffer(values.size() * sizeof(T));
    EXPECT_EQ(clEnqueueWriteBuffer(queue_.get(), made.get(), CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0,
                                   nullptr, nullptr),
              CL_SUCCESS);
    return made;
  }
  template <class T>
  [[nodiscard]] std::vector<T> read(cl_mem memory, std::size_t count) const {
    std::vector<T> values(count);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue_.get(), memory, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    return values;
  }
  static void set(const KernelPtr& kernel, std::vector<cl_mem> memory) {
    for (cl_uint i = 0; i < memory.size(); ++i)
      EXPECT_EQ(clSetKernelArg(kernel.get(), i, sizeof memory[i], &memory[i]), CL_SUCCESS);
  }
  void launch(const KernelPtr& kernel, const QueuePtr& on) const {
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), kernel.get(), 1, nullptr, &kItems, &kLocal, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  void launch(const KernelPtr& kernel) const {
    launch(kernel, queue_);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  }
  /// A launch in which each of 16 work-items adds 5 to its own element of `sums`, and looks at it through `peek`.
  void expect_to_see_what_it_added(cl_mem sums, cl_mem peek) const {
    const auto program = built(R"(
      kernel void look(global int* sums, global int* peek, global int* seen) {
        size_t i = get_global_id(0);
        if (i < 16) { atomic_add(&sums[i], 5); seen[i] = peek[i]; }
      })");
    const auto look = kernel(program, "look");
    const auto seen = buffer(16 * sizeof(int));
    for (int round = 1; round <= 3; ++round) {
      set(look, {sums, peek, seen.get()});
      launch(look);
      EXPECT_EQ(read<int>(seen.get(), 16), std::vector<int>(16, 5 * round));
    }
    EXPECT_EQ(read<int>(sums, 16), std::vector<int>(16, 15));
  }

  template <class T>
  void expect_every_operation(const std::string& type, const std::string& prefix) const {
    std::vector<T> in(kItems), cells(kBins);
    values_for(in, cells);
    const auto memory = filled(in);
    for (const auto& operation : kOperations<T>) {
      const auto made = kernel(
          built("kernel void k(global const " + type + "* in, global " + type +
                "* cells) { size_t i = get_global_id(0); " + prefix + operation.name + "(&cells[i % 100], in[i]); }"),
          "k");
      const auto changed = filled(cells);
      set(made, {memory.get(), changed.get()});
      launch(made);
      std::vector<T> expected = cells;
      for (std::size_t i = 0; i < kItems; ++i) expected[i % kBins] = operation.apply(expected[i % kBins], in[i]);
      EXPECT_EQ(read<T>(changed.get(), kBins), expected) << operation.name;
    }
  }

  QueuePtr queue_;
};

TEST_F(PrivateCopies, EveryOperationOfInt) {
  expect_every_operation<cl_int>("int", "atomic_");
}
TEST_F(PrivateCopies, EveryOperationOfUint) {
  expect_every_operation<cl_uint>("uint", "atomic_");
}
TEST_F(PrivateCopies, EveryOperationOfLong) {
  expect_every_operation<cl_long>("long", "atom_");
}
TEST_F(PrivateCopies, EveryOperationOfUlong) {
  expect_every_operation<cl_ulong>("ulong", "atom_");
}

constexpr const char* kCount = "kernel void k(global int* bins) { atomic_inc(&bins[get_global_id(0) % 100]); }";

std::vector<int> counts(int launches) {
  std::vector<int> expected(kBins);
  for (std::size_t i = 0; i < kItems; ++i) expected[i % kBins] += launches;
  return expected;
}

TEST_F(PrivateCopies, AreUsedByHotLaunches) {
  const std::size_t before = code_objects();
  const auto made = kernel(built(kCount), "k");
  const auto bins = filled(std::vector<int>(kBins));
  set(made, {bins.get()});
  for (int i = 0; i < 5; ++i) launch(made);
  EXPECT_EQ(read<int>(bins.get(), kBins), counts(5));
  if (every_launch_is_hot()) EXPECT_EQ(code_objects(), before + 2) << "the first code, and that for copies";
}

TEST_F(PrivateCopies, LaunchesAtTheSameTimeAddUp) {
  const auto made = kernel(built(kCount), "k");
  const auto bins = filled(std::vector<int>(kBins));
  set(made, {bins.get()});
  const std::array queues{queue(), queue(), queue()};
  for (int i = 0; i < 10; ++i)
    for (const QueuePtr& on : queues) launch(made, on);
  for (const QueuePtr& on : queues) ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
  EXPECT_EQ(read<int>(bins.get(), kBins), counts(30));
}

TEST_F(PrivateCopies, LeaveTheRestOfTheBufferAlone) {
  const auto whole = filled(std::vector<int>(1024, 7));
  const cl_buffer_region region{1024, kBins * sizeof(int)};
  cl_int code = 1;
  const MemPtr part(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto made = kernel(built(kCount), "k");
  set(made, {part.get()});
  launch(made);
  std::vector<int> expected(1024, 7);
  const auto added = counts(1);
  for (std::size_t i = 0; i < kBins; ++i) expected[256 + i] += added[i];
  EXPECT_EQ(read<int>(whole.get(), 1024), expected);
}

/// The group's local memory and a barrier, a loop over elements, and few work-items that add at all.
TEST_F(PrivateCopies, OfKernelsWithBarriers) {
  const auto made = kernel(built(R"(
    kernel void k(global ulong* sums, global uint* most) {
      local uint mine;
      uint l = get_local_id(0);
      if (l == 0) mine = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&mine, l);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l == 3) for (uint b = 0; b < 10; ++b) atom_add(&sums[b], (ulong)(mine * b));
      if (l % 32 == 1) atomic_max(most, (uint)get_global_id(0));
    })"),
                           "k");
  const auto sums = filled(std::vector<cl_ulong>(10));
  const auto most = filled(std::vector<cl_uint>(1));
  set(made, {sums.get(), most.get()});
  launch(made);
  std::vector<cl_ulong> expected(10);
  for (std::size_t b = 0; b < 10; ++b) expected[b] = kItems / kLocal * (kLocal * (kLocal - 1) / 2) * b;
  EXPECT_EQ(read<cl_ulong>(sums.get(), 10), expected);
  EXPECT_EQ(read<cl_uint>(most.get(), 1)[0], kItems - 31);
}

TEST_F(PrivateCopies, OneBufferAsTwoArguments) {
  const auto memory = filled(std::vector<int>(16));
  expect_to_see_what_it_added(memory.get(), memory.get());
}

TEST_F(PrivateCopies, PartsOfOneBuffer) {
  const auto memory = filled(std::vector<int>(64));
  const cl_buffer_region region{0, 32 * sizeof(int)};
  cl_int code = 1;
  const MemPtr part(clCreateSubBuffer(memory.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  expect_to_see_what_it_added(part.get(), memory.get());
}

TEST_F(PrivateCopies, TwoBuffersInTheApplicationsMemory) {
  alignas(128) std::array<int, 32> host{};
  cl_int code = 1;
  const auto wrap = [&] {
    return MemPtr(clCreateBuffer(context_.get(), CL_MEM_USE_HOST_PTR, sizeof host, host.data(), &code));
  };
  const auto one = wrap(), other = wrap();
  expect_to_see_what_it_added(one.get(), other.get());
}

TEST_F(PrivateCopies, TwoImportsOfTheApplicationsMemory) {
  const auto import =
      reinterpret_cast<clImportMemoryARM_fn>(clGetExtensionFunctionAddressForPlatform(platform_, "clImportMemoryARM"));
  ASSERT_NE(import, nullptr);
  alignas(128) std::array<int, 32> host{};
  const auto wrap = [&] {
    return MemPtr(import(context_.get(), CL_MEM_READ_WRITE, nullptr, host.data(), sizeof host, nullptr));
  };
  const auto one = wrap(), other = wrap();
  expect_to_see_what_it_added(one.get(), other.get());
}

TEST_F(PrivateCopies, ABufferWithAFixedAddress) {
  const cl_mem_properties fixed[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  cl_int code = 1;
  const MemPtr sums(clCreateBufferWithProperties(context_.get(), fixed, 0, 16 * sizeof(int), nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem_device_address_ext address = 0;
  ASSERT_EQ(clGetMemObjectInfo(sums.get(), CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, nullptr), CL_SUCCESS);
  const int zero = 0;
  ASSERT_EQ(clEnqueueFillBuffer(queue_.get(), sums.get(), &zero, sizeof zero, 0, 16 * sizeof(int), 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto made = kernel(built(R"(
    kernel void look(global int* sums, ulong address, global int* seen) {
      size_t i = get_global_id(0);
      if (i < 16) { atomic_add(&sums[i], 5); seen[i] = ((global int*)address)[i]; }
    })"),
                           "look");
  const auto seen = buffer(16 * sizeof(int));
  const cl_mem arguments[] = {sums.get(), seen.get()};
  ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof(cl_mem), &arguments[0]), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made.get(), 1, sizeof address, &address), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made.get(), 2, sizeof(cl_mem), &arguments[1]), CL_SUCCESS);
  launch(made);
  EXPECT_EQ(read<int>(seen.get(), 16), std::vector<int>(16, 5));
}

}  // namespace
}  // namespace lanewise::test
