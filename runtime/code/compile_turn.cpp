// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/compile_turn.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "src/log/log.h"

namespace lanewise {

using std::chrono::milliseconds;

CompileTurn::CompileTurn(const std::string& folder, const std::string& name, milliseconds first_wait) {
  if (folder.empty()) return;
  files_.reserve(kMostOwners);
  for (unsigned owner = 0; owner < kMostOwners; ++owner) {
    auto file = file::LockFile::open(folder + "/" + name + "." + std::to_string(owner) + std::string(kSuffix));
    if (!file) return;
    files_.push_back(std::move(*file));
    if (wait(first_wait * (1U << owner))) return;
    log_line(Channel::cache, "%s: another process takes long to make it", name.c_str());
  }
}

/// False: every owner is still at work after that time.
bool CompileTurn::wait(milliseconds limit) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    for (file::LockFile& file : files_)
      if (file.try_lock() != file::LockFile::State::taken) return true;
    const auto waited = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
    if (waited >= limit) return false;
    // At most an eighth later than the end of the work, and without a load that shows.
    std::this_thread::sleep_for(std::clamp(waited / 8, milliseconds(1), milliseconds(50)));
  }
}

}  // namespace lanewise
