// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scratch memory of one thread for kernels. The areas grow as kernels need more.
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

  /// Bracket the time in which the owning thread runs pieces: it calls `begin` before it reserves memory, and `end`
  /// when it runs no piece any more.
  void begin() noexcept;
  void end() noexcept;
  /// Makes the three areas at least this large (bytes; 0: not needed), aligned to LANEWISE_SCRATCH_ALIGN. The content
  /// is undefined afterwards. The owning thread allocates the memory, so it is on that thread's NUMA node. Areas that
  /// have been far too large for many uses shrink. False: out of memory.
  bool reserve(lanewise_worker& abi, std::uint64_t local_bytes, std::uint64_t item_bytes, std::uint64_t group_bytes);

  /// Frees the large areas of all threads: now if the thread runs no piece, else at its `end`.
  static void give_back_all() noexcept;

  struct InAll {
    static ListLink<Scratch>& of(Scratch& scratch) { return scratch.in_all_; }
  };

 private:
  struct Area {
    char* data = nullptr;
    std::uint64_t size = 0;  ///< bytes
    unsigned oversized = 0;  ///< number of uses in a row that needed far less
  };
  static bool fit(Area& area, std::uint64_t bytes);
  static bool replace(Area& area, std::uint64_t bytes);
  static void free(Area& area) noexcept;
  void give_back() noexcept;  ///< called by the thread that has set `busy_`

  Area local_;
  Area item_;
  Area group_;
  std::atomic<bool> busy_{false};   ///< the owning thread uses the areas, or another one frees them
  std::atomic<unsigned> asked_{0};  ///< number of calls of `give_back_all` before the areas were freed last
  ListLink<Scratch> in_all_;
};

}  // namespace lanewise
