// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What works tell of themselves, for traces and messages.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/base/sizes.h"

namespace lanewise {

/// What a work does. The numbers are what is known without running it.
struct WorkFacts {
  std::string_view name = {};    ///< name of the kernel; empty: the type of the command says all
  Sizes global{};                ///< work-items in each dimension; zeros: it is no launch
  Sizes local{};                 ///< work-items of a group
  std::uint64_t bytes = 0;       ///< bytes that are copied or filled; of a launch, of all buffers that it may access
  std::uint64_t operations = 0;  ///< instructions of all work-items, each counted once, however often it runs
};

/// The base of works that have something to tell.
class Described {
 public:
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  [[nodiscard]] virtual WorkFacts facts() const noexcept = 0;

 protected:
  Described() = default;
  ~Described() = default;
};

}  // namespace lanewise
