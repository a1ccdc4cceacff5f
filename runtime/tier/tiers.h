// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second tier (design D8): code of a kernel for one local size and one class of launches (launch_class.h). It is
/// compiled in the background when such launches prove hot. Later launches use it, and so do the remaining chunks of a
/// launch that runs meanwhile (tier/late_code.h). The second tier belongs to an executable, so all its kernel objects
/// share it.
///
/// A kernel has up to three kinds of second-tier code (Kind). `best` is the form that the compiler expects to be
/// faster. `scalar` runs one work-item at a time: it is made for hot launches with fewer work-items than a vector has
/// lanes, and for kernels that stay hot, whose launches then measure which form is faster (contest.h). `copies` is made
/// for hot launches that may add to private copies (tier/private_copies.h), and replaces the other two.
///
/// The thread that enqueues never compiles (except with LANEWISE_TIER=2, for tests), and nothing waits for a compile. A
/// released executable lives until its last specialisation has ended.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/kernel_abi.h"
#include "runtime/code/code_object.h"
#include "runtime/tier/contest.h"
#include "runtime/tier/launch_class.h"
#include "src/base/mutex.h"
#include "src/base/sizes.h"

namespace lanewise {

struct Executable;

/// Code for one local size and class. Correct for launches without offset, with whole groups, and with less than 2^31
/// work-items in each dimension.
struct SecondTierCode {
  lanewise_range_fn* run = nullptr;
  std::uint64_t item_bytes = 0;   ///< KernelInfo::item_bytes of this code
  std::uint64_t group_bytes = 0;  ///< KernelInfo::group_bytes of this code
  std::uint32_t row_items = 0;    ///< NDRangeShape::row_items of this code
  std::uint32_t team_groups = 0;  ///< NDRangeShape::team_groups of this code
  Ref<CodeObject> code_object;

  /// The measurements that compare both forms; the scalar code keeps them.
  struct Rivalry {
    FewItems few_items;
    Contest contest;
  };
  std::unique_ptr<Rivalry> rivalry;
};

/// The code that exists for launches with one local size and class. Null: none yet.
struct SecondTierForms {
  const SecondTierCode* best = nullptr;    ///< the form that the compiler expects to be faster
  const SecondTierCode* scalar = nullptr;  ///< one work-item at a time; null also if `best` is known to be faster
  const SecondTierCode* copies = nullptr;  ///< code for private copies; the other two are null then
};

/// How many lanes of its vectors a launch fills.
enum class LaneUse : unsigned char {
  fixed,  ///< groups do not share vectors, so there is one form only
  few,    ///< a row of the launch has fewer work-items than a vector has lanes
  all,    ///< a row of the launch fills a vector
};

/// The second-tier code of one executable. All functions are thread-safe.
class Tiers {
 public:
  /// The properties of a launch that matter beside its place.
  struct LaunchTraits {
    LaneUse lanes;
    bool may_use_copies;
  };

  /// A kernel with a local size and a class of launches. `executable` owns this object.
  struct Place {
    const std::shared_ptr<const Executable>& executable;
    std::size_t kernel;
    Sizes local;
    LaunchClass launch_class;

    /// The code that exists. Books a launch that will take `ns` nanoseconds of processor time (0: not known), and
    /// starts a compile when launches have taken enough. A call takes a few nanoseconds. Thread-safe.
    [[nodiscard]] SecondTierForms forms(std::uint64_t ns, LaunchTraits launch) const;
  };

  /// The kinds of code that a place may have.
  enum class Kind : unsigned char { best, scalar, copies };

  explicit Tiers(std::size_t kernels) : kernels_(kernels) {}

  /// A number that identifies a kernel of this executable in the process. Unlike an address, it is never reused.
  [[nodiscard]] std::uint64_t identity_of(std::size_t kernel) const { return first_identity_ + kernel; }

  /// A kernel is hot when launches of one place have taken this long, and as long as its compile will take.
  static constexpr std::uint64_t kHotNanoseconds = 100'000'000;
  /// A kernel is hot after this many launches at least.
  static constexpr std::uint32_t kHotLaunches = 3;
  /// Replaces kHotNanoseconds for code that gains much. Code for known formats and for private copies is several times
  /// as fast, and its launches often take milliseconds. Code with barriers keeps values in registers across them and is
  /// 1.4 times as fast and more, unless the first code knew the local size already (reqd_work_group_size).
  static constexpr std::uint64_t kSoonHotNanoseconds = 20'000'000;
  /// Factor of the hot time for kernels whose first code knew the local size: they gain little.
  static constexpr std::uint64_t kLittleGain = 4;
  /// Factor of the hot time after which a contest of both forms is worth its cost.
  static constexpr std::uint64_t kStaysHot = 4;

  /// The processor time, in nanoseconds, of launches after which code of this kind is made for a place.
  static std::uint64_t hot_after(const Place& place, Kind kind);

 private:
  /// One kind of code for a place, and the time of the launches that could use it.
  struct CodeRecord {
    std::atomic<std::uint64_t> ns{0};  ///< races between launches may lose the time of one
    std::atomic<std::uint32_t> launches{0};
    std::atomic<bool> asked_cache{false};  ///< the cache has been searched for the code
    std::atomic<bool> asked{false};        ///< a compile has been started
    std::atomic<const SecondTierCode*> code{nullptr};
  };
  struct Slot {
    std::atomic<std::uint64_t> key{
        0};                    ///< the local size (`key_of`), kFree, or kTaken while the class is being written
    LaunchClass launch_class;  ///< written once, before `key`
    CodeRecord best, scalar, copies;
  };
  static constexpr std::uint64_t kFree = 0;
  static constexpr std::uint64_t kTaken = ~std::uint64_t{0};
  /// The places of one kernel. Launches with further local sizes and classes run the first build's code.
  using Slots = std::array<Slot, 6>;
  struct OfKernel {
    Slots slots;
    std::atomic<bool> forms_teams{true};  ///< false: the compiler has made code without teams for this kernel
  };
  /// Whether to compile code that the cache does not have.
  enum class CodeSource : unsigned char { cache, compiler };

  static std::uint64_t take_identities(std::size_t kernels);
  static std::uint64_t key_of(const Sizes& local);
  static Slot* slot_of(Slots& slots, std::uint64_t key, const LaunchClass& launch_class);
  /// Implements Place::forms.
  SecondTierForms forms_for(Place place, std::uint64_t ns, LaunchTraits launch);
  /// Books a launch that takes `ns` nanoseconds, and returns the code.
  const SecondTierCode* book(const Place& place, CodeRecord& order, Kind kind, std::uint64_t ns);
  void make(const Place& place, CodeRecord& order, Kind kind, CodeSource effort);
  void specialise(const Place& place, CodeRecord& order, Kind kind, CodeSource effort);
  /// Makes the code of a reply available. False: the reply is for another kernel, or its description is refused.
  [[nodiscard]] bool publish(const Place& place, CodeRecord& order, Kind kind, const abi::Reply& reply);
  /// Makes the code available to launches with few groups too, because the kernel forms no teams.
  void share(const Place& place, const SecondTierCode& code);
  static unsigned width_of(Kind kind);
  /// Whether code of this kind is so much faster that it is made soon, and searched for in the cache at once.
  static bool pays_early(const Place& place, Kind kind);

  std::vector<OfKernel> kernels_;
  const std::uint64_t first_identity_ = take_identities(kernels_.size());
  Mutex mutex_;
  std::vector<std::unique_ptr<const SecondTierCode>> made_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
