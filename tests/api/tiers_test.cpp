// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second tier: a kernel that is launched often gets code for its local size. An application only sees that there
/// is one more image in its memory, and that the results are the same.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "tests/api/code_in_memory.h"
#include "tests/api/program_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

/// Neighbours exchange values through local memory; `salt` makes a program that is in no cache.
std::string source_of(unsigned salt) {
  return "kernel void rows(global const float* in, global float* out, local float* shared, int rounds) {\n"
         "  int l = get_local_id(0), n = get_local_size(0);\n"
         "  float x = in[get_global_id(0)] + " +
         std::to_string(salt) +
         ".0f;\n"
         "  for (int r = 0; r < rounds; ++r) {\n"
         "    shared[l] = x;\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    x = x * 0.5f + shared[(l + r) % n];\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  }\n"
         "  out[get_global_id(0)] = x;\n"
         "}\n";
}

class Tiers : public ProgramFixture {
 protected:
  static constexpr std::size_t kItems = std::size_t{64} * 1024;
  static constexpr std::size_t kLocal = 32;

  void SetUp() override {
    ProgramFixture::SetUp();
    const char* tier = std::getenv("LANEWISE_TIER");
    if (tier != nullptr && std::string(tier) != "auto") GTEST_SKIP() << "LANEWISE_TIER is set";
    if (const char* vectors = std::getenv("LANEWISE_DEBUG"); vectors != nullptr)
      GTEST_SKIP() << "LANEWISE_DEBUG is set";
    static_cast<void>(no_code_is_left());
    in_ = buffer(kItems * sizeof(float));
    out_ = buffer(kItems * sizeof(float));
    queue_ = queue();
    std::vector<float> values(kItems);
    for (std::size_t i = 0; i < kItems; ++i) values[i] = static_cast<float>(i % 1013) * 0.125F;
    ASSERT_EQ(clEnqueueWriteBuffer(queue_.get(), in_.get(), CL_TRUE, 0, kItems * sizeof(float), values.data(), 0,
                                   nullptr, nullptr),
              CL_SUCCESS);
  }
  /// A program lives until code that is still being made for it is finished.
  static bool no_code_is_left() {
    return within(std::chrono::seconds(60), [] { return code_objects().empty(); });
  }
  /// The kernel has its first code: the images that come later are of its second tier.
  [[nodiscard]] KernelPtr rows(const ProgramPtr& program) const {
    auto made = kernel(program, "rows");
    const cl_mem in = in_.get(), out = out_.get();
    const cl_int rounds = 300;
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof in, &in), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 1, sizeof out, &out), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 2, kLocal * sizeof(float), nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(made.get(), 3, sizeof rounds, &rounds), CL_SUCCESS);
    std::size_t items = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(made.get(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, nullptr),
              CL_SUCCESS);
    return made;
  }
  void launch(const KernelPtr& kernel, std::size_t items = kItems) const {
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &items, &kLocal, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  }
  /// Launches a kernel (out, steps) until there is code in vector form and in scalar form, and some times more. Every
  /// launch has to give the expected results.
  void expect_two_forms(const KernelPtr& kernel, cl_uint steps, std::size_t local,
                        const std::vector<cl_uint>& expected) const {
    const cl_mem out = out_.get();
    ASSERT_EQ(clSetKernelArg(kernel.get(), 0, sizeof out, &out), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel.get(), 1, sizeof steps, &steps), CL_SUCCESS);
    const std::size_t items = expected.size();
    const auto launch_all = [&] {
      ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &items, &local, 0, nullptr, nullptr),
                CL_SUCCESS);
      ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    };
    launch_all();
    const auto before = code_objects();
    const auto end = time_limit(std::chrono::seconds(60));
    for (int after = 0; after < 50 && std::chrono::steady_clock::now() < end;
         after += code_objects_since(before) >= 2 ? 1 : 0) {
      std::vector<cl_uint> result(items, 12345);
      ASSERT_EQ(clEnqueueWriteBuffer(queue_.get(), out, CL_FALSE, 0, items * sizeof(cl_uint), result.data(), 0, nullptr,
                                     nullptr),
                CL_SUCCESS);
      launch_all();
      ASSERT_EQ(clEnqueueReadBuffer(queue_.get(), out, CL_TRUE, 0, items * sizeof(cl_uint), result.data(), 0, nullptr,
                                    nullptr),
                CL_SUCCESS);
      ASSERT_EQ(result, expected);
    }
    EXPECT_EQ(code_objects_since(before), 2U);
  }
  [[nodiscard]] std::vector<float> result() const {
    std::vector<float> values(kItems);
    EXPECT_EQ(clEnqueueReadBuffer(queue_.get(), out_.get(), CL_TRUE, 0, kItems * sizeof(float), values.data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }

  MemPtr in_, out_;
  QueuePtr queue_;
};

TEST_F(Tiers, AHotKernelGetsCodeOfItsOwnAndTheSameResults) {
  const auto program = built(source_of(1), "-cl-std=CL3.0");
  const auto kernel = rows(program);
  const auto before = code_objects();  // before the first launch, which asks the cache on disk
  ASSERT_GE(before.size(), 1U);
  launch(kernel);
  const auto expected = result();
  const auto end = time_limit(std::chrono::seconds(60));
  while (code_objects_since(before) == 0 && std::chrono::steady_clock::now() < end) launch(kernel);
  ASSERT_EQ(code_objects_since(before), 1U);
  launch(kernel);
  EXPECT_EQ(result(), expected);
  launch(kernel, kItems - 5);  // not whole groups: the code of the first tier; the last group is another one then
  auto partial = result();
  std::copy(expected.end() - kLocal, expected.end(), partial.end() - kLocal);
  EXPECT_EQ(partial, expected);
}

/// One short launch makes nothing hot; what an earlier program has found hot is in the cache on disk.
TEST_F(Tiers, CodeOfAKernelWithBarriersIsThereFromTheFirstLaunchOn) {
  if (std::getenv("LANEWISE_CACHE") != nullptr) GTEST_SKIP() << "LANEWISE_CACHE is set";
  {
    const auto program = built(source_of(4), "-cl-std=CL3.0");
    const auto kernel = rows(program);
    const auto before = code_objects();
    ASSERT_TRUE(within(std::chrono::seconds(60), [&] {
      launch(kernel);
      return code_objects_since(before) == 1;
    }));
  }
  ASSERT_TRUE(no_code_is_left());
  const auto program = built(source_of(4), "-cl-std=CL3.0");
  const auto kernel = rows(program);
  const auto before = code_objects();
  launch(kernel);
  EXPECT_TRUE(within(std::chrono::seconds(60), [&] { return code_objects_since(before) == 1; }));
}

/// What a launch takes counts while it runs, and what is left of it runs the code that was made meanwhile. Launches become
/// longer until there is time for that.
TEST_F(Tiers, ALongLaunchGetsCodeBeforeItEnds) {
  bool found = false;
  unsigned salt = 20;
  for (cl_int rounds = 1'000; !found && rounds <= 64'000; rounds *= 4) {
    ASSERT_TRUE(no_code_is_left());
    const auto program = built(source_of(salt++), "-cl-std=CL3.0");
    const auto kernel = rows(program);
    ASSERT_EQ(clSetKernelArg(kernel.get(), 3, sizeof rounds, &rounds), CL_SUCCESS);
    const auto before = code_objects();
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &kItems, &kLocal, 0, nullptr, &event),
              CL_SUCCESS);
    ASSERT_EQ(clFlush(queue_.get()), CL_SUCCESS);
    cl_int status = CL_QUEUED;
    while (!found && status != CL_COMPLETE) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      found = code_objects_since(before) == 1;
      ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    }
    ASSERT_EQ(clReleaseEvent(event), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
    const auto mixed = result();
    launch(kernel);
    EXPECT_EQ(result(), mixed);
  }
  EXPECT_TRUE(found);
}

