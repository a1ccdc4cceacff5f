// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scratch memory of kernels on one thread, which grows with their needs.
#pragma once

#include <atomic>
#include <cstdint>

#include "include/lanewise/kernel_abi.h"
#include "src/base/list.h"

namespace lanewise {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// To be called by the thread that it belongs to before it reserves anything, and when it runs no piece any more.
  void begin() noexcept;
  void end() noexcept;
  /// Makes the three areas at least this large (bytes; 0: not needed), aligned to LANEWISE_SCRATCH_ALIGN. The content
  /// is undefined afterwards. The thread that will use the memory allocates it, so it is on that thread's NUMA node.
  /// False: out of memory. Areas that have been far too large for a long time shrink.
  bool reserve(lanewise_worker& abi, std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes);

  /// Frees the large areas of all threads: of those that run pieces when they end that, of the others at once.
  static void give_back_all() noexcept;

  struct InAll {
    static Link<Scratch>& of(Scratch& scratch) { return scratch.in_all_; }
  };

 private:
  struct Area {
    char* data = nullptr;
    std::uint64_t size = 0;
    unsigned oversized = 0;  ///< uses in a row that needed far less
  };
  static bool fit(Area& area, std::uint64_t bytes);
  static bool replace(Area& area, std::uint64_t bytes);
  static void free(Area& area) noexcept;
  void give_back() noexcept;  ///< by whoever has set `busy_`

  Area local_;
  Area item_;
  Area group_;
  std::atomic<bool> busy_{false};   ///< somebody uses the areas: their own thread, or one that frees them
  std::atomic<unsigned> asked_{0};  ///< how often all threads had been asked when they were freed last
  Link<Scratch> in_all_;
};

}  // namespace lanewise
