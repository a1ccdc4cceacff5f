// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/programs.h"

#include <algorithm>

#include "src/base/mutex.h"

namespace lanewise::trace {

namespace {

/// All sources and remarks together take no more.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

class Programs {
 public:
  static Programs& instance() {
    static Programs& programs = *new Programs;  // read while the process exits
    return programs;
  }

  void keep(const std::string& source, const std::string& remarks) {
    const MutexLock lock(mutex_);
    const auto same = [&](const TracedProgram& other) { return other.source == source && other.remarks == remarks; };
    if (bytes_ + source.size() + remarks.size() > kMostBytes || std::any_of(all_.begin(), all_.end(), same)) return;
    bytes_ += source.size() + remarks.size();
    all_.push_back({source, remarks});
  }

  std::vector<TracedProgram> all() {
    const MutexLock lock(mutex_);
    return all_;
  }

 private:
  Mutex mutex_;
  std::vector<TracedProgram> all_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

void keep_program(const std::string& source, const std::string& remarks) {
  Programs::instance().keep(source, remarks);
}

std::vector<TracedProgram> kept_programs() {
  return Programs::instance().all();
}

}  // namespace lanewise::trace
