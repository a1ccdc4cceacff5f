// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Families: a command of the application with all commands that its work and they have enqueued as children. A command
/// with children has a Family, which counts what has not ended, and holds what the commands share.
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

/// The interface of the objects that all commands of a family share. DeviceFamily (launch/device_events.h) derives from
/// it.
class FamilyGoods {
 public:
  FamilyGoods() = default;
  FamilyGoods(const FamilyGoods&) = delete;
  FamilyGoods& operator=(const FamilyGoods&) = delete;
  virtual ~FamilyGoods() = default;
  /// A user event that only the family's kernels could end and that none of them has ended. Null: there is none. Called
  /// while no command of the family runs or can run.
  virtual Ref<Event> stuck_event() noexcept = 0;
};

/// A request to write the RunTimes of a command to two numbers when it ends (capture_event_profiling_info).
struct TimeCapture {
  std::uint64_t* to = nullptr;
  TimeCapture* next = nullptr;
};

/// The durations of a command in nanoseconds; 0: the command has not run.
struct RunTimes {
  std::uint64_t run = 0;  ///< duration of the command's own run
  std::uint64_t all = 0;  ///< time from the command's start to the end of its last child
};

/// The captures of one command.
class TimeCaptures {
 public:
  TimeCaptures() = default;
  TimeCaptures(const TimeCaptures&) = delete;
  TimeCaptures& operator=(const TimeCaptures&) = delete;
  ~TimeCaptures();
  /// Adds a capture. False: the command has written its captures already, and its times are final. True also if out of
  /// memory: the capture is lost.
  [[nodiscard]] bool add(std::uint64_t* to);
  /// Writes all captures; called once.
  void write(RunTimes times);

 private:
  struct Next {
    static TimeCapture*& of(TimeCapture& capture) { return capture.next; }
  };
  ClosingStack<TimeCapture, Next> captures_;  ///< closed when the captures have been written
};

/// The state of a command with children, or of a child. Some fields are used in the family's root only.
struct Family {
  explicit Family(Command& top) : root(top) {}

  Command& root;                             ///< the command of the application
  std::atomic<std::uint32_t> unfinished{1};  ///< the command's own run and its children, as far as they have not ended
  std::atomic<cl_int> outcome{CL_COMPLETE};  ///< the first error of the run and the children
  Successors after_run;                      ///< commands that wait for the own run, but not for the children
  std::uint64_t run_end = 0;  ///< end of the own run, in nanoseconds on the clock of `now_ns()`; 0: not recorded
  TimeCaptures captures;
  std::atomic<FamilyGoods*> goods{nullptr};  ///< root only: what the family shares
  std::atomic<std::uint32_t> runnable{1};    ///< root only: commands of the family that run or can run

  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;
  ~Family() { drop_goods(); }
  /// Takes over `fresh` if there are no goods yet, and returns the family's goods.
  FamilyGoods& share(std::unique_ptr<FamilyGoods> fresh);
  void drop_goods() noexcept { delete goods.exchange(nullptr, std::memory_order_acquire); }
};

}  // namespace lanewise
