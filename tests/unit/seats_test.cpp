// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/seats.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <thread>

#include "src/host/pin.h"
#include "src/host/topology.h"

namespace lanewise {
namespace {

/// A thread moves at most once in this time.
void wait_for_the_next_move() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(Seats, SecondParticipantOfAProcessorMovesToAFreeOne) {
  const host::CpuList cpus = host::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  Seats seats(cpus);
  Seats::Seat first;
  Seats::Seat second;
  wait_for_the_next_move();
  {
    const host::PinThread here({cpus.front()});
    seats.settle(first);
    ASSERT_EQ(first.processor(), static_cast<int>(cpus.front()));
  }
  // Both seats are this thread's, so that it surely finds the place taken, wherever the system puts it meanwhile.
  seats.settle(second);
  EXPECT_GE(second.processor(), 0);
  EXPECT_NE(second.processor(), first.processor());
  EXPECT_EQ(host::allowed_cpus(), cpus) << "a move keeps the thread's mask";
}

TEST(Seats, NobodyMovesToAProcessorOutsideOfItsMask) {
  const host::CpuList cpus = host::allowed_cpus();
  Seats seats(cpus);
  Seats::Seat first;
  Seats::Seat second;
  wait_for_the_next_move();
  const host::PinThread here({cpus.front()});
  seats.settle(first);
  seats.settle(second);
  EXPECT_EQ(first.processor(), static_cast<int>(cpus.front()));
  EXPECT_EQ(second.processor(), static_cast<int>(cpus.front()));
}

TEST(Seats, ASeatThatIsLeftIsFree) {
  const host::CpuList cpus = host::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  const host::CpuList two = {cpus[0], cpus[1]};
  Seats seats(two);
  Seats::Seat second;
  {
    const host::PinThread there({two[1]});
    Seats::Seat first;
    seats.settle(first);
    ASSERT_EQ(first.processor(), static_cast<int>(two[1]));
  }
  Seats::Seat first;
  const host::PinThread both(two);
  wait_for_the_next_move();
  {
    const host::PinThread here({two[0]});
    seats.settle(first);
  }
  wait_for_the_next_move();
  seats.settle(second);
  EXPECT_EQ(second.processor(), static_cast<int>(two[1])) << "the only processor that nobody has";
}

TEST(Seats, UnknownProcessorsHaveNoSeats) {
  Seats seats({});
  Seats::Seat seat;
  seats.settle(seat);
  EXPECT_EQ(seat.processor(), -1);
}

}  // namespace
}  // namespace lanewise
