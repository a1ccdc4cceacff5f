// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Seats spread the participants of a scheduler over the processors, so that no two share one while another is free.
///
/// If Linux finds no idle processor, it wakes a thread where that ran last, or beside the thread that wakes it. A
/// participant that spins for work is enough to make a processor look busy. Two participants on one processor stay
/// there for some milliseconds, until the system balances its load. On two processors, a row of launches of a few
/// milliseconds, each of which the application waited for, took twice its time one time in four.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "src/base/cache_lines.h"
#include "src/host/domains.h"

namespace lanewise {

/// The seats of one scheduler: one for each processor.
class Seats {
 public:
  /// A participant's seat: the processor on which it was seen last. The destructor leaves the seat. Used by one thread.
  class Seat {
   public:
    Seat() = default;
    ~Seat() { leave(); }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    void leave() noexcept;
    /// The number of the processor; -1: the participant has no seat yet.
    [[nodiscard]] int processor() const { return processor_; }

   private:
    friend class Seats;
    std::atomic<int>* taken_ = nullptr;
    int processor_ = -1;
  };

  explicit Seats(const host::CpuList& cpus);

  /// Notes the processor of the calling participant, which calls this between chunks. If another participant has its
  /// seat there, and a processor on which the thread may run has none, the thread moves to that processor. A call takes
  /// some nanoseconds, a move about 10 us. A thread moves at most once in a millisecond, so that it does not fight with
  /// the system's balancing.
  void settle(Seat& seat) noexcept;

 private:
  struct alignas(kApartBytes) Occupancy {
    std::atomic<int> taken{0};  ///< number of participants that have this seat
  };
  void move(Seat& seat) noexcept;
  void sit(Seat& seat, unsigned cpu) noexcept;

  std::vector<Occupancy> places_;  ///< indexed by processor
};

}  // namespace lanewise
