// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second tier (design D8): code of a kernel for one local size, and one class of launches (launch_class.h), made in
/// the background once the kernel has proved hot with them, and used by the launches that follow, and by what is left of
/// one that runs meanwhile (tier/late_code.h). Belongs to an executable, so that all its kernel objects share
/// it. Where launches that have fewer work-items than a vector has lanes take as much, the kernel also gets code that
/// runs one work-item at a time; and so does one that stays hot, whose launches then find out which form is faster. Hot
/// launches that may add to private copies (tier/private_copies.h) have code for that, which replaces the others.
///
/// Nothing is compiled on the thread that enqueues (except with LANEWISE_TIER=2, for tests), and nothing waits for a
/// compile: an executable that is released meanwhile lives until its last specialisation has ended.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/kernel_abi.h"
#include "runtime/code/kernel_image.h"
#include "runtime/tier/contest.h"
#include "runtime/tier/launch_class.h"
#include "src/base/mutex.h"
#include "src/base/sizes.h"

namespace lanewise {

struct Executable;

/// Code for one local size and class. Right for launches without offset, with whole groups, and with less than 2^31 work-items in
/// each dimension.
struct SpecialCode {
  lanewise_range_fn* run = nullptr;
  std::uint64_t item_bytes = 0;  ///< this and the next two are those of KernelInfo, for this code
  std::uint64_t group_bytes = 0;
  std::uint32_t row_items = 0;
  Ref<KernelImage> image;

  /// The comparison of both forms; kept by the code that runs one work-item at a time.
  struct Rivalry {
    FewItems few_items;
    Contest contest;
  };
  std::unique_ptr<Rivalry> rivalry;
};

/// What there is for launches with one local size and class. Null: nothing yet.
struct SpecialForms {
  const SpecialCode* best = nullptr;    ///< what the compiler expects to be faster: vectorised, if it could be
  const SpecialCode* scalar = nullptr;  ///< one work-item at a time; null if `best` is known to be faster
  const SpecialCode* copies = nullptr;  ///< for private copies; the other two are null then
};

/// How much of its vectors a launch of a kernel fills.
enum class Lanes : unsigned char {
  fixed,  ///< groups do not share vectors, so there is one form only
  few,    ///< a row of the launch has fewer work-items than a vector has lanes
  all,
};

class Tiers {
 public:
  /// What matters of a launch beside its place.
  struct Launch {
    Lanes lanes;
    bool may_use_copies;
  };

  /// A kernel with a local size and a class of launches. `executable` owns this object.
  struct Place {
    const std::shared_ptr<const Executable>& executable;
    std::size_t kernel;
    Sizes local;
    LaunchClass launch_class;

    /// The code that exists. Counts a launch that will take `ns` nanoseconds of processor time (0: unknown), and starts
    /// a compile when launches have taken enough. Costs a few nanoseconds; thread-safe.
    [[nodiscard]] SpecialForms forms(std::uint64_t ns, Launch launch) const;
  };

  /// What code there may be for a place.
  enum class Kind : unsigned char { best, scalar, copies };

  explicit Tiers(std::size_t kernels) : kernels_(kernels) {}

  /// A number that identifies a kernel of this executable in the process. Unlike an address, it is never reused.
  [[nodiscard]] std::uint64_t identity_of(std::size_t kernel) const { return first_identity_ + kernel; }

  /// A kernel is hot when launches with one local size have taken this long, and as long as its compile will.
  static constexpr std::uint64_t kHotNanoseconds = 100'000'000;
  static constexpr std::uint32_t kHotLaunches = 3;
  /// Code for formats, and for private copies, is several times as fast, and launches of it often take milliseconds.
  /// Code of kernels with barriers keeps in registers what lives across them, and is 1.4 times as fast and more, unless
  /// the first code knew the local size already (reqd_work_group_size), which is then nearly as fast.
  static constexpr std::uint64_t kSoonHotNanoseconds = 20'000'000;
  /// So many times as long where the first code knew the local size.
  static constexpr std::uint64_t kLittleGain = 4;
  /// So many times as much makes it worth a contest.
  static constexpr std::uint64_t kStaysHot = 4;

  /// The processor time in nanoseconds that launches of a place take before code of this kind is made for it.
  static std::uint64_t hot_after(const Place& place, Kind kind);

 private:
  /// One form of code, and how long launches that could use it have taken.
  struct Order {
    std::atomic<std::uint64_t> ns{0};  ///< races between launches may lose one
    std::atomic<std::uint32_t> launches{0};
    std::atomic<bool> asked_cache{false};
    std::atomic<bool> asked{false};
    std::atomic<const SpecialCode*> code{nullptr};
  };
  struct Slot {
    std::atomic<std::uint64_t> key{0};  ///< the local size; kFree; kTaken while the class is being written
    LaunchClass launch_class;           ///< written once, in front of `key`
    Order best, scalar, copies;
  };
  static constexpr std::uint64_t kFree = 0;
  static constexpr std::uint64_t kTaken = ~std::uint64_t{0};
  /// A kernel that is launched with more local sizes and classes than this keeps generic code for the others.
  using Slots = std::array<Slot, 6>;
  struct OfKernel {
    Slots slots;
    std::atomic<bool> forms_teams{true};  ///< for all that is known yet
  };
  /// Whether to compile what the cache does not have.
  enum class Effort : unsigned char { cache, compiler };

  static std::uint64_t take_identities(std::size_t kernels);
  static std::uint64_t key_of(const Sizes& local);
  static Slot* slot_of(Slots& slots, std::uint64_t key, const LaunchClass& launch_class);
  /// Place::forms.
  SpecialForms forms_for(Place place, std::uint64_t ns, Launch launch);
  /// The code, after a launch that takes `ns`.
  const SpecialCode* book(const Place& place, Order& order, Kind kind, std::uint64_t ns);
  void make(const Place& place, Order& order, Kind kind, Effort effort);
  void specialise(const Place& place, Order& order, Kind kind, Effort effort);
  /// False: the reply is not for this kernel, or refused.
  [[nodiscard]] bool publish(const Place& place, Order& order, Kind kind, const abi::Reply& reply);
  /// The kernel forms no teams, so that this is the code of launches with few groups too.
  void share(const Place& place, const SpecialCode& code);
  static unsigned width_of(Kind kind);
  /// Whether code of this kind is so much faster that it is made soon, and looked for in the cache at once.
  static bool pays_early(const Place& place, Kind kind);

  std::vector<OfKernel> kernels_;
  const std::uint64_t first_identity_ = take_identities(kernels_.size());
  Mutex mutex_;
  std::vector<std::unique_ptr<const SpecialCode>> made_ GUARDED_BY(mutex_);
};

}  // namespace lanewise