TEST_F(Tiers, AProgramMayGoWhileItsCodeIsBeingMade) {
  for (unsigned salt = 100; salt < 104; ++salt) {
    const auto program = built(source_of(salt), "-cl-std=CL3.0");
    const auto kernel = rows(program);
    // About as many launches as make it hot: some programs end just before their code is ready, some just after.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300 + (salt - 100) * 60);
    while (std::chrono::steady_clock::now() < end) launch(kernel);
  }
}

TEST_F(Tiers, KernelsOfOneProgramShareIt) {
  const auto program = built(source_of(2), "-cl-std=CL3.0");
  const auto first = rows(program), second = rows(program);
  const auto before = code_objects();
  const auto end = time_limit(std::chrono::seconds(60));
  while (code_objects_since(before) == 0 && std::chrono::steady_clock::now() < end) {
    launch(first);
    launch(second);
  }
  for (int i = 0; i < 20; ++i) launch(second);
  EXPECT_EQ(code_objects_since(before), 1U);
}

/// Many groups might run in teams (compiler/groups/teams.h), few might not; those of this kernel never do.
TEST_F(Tiers, CodeWithoutTeamsIsMadeOnceForManyGroupsAndFew) {
  const auto program = built(source_of(6), "-cl-std=CL3.0");
  const auto kernel = rows(program);
  const auto before = code_objects();
  const auto end = time_limit(std::chrono::seconds(60));
  while (code_objects_since(before) == 0 && std::chrono::steady_clock::now() < end) launch(kernel);
  ASSERT_EQ(code_objects_since(before), 1U);
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
  while (std::chrono::steady_clock::now() < soon) launch(kernel, 4 * kLocal);
  EXPECT_EQ(code_objects_since(before), 1U);
}

