// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Order, errors, callbacks and times of events.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/clock.h"
#include "tests/time_limits.h"
#include "tests/unit/exec_fixture.h"

namespace lanewise::test {
namespace {

class EventTest : public ExecTest {
 protected:
  /// Notes its number when it runs.
  WorkPtr note(int number) {
    return call([this, number](std::uint64_t) {
      const std::scoped_lock lock(mutex_);
      order_.push_back(number);
      return CL_SUCCESS;
    });
  }
  std::mutex mutex_;
  std::vector<int> order_;
};

TEST_F(EventTest, InOrderQueueKeepsItsOrder) {
  const auto q = queue(kInOrder);
  std::vector<int> expected;
  for (int i = 0; i < 500; ++i) {
    submit(*q, note(i));
    expected.push_back(i);
  }
  EXPECT_EQ(q->finish(), CL_SUCCESS);
  EXPECT_EQ(order_, expected);
}

TEST_F(EventTest, StatesOfACommand) {
  const auto q = queue(kInOrder);
  auto gate = user();
  EXPECT_EQ(gate->status(), CL_SUBMITTED);
  EXPECT_EQ(gate->queue(), nullptr);
  cl_int seen = 99;
  Ref<Event> event = submit(*q, call([&](std::uint64_t) { return seen = 0, CL_SUCCESS; }), {gate.get()});
  EXPECT_EQ(event->status(), CL_SUBMITTED);
  EXPECT_EQ(gate->set_status(CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(gate->set_status(CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(event->wait(), CL_COMPLETE);
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(UserEvent::from(*event), nullptr);
  EXPECT_EQ(UserEvent::from(*gate), gate.get());
}

TEST_F(EventTest, AWorkRunsAsOftenAsItIsSubmitted) {
  // As recorded commands do: one after the other in an in-order queue, at once in an out-of-order queue.
  constexpr int kRuns = 200;
  constexpr std::uint64_t kPieces = 50;
  auto alive = std::make_shared<int>();
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    std::vector<std::atomic<int>> hits(kPieces);
    WorkPtr recorded = call(
        [&hits, alive](std::uint64_t piece) {
          ++hits[piece];
          return CL_SUCCESS;
        },
        kPieces);
    const auto q = queue(properties);
    for (int i = 0; i < kRuns; ++i) submit(*q, recorded.share());
    EXPECT_EQ(q->finish(), CL_SUCCESS);
    for (const auto& hit : hits) EXPECT_EQ(hit.load(), kRuns);
    EXPECT_EQ(alive.use_count(), 2) << "the one who recorded it keeps it";
    // The last run holds it when nothing else does.
    auto gate = user();
    auto last = submit(*q, std::move(recorded), {gate.get()});
    EXPECT_EQ(alive.use_count(), 2);
    gate->set_status(CL_COMPLETE);
    EXPECT_EQ(last->wait(), CL_COMPLETE);
    EXPECT_EQ(alive.use_count(), 1);
    for (const auto& hit : hits) EXPECT_EQ(hit.load(), kRuns + 1);
  }
}

/// A command that has run and enqueued two children, which wait for a user event; it ends with them.
class ChildrenTest : public EventTest {
 protected:
  void run_parent(WorkPtr first_child) {
    auto go = user();
    std::atomic<bool> ran{false};
    parent_ = submit(*queue_, call([&](std::uint64_t) {
      const auto child = [&](WorkPtr work) {
        Event* gate = gate_.get();
        return children_->submit_child(
            Worker::current(), {.type = CL_COMMAND_NATIVE_KERNEL, .work = std::move(work), .waits = {&gate, 1}});
      };
      EXPECT_TRUE(child(std::move(first_child)).ok());
      EXPECT_TRUE(child(note(2)).ok());
      ran = true;
      return CL_SUCCESS;
    }),
                     {go.get()});
    after_ = submit(*queue_, note(3), {parent_.get()});
    go->set_status(CL_COMPLETE);
    while (!ran) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  Ref<Queue> queue_ = queue(kInOrder);
  Ref<Queue> children_ = queue(kOutOfOrder);
  Ref<UserEvent> gate_ = user();
  Ref<Event> parent_;
  Ref<Event> after_;
};

TEST_F(ChildrenTest, ACommandEndsWithItsChildren) {
  run_parent(note(1));
  EXPECT_EQ(parent_->status(), CL_RUNNING);
  EXPECT_EQ(after_->status(), CL_SUBMITTED);
  gate_->set_status(CL_COMPLETE);
  EXPECT_EQ(parent_->wait(), CL_COMPLETE);
  EXPECT_EQ(after_->wait(), CL_COMPLETE);
  ASSERT_EQ(order_.size(), 3u);
  EXPECT_EQ(order_.back(), 3);
}

TEST_F(ChildrenTest, ACommandFailsWithItsChildren) {
  run_parent(fail(-1234));
  EXPECT_EQ(parent_->status(), CL_RUNNING);
  gate_->set_status(CL_COMPLETE);
  EXPECT_EQ(parent_->wait(), -1234);
  EXPECT_EQ(after_->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(order_, std::vector{2});
}

TEST_F(EventTest, BarrierHoldsLaterCommandsOfAnOutOfOrderQueue) {
  const auto q = queue(kOutOfOrder);
  auto gate = user();
  auto early = submit(*q, note(1), {gate.get()});
  auto barrier = submit(*q, nullptr, {}, SubmitKind::barrier);
  auto late = submit(*q, note(2));
  auto marker = submit(*q, nullptr, {}, SubmitKind::marker);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (const auto& event : {early, barrier, late, marker}) EXPECT_EQ(event->status(), CL_SUBMITTED);
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(marker->wait(), CL_COMPLETE);
  EXPECT_EQ(order_, (std::vector{1, 2}));
}

TEST_F(EventTest, BarrierWithAWaitListWaitsOnlyForTheList) {
  const auto q = queue(kOutOfOrder);
  auto never = user();
  auto gate = user();
  auto stuck = submit(*q, note(1), {never.get()});
  auto barrier = submit(*q, nullptr, {gate.get()}, SubmitKind::barrier);
  auto late = submit(*q, note(2));
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(late->wait(), CL_COMPLETE);
  EXPECT_EQ(barrier->status(), CL_COMPLETE);
  EXPECT_EQ(stuck->status(), CL_SUBMITTED);
  never->set_status(CL_COMPLETE);
  EXPECT_EQ(q->finish(), CL_SUCCESS);
}

TEST_F(EventTest, MarkerDoesNotHoldLaterCommands) {
  const auto q = queue(kOutOfOrder);
  auto gate = user();
  auto stuck = submit(*q, note(1), {gate.get()});
  auto marker = submit(*q, nullptr, {}, SubmitKind::marker);
  auto late = submit(*q, note(2));
  EXPECT_EQ(late->wait(), CL_COMPLETE);
  EXPECT_EQ(marker->status(), CL_SUBMITTED);
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(marker->wait(), CL_COMPLETE);
}

TEST_F(EventTest, MarkerCollectsManyCommands) {
  const auto q = queue(kOutOfOrder);
  auto gate = user();
  std::atomic<int> ran{0};
  for (int i = 0; i < 300; ++i) submit(*q, count(ran), {gate.get()});
  auto marker = submit(*q, nullptr, {}, SubmitKind::marker);
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(marker->wait(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), 300);
}

TEST_F(EventTest, EveryCommandIsCollectedOnce) {
  // Otherwise there would be an edge for each pair of a marker and an earlier command.
  constexpr int kMarkers = 10'000;
  const auto q = queue(kOutOfOrder);
  auto gate = user();
  std::atomic<int> ran{0};
  std::vector<Ref<Event>> markers;
  for (int i = 0; i < kMarkers; ++i) {
    const auto command = submit(*q, count(ran), {gate.get()});
    const SubmitKind kind = i % 3 == 0 ? SubmitKind::barrier : SubmitKind::marker;
    markers.push_back(submit(*q, nullptr, {}, kind));
    ASSERT_LE(command->open_dependencies(), 2u) << "its wait list, and the last barrier";
    ASSERT_EQ(markers.back()->open_dependencies(), i == 0 ? 1u : 2u) << "the last marker, and the command since then";
  }
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(markers.back()->wait(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), kMarkers);
  EXPECT_EQ(submit(*q, nullptr, {}, SubmitKind::marker)->wait(), CL_COMPLETE) << "nothing is left to collect";
}

TEST_F(EventTest, MarkersWaitForWhatEarlierOnesHaveCollected) {
  for (const bool first_gate_first : {false, true}) {
    for (const SubmitKind kind : {SubmitKind::marker, SubmitKind::barrier}) {
      const auto q = queue(kOutOfOrder);
      auto first_gate = user();
      auto second_gate = user();
      submit(*q, nullptr, {first_gate.get()});
      auto first = submit(*q, nullptr, {}, kind);
      submit(*q, nullptr, {second_gate.get()});
      auto second = submit(*q, nullptr, {}, kind);
      auto third = submit(*q, nullptr, {}, kind);
      (first_gate_first ? first_gate : second_gate)->set_status(CL_COMPLETE);
      EXPECT_EQ(first->status(), first_gate_first ? CL_COMPLETE : CL_SUBMITTED);
      EXPECT_EQ(second->status(), CL_SUBMITTED);
      EXPECT_EQ(third->status(), CL_SUBMITTED);
      (first_gate_first ? second_gate : first_gate)->set_status(CL_COMPLETE);
      EXPECT_EQ(third->wait(), CL_COMPLETE);
      EXPECT_EQ(second->status(), CL_COMPLETE);
    }
  }
}

TEST_F(EventTest, MarkerWithAWaitListStandsForNothing) {
  for (const SubmitKind kind : {SubmitKind::marker, SubmitKind::barrier}) {
    const auto q = queue(kOutOfOrder);
    auto gate = user();
    auto open = user();
    auto stuck = submit(*q, nullptr, {gate.get()});
    auto partial = submit(*q, nullptr, {open.get()}, kind);
    auto marker = submit(*q, nullptr, {}, SubmitKind::marker);
    EXPECT_EQ(marker->open_dependencies(), 2u);
    open->set_status(CL_COMPLETE);
    EXPECT_EQ(partial->wait(), CL_COMPLETE);
    EXPECT_EQ(marker->status(), CL_SUBMITTED);
    gate->set_status(CL_COMPLETE);
    EXPECT_EQ(marker->wait(), CL_COMPLETE);
  }
}

TEST_F(EventTest, MarkersCompleteAfterFailures) {
  const auto q = queue(kOutOfOrder);
  auto gate = user();
  auto other = user();
  auto failed = submit(*q, nullptr, {gate.get()});
  auto first = submit(*q, nullptr, {}, SubmitKind::marker);
  auto late = submit(*q, fail(CL_OUT_OF_RESOURCES), {other.get()});
  auto second = submit(*q, nullptr, {}, SubmitKind::barrier);
  std::atomic<int> ran{0};
  auto after = submit(*q, count(ran), {first.get(), second.get()});
  gate->set_status(-7);
  EXPECT_EQ(failed->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(first->status(), CL_COMPLETE);
  EXPECT_EQ(second->status(), CL_SUBMITTED);
  other->set_status(CL_COMPLETE);
  EXPECT_EQ(after->wait(), CL_COMPLETE);
  EXPECT_EQ(late->status(), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(second->status(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), 1);
}

TEST_F(EventTest, LongWaitLists) {
  const auto q = queue(kOutOfOrder);
  std::atomic<int> ran{0};
  std::vector<Ref<Event>> before;
  std::vector<Event*> waits;
  for (int i = 0; i < 100; ++i) {
    before.push_back(submit(*q, count(ran)));
    waits.push_back(before.back().get());
  }
  auto event = submit(*q, call([&](std::uint64_t) { return ran == 100 ? CL_SUCCESS : CL_INVALID_VALUE; }), waits);
  EXPECT_EQ(event->wait(), CL_COMPLETE);
}

TEST_F(EventTest, ErrorsTravelAlongWaitListsOnly) {
  const auto q = queue(kInOrder);
  auto failed = submit(*q, fail(CL_OUT_OF_RESOURCES));
  std::atomic<int> ran{0};
  auto dependent = submit(*q, count(ran), {failed.get()});
  auto second = submit(*q, count(ran), {dependent.get()});
  auto independent = submit(*q, count(ran));
  EXPECT_EQ(failed->wait(), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(dependent->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(second->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(independent->wait(), CL_COMPLETE);
  EXPECT_EQ(ran.load(), 1);
  EXPECT_EQ(submit(*q, count(ran), {failed.get()})->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
      << "also when it had failed before the enqueue";
}

TEST_F(EventTest, AFailedPieceSkipsTheRest) {
  const auto q = queue(kInOrder);
  std::atomic<int> ran{0};
  auto event = submit(*q, call([&](std::uint64_t) { return ++ran, CL_OUT_OF_RESOURCES; }, 100'000));
  EXPECT_EQ(event->wait(), CL_OUT_OF_RESOURCES);
  EXPECT_LT(ran.load(), 1000);
}

TEST_F(EventTest, FailedUserEventEndsItsDependants) {
  const auto q = queue(kInOrder);
  auto gate = user();
  std::atomic<int> ran{0};
  auto event = submit(*q, count(ran), {gate.get()});
  EXPECT_EQ(gate->set_status(-42), CL_SUCCESS);
  EXPECT_EQ(gate->status(), -42);
  EXPECT_EQ(event->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(ran.load(), 0);
}

TEST_F(EventTest, UserEventReleasedUnsetEndsItsDependants) {
  const auto q = queue(kInOrder);
  auto gate = user();
  auto event = submit(*q, nullptr, {gate.get()});
  gate = nullptr;
  EXPECT_EQ(event->wait(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

struct Calls {
  std::mutex mutex;
  std::vector<cl_int> statuses;
  std::thread::id thread;
  static void CL_CALLBACK add(cl_event, cl_int status, void* self) {
    auto& calls = *static_cast<Calls*>(self);
    const std::scoped_lock lock(calls.mutex);
    calls.statuses.push_back(status);
    calls.thread = std::this_thread::get_id();
  }
  std::vector<cl_int> wait_for(std::size_t number) {
    std::vector<cl_int> seen;
    const bool all = within(std::chrono::seconds(5), [&] {
      const std::scoped_lock lock(mutex);
      seen = statuses;
      return seen.size() >= number;
    });
    return all ? seen : std::vector<cl_int>();
  }
};

TEST_F(EventTest, CallbacksOfAllStates) {
  const auto q = queue(kInOrder);
  auto gate = user();
  auto event = submit(*q, call([](std::uint64_t) { return CL_SUCCESS; }), {gate.get()});
  Calls calls;
  for (const cl_int trigger : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}) {
    ASSERT_TRUE(event->add_callback(trigger, &Calls::add, &calls).ok());
  }
  EXPECT_EQ(calls.wait_for(1), (std::vector{CL_SUBMITTED})) << "reached already";
  gate->set_status(CL_COMPLETE);
  auto statuses = calls.wait_for(3);
  std::sort(statuses.begin(), statuses.end());
  EXPECT_EQ(statuses, (std::vector{CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}));
  EXPECT_NE(calls.thread, std::this_thread::get_id());
  ASSERT_TRUE(event->add_callback(CL_COMPLETE, &Calls::add, &calls).ok());
  EXPECT_EQ(calls.wait_for(4).size(), 4u) << "registered after the end";
}

TEST_F(EventTest, CallbacksGetTheError) {
  const auto q = queue(kInOrder);
  auto gate = user();
  auto event = submit(*q, fail(-77), {gate.get()});
  Calls calls;
  ASSERT_TRUE(event->add_callback(CL_COMPLETE, &Calls::add, &calls).ok());
  gate->set_status(CL_COMPLETE);
  EXPECT_EQ(calls.wait_for(1), (std::vector{-77}));
}

TEST_F(EventTest, CallbackOutlivesTheApplicationsReference) {
  Calls calls;
  {
    const auto q = queue(kInOrder);
    auto event = submit(*q, call([](std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return CL_SUCCESS;
    }));
    ASSERT_TRUE(event->add_callback(CL_COMPLETE, &Calls::add, &calls).ok());
  }
  EXPECT_EQ(calls.wait_for(1), (std::vector{CL_COMPLETE}));
}

TEST_F(EventTest, CallbacksRaceWithTheEnd) {
  const auto q = queue(kOutOfOrder);
  Calls calls;
  constexpr std::size_t kRounds = 2000;
  for (std::size_t i = 0; i < kRounds; ++i) {
    auto event = submit(*q, call([](std::uint64_t) { return CL_SUCCESS; }));
    ASSERT_TRUE(event->add_callback(CL_COMPLETE, &Calls::add, &calls).ok());
  }
  EXPECT_EQ(calls.wait_for(kRounds), std::vector<cl_int>(kRounds, CL_COMPLETE));
  q->finish();
}

TEST_F(EventTest, TimesAreInOrder) {
  const auto q = queue(CL_QUEUE_PROFILING_ENABLE);
  std::atomic<int> ran{0};
  std::uint64_t before = 0;
  for (const std::uint64_t pieces : {1u, 5000u}) {
    auto event = submit(*q, count(ran, pieces));
    event->wait();
    ASSERT_TRUE(event->has_times());
    const EventTimes& t = event->times();
    EXPECT_LE(before, t.queued);
    EXPECT_LE(t.queued, t.submit);
    EXPECT_LE(t.submit, t.start);
    EXPECT_LE(t.start, t.end);
    before = t.queued;
  }
  auto marker = submit(*q, nullptr, {}, SubmitKind::marker);
  marker->wait();
  EXPECT_LE(marker->times().submit, marker->times().start);
  EXPECT_LE(marker->times().start, marker->times().end);
  auto failed = submit(*q, fail(-5));
  failed->wait();
  EXPECT_FALSE(failed->has_times());
  auto plain = submit(*queue(kInOrder), nullptr);
  plain->wait();
  EXPECT_FALSE(plain->has_times());
}

/// The thread that takes the first part may be stopped before it runs it, while others run theirs.
TEST_F(EventTest, NoPartRunsBeforeTheStart) {
  const auto q = queue(CL_QUEUE_PROFILING_ENABLE);
  for (int round = 0; round < 500; ++round) {
    std::atomic<std::uint64_t> first{~std::uint64_t{0}};
    auto event =
        submit(*q, call(
                       [&](std::uint64_t) {
                         std::uint64_t now = now_ns();
                         for (std::uint64_t known = first; now < known && !first.compare_exchange_weak(known, now);) {
                         }
                         return CL_SUCCESS;
                       },
                       100));
    event->wait();
    ASSERT_LE(event->times().start, first.load()) << round;
  }
}

TEST(EventTimes, TheFirstPartThatRunsIsTheStart) {
  EventTimes times;
  times.started();
  const std::uint64_t first = times.start;
  EXPECT_GT(first, 0U);
  while (now_ns() == first) {
  }
  times.started();
  EXPECT_EQ(times.start, first);
}

TEST_F(EventTest, ContextHearsOfFailures) {
  std::atomic<int> heard{0};
  const auto notify = [](const char*, const void*, std::size_t, void* data) {
    ++*static_cast<std::atomic<int>*>(data);
  };
  const auto context = Context::create({Ref<Device>(device())}, {}, notify, &heard);
  const auto q = Queue::create(*context, device(), kInOrder, {});
  auto failed = submit(*q, fail(-5));
  submit(*q, nullptr, {failed.get()})->wait();
  static_cast<void>(within(std::chrono::seconds(5), [&] { return heard != 0; }));
  EXPECT_EQ(heard.load(), 1) << "once: not for the commands that failed because of it";
}

}  // namespace
}  // namespace lanewise::test
