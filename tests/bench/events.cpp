// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-events [PLATFORM [failing|ending [COUNT]]]: 100,000 commands (or COUNT) with random dependencies over 8 queues,
// in order and out of order, enqueued by 4 threads, with user events among them; time per event from the first enqueue
// to the last end. With "failing", half of the user events end with an error, which propagates to waiting commands.
#include <array>
#include <functional>
#include <random>
#include <thread>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

constexpr int kThreads = 4;
constexpr int kQueues = 8;
constexpr int kCommands = 100'000;
constexpr unsigned kMostWaits = 3;
constexpr int kReach = 64;         ///< how far back the commands are that a command waits for
constexpr int kUserInterval = 97;  ///< one user event in so many commands
constexpr int kRounds = 5;

/// Enqueues one command on a queue.
using Command = std::function<cl_int(cl_command_queue, cl_uint, const cl_event*, cl_event*)>;

class Storm {
 public:
  Storm(const std::string& platform, bool failing, int commands)
      : session_(platform), failing_(failing), per_thread_(commands / kThreads) {
    for (int i = 0; i < kQueues; ++i)
      queues_[i] = session_.queue(i % 2 == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;
  ~Storm() {
    for (cl_command_queue queue : queues_) clReleaseCommandQueue(queue);
  }

  [[nodiscard]] const Session& session() const { return session_; }

  /// Seconds per event, the shortest of some rounds.
  double each(const Command& command) {
    double best = 1e9;
    for (unsigned round = 0; round < kRounds; ++round) best = std::min(best, once(command, round));
    return best / (kThreads * per_thread_);
  }

 private:
  double once(const Command& command, unsigned round) {
    std::vector<std::vector<cl_event>> events(kThreads);
    const double begin = seconds_now();
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] { part(command, events[t], round * kThreads + t + 1); });
    for (auto& thread : threads) thread.join();
    for (cl_command_queue queue : queues_) {
      const cl_int code = clFinish(queue);
      if (!failing_) check(code, "clFinish");
    }
    const double seconds = seconds_now() - begin;
    for (auto& list : events)
      for (cl_event event : list) clReleaseEvent(event);
    return seconds;
  }

  /// One thread's commands; each waits for earlier ones of the same thread, on any queue.
  void part(const Command& command, std::vector<cl_event>& events, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random()) % n; };
    events.reserve(static_cast<std::size_t>(per_thread_));
    std::vector<cl_event> open;
    for (int i = 0; i < per_thread_; ++i) {
      if (i % kUserInterval == kUserInterval - 1) {
        cl_int code = CL_SUCCESS;
        open.push_back(clCreateUserEvent(session_.context, &code));
        check(code, "clCreateUserEvent");
        events.push_back(open.back());
        continue;
      }
      std::array<cl_event, kMostWaits> list{};
      cl_uint count = 0;
      for (unsigned w = below(kMostWaits + 1); w > 0 && i > 0; --w)
        list[count++] = events[events.size() - 1 - below(static_cast<unsigned>(std::min(i, kReach)))];
      cl_event made = nullptr;
      check(command(queues_[below(kQueues)], count, count != 0 ? list.data() : nullptr, &made), "enqueue");
      events.push_back(made);
      if (open.size() > 4 || below(50) == 0) end_oldest(open, below(2) == 0);
    }
    while (!open.empty()) end_oldest(open, below(2) == 0);
  }
  void end_oldest(std::vector<cl_event>& open, bool fail) const {
    if (open.empty()) return;
    check(clSetUserEventStatus(open.front(), failing_ && fail ? -100 : CL_COMPLETE), "clSetUserEventStatus");
    open.erase(open.begin());
  }

  Session session_;
  bool failing_;
  int per_thread_;
  std::array<cl_command_queue, kQueues> queues_{};
};

}  // namespace

int main(int count, char** values) {
  const bool failing = count > 2 && std::string(values[2]) == "failing";
  Storm storm(count > 1 ? values[1] : "", failing, count > 3 ? std::max(kThreads, std::atoi(values[3])) : kCommands);
  const double markers = storm.each([](cl_command_queue queue, cl_uint waits, const cl_event* list, cl_event* event) {
    return clEnqueueMarkerWithWaitList(queue, waits, list, event);
  });
  report(failing ? "storm_failing_marker" : "storm_marker", markers);
  cl_program program = nullptr;
  cl_kernel kernel = storm.session().build("kernel void nothing() {}", "nothing", &program);
  const double kernels = storm.each([&](cl_command_queue queue, cl_uint waits, const cl_event* list, cl_event* event) {
    const std::size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, waits, list, event);
  });
  report(failing ? "storm_failing_kernel" : "storm_kernel", kernels);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return 0;
}
