// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a command has on top when its work enqueues others as its children: who waits for what, and what they share.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/exec/dependency.h"
#include "runtime/exec/event.h"
#include "src/base/closing_stack.h"

namespace lanewise {

class Command;

/// What all commands below one of the application share, as far as it is known here; `launch` derives from it.
class FamilyGoods {
 public:
  FamilyGoods() = default;
  FamilyGoods(const FamilyGoods&) = delete;
  FamilyGoods& operator=(const FamilyGoods&) = delete;
  virtual ~FamilyGoods() = default;
  /// A user event that only these commands can end, and that none has ended. Null: there is none. Called while none of
  /// them runs or can run.
  virtual Ref<Event> stuck_event() noexcept = 0;
};

/// Numbers that a command is asked to write when it ends: nanoseconds from its start to the end of its own run, and to
/// that of its children (capture_event_profiling_info).
struct TimeCapture {
  std::uint64_t* to = nullptr;
  TimeCapture* next = nullptr;
};

/// Those numbers. Zeros: the command has not run.
struct RunTimes {
  std::uint64_t run = 0;
  std::uint64_t all = 0;
};

/// Those that one command has to write.
class TimeCaptures {
 public:
  TimeCaptures() = default;
  TimeCaptures(const TimeCaptures&) = delete;
  TimeCaptures& operator=(const TimeCaptures&) = delete;
  ~TimeCaptures();
  /// False: the command has written them, and its times are final. Out of memory counts as added.
  [[nodiscard]] bool add(std::uint64_t* to);
  /// Once.
  void write(RunTimes times);

 private:
  struct Next {
    static TimeCapture*& of(TimeCapture& capture) { return capture.next; }
  };
  ClosingStack<TimeCapture, Next> captures_;  ///< closed when they have been written
};

struct Family {
  explicit Family(Command& top) : root(top) {}

  Command& root;                             ///< the command of the application
  std::atomic<std::uint32_t> unfinished{1};  ///< of the command: its own run, and children
  std::atomic<cl_int> outcome{CL_COMPLETE};  ///< or the first error
  Successors after_run;                      ///< those that wait for its own run, but not for its children
  std::uint64_t run_end = 0;                 ///< on the clock of `now_ns()`; 0: not recorded
  TimeCaptures captures;
  std::atomic<FamilyGoods*> goods{nullptr};  ///< of the root only, as is what follows
  std::atomic<std::uint32_t> runnable{1};    ///< those that run or can: the root's own run, and what is below it

  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;
  ~Family() { drop_goods(); }
  /// Takes them over, unless there are some; returns those that there are.
  FamilyGoods& share(std::unique_ptr<FamilyGoods> fresh);
  void drop_goods() noexcept { delete goods.exchange(nullptr, std::memory_order_acquire); }
};

}  // namespace lanewise
