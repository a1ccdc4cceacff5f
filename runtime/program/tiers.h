// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second tier (design D8): code of a kernel for one local size, made in the background once the kernel has proved
/// hot with it, and used by the launches that follow. Belongs to an executable, so that all its kernel objects share
/// it. Where launches that have fewer work-items than a vector has lanes take as much, the kernel also gets code that
/// runs one work-item at a time; and so does one that stays hot, whose launches then find out which form is faster.
///
/// Nothing is compiled on the thread that enqueues (but with LANEWISE_TIER=2, for tests), and nothing waits for it: an
/// executable that is released in between lives until its last specialisation has ended.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/kernel_image.h"
#include "runtime/program/contest.h"

namespace lanewise {

struct Artifact;

/// Code for one local size. Right for launches without offset, with whole groups, and with less than 2^31 work-items in
/// each dimension.
struct SpecialCode {
  lanewise_range_fn* run = nullptr;
  std::uint64_t item_bytes = 0;  ///< as in KernelInfo, of this code
  std::uint64_t group_bytes = 0;
  std::uint32_t row_items = 0;
  Ref<KernelImage> image;

  /// What is known of it beside the other form; of code that runs one work-item at a time.
  struct Rivalry {
    FewItems few_items;
    Contest contest;
  };
  std::unique_ptr<Rivalry> rivalry;
};

/// What there is for launches with one local size. Null: nothing yet.
struct SpecialForms {
  const SpecialCode* best = nullptr;    ///< as the compiler thinks best: work-items in lanes, if it could
  const SpecialCode* scalar = nullptr;  ///< one work-item at a time, unless it is known that `best` is better
};

/// How far a launch fills the vectors of its kernel.
enum class Lanes : unsigned char {
  fixed,  ///< groups do not share vectors: one form is enough
  few,    ///< a row of the launch has fewer work-items than a vector has lanes
  all,
};

class Tiers {
 public:
  /// A kernel with a local size. `artifact` owns this object.
  struct Place {
    const std::shared_ptr<const Artifact>& artifact;
    std::size_t kernel;
    const std::array<std::uint64_t, 3>& local;
  };

  explicit Tiers(std::size_t kernels) : kernels_(kernels) {}

  /// What identifies a kernel of this executable in the process: never given to another one, as an address would be.
  [[nodiscard]] std::uint64_t identity_of(std::size_t kernel) const { return first_identity_ + kernel; }

  /// The code that there is. Books a launch that is going to take `ns` nanoseconds of processor time (0: unknown), and
  /// orders code when launches have taken enough. Costs a few nanoseconds; thread-safe.
  SpecialForms forms_for(const Place& place, std::uint64_t ns, Lanes lanes);

  /// A kernel is hot when launches with one local size have taken as much: a compile costs a tenth of it.
  static constexpr std::uint64_t kHotNanoseconds = 300'000'000;
  static constexpr std::uint32_t kHotLaunches = 3;
  /// So many times as much makes it worth a contest.
  static constexpr std::uint64_t kStaysHot = 4;

 private:
  /// Code, and how much launches that could use it have taken.
  struct Order {
    std::atomic<std::uint64_t> ns{0};  ///< racing launches may lose one
    std::atomic<std::uint32_t> launches{0};
    std::atomic<bool> asked{false};
    std::atomic<const SpecialCode*> code{nullptr};
  };
  struct Slot {
    std::atomic<std::uint64_t> key{0};  ///< the local size; 0: free
    Order best, scalar;
  };
  /// A kernel that is launched with more local sizes than this keeps generic code for the others.
  using Slots = std::array<Slot, 4>;

  static std::uint64_t take_identities(std::size_t kernels);
  static std::uint64_t key_of(const std::array<std::uint64_t, 3>& local);
  static Slot* slot_of(Slots& slots, std::uint64_t key);
  /// The code, after a launch that takes `ns`.
  const SpecialCode* book(const Place& place, Order& order, unsigned width, std::uint64_t ns);
  void make(const Place& place, Order& order, unsigned width);
  void specialise(const Place& place, Order& order, unsigned width);

  std::vector<Slots> kernels_;
  const std::uint64_t first_identity_ = take_identities(kernels_.size());
  std::mutex mutex_;  ///< guards made_
  std::vector<std::unique_ptr<const SpecialCode>> made_;
};

}  // namespace lanewise
