// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The first code of one kernel of an executable: there from the start, or made when it is wanted (design D30).
///
/// Creating a kernel object asks for the code, and the helper makes it on behalf of a thread for builds. Code in the
/// cache is opened by the first enqueue, which takes less time than another thread needs to start. A call that needs
/// the code makes it on behalf of its own thread if no other thread does yet, so it waits for this kernel alone.
/// A command waits for the code as it waits for an event. No lock is held while the code is made.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/kernel_abi.h"
#include "runtime/code/artifact.h"
#include "runtime/code/asked_job.h"
#include "runtime/code/build_cache.h"
#include "runtime/code/build_tasks.h"
#include "runtime/code/code_object.h"
#include "runtime/exec/user_event.h"
#include "src/base/mutex.h"

namespace lanewise {

/// All functions are thread-safe.
class KernelCode {
 public:
  /// What keeps the artifact and this object alive: the executable.
  using Owner = std::shared_ptr<const void>;

  /// @param artifact  outlives this object
  /// @param kernel    index in `artifact.reply.kernels`
  /// @param run       the range function; null: it is to be made
  /// @param ir        IR of the artifact, if the code is to be made
  KernelCode(const Artifact& artifact, std::size_t kernel, lanewise_range_fn* run, const ProgramIr& ir = {})
      : artifact_(artifact), ir_(ir), described_(artifact.reply.kernels[kernel]), info_(&described_), run_(run) {}

  /// The range function; null: it is not there (yet).
  [[nodiscard]] lanewise_range_fn* run() const { return run_.load(std::memory_order_acquire); }
  /// The description of the kernel: complete once `run` is not null, before with the bounds of Reply::lacks_code. Valid
  /// as long as this object.
  [[nodiscard]] const abi::KernelInfo& info() const { return *info_.load(std::memory_order_acquire); }

  /// Makes the code soon, on another thread, unless it is cached: it is then read when it is wanted.
  void ask(const Owner& owner);
  /// Blocks until the code is there. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES and CL_COMPILER_NOT_AVAILABLE;
  /// it may be possible later.
  cl_int wait();
  /// Why the code could not be made, in words; empty: it was not tried, it is there, or an earlier call has told it.
  [[nodiscard]] std::string take_fault();
  /// Makes the code before that of kernels that nothing waits for, and ends `event` as complete when the code is there
  /// or cannot be made. If there is no thread for that, blocks until then. False: it is so now, perhaps because the
  /// cache had it, and the event stays as it is.
  [[nodiscard]] bool tell(const Owner& owner, const Ref<UserEvent>& event);

 private:
  enum class State : unsigned char { none, in_work, made };

  /// Code that has been made.
  struct Made {
    Ref<CodeObject> code_object;
    abi::KernelInfo info;
    lanewise_range_fn* run = nullptr;
  };

  [[nodiscard]] bool start(const Owner& owner, Urgency urgency);
  [[nodiscard]] abi::FirstCode job() const;
  [[nodiscard]] bool load();
  void make(const std::shared_ptr<AskedJob>& asked) noexcept;
  void end(cl_int error) noexcept;
  [[nodiscard]] cl_int made_by_compiler(const std::shared_ptr<AskedJob>& asked);
  void keep_fault(const std::string& why);
  [[nodiscard]] bool publish(const abi::Reply& reply);
  [[nodiscard]] const char* fault_of(const abi::Reply& reply) const;

  const Artifact& artifact_;
  const ProgramIr ir_;
  const abi::KernelInfo& described_;
  std::atomic<const abi::KernelInfo*> info_;
  std::atomic<lanewise_range_fn*> run_;

  Mutex mutex_;
  ConditionVariable ended_;
  State state_ GUARDED_BY(mutex_) = State::none;            ///< not used if the code was there from the start
  cl_int error_ GUARDED_BY(mutex_) = CL_SUCCESS;            ///< error of the last try
  std::optional<Hash128> key_ GUARDED_BY(mutex_);           ///< key of the code in the cache; no task is started then
  bool asked_ GUARDED_BY(mutex_) = false;                   ///< a thread will make the code, unless another one does
  std::shared_ptr<AskedJob> asked_job_ GUARDED_BY(mutex_);  ///< the work, if nobody waited for it when it began
  bool wanted_ GUARDED_BY(mutex_) = false;                  ///< a thread that comes first will make it
  bool told_ GUARDED_BY(mutex_) = false;                    ///< `take_fault` has told a fault
  std::string fault_ GUARDED_BY(mutex_);                    ///< why the last try failed
  std::vector<Ref<UserEvent>> events_ GUARDED_BY(mutex_);
  std::unique_ptr<const Made> made_;  ///< written before `run_`
};

}  // namespace lanewise
