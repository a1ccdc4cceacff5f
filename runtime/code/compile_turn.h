// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Single flight among processes: what many of them want is compiled once on a machine, or a few times.
///
/// A process that finds no entry in the cache takes the lock of a file, compiles, stores the entry, and removes the
/// file. Others that want the same entry look at the lock now and then and sleep in between. A lock whose owner died
/// goes to the next process. An owner that is stopped, or whose compile is long, does not hold the others for long:
/// after `first_wait` one of the waiting processes compiles too, after twice that time another one, and so on; in the
/// end each compiles for itself. A thread that has a turn waits for no other turn, so there are no circles.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "src/file/lock_file.h"

namespace lanewise {

/// The turn of a thread to compile. The object is kept until the entry is stored.
class CompileTurn {
 public:
  static constexpr std::chrono::milliseconds kFirstWait{2000};
  static constexpr unsigned kMostOwners = 4;            ///< processes that compile the same while others wait
  static constexpr std::string_view kSuffix = ".lock";  ///< end of the names of lock files: `<name>.<digit>.lock`

  /// Waits while other processes compile, at most 15 times `first_wait`. The entry may exist afterwards. Where no file
  /// can be made, each process has its turn at once.
  /// @param folder  a folder that belongs to this user alone; empty: there is none
  /// @param name    name of the entry
  CompileTurn(const std::string& folder, const std::string& name, std::chrono::milliseconds first_wait = kFirstWait);

 private:
  bool wait(std::chrono::milliseconds limit);

  std::vector<file::LockFile> files_;  ///< lock files that this thread has waited for, and its own
};

}  // namespace lanewise
