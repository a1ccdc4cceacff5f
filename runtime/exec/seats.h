// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which processors the participants of a scheduler run on, so that no two share one while another is free.
///
/// Linux wakes a thread where it ran last, or beside the thread that wakes it, if it finds no processor idle at that
/// moment; a participant that spins for work is enough to make it look busy. Two participants on one processor stay
/// there for some milliseconds until the system balances its load. Launches of a few milliseconds one after another,
/// each of which the application waits for, took twice their time one time in four on two processors.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "src/host/domains.h"

namespace lanewise {

class Seats {
 public:
  /// A participant's seat: the processor on which it was seen last. Leaves it when it is destroyed. Not shared.
  class Seat {
   public:
    Seat() = default;
    ~Seat() { leave(); }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    void leave() noexcept;
    /// The processor's number; -1: none yet.
    [[nodiscard]] int processor() const { return processor_; }

   private:
    friend class Seats;
    std::atomic<int>* taken_ = nullptr;
    int processor_ = -1;
  };

  explicit Seats(const host::CpuList& cpus);

  /// To be called by a participant that has more work to do, every now and then. Notes its processor; if another
  /// participant has its seat there, and one of the processors on which the thread may run has nobody, moves there.
  /// Some nanoseconds; a move takes some 10 us, and a thread moves at most once in a millisecond, so that it does not
  /// fight with the system where that has other reasons.
  void settle(Seat& seat) noexcept;

 private:
  struct alignas(64) Place {
    std::atomic<int> taken{0};  ///< participants that sit there
  };
  void move(Seat& seat) noexcept;
  void sit(Seat& seat, unsigned cpu) noexcept;

  std::vector<Place> places_;  ///< by processor
};

}  // namespace lanewise
