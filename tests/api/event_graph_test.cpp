// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A storm of commands: random dependencies over several queues, enqueued by several threads, with failures among them.
/// Every command checks that the events it waits for have completed, and in the end each must have run exactly once, or
/// not at all because an event that it waits for failed (API 5.10, 5.11). Markers among many open commands (API 5.12).
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

constexpr int kThreads = 4;
constexpr int kQueues = 8;
constexpr int kRounds = kSlow ? 5 : 45;
/// Rounds until every thread's part of the heap has its final size.
constexpr int kWarmUp = kSlow ? 1 : 40;
constexpr int kPerThread = 5'000;
constexpr int kMostWaits = 3;
constexpr int kReach = 64;            ///< how far back the commands are that a command waits for
constexpr int kFailureInterval = 97;  ///< one user event in so many commands, half of them end with an error

struct Node {
  std::atomic<int> runs{0};
  std::atomic<bool> early{false};  ///< ran before an event that it waits for
  std::array<Node*, kMostWaits> waits{};
  cl_event event = nullptr;
  bool fails = false;  ///< itself (a user event), or through its wait list
  bool user = false;
};

void CL_CALLBACK visit(void* argument) {
  Node& node = **static_cast<Node**>(argument);
  for (const Node* before : node.waits)
    if (before != nullptr && before->runs.load(std::memory_order_acquire) == 0) node.early = true;
  node.runs.fetch_add(1, std::memory_order_release);
}

class EventGraph : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    for (int i = 0; i < kQueues; ++i) {
      const cl_command_queue_properties bits = i % 2 == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
      queues_[i].reset(clCreateCommandQueue(context_.get(), device_, bits, nullptr));
      ASSERT_NE(queues_[i], nullptr);
    }
  }

  /// One thread's part: commands that wait for earlier ones of the same thread, on any queue. Commands that wait for
  /// nothing else wait for `gate`, if there is one.
  void enqueue_part(std::vector<Node>& nodes, unsigned seed, cl_event gate) const {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    std::vector<std::pair<Node*, cl_int>> users;  ///< open user events and what they end with
    for (int i = 0; i < kPerThread; ++i) {
      Node& node = nodes[i];
      if (i % kFailureInterval == kFailureInterval - 1) {
        node.user = true;
        node.fails = below(2) == 0;
        node.event = clCreateUserEvent(context_.get(), nullptr);
        users.emplace_back(&node, node.fails ? -100 - i : CL_COMPLETE);
        continue;
      }
      std::array<cl_event, kMostWaits> list{};
      cl_uint count = 0;
      for (int w = below(kMostWaits + 1); w > 0 && i > 0; --w) {
        Node& before = nodes[i - 1 - below(std::min(i, kReach))];
        node.waits[count] = &before;
        list[count++] = before.event;
        node.fails |= before.fails;
      }
      if (count == 0 && gate != nullptr) list[count++] = gate;
      Node* self = &node;
      cl_command_queue queue = queues_[below(kQueues)].get();
      ASSERT_EQ(clEnqueueNativeKernel(queue, visit, &self, sizeof self, 0, nullptr, nullptr, count,
                                      count != 0 ? list.data() : nullptr, &node.event),
                CL_SUCCESS);
      if (users.size() > 4 || below(50) == 0) end_oldest(users);
    }
    while (!users.empty()) end_oldest(users);
  }
  static void end_oldest(std::vector<std::pair<Node*, cl_int>>& users) {
    if (users.empty()) return;
    const auto [node, status] = users.front();
    users.erase(users.begin());
    node->runs = 1;
    ASSERT_EQ(clSetUserEventStatus(node->event, status), CL_SUCCESS);
  }

  static void check(Node& node) {
    const cl_int waited = clWaitForEvents(1, &node.event);
    EXPECT_EQ(waited, node.fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
    cl_int status = 1;
    EXPECT_EQ(clGetEventInfo(node.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
              CL_SUCCESS);
    if (!node.user) {
      EXPECT_EQ(status, node.fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
      EXPECT_EQ(node.runs.load(), node.fails ? 0 : 1);
    }
    EXPECT_FALSE(node.early.load());
    EXPECT_EQ(clReleaseEvent(node.event), CL_SUCCESS);
  }

  /// `held`: nothing runs before everything is enqueued, so that all the commands exist at once.
  void round(unsigned seed, bool held) const {
    cl_event gate = held ? clCreateUserEvent(context_.get(), nullptr) : nullptr;
    std::vector<std::vector<Node>> parts;
    for (int t = 0; t < kThreads; ++t) parts.emplace_back(kPerThread);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] { enqueue_part(parts[t], seed + static_cast<unsigned>(t), gate); });
    for (auto& thread : threads) thread.join();
    if (held) {
      EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
      EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    }
    for (auto& part : parts)
      for (Node& node : part) check(node);
    for (const auto& queue : queues_) EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
  }

  std::array<QueuePtr, kQueues> queues_;
};

std::size_t resident_bytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(EventGraph, EveryCommandOnceAndInOrder) {
  std::size_t before = 0;
  for (unsigned i = 0; i < kRounds; ++i) {
    // Held rounds need the most memory that a round can need; how much one of the others does depends on timing.
    round(1 + i * kThreads, i < kWarmUp / 2);
    if (i == kWarmUp - 1) before = resident_bytes();
  }
  // 100,000 events later: even a small leak for each of them would show.
  if (!kSlow) EXPECT_LT(resident_bytes(), before + (std::size_t{4} << 20));
}

/// How many commands have run, and whether one ran before those that the marker in its wait list stands for.
struct Progress {
  std::atomic<int> ran{0};
  std::atomic<bool> early{false};
};

void CL_CALLBACK advance_progress(void* argument) {
  (*static_cast<Progress**>(argument))->ran.fetch_add(1);
}

struct Expectation {
  Progress* progress;
  int ran;
};

void CL_CALLBACK check_progress(void* argument) {
  const auto& expected = *static_cast<Expectation*>(argument);
  if (expected.progress->ran.load() < expected.ran) expected.progress->early = true;
}

TEST_F(EventGraph, MarkersAmongManyOpenCommands) {
  constexpr int kMarkers = kPerThread;
  cl_command_queue queue = queues_[0].get();
  cl_event gate = clCreateUserEvent(context_.get(), nullptr);
  Progress progress;
  constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  const std::size_t before = resident_bytes();
  for (int i = 0; i < kMarkers; ++i) {
    Progress* shared = &progress;
    ASSERT_EQ(
        clEnqueueNativeKernel(queue, advance_progress, &shared, sizeof shared, 0, nullptr, nullptr, 1, &gate, nullptr),
        CL_SUCCESS);
    cl_event marker = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker), CL_SUCCESS);
    Expectation expected{&progress, i + 1};
    ASSERT_EQ(clEnqueueNativeKernel(queue, check_progress, &expected, sizeof expected, 0, nullptr, nullptr, 1, &marker,
                                    nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clReleaseEvent(marker), CL_SUCCESS);
    // If markers waited for each open command one by one, this limit would be exceeded before half are enqueued.
    if (!kSanitized && i % 100 == 0) {
      ASSERT_LT(resident_bytes(), before + kMostBytes) << "after " << i << " markers";
    }
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(progress.ran.load(), kMarkers);
  EXPECT_FALSE(progress.early.load());
}

}  // namespace
}  // namespace lanewise::test