/// Few work-items, each of which reads and writes a table of its own at varying indices: vector code is the more
/// expensive for each, the fewer there are.
TEST_F(Tiers, LaunchesOfFewWorkItemsGetAFormForThem) {
  const auto program = built(
      "kernel void table(global uint* out, uint steps) {\n"
      "  uint t[64], x = get_global_id(0) + 77;\n"
      "  for (uint i = 0; i < 64; ++i) t[i] = i * 2654435761u + x;\n"
      "  for (uint i = 0; i < steps; ++i) {\n"
      "    x = t[(x ^ i) & 63] + (x >> 3);\n"
      "    t[i & 63] += x;\n"
      "  }\n"
      "  out[get_global_id(0)] = x;\n"
      "}\n");
  const cl_uint steps = 100'000;
  std::vector<cl_uint> expected(2);
  for (cl_uint item = 0; item < expected.size(); ++item) {
    std::array<cl_uint, 64> t{};
    cl_uint x = item + 77;
    for (cl_uint i = 0; i < 64; ++i) t[i] = i * 2654435761U + x;
    for (cl_uint i = 0; i < steps; ++i) {
      x = t[(x ^ i) & 63U] + (x >> 3U);
      t[i & 63U] += x;
    }
    expected[item] = x;
  }
  expect_two_forms(kernel(program, "table"), steps, 1, expected);
}

/// Only one work-item in 61 has work to do, and a vector waits for its slowest lane. Chunks of the launches run in both
/// forms until it is known which is faster.
TEST_F(Tiers, AKernelThatStaysHotIsTimedInBothForms) {
  const auto program = built(
      "kernel void rare(global uint* out, uint steps) {\n"
      "  uint x = get_global_id(0) * 747796405u + 2891336453u, r = 0;\n"
      "  if ((x >> 8) % 61 == 0)\n"
      "    for (uint i = 0; i < steps; ++i) {\n"
      "      x = x * 1664525u + 1013904223u;\n"
      "      r ^= (x >> 7) / ((x & 15) + 1);\n"
      "    }\n"
      "  out[get_global_id(0)] = r;\n"
      "}\n");
  const cl_uint steps = 200;
  std::vector<cl_uint> expected(kItems);
  for (cl_uint item = 0; item < kItems; ++item) {
    cl_uint x = item * 747796405U + 2891336453U;
    if ((x >> 8U) % 61 != 0) continue;
    for (cl_uint i = 0; i < steps; ++i) {
      x = x * 1664525U + 1013904223U;
      expected[item] ^= (x >> 7U) / ((x & 15U) + 1);
    }
  }
  expect_two_forms(kernel(program, "rare"), steps, kLocal, expected);
}

/// Several threads enqueue while the code is requested, made and published.
TEST_F(Tiers, ThreadsThatShareAProgramSeeTheSameResultsThroughout) {
  constexpr std::size_t kFew = 4096;
  const auto program = built(source_of(3), "-cl-std=CL3.0");
  const auto first = rows(program);
  const auto before = code_objects();
  const auto end = time_limit(std::chrono::seconds(60));
  const auto work = [&](std::vector<std::vector<float>>& results) {
    const auto kernel = rows(program);
    const auto own_queue = queue();
    const auto own = buffer(kFew * sizeof(float));
    const cl_mem out = own.get();
    ASSERT_EQ(clSetKernelArg(kernel.get(), 1, sizeof out, &out), CL_SUCCESS);
    std::vector<float> values(kFew);
    // Some launches more once the code is there.
    for (int after = 0; after < 10 && std::chrono::steady_clock::now() < end;
         after += code_objects_since(before) != 0 ? 1 : 0) {
      for (int i = 0; i < 20; ++i)
        ASSERT_EQ(
            clEnqueueNDRangeKernel(own_queue.get(), kernel.get(), 1, nullptr, &kFew, &kLocal, 0, nullptr, nullptr),
            CL_SUCCESS);
      ASSERT_EQ(clEnqueueReadBuffer(own_queue.get(), out, CL_TRUE, 0, kFew * sizeof(float), values.data(), 0, nullptr,
                                    nullptr),
                CL_SUCCESS);
      if (results.empty() || results.back() != values) results.push_back(values);
    }
  };
  std::vector<std::vector<float>> results[4];
  std::vector<std::thread> threads;
  for (auto& r : results) threads.emplace_back([&] { work(r); });
  for (std::thread& t : threads) t.join();
  EXPECT_GT(code_objects_since(before), 0U);
  for (const auto& r : results) {
    ASSERT_EQ(r.size(), 1U);
    EXPECT_EQ(r, results[0]);
  }
}

}  // namespace
}  // namespace lanewise::test
