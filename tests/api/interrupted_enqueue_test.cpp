// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A thread that loses its processor inside of an enqueue, after its command has got its place in the queue and before
/// the scheduler knows of it. Another thread that waits for that command, or flushes the queue, does not call again.
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "tests/api/program_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Longer than threads of the driver spin for work.
void interrupted(int) {
  const timespec time{.tv_sec = 0, .tv_nsec = 300'000};
  nanosleep(&time, nullptr);
}

/// Without a call of the system.
template <class Done>
bool spin(Clock::time_point end, Done done) {
  while (!done())
    if (Clock::now() > end) return false;
  return true;
}
void spin(Clock::duration time) {
  static_cast<void>(spin(Clock::now() + time, [] { return false; }));
}

class InterruptedEnqueue : public ProgramFixture {
 protected:
  static constexpr int kRounds = kSlow ? 500 : 4000;

  void SetUp() override {
    ProgramFixture::SetUp();
    struct sigaction action{};
    action.sa_handler = interrupted;
    ASSERT_EQ(sigaction(SIGUSR2, &action, &saved_), 0);
    program_ = built("kernel void empty() {}");
    kernel_.reset(clCreateKernel(program_.get(), "empty", nullptr));
  }
  void TearDown() override { sigaction(SIGUSR2, &saved_, nullptr); }

  [[nodiscard]] QueuePtr queue(cl_command_queue_properties properties) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return QueuePtr(clCreateCommandQueueWithProperties(context_.get(), device_, list, nullptr));
  }
  void enqueue(const QueuePtr& queue) const {
    const std::size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue.get(), kernel_.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  /// This thread enqueues small commands, one in each round, and makes no other call. Another one interrupts it at some
  /// time during the enqueue and calls `other`, which must end in each round.
  template <class Other>
  void run(const QueuePtr& queue, Other other) {
    for (int i = 0; i < 100; ++i) enqueue(queue);  // the driver learns how little they take
    EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    const pthread_t enqueuer = pthread_self();
    std::thread thread([&] {
      for (int round = 1; round <= kRounds; ++round) {
        while (begun.load() < round) {
        }
        if (begun.load() > kRounds) return;
        pthread_kill(enqueuer, SIGUSR2);
        spin(10us);
        other();
        ended = round;
      }
    });
    std::minstd_rand random(1);
    for (int round = 1; round <= kRounds && !HasFailure(); ++round) {
      begun = round;
      spin(std::chrono::nanoseconds(random() % 4000));
      enqueue(queue);
      EXPECT_TRUE(spin(time_limit(5s), [&] { return ended.load() == round; })) << "in round " << round;
      if (HasFailure()) clFlush(queue.get());
    }
    begun = kRounds + 1;
    thread.join();
    EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
  }

 private:
  struct sigaction saved_{};
  ProgramPtr program_;
  KernelPtr kernel_;
};

TEST_F(InterruptedEnqueue, IsFinishedByAnotherThread) {
  for (const cl_command_queue_properties order :
       {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const QueuePtr shared = queue(order);
    run(shared, [&] { EXPECT_EQ(clFinish(shared.get()), CL_SUCCESS); });
  }
}

TEST_F(InterruptedEnqueue, IsFlushedByAnotherThread) {
  const QueuePtr shared = queue(0);
  run(shared, [&] {
    // A marker behind the command, if the queue has it already; flushed, so that its callback comes.
    std::atomic<bool> complete{false};
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(shared.get(), 0, nullptr, &event), CL_SUCCESS);
    const auto tell = [](cl_event, cl_int, void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); };
    EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, tell, &complete), CL_SUCCESS);
    EXPECT_EQ(clFlush(shared.get()), CL_SUCCESS);
    while (!complete) std::this_thread::yield();
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  });
}

}  // namespace
}  // namespace lanewise::test
