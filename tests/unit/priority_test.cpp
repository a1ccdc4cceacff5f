// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_priority_hints in the scheduler: ready commands of queues of higher priority run first, and nothing starves.
#include <algorithm>
#include <mutex>
#include <thread>

#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

class Priority : public ExecTest {
 protected:
  [[nodiscard]] Ref<Queue> queue_of(Hint priority) const {
    return Queue::create(*context_, device(), kOutOfOrder, {}, {priority, Hint::medium});
  }

  /// Keeps every participant of the device busy until `open` is called.
  void close_gate() {
    const auto units = static_cast<int>(device().facts().compute_units);
    blocker_ = queue(kOutOfOrder);
    for (int i = 0; i < units; ++i) {
      blocked_.push_back(submit(*blocker_, call([this](std::uint64_t) {
        ++inside_;
        while (!open_.load()) std::this_thread::yield();
        return CL_SUCCESS;
      })));
    }
    while (inside_.load() < units) std::this_thread::yield();
  }
  void open_gate() {
    open_ = true;
    for (const auto& event : blocked_) EXPECT_EQ(event->wait(), CL_COMPLETE);
  }

  WorkPtr note(Hint hint) {
    return call([this, hint](std::uint64_t) {
      const std::scoped_lock lock(mutex_);
      order_.push_back(hint);
      return CL_SUCCESS;
    });
  }
  /// Mean position in the order of execution.
  [[nodiscard]] double mean(Hint hint) const {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (order_[i] == hint) sum += static_cast<double>(i), ++count;
    return sum / count;
  }

  Ref<Queue> blocker_;
  std::vector<Ref<Event>> blocked_;
  std::atomic<int> inside_{0};
  std::atomic<bool> open_{false};
  std::mutex mutex_;
  std::vector<Hint> order_;
};

TEST_F(Priority, ReadyCommandsRunInTheOrderOfTheirQueuesPriority) {
#ifndef LANEWISE_PRIVATE_TBB
  GTEST_SKIP() << "the installed oneTBB gives one worker fewer than the gate waits for";
#endif
  constexpr int kEach = 200;
  close_gate();
  std::vector<Ref<Event>> events;
  const Hint hints[] = {Hint::low, Hint::medium, Hint::high};  // the wrong way round
  std::vector<Ref<Queue>> queues;
  for (const Hint hint : hints) queues.push_back(queue_of(hint));
  for (std::size_t q = 0; q < queues.size(); ++q)
    for (int i = 0; i < kEach; ++i) events.push_back(submit(*queues[q], note(hints[q])));
  open_gate();
  for (const auto& event : events) EXPECT_EQ(event->wait(), CL_COMPLETE);
  ASSERT_EQ(order_.size(), 3u * kEach);
  EXPECT_LT(mean(Hint::high) + kEach / 2., mean(Hint::medium));
  EXPECT_LT(mean(Hint::medium) + kEach / 2., mean(Hint::low));
  // Nothing starves: the lower priorities get a look now and then while there is still work of high priority.
  const auto last_high = std::find(order_.rbegin(), order_.rend(), Hint::high).base();
  EXPECT_NE(std::find(order_.begin(), last_high, Hint::low), last_high);
  EXPECT_NE(std::find(order_.begin(), last_high, Hint::medium), last_high);
}

}  // namespace
}  // namespace lanewise::test
