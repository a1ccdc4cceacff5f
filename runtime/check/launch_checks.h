// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK: the checks of one launch, as its code calls them (kernel_abi.h, lanewise_services::check).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "include/lanewise/check_abi.h"
#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/kernel_abi.h"
#include "runtime/check/report.h"
#include "runtime/check/shadow.h"
#include "src/base/mutex.h"

namespace lanewise {
class Event;
}

namespace lanewise::check {

class LaunchChecks {
 public:
  struct CheckedLaunch {
    const abi::KernelInfo& info;             ///< must live as long as the object
    const lanewise_launch& sizes;            ///< sizes in the code's order of dimensions; must live as long
    std::uint64_t local_bytes = 0;           ///< local memory of a work-group
    std::vector<lanewise_bounds> bounds;     ///< memory of each argument
    std::vector<lanewise_bounds> variables;  ///< memory of the program
  };
  /// May throw std::bad_alloc.
  explicit LaunchChecks(CheckedLaunch launch);

  /// Of each argument.
  [[nodiscard]] const std::vector<lanewise_bounds>& bounds() const { return launch_.bounds; }

  /// The service. Never throws; what there is no memory for is not found.
  std::uint64_t call(const lanewise_worker& worker, WorkerRecords& records, std::uint64_t what, const char* place,
                     std::uint64_t address, std::uint64_t value, std::uint64_t item, std::uint64_t local) noexcept;
  /// The records of the run of a command, made at the first call; null: nobody looks for races, or out of memory.
  RunRecords* records_of(const Event* command) noexcept;
  /// LANEWISE_CHECK=barrier: not all work-items of a group reach the barrier at `site`, "file:line".
  void divergent_barrier(std::uint64_t group, const char* site) noexcept;

  /// Whether something was found.
  [[nodiscard]] bool found() const { return found_.load(std::memory_order_relaxed); }
  /// Ends the run of a command, and publishes what was found.
  void finish(const Event* command) noexcept;

 private:
  using Key = std::tuple<const char*, const char*, int>;  ///< place, other place, reason
  struct Who {
    std::uint64_t item = 0;
    std::uint64_t group = 0;
    bool linear = false;  ///< `item` is a global linear id; otherwise a local one of `group`
    bool one_item = true;
    bool one_group = true;
  };

  /// Reports what is no access. `reason`: a FaultReason; of `operation` the place says it.
  void note_operation(const char* check, int reason, const char* place, std::uint64_t item);
  /// A work-item is at the barrier before an operation that all of its group have to do alike; `digest` tells what.
  void arrive(int reason, std::uint64_t digest, const char* place, std::uint64_t item);
  void outside(const CheckCall& call, const char* place, std::uint64_t address, std::uint64_t begin,
               std::uint64_t item);
  bool find(const lanewise_worker& worker, const CheckCall& call, const char* place, std::uint64_t address,
            std::uint64_t item);
  struct SharedCall {
    CheckCall call;
    const char* places;
    std::uint64_t address;
    std::uint64_t value;
    std::uint64_t global_record;
    std::uint64_t local_record;
  };
  void share(const lanewise_worker& worker, WorkerRecords& records, const SharedCall& made);
  void report_race(const SharedCall& made, const SharedAccess& access, std::uint64_t before);
  [[nodiscard]] static Who who_of(std::uint64_t record, bool linear);
  /// A place of a race: its text, and the accesses that are made there.
  struct RacePlace {
    const char* text = nullptr;
    CheckCall call;
  };
  /// By number; read from the texts of the code at the first call.
  const std::vector<RacePlace>& race_places(const char* texts);
  [[nodiscard]] FaultTarget target_of(const char* place, std::uint64_t address) const;
  [[nodiscard]] Spot spot_of(const char* place, const CheckCall& call, const Who& who) const;
  void locate(Spot& spot, const Who& who) const;
  /// Counts what was found, and calls `describe` for the first of a key.
  template <class Describe>
  void note(const Key& key, const Describe& describe);

  CheckedLaunch launch_;
  std::atomic<bool> found_{false};
  std::once_flag read_places_;
  std::vector<RacePlace> race_places_;
  Mutex mutex_;  ///< innermost
  std::map<Key, FaultReport> reports_ GUARDED_BY(mutex_);
  /// Of the runs that have begun.
  std::map<const Event*, RunRecords> records_ GUARDED_BY(mutex_);
};

}  // namespace lanewise::check
